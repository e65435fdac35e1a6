// The triggers of rules about commands: by name, by what they do, and about commits, branches and pull requests.
import type { Trigger } from '../model/knowledge.ts'
import { pattern } from '../text/pattern.ts'
import { ASKS_FIRST, bash, demand, FORBIDS, isBanned, KANA, PROGRAM_START, PROGRAMS } from './triggerWords.ts'

/** A command in running text: a program and its subcommand, not the words that follow its name. */
const BARE_COMMAND = pattern(
  String.raw`(?<![\w\`./@-])((?:go (?:test|build|run|mod|get|vet|install|fmt|generate)|git (?:add|commit|push|pull|
      merge|rebase|reset|stash|checkout|switch|tag|clean|restore|cherry-pick)|(?:make|just) (?:test|lint|build|deploy|
      release|gen\w*|fmt|check|dev|migrate|install|\w+-\w+)|(?:rm|sed|curl) -\w+|(?!(?:make|just|go|git|rm|sed|
      curl)\b)(?:${PROGRAMS})[ ](?:(?:run|compose|exec) )?(?!(?:is|are|in|to|for|on|and|or|not|the|a|before|after|
      directly|here|instead|project|files?|code|with|only|anymore|please|repo|version|workspace|scripts?|images?|
      containers?)\b)[a-z][\w:.-]*)(?: -{1,2}[\w-]+)*)`,
  'g',
)

/** Commands that are forbidden, need consent, or need something before them. */
export function commandTriggers(text: string): Trigger[] {
  const quoted = [...text.matchAll(/`([^`]{2,80})`/g)].map(([, code = '']) => code.trim())
  const bare = [...text.matchAll(BARE_COMMAND)].map(([, command = '']) => command)
  const commands = [...new Set([...quoted.filter((code) => PROGRAM_START.test(code)), ...bare])]
  const banned = commands.filter((command) => isBanned(text, command))
  const careful = commands.filter((command) => ASKS_FIRST.test(text) || isTarget(text, command))
  const others = commands.filter((command) => !banned.includes(command) && !careful.includes(command))
  return [...new Set([...banned, ...careful])].map((command) => bash([command], others))
}

/** `before A`, 「A打つ前に」. */
function isTarget(text: string, command: string): boolean {
  const at = text.indexOf(command)
  return (
    /(?:before|prior to)(?: you| each| every| any| running| run| using)*\s*`?$/i.test(text.slice(0, at)) ||
    /^`?\s*(?:を|する|打つ|実行|叩く|の|流す|かける|走らせる)*前/.test(text.slice(at + command.length))
  )
}

/** What is done, and the commands that do it. */
const CONCEPTS: readonly (readonly [said: RegExp, commands: string])[] = [
  [/\bstaging\b|ステージング/i, 'staging | staging-* | staging_*'],
  [/\bprod(?:uction)?\b(?!-)|本番/i, 'prod | production | prod-* | prod_* | *_prod'],
  [
    pattern(
      String.raw`\binstalling\b|\binstall (?:anything|new|any)|dependenc|\bdeps\b|\blibrar|\b(?:new|extra|npm|
      third-party) packages?\b|依存(?:関係|パッケージ|ライブラリ|の?追加|を)|ライブラリ|パッケージ(?:を|の?追加)`,
      'i',
    ),
    'npm install | npm i | pip install | go get | gem install',
  ],
  [/\bdelet\w+|\bremov\w+ (?:files?|data)|消す|消し|消さ|削除/i, 'rm | git rm'],
  [/\bdeploy|デプロイ/i, 'deploy | deploy-* | deploy_* | kubectl apply | terraform apply'],
  [/\b(?:hard resets?|reset --hard)/i, 'git reset --hard'],
  [
    pattern(
      String.raw`\b(?:whole|full|entire) (?:test )?suite|\ball (?:of )?(?:the )?tests|テスト\S*(?:全部|全件|全て|
      すべて)|(?:全部|全件|全て|全)\S{0,3}テスト`,
      'i',
    ),
    'npm test | npm run test | pytest | go test ./... | pnpm test | yarn test',
  ],
  [/\be2e\b/i, 'e2e* | playwright | cypress'],
  [/\bstash/i, 'git stash'],
  [/\bgit add\b|stage files/i, 'git add -a | git add . | git commit -a*'],
  [/\bsudo\b/i, 'sudo'],
  [/\btags?\b|タグ/i, 'git tag'],
  [
    /\bdrop (?:the|any|tables?|data)|truncat|\breset\b.*\b(?:db|database)|DB\S*(?:消|リセット|初期化)/i,
    'drop | truncate | down -v | migrate reset | db:reset | db:drop',
  ],
]

/** Commands that are forbidden as a kind, or need consent; tests run by hand where a command for it is given. */
export function conceptTriggers(text: string): Trigger[] {
  const isLimited = FORBIDS.test(text) || ASKS_FIRST.test(text) || /\bnothing\b|\bonly\b|だけ|のみ/i.test(text)
  const found = CONCEPTS.filter(([said]) => isLimited && said.test(text)).flatMap(([, commands]) => [
    ...(commands.startsWith('npm install') ? [bash(['add'], ['git'])] : []),
    ...commands.split(' | ').map((has) => bash([has])),
  ])
  const [, run] =
    pattern(String.raw`\`?((?:make|task|just|npm run|pnpm|yarn|bun run|mise|bin|\./\w+|turbo run|nx|uv run|poetry run|
      docker compose exec \w+|bundle exec|bazel) ?[\w:./-]*(?:test|spec)[\w:-]*)`).exec(text) ?? []
  // What comes before something else is not in place of it.
  if (run === undefined || isBanned(text, run) || /\bbefore\b|前/i.test(text)) return found
  const hands = ['go test', 'pytest', 'npx jest', 'npx vitest', 'cargo test', 'npm test']
  return [...found, ...hands.filter((hand) => !run.startsWith(hand)).map((hand) => bash([hand], [run]))]
}

