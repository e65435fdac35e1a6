// The triggers that a rule gets from its text: the commands, files and words of code that it names.
import { TRIGGERS_MAX, type Trigger } from '../model/knowledge.ts'
import { pattern } from '../text/pattern.ts'
import { commandTriggers, conceptTriggers, gitTriggers } from './commandTriggers.ts'
import { ruleAlone } from './ruleSentences.ts'
import { bash, EDITS, FORBIDS, hasWord, isBanned, make, matches, PROGRAMS } from './triggerWords.ts'

/** `Use pnpm, not npm`: a Bash call with npm and without pnpm. Empty if nothing is sure. */
export function triggersOfRule(line: string): Trigger[] {
  const said = ruleAlone(line.replaceAll('’', "'"))
  const text = said.replace(/^[A-Z](?=[a-z]+ )/, (letter) => letter.toLowerCase())
  const tools = toolTriggers(text)
  const found = [
    ...flagTriggers(text),
    // Which tool is used in place of another one says more than what it is used for.
    ...(tools.length > 0 && INSTEAD.test(text) ? tools : [...conceptTriggers(text), ...tools]),
    ...gitTriggers(text),
    ...commandTriggers(text),
    ...pathTriggers(text),
  ]
  const files = new Set([...text.matchAll(ONE_FILE)].map(([, file = '']) => file))
  // A rule that is about one file comes before an edit of it.
  if (found.length === 0 && files.size === 1) found.push(make(EDITS, [...files], []))
  const unique = new Map(found.map((trigger) => [JSON.stringify([trigger.tool, trigger.has]), trigger]))
  return [...unique.values()].slice(0, TRIGGERS_MAX)
}

const INSTEAD = /ではなく|じゃなく|の代わり|やめて|\b(?:not|never|instead of|rather than)\b/

/** `X always gets --flag`. */
function flagTriggers(text: string): Trigger[] {
  const program = new RegExp(`(?<![\\w./-])(?:${PROGRAMS})(?![\\w/-])`).exec(text.toLowerCase())?.[0]
  const flag = /(?:\b(?:always|every|must|explicit)\b|必ず|毎回|常に).*?(?<!\S)`?(--[a-z][\w-]+)/i.exec(text)?.[1]
  return program !== undefined && flag !== undefined && !isBanned(text, flag) ? [bash([program], [flag])] : []
}

/** Tools that do the same work: who names one excludes the others. */
const ALTERNATIVES: readonly (readonly string[])[] = (
  'npm|pnpm|yarn|bun, npx|pnpx|bunx, jest|vitest|mocha|bun test, pip|poetry|uv|pipenv|conda, prettier|biome, ' +
  'black|ruff|autopep8|yapf, unittest|pytest, axios|fetch, moment|dayjs|date-fns|luxon, make|just, grep|rg, find|fd, ' +
  'lodash|ramda|es-toolkit|remeda, joi|yup|zod|valibot, redux|zustand|jotai|mobx, rspec|minitest'
)
  .split(', ')
  .map((group) => group.split('|'))
const SHELL_TOOLS = new Set(
  'npm pnpm yarn bun npx pnpx bunx pip poetry uv pipenv conda make just grep rg find fd docker podman'.split(' '),
)

/** `use A, not B`, `A instead of B`, 「BではなくA」; and A alone, where it is known what it replaces. */
function toolTriggers(text: string): Trigger[] {
  const NAME = String.raw`\`?((?:@[\w-]+\/)?[a-z][\w.+-]*(?: (?:compose|test|run|install))?)\`?`
  const pairs = [
    ...matches(
      text,
      String.raw`\b(?:use|using|on|with|prefer|is|are|it's|run)? ?(?!(?:we|always|please|only|just|to|and|
      use|using|on|with|prefer|is|are|it's|run) )${NAME}(?: \w+){0,3}?,? (?:and )?(?:not|never|
      instead of|rather than|over)(?: use| using)? ${NAME}`,
    ).map(([a, b]) => [a, b]),
    ...matches(
      text,
      String.raw`${NAME}[\s]?(?:コマンド)?(?:ではなく(?:て)?|じゃなく(?:て)?|より|は(?:直\S{0,4}|使わ|叩か)(?:ず|ないで)に?|は使わ(?:ず|ないで)に?|
      [をは]?やめて|の代わりに)[、\s]*${NAME}`,
    ).map(([b, a]) => [a, b]),
  ].filter((pair): pair is [string, string] => isNameOfTool(pair[1]))
  if (pairs.length > 0) return pairs.flatMap(([keep, ban]) => avoid(ban, isNameOfTool(keep) ? [keep] : []))
  // `npm run build` names a script; which manager runs it is not said.
  const plain = text.replace(/`(?!\w+ (?:install|i|add|ci)\b)[^`\s]+ [^`]+`|\b\w+ run \S+/g, ' ')
  const named = ALTERNATIVES.map((group) => group.filter((name) => hasWord(plain, name)))
  return named.flatMap((names, at) => {
    const [name] = names
    if (names.length !== 1 || name === undefined) return []
    if (['make', 'find', 'just', 'fetch', 'black'].includes(name)) return []
    const isForbidden = isBanned(text, name)
    if (isForbidden) return avoid(name, [])
    if (!USES.test(text)) return []
    return (ALTERNATIVES[at] ?? []).filter((other) => other !== name).flatMap((other) => avoid(other, [name]))
  })
}

