// Commands that use what a program does not have (an option, a subcommand, a script), and the form that works.
import { type CallResult, callCommand } from '../../model/event.ts'
import { splitSimpleCommands } from '../../text/shellCommands.ts'
import { familyOf, formatForm } from './commandForm.ts'
import type { FactDetector, FactSighting, SessionEvidence } from './factSighting.ts'
import { sessionRoot } from './pathFacts.ts'
import { callText, nextCalls } from './sessionCalls.ts'
import { findUsageError, type UsageError } from './usageErrors.ts'

/** How many calls later the form that works may follow. */
const SEARCHED_CALLS = 8

/** How runners say that a script does not exist: a failure of the script itself does not. */
const MISSING_SCRIPT = [
  'not found',
  'missing script',
  'unknown script',
  'no such',
  'not exist',
  'not defined',
  'not declared',
]

export const detectUsageFacts: FactDetector = (evidence) => {
  const seen = new Map<string, FactSighting>()
  evidence.calls.forEach((call, index) => {
    const error = findUsageError(call)
    if (error === undefined || isOfWrapped(error)) return
    const sighting = toSighting(error, call, nextCalls(evidence.calls, index, SEARCHED_CALLS), evidence)
    const before = seen.get(sighting.key)
    seen.set(
      sighting.key,
      before === undefined
        ? sighting
        : {
            ...sighting,
            remedy: sighting.remedy ?? before.remedy,
            failures: before.failures + 1,
            events: [...before.events, ...sighting.events],
          },
    )
  })
  return [...seen.values()]
}

/** Programs that others wrap: in `wrapper cat -A` the option is not the wrapper's. */
const WRAPPED = new Set(
  'bash bun cargo cat find git go grep head ls make node npm npx pnpm python sed sh tail yarn'.split(' '),
)

const isOfWrapped = ({ kind, words }: UsageError): boolean => kind === 'option' && WRAPPED.has(words[1] ?? '')

function toSighting(
  error: UsageError,
  call: CallResult,
  later: readonly CallResult[],
  evidence: SessionEvidence,
): FactSighting {
  const owner = ownerOf(error)
  const common = { topic: 'command' as const, failures: 1, at: call.at, events: [call.id] }
  const { kind, name } = error
  switch (kind) {
    case 'option':
      return {
        ...common,
        key: `option ${owner} ${name}`,
        claim: `\`${owner}\` refuses \`${name}\` here${isBsd(call) ? ' (BSD tools)' : ''}`,
        remedy: optionRemedy(error, owner, later),
        triggers: [{ command: owner, parts: [name] }],
      }
    case 'subcommand':
      return {
        ...common,
        key: `subcommand ${owner} ${name}`,
        claim: `\`${owner}\` has no subcommand \`${name}\``,
        remedy: subcommandRemedy(error, owner, later),
        triggers: [{ command: `${owner} ${name}` }],
      }
    case 'script': {
      const remedy = scriptRemedy(error, later, evidence)
      const claim = remedy?.startsWith('run') ? `other folders have no \`${name}\`` : `\`${owner}\` has no \`${name}\``
      const triggers = [{ command: familyOf(error.words) || owner, errors: MISSING_SCRIPT }]
      return { ...common, key: `script ${owner} ${name}`, claim, remedy, triggers }
    }
    case 'program':
      return {
        ...common,
        key: `program ${name}`,
        claim: `\`${name}\` is not installed`,
        remedy: otherProgram(error, later),
        triggers: [{ command: name }],
      }
  }
}

/** The wording of the BSD tools, which macOS has too; GNU's say "invalid option". */
const isBsd = (call: CallResult): boolean => /illegal option -- /.test(callText(call))

/** The program with the subcommands before the word that it does not have. */
function ownerOf({ kind, name, words }: UsageError): string {
  const family = familyOf(words).split(' ')
  if (kind === 'option') {
    // `git -C folder add`: the option belongs to the program, not to its subcommand.
    const isFirst = words[1] === name || words[1]?.startsWith(`${name}=`) === true
    return isFirst && family.length > 1 && !family.includes(name) ? family.slice(0, 1).join(' ') : family.join(' ')
  }
  const at = family.indexOf(name)
  return (at > 0 ? family.slice(0, at) : family.slice(0, 1)).join(' ')
}

function optionRemedy({ name, words }: UsageError, owner: string, later: readonly CallResult[]): string | undefined {
  const rest = withoutOption(words, name)
  for (const call of later) {
    if (findUsageError(call) !== undefined) continue
    for (const other of simpleWords(call)) {
      if (!`${familyOf(other)} `.startsWith(`${owner} `) || hasOption(other, name)) continue
      if (call.kind === 'call.failed' && !isSameWords(other, rest)) continue
      const added = optionsOf(other).filter((option) => !words.includes(option) && option !== '--')
      const isReplaced =
        added.length > 0 && (countArguments(other) === countArguments(rest) || optionsOf(rest).length === 0)
      if (isReplaced && optionsOf(other).length <= optionsOf(words).length)
        return `use \`${withSubcommand(owner, words, other)} ${formatForm(added)}\``
      return `run \`${owner}\` without \`${name}\``
    }
  }
  return replacedStage(words, later)
}