const FEAT = ['feat:', 'fix:', 'chore:', 'docs:', 'refactor:', '):']

/** `push to main`, `main is protected`, 「mainへの直push」. */
const ON_MAIN = pattern(
  String.raw`\b(?:commit|push|merg)\w*\b[^.,;]{0,25}?\b(main|master|develop|trunk)\b|\b(main|master|develop|
      trunk)\b[^.,;]{0,25}(?:protected|frozen|off[- ]limits|commit|push)|(main|master|develop)[^、。]{0,12}(?:push|
      プッシュ|コミット|マージ|commit|merge|直)`,
  'i',
)

const BEFORE_COMMIT = pattern(
  String.raw`(?:before|prior to).{0,30}\b(?:commit|push)|(?:コミット|プッシュ|push|commit)(?:する)?(?:の)?前|
      (?:から|後に?)(?:コミット|プッシュ|push|commit)`,
  'i',
)

/** Commits, branches and pushes. */
export function gitTriggers(text: string): Trigger[] {
  const found: Trigger[] = []
  const forbids = FORBIDS.test(text)
  const main = ON_MAIN.exec(text)?.slice(1).find(Boolean)?.toLowerCase()
  if (/force[- ]?push|push\S* (?:-f|--force)|フォースプッシュ|強制プッシュ/i.test(text)) {
    const unless = /lease/i.test(text) ? ['--force-with-lease'] : []
    return [bash(['git push', '--force*'], unless), bash(['git push', '-f'], unless)]
  }
  if (/co-?authored|claude.{0,12}(?:trailer|footer|署名)|generated with/i.test(text))
    return [bash(['git commit', 'co-authored-by']), bash(['git commit', 'generated with'])]
  if (/\bamend\b/i.test(text) && forbids) return [bash(['git commit', '--amend'])]
  if (/--no-verify|skip(?:ping)? (?:the )?(?:git )?hooks/i.test(text)) return [bash(['git', '--no-verify'])]
  if (/\bsquash/i.test(text)) found.push(...demand(['gh pr merge'], ['--squash'], isBanned(text, 'squash')))
  if (/\brebase\b/i.test(text) && /\bmerg/i.test(text) && !isBanned(text, 'rebase'))
    found.push(bash(['git merge']), bash(['git pull'], ['--rebase']))
  const isOfMessage = pattern(
    String.raw`commit (?:message|subject|title|log)|commits (?:in|are|should|must|follow|start|need|use)|conventional|
      コミット(?:メッセージ|ログ|は|の(?:メッセージ|タイトル|件名|文言))`,
    'i',
  ).test(text)
  if (isOfMessage) found.push(...messageTriggers(text))
  const isOfBranch = pattern(
    String.raw`\bbranch(?:es)?\b.{0,40}(?:name|look|start|prefix|off|from|under|called|must|carry|have|get|follow|are|
      use|\w/)|\bprefix\b.{0,20}\bbranch|name.{0,20}branch|ブランチ(?:名|の名前|は).{0,16}|ブランチ.{0,8}から切|
      から切る|branch off|branch from|cut from`,
    'i',
  ).test(text)
  if (isOfBranch && !/(?:commit|push)\S* (?:directly )?(?:to|on)/i.test(text)) {
    const from =
      /(?:off|from|cut from) (?:of )?`?(?:the )?(develop|main|master|staging|trunk)\b/i.exec(text)?.[1] ??
      /(develop|main|master|staging)[\s`]*(?:ブランチ)?から切/i.exec(text)?.[1]
    const prefixes = text.match(/\b[a-z]{2,}\/(?=[\w<{*`… .,、でをかや]|$)/g)?.map((prefix) => `${prefix}*`) ?? []
    const parts = from !== undefined ? [from.toLowerCase()] : prefixes
    const commands = ['git checkout -b', 'git switch -c']
    if (from !== undefined && prefixes.length === 0) commands.push('git worktree add')
    const bans = isBanned(text, from ?? prefixes[0]?.replace('*', '') ?? '')
    found.push(...commands.flatMap((command) => demand([command], parts, bans)))
  }
  if (main !== undefined && (forbids || /protected|保護|直接/i.test(text)) && !isOfBranch) {
    if (/commit|コミット|protected|touch|work on|触/i.test(text)) found.push(bash(['git commit']))
    if (/push|プッシュ|protected|直push|直接/i.test(text)) found.push(bash(['git push', main]))
    if (/merge|マージ/i.test(text)) found.push(bash(['git merge', main]))
  } else if (forbids || ASKS_FIRST.test(text)) {
    const needsConsent = (...names: readonly string[]): boolean =>
      ASKS_FIRST.test(text) || names.some((name) => isBanned(text, name))
    if (/\bpush|プッシュ/i.test(text) && needsConsent('push', 'プッシュ')) found.push(bash(['git push']))
    const isOfCommits = /\bcommit(?:ting|s)?\b(?! message| subject| hash)|コミット(?!メッセージ|ログ)/i.test(text)
    if (isOfCommits && !isOfMessage && needsConsent('commit', 'コミット')) {
      const [file] = /\.env\b|[\w./-]+\.(?:json|local|key|pem|ya?ml)\b/.exec(text) ?? []
      found.push(file === undefined ? bash(['git commit']) : bash(['git add', file]))
    }
  }
  const [draft] = /draft|ドラフト/i.exec(text) ?? []
  if (BEFORE_COMMIT.test(text)) found.push(bash([/push|プッシュ/i.test(text) ? 'git push' : 'git commit']))
  if (
    /\b(?:PRs?|prs?|[Pp]ull requests?)\b|PR|プルリク/.test(text) &&
    /title|description|draft|template|タイトル|説明|ドラフト|テンプレ|本文|英語|日本語|open|create|作/i.test(text)
  )
    found.push(...demand(['gh pr create'], draft === undefined ? [] : ['--draft'], isBanned(text, draft ?? '')))
  const [, base] =
    /\b(?:prs?|pull requests?)\b.*\b(?:against|into|target(?:ing)?|to) `?(develop|main|master|staging|next)\b|/i.exec(
      text,
    ) ?? []
  const [, goal = base] = /(develop|main|master|staging)(?:ブランチ)?(?:宛|向け|に(?:出|作|向))/i.exec(text) ?? []
  if (goal !== undefined) found.push(...demand(['gh pr create'], [goal], isBanned(text, goal)))
  return found
}

/** What the message of a commit has, or must not have. */
function messageTriggers(text: string): Trigger[] {
  const commit = ['git commit']
  if (/conventional/i.test(text)) return demand(commit, FEAT, isBanned(text, 'conventional'))
  const [english] = /english|英語/i.exec(text) ?? []
  const [japanese] = /japanese|日本語/i.exec(text) ?? []
  if (english !== undefined && !isBanned(text, english)) return demand(commit, KANA, true)
  if (japanese !== undefined) return demand(commit, KANA, english === undefined && isBanned(text, japanese))
  // What is written instead of English is known only if the rule itself is in Japanese.
  if (english !== undefined) return /[\u3040-\u30ff]/.test(text) ? demand(commit, KANA, false) : []
  const [key] = /\b[A-Z]{2,}(?=-\d|-[A-Z]|-x)/.exec(text) ?? []
  const prefixes = text.match(/(?<![\w/])(?:feat|fix|chore|docs|refactor|test|wip):/g) ?? []
  return demand(commit, key === undefined ? prefixes : [`${key}-*`], isBanned(text, key ?? prefixes[0] ?? ''))
}
