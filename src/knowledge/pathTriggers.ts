// The triggers of rules about files.
import type { Trigger } from '../model/knowledge.ts'
import { pattern } from '../text/pattern.ts'
import { EDITS, FORBIDS, make, matches } from './triggerWords.ts'

/** Files that nobody may edit, or that something else writes. */
export function pathTriggers(text: string): Trigger[] {
  const isOfFiles =
    FORBIDS.test(text) ||
    /generated|overwritten|comes? out of|gets? lost|managed by|ask|自動生成|生成|手で|直接|触|いじ|上書き|確認/i.test(
      text,
    )
  if (!isOfFiles || /\b(?:branch|commit message|pr title)/i.test(text)) return []
  const paths = [
    ...text.matchAll(
      pattern(
        String.raw`(?<![\w/\`.@-])\`?((?:[\w.@-]+/)+[\w.*-]*|\.env(?:\.\w+)?|[\w-]*\*?\.[\w.]*(?:lock|json|ya?ml|toml|
      pb\.\w+|proto|sql|tf|snap|css|md|gen\.\w+|g\.dart|generated\.\w+|env|config\.\w+|graphql|prisma|ts|tsx|js|py|go|
      rb|rs|java|kt|php|swift)|[\w-]+-lock\.\w+|Dockerfile|Makefile|CHANGELOG|README|
      LICENSE)(?=[\`\s,.;:)、。はをのにがで]|$)`,
        'g',
      ),
    ),
  ]
    .filter(
      ({ index }) =>
        !/\b(?:edit|change|update|use|see|into|in|to|add)\s+(?:the\s+)?`?$/i.test(text.slice(0, index)) ||
        !/generated|instead|\bput\b/i.test(text),
    )
    .map(([, path = '']) => path.replace(/[.]$/, '').replace(/\*+$/, '').replace(/^\*+/, ''))
    .filter(
      (path) => path.length > 2 && !/^(?:and\/or|is\/has|y\/n|ci\/cd|[A-Z]+\/[A-Z]+|\w{1,3}\/[A-Z]|@\/)/.test(path),
    )
  const named = matches(
    text,
    String.raw`([\w.-]{3,})\`?\/? ?(?:folder|directory|dir|配下|ディレクトリ|フォルダ|の下)(?![\w-])|\b(?:in|under|
      inside) \`?(dist|build|out|vendor|generated|legacy|third_party)\b|\b(dist|vendor|generated|legacy)\/`,
  ).flatMap((names) => names.filter((name) => name !== undefined && !NO_FOLDERS.test(name)).map((name) => `${name}/`))
  const folders = FOLDERS.filter(([name]) => name.test(text)).flatMap(([, ...parts]) => parts)
  const touched = pattern(
    String.raw`\b(?:touch|edit|change|modify|write|hand|update|delete|move|under|generated|protected|frozen|
      off[- ]limits|read[- ]only|commit)|触|編集|変更|修正|書き換え|いじ|生成|更新|消|削除|手`,
    'i',
  ).test(text)
  const isSecret = /\b(?:open|read|print|cat|show|look)\b|開|読ま|見ない|表示/.test(text) && FORBIDS.test(text)
  const tool = isSecret ? `Bash|Read|${EDITS}` : EDITS
  return touched || isSecret
    ? [...new Set([...paths, ...named, ...folders])].slice(0, 3).map((path) => make(tool, [path], []))
    : []
}

const NO_FOLDERS =
  /^(?:the|this|that|same|own|root|test|each|every|any|new|right|separate|one|home|working|current|project|source)$/i

const FOLDERS: readonly (readonly [RegExp, ...string[]])[] = [
  [/\bmigrations?\b|マイグレーション/i, 'migrations/', 'migrate/'],
  [/\block ?files?\b|ロックファイル/i, 'package-lock.json', 'pnpm-lock.yaml', '*.lock'],
  [/\bvendor(?:ed)?\b(?! mail)/i, 'vendor/'],
  [/\bsnapshots?\b|スナップショット/i, '.snap'],
  [/\bgenerated (?:files?|code)\b|自動生成(?:された|の)?(?:ファイル|コード)/i, 'generated'],
  [/\b(?:ci|workflow) (?:config|files?|ya?ml)\b|\bgithub actions\b/i, '.github/workflows'],
]
