// What the person refuses when the client asks for permission: commands to ask about first, and the step that they want
// to come first. Reasons that are about the code itself are no facts of the project.
import { type CallResult, callCommand, EDIT_TOOLS, type EventOf, isShellTool } from '../../model/event.ts'
import type { FactTrigger } from '../../model/fact.ts'
import { commandFamily, commandShape, isCheckCommand } from '../../text/command.ts'
import { firstLine } from '../../text/excerpt.ts'
import { removePasted } from '../../text/pastedText.ts'
import { splitSimpleCommands } from '../../text/shellCommands.ts'
import type { FactDetector, FactSighting } from './factSighting.ts'

export const detectRejectionFacts: FactDetector = ({ calls, branch }) => {
  const sightings = calls.flatMap((call) => {
    const refusal = findRefusal(call)
    const described = refusal === undefined ? undefined : describeRefusal(refusal, calls, branch)
    return described === undefined ? [] : [described]
  })
  // The latest one counts; a call that is refused twice in a session is one sighting.
  const byKey = new Map<string, FactSighting>()
  for (const sighting of sightings) {
    const before = byKey.get(sighting.key)
    byKey.set(sighting.key, {
      ...sighting,
      failures: (before?.failures ?? 0) + 1,
      events: [...(before?.events ?? []), ...sighting.events],
    })
  }
  return [...byKey.values()]
}

interface Refusal {
  readonly call: EventOf<'call.failed'>
  /** What was refused, for the reader: `git push`, an edit. */
  readonly what: string
  readonly action: 'edit' | 'commit' | 'rewrite' | 'command' | 'tool'
  /** In the person's words; empty if none was given. */
  readonly reason: string
}