/** That a tool is in use, or should be. */
const USES =
  /\b(?:use|uses|using|we're on|it's|with|is|only|switched|moved|standardi[sz]ed)\b|使|だ(?:って|よ)|で(?:す|統一|お願い)|一択|だけ|のみ/i

/** A name of code or of a tool, not a word of the language. */
const isNameOfTool = (name: string | undefined): name is string =>
  name !== undefined &&
  (ALTERNATIVES.some((group) => group.includes(name.toLowerCase())) ||
    /[\w)][.@/_]\w|^@|[a-z][A-Z]/.test(name) ||
    KEYWORDS.test(name))

const KEYWORDS = pattern(
  String.raw`^(?:var|let|const|any|unknown|enums?|class(?:es)?|interfaces?|function|switch|lambda|eval|goto|global|
      null|undefined|sqlite|postgres|mysql|redis|sudo|ssh|scp|telnet|wget|curl|less|sass|jquery|webpack|vite|rollup|
      parcel|babel|tslint|flake8|pylint|isort|requests|httpx|nose|celery|pandas|numpy)$`,
  'i',
)

/** Calls that bring in or run a tool, or code that uses it. */
const avoid = (name: string, unless: readonly string[]): Trigger[] =>
  SHELL_TOOLS.has(name) ? [bash([name], unless)] : [make(`Bash|${EDITS}`, [name], unless)]

const ONE_FILE = /(?<![\w/`.@:-])`?((?:[\w.@-]+\/)+[\w.-]*\.[a-z]\w{0,9})(?![\w/*])/g

const OF_FILES =
  /generated|overwritten|comes? out of|gets? lost|managed by|ask|自動生成|生成|手で|直接|触|いじ|上書き|確認/i

/** Files that nobody may edit, or that something else writes. */
function pathTriggers(text: string): Trigger[] {
  if (!(FORBIDS.test(text) || OF_FILES.test(text)) || /\b(?:branch|commit message|pr title)/i.test(text)) return []
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
      ({ index, 0: { length } }) =>
        // What it is made from is where the edit belongs.
        !/\bfrom\s+`?$/i.test(text.slice(0, index)) &&
        !/^`?\s*から/.test(text.slice(index + length)) &&
        (!/\b(?:edit|change|update|use|see|into|(?<!(?:files?|code) )in|to|add)\s+(?:the\s+)?`?$/i.test(
          text.slice(0, index),
        ) ||
          !/generated|instead|\bput\b/i.test(text)),
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
  [/\bgenerated (?:files?|code)\b|自動生成(?:された|の)?(?:ファイル|コード)/i, 'generated/', '.generated.'],
  [/\b(?:ci|workflow) (?:config|files?|ya?ml)\b|\bgithub actions\b/i, '.github/workflows'],
]