/** With the subcommand of a program whose subcommands are not known: both commands have it. */
function withSubcommand(owner: string, words: readonly string[], other: readonly string[]): string {
  const [, word = ''] = words
  const isSubcommand = !owner.includes(' ') && word !== owner && word === other[1] && /^[a-z][a-z-]+$/.test(word)
  return isSubcommand ? `${owner} ${word}` : owner
}

/** `… | cat -A` was followed by `… | od -c`: what took the place of the command in the same pipe. */
function replacedStage(words: readonly string[], later: readonly CallResult[]): string | undefined {
  const [program = ''] = words
  for (const call of later) {
    if (call.kind === 'call.failed' || !callCommand(call).includes('|')) continue
    const stages = splitSimpleCommands(callCommand(call))
    const other = stages.find(
      ({ words: stage, isAuxiliary }) =>
        isAuxiliary && stage[0] !== program && !/^(?:head|tail|less|wc)$/.test(stage[0] ?? '') && stage.length <= 3,
    )
    const sameFile = stages.some(({ words: stage }) => stage.some((word) => /\.\w+$/.test(word)))
    if (
      other !== undefined &&
      sameFile &&
      /^(?:od|xxd|hexdump|sed|awk|perl|cat|jq|sort|python3?)$/.test(other.words[0] ?? '')
    )
      return `use \`${formatForm(other.words)}\``
  }
  return undefined
}

/** `rtk bun run test` failed and `bun run test` ran: the command without what stood before it. */
function subcommandRemedy(
  { name, words }: UsageError,
  owner: string,
  later: readonly CallResult[],
): string | undefined {
  const rest = words.slice(words.indexOf(name))
  for (const call of later) {
    if (findUsageError(call) !== undefined) continue
    for (const other of simpleWords(call)) {
      if (isSameWords(other, rest)) return `run \`${name}\` without \`${owner}\``
      if (call.kind === 'call.succeeded' && other[0] === words[0] && familyOf(other) !== familyOf(words))
        return `use \`${formatForm(other)}\``
    }
  }
  return undefined
}

/** The same command after `cd`: the folder that it must run in. Else the script that was run instead. */
function scriptRemedy(
  { words }: UsageError,
  later: readonly CallResult[],
  evidence: SessionEvidence,
): string | undefined {
  const family = familyOf(words)
  for (const call of later) {
    if (findUsageError(call) !== undefined) continue
    const folder = /(?:^|&&\s*|\()\s*cd ['"]?([^\s'"&;]+)['"]? *&&/.exec(callCommand(call))?.[1]
    const isSame = simpleWords(call).some((other) => familyOf(other) === family)
    if (folder !== undefined && isSame)
      return `run \`${formatForm(words)}\` from ${folderName(folder, sessionRoot(evidence))}`
  }
  const [other] = later
    .flatMap((call) => (call.kind === 'call.succeeded' ? simpleWords(call) : []))
    .filter((own) => own[0] === words[0] && familyOf(own) !== family)
  return other === undefined ? undefined : `use \`${formatForm(other)}\``
}

function folderName(folder: string, root: string): string {
  const path = folder.replace(/\/+$/, '')
  if (path === root || path === '..' || path.startsWith('$(git rev-parse')) return 'the repository root'
  return `\`${path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path}/\``
}

/** `python x.py` → `python3 x.py`, `tsc` → `npx tsc`: the same program under another name or through a runner. */
function otherProgram({ words }: UsageError, later: readonly CallResult[]): string | undefined {
  const [program = '', ...args] = words
  const isSame = (other: readonly string[]) => {
    const [name = ''] = other
    const isNamed = name.startsWith(program) || (program.startsWith(name) && name.length > 2) || other.includes(program)
    return name !== program && isNamed && args.every((word) => other.includes(word)) && !/^(?:which|type)$/.test(name)
  }
  const passed = later.slice(0, 4).filter(({ kind }) => kind === 'call.succeeded')
  const other = passed.flatMap(simpleWords).find(isSame)
  return other === undefined ? undefined : `use \`${formatForm(other)}\``
}

const simpleWords = (call: CallResult): readonly (readonly string[])[] =>
  splitSimpleCommands(callCommand(call)).map(({ words }) => words)
const hasOption = (words: readonly string[], name: string): boolean =>
  words.some((word) => word === name || word.startsWith(`${name}=`))
const withoutOption = (words: readonly string[], name: string): readonly string[] =>
  words.filter((word) => word !== name && !word.startsWith(`${name}=`))
const isSameWords = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((word, i) => word === b[i])
const optionsOf = (words: readonly string[]): readonly string[] => words.filter((word) => /^-./.test(word))
const countArguments = (words: readonly string[]): number => words.length - optionsOf(words).length