const REFUSED = /user doesn't want to proceed with this tool use|tool use was rejected/i
const REASON = /(?:the user said|reason for (?:the )?rejection|following reason[^:]*):\s*([\s\S]+)$/i
/** The client's own words where a person gave no reason. */
const NO_REASON = /^(?:STOP what you are doing|The user wants to clarify|\(no )/

/** Plans and questions are discussed by refusing them. */
const DISCUSSED = new Set(['ExitPlanMode', 'AskUserQuestion', 'EnterPlanMode', 'TodoWrite', 'TaskOutput'])

export const isRefused = (call: CallResult): call is EventOf<'call.failed'> =>
  call.kind === 'call.failed' && REFUSED.test(call.error)

function findRefusal(call: CallResult): Refusal | undefined {
  if (!isRefused(call) || DISCUSSED.has(call.tool)) return undefined
  const said = REASON.exec(call.error)?.[1]?.trim() ?? ''
  const reason = NO_REASON.test(said) ? '' : firstLine(removePasted(said), 160)
  if (EDIT_TOOLS.has(call.tool)) return { call, what: 'an edit', action: 'edit', reason }
  if (!isShellTool(call.tool))
    return call.tool.startsWith('mcp__') ? { call, what: call.tool, action: 'tool', reason } : undefined
  const refused = refusedCommand(callCommand(call))
  if (refused === undefined) return undefined
  const what = refused.join(' ')
  const action = COMMITS.test(what) ? 'commit' : REWRITES.test(what) ? 'rewrite' : 'command'
  return { call, what, action, reason }
}

const COMMITS = /^(?:git (?:commit|push|add|merge|rebase|tag|cherry-pick|revert)|gh pr (?:create|merge|ready))\b/
/** Git commands that throw work away or put it aside. */
const REWRITES = /^git (?:reset|stash|checkout|switch|restore|clean)\b/

/** The refused command and the flags that matter: one that throws work away, else the main one. */
function refusedCommand(command: string): readonly string[] | undefined {
  const simple = splitSimpleCommands(command).map(({ words }) => words.join(' '))
  const rewrite = simple.find((text) => REWRITES.test(text) && !HARMLESS.test(text))
  if (rewrite !== undefined) return /^git \w+(?: --?[a-z]+)?/.exec(rewrite) ?? undefined
  const family = commandFamily(command)
  if (family === '' || simple.length > 6) return undefined
  if (/^(?:git|gh)\b/.test(family) || isCheckCommand(command)) return [family]
  return [family, ...commandShape(command).slice(family.length).split(' ').filter(Boolean)]
}

const HARMLESS = /^git (?:checkout -b|switch -c|stash (?:list|show))/

interface Subject {
  readonly name: 'branch' | 'check' | 'discuss'
  readonly pattern: RegExp
}

const anyOf = (...patterns: readonly string[]): RegExp => new RegExp(patterns.join('|'), 'i')

/** What a person wants to come first, in English and Japanese. */
const SUBJECTS: readonly Subject[] = [
  { name: 'branch', pattern: anyOf('\\bbranch\\b', 'ブランチ') },
  {
    name: 'check',
    pattern: anyOf(
      '\\b(?:lint\\w*|fmt|format\\w*|tests?\\b(?! (?:for|case))|build|compil\\w*|typecheck|type errors?|ci)\\b',
      'テスト|リント|ビルド|フォーマット|整形',
    ),
  },
  {
    name: 'discuss',
    pattern: anyOf(
      '\\b(?:wait|hold on|hang on)\\b.*\\b(?:talk|discuss|explain)',
      "\\blet'?s (?:talk|discuss)",
      '\\b(?:explain|discuss) .*\\b(?:first|before)\\b',
      '待って|相談|先に説明|話し合',
    ),
  },
]
const FIRST = anyOf('\\b(?:first|before|beforehand|until)\\b', 'まず|先に|前に|それから|してから')
const PROHIBITED = anyOf(
  "^no\\b|\\b(?:do not|don'?t|never|let'?s not|did(?: not|n'?t) (?:say|ask|want|tell)|stop|must not)\\b",
  "\\b(?:should not|shouldn'?t|not yet)\\b",
  'しない|するな|やめて|止めて|だめ|ダメ|禁止|まだ',
)

function describeRefusal(
  refusal: Refusal,
  calls: readonly CallResult[],
  branch: string | undefined,
): FactSighting | undefined {
  const { action, reason } = refusal
  const subject = SUBJECTS.find(({ pattern }) => pattern.test(reason))?.name
  if (subject === 'branch' && action === 'edit') return describeBranch(refusal, branch)
  if (subject === 'discuss' && action === 'edit')
    return sight(refusal, 'discuss', 'discuss the change before editing', [])
  if (subject === 'check' && action === 'commit') return describeCheck(refusal, calls)
  if (action === 'edit') return undefined
  if (action === 'tool') return describeTool(refusal, calls)
  // A question about the code is no refusal of the command.
  const isQuestion = /[?？]\s*\S*$/.test(reason) && !PROHIBITED.test(reason)
  if (isQuestion) return undefined
  const folder = action === 'commit' && PROHIBITED.test(reason) ? committedFolder(refusal.call) : undefined
  if (folder !== undefined) {
    const named = ['git add', 'git commit'].map((command) => ({ command, parts: [folder] }))
    const all = ['git add -A', 'git add --all', 'git add .', 'git commit -a'].map((command) => ({ command }))
    const triggers: FactTrigger[] = [...named, ...all]
    return sight(refusal, `commit ${folder}`, `do not commit \`${folder}\` unasked`, triggers)
  }
  return describeCommand(refusal, calls)
}

function describeCommand(refusal: Refusal, calls: readonly CallResult[]): FactSighting | undefined {
  const { what, action, reason, call } = refusal
  const [beginning = what, ...flags] = what.split(/ (?=--?[A-Za-z])/)
  const trigger: FactTrigger =
    flags.length > 0 && action === 'command' ? { command: beginning, parts: flags } : { command: what }
  if (reason === '') {
    // Without a reason a person may only have wanted to say something: it counts for commands that change or check
    // much, unless the same command was accepted in this session as well.
    if (action === 'command' && !isCheckCommand(callCommand(call))) return undefined
    const same = calls.filter((other) => runs(callCommand(other), beginning))
    const refused = same.filter(isRefused).length
    if (same.length - refused > (action === 'rewrite' ? refused - 1 : 0)) return undefined
  } else if (!PROHIBITED.test(reason)) return undefined
  return sight(refusal, what, `ask before \`${what}\``, [trigger])
}

const runs = (command: string, beginning: string): boolean =>
  splitSimpleCommands(command).some(({ words }) => `${words.join(' ')} `.startsWith(`${beginning} `))

function describeBranch(refusal: Refusal, branch: string | undefined): FactSighting {
  const where = branch === undefined ? '' : ` on \`${branch}\``
  return { ...sight(refusal, 'branch', `create a branch before editing${where}`, []), topic: 'order' }
}

/** `run \`npm run lint\` before \`git push\``: the check that the reason names, as the session runs it. */
function describeCheck(refusal: Refusal, calls: readonly CallResult[]): FactSighting | undefined {
  const { reason, what } = refusal
  const word = SUBJECTS.find(({ name }) => name === 'check')?.pattern.exec(reason)?.[0]
  if (word === undefined || (!FIRST.test(reason) && !/[?？]/.test(reason))) return undefined
  const stem = word.toLowerCase().slice(0, 4)
  const command = calls
    .map((call) => commandFamily(callCommand(call)))
    .find((family) => family.split(' ').some((part) => part.startsWith(stem)) && !COMMITS.test(family))
  const step = command === undefined ? `check ${word.toLowerCase()}` : `run \`${command}\``
  const triggers = ['git commit', 'git push', what].map((beginning) => ({ command: beginning }))
  return { ...sight(refusal, 'check', `${step} before commit, push or rebase`, triggers), topic: 'order' }
}

/** Arguments of a tool that the person corrected, from the call that was accepted afterwards. */
function describeTool({ call, what, reason }: Refusal, calls: readonly CallResult[]): FactSighting | undefined {
  if (reason === '') return undefined
  const accepted = calls
    .slice(calls.indexOf(call) + 1)
    .find((later) => later.tool === call.tool && later.kind === 'call.succeeded')
  const changed = Object.entries(accepted?.input ?? {}).filter(
    ([name, value]) => typeof value === 'string' && value.length <= 40 && call.input[name] !== value,
  )
  if (changed.length === 0 || changed.length > 3) return undefined
  const args = changed.map(([name, value]) => `${name}: ${String(value)}`).join(', ')
  return sight({ call, what, reason, action: 'tool' }, what, `pass \`${args}\` to \`${what}\``, [{ tools: [what] }])
}

/** The folder of the documents that a refused commit would have added; undefined if it added code. */
function committedFolder(call: CallResult): string | undefined {
  const files = call.files.filter((file) => !file.endsWith('/'))
  const folders = new Set(files.map((file) => file.slice(0, file.lastIndexOf('/') + 1)))
  const [folder] = folders
  const areDocuments = files.length > 0 && files.every((file) => /\.(?:md|mdx|txt|rst|adoc)$/.test(file))
  return areDocuments && folders.size === 1 && folder !== '' ? folder : undefined
}

const REASON_WORDS_MAX = 14

function sight(
  { call, what, action, reason }: Refusal,
  key: string,
  remedy: string,
  triggers: readonly FactTrigger[],
): FactSighting {
  // What an MCP server answered could only look like the client's words.
  const words = (call.tool.startsWith('mcp__') ? '' : reason).split(' ')
  const quoted = words.length > REASON_WORDS_MAX ? `${words.slice(0, REASON_WORDS_MAX).join(' ')}…` : words.join(' ')
  const object = action === 'edit' || action === 'tool' ? what : `\`${what}\``
  return {
    topic: 'rejection',
    key: `${action} ${key}`,
    claim:
      quoted === '' ? `the person rejected ${object}` : `the person rejected ${object}: "${quoted.replace(/"/g, "'")}"`,
    remedy,
    triggers,
    failures: 1,
    at: call.at,
    events: [call.id],
  }
}
