// memctl hub policy, review, pin, remove and log: what the owner and the reviewers of a hub decide for all people who
// share a project, and who has changed what.
import { type Command, Option } from 'commander'
import type { RecordedChange, Removal, TeamPolicy, WaitingText } from '../../database/hubTeam.ts'
import { shortId } from '../../model/id.ts'
import { MEMORY_KINDS } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { removeControls, sanitizeForTerminal } from '../../report/fitText.ts'
import { formatCount, formatNumber } from '../../report/formatNumber.ts'
import { firstLine } from '../../text/excerpt.ts'
import { type CliContext, printResult } from '../context/cliContext.ts'
import { type ConfirmOptions, confirmDeletion } from '../context/forPerson.ts'
import { integerOption } from '../context/storeOption.ts'
import { formatKindNames } from '../format/memoryText.ts'
import { type HubOptions, withHubOptions, withProject, withProjectOption } from './hubConnect.ts'

const loadTeam = () => import('../../database/hubTeam.ts')

const define = (hub: Command, usage: string, what: string): Command =>
  withProjectOption(withHubOptions(hub.command(usage).description(what)))

export function registerHubPolicy(hub: Command, io: CliContext): void {
  define(hub, 'policy', 'show or change what a project shares; only the owner of the hub may change it')
    .option(
      '--kinds <kinds>',
      `the same for everybody: ${MEMORY_KINDS.join(',')}; or "own": as each machine's policy says`,
    )
    .addOption(new Option('--review <how>', 'whether texts wait for somebody with --review').choices(['on', 'off']))
    .action(async (options: HubOptions & { readonly kinds?: string; readonly review?: string }) => {
      const kinds = options.kinds === undefined ? undefined : options.kinds === 'own' ? null : readKinds(options.kinds)
      const needsReview = options.review === undefined ? undefined : options.review === 'on'
      const change = { ...(kinds !== undefined && { kinds }), ...(needsReview !== undefined && { needsReview }) }
      await withProject(options, io, async (database, project) => {
        const policy = await (await loadTeam()).changePolicy(database, project, change)
        printResult(io, options.json, { project, ...policy }, formatPolicy)
      })
    })
}

function readKinds(text: string): readonly string[] {
  const kinds = text.split(',').map((kind) => kind.trim())
  const unknown = kinds.find((kind) => !(MEMORY_KINDS as readonly string[]).includes(kind))
  if (unknown === undefined) return kinds
  throw new MemoryError('USAGE', `There is no kind ${JSON.stringify(unknown)}`, {
    hint: `Use some of ${MEMORY_KINDS.join(',')}, or "own". Rules have the kind preference.`,
  })
}

const formatPolicy = ({ project, kinds, needsReview }: TeamPolicy & { readonly project: string }): string[] => [
  `${project} shares ${kinds === null ? "the kinds in each machine's policy" : formatKindNames(kinds)}.`,
  needsReview ? 'Texts wait until somebody accepts them: `memctl hub review`.' : 'Texts are shared without a review.',
]

export function registerHubReview(hub: Command, io: CliContext): void {
  define(
    hub,
    'review [accept|reject] [number]',
    'list the texts that wait until somebody accepts them; accept or reject one',
  ).action(async (action: string | undefined, number: string | undefined, options: HubOptions) => {
    const isDecision = action === 'accept' || action === 'reject'
    if (action !== undefined && !(isDecision && /^\d{1,15}$/.test(number ?? ''))) {
      const hint = 'Write `memctl hub review`, `memctl hub review accept NUMBER` or `memctl hub review reject NUMBER`.'
      throw new MemoryError('USAGE', 'accept or reject needs the number of a text', { hint })
    }
    await withProject(options, io, async (database, project) => {
      const { listWaiting, review } = await loadTeam()
      if (action === undefined) {
        const waiting = await listWaiting(database, project)
        return printResult(io, options.json, { project, waiting }, formatWaiting)
      }
      const { memory, others } = await review(database, { project, number: Number(number) }, action === 'accept')
      const what = action === 'accept' ? 'Accepted: everybody gets it with the next sync' : 'Rejected'
      printResult(io, options.json, { project, memory, action, others }, () => [
        `${what} (${shortId(memory)}).`,
        ...(others.length > 0 ? [`Another text of the same memory waits: ${others.join(', ')}`] : []),
      ])
    })
  })
}

const TEXT_CHARS = 200

const formatWaiting = ({ waiting }: { readonly waiting: readonly WaitingText[] }): string[] =>
  waiting.length === 0
    ? ['No text waits for a review, of those that you may see.']
    : waiting.flatMap(({ number, id, by, role, at, before, fields, fieldsBefore, successor }) => [
        removeControls(
          `${number}  ${shortId(id)}  by ${by} (role ${role}), ${at.slice(0, 10)}${before === null ? ', new' : ''}`,
        ),
        ...formatValues('-', fieldsBefore, fields),
        ...(fields ? formatValues('+', fields, fieldsBefore) : ['  No machine can read it.']),
        ...(successor === null ? [] : [sanitizeForTerminal(`  + replaced by: ${successor}`)]),
      ])

/** Times, and what each machine computes for itself. */
const NO_TEXTS = ['importance', 'created', 'updated']

/** Each value of these fields that the others do not have, whole, with its names; single words are in one line. */
function formatValues(sign: string, fields: object | undefined, others: object | undefined): string[] {
  const known = new Set(listValues(others).map((pair) => pair.join('\n')))
  const names = new Map<string, string[]>()
  for (const [name, value] of listValues(fields)) {
    if (!known.has(`${name}\n${value}`)) names.set(value, [...(names.get(value) ?? []), name])
  }
  const isWord = ([value]: readonly [string, unknown]): boolean => /^[\w*-]{1,20}$/.test(value)
  const words = [...names].filter(isWord).map(([value, of]) => `${of.join(',')}:${value}`)
  const texts = [...names].filter((entry) => !isWord(entry))
  const lines = texts.map(([value, of]) => `${of.join(', ')}: ${value.replaceAll('\n', '\n      ')}`)
  return [...lines, ...(words.length > 0 ? [words.join('  ')] : [])].map((line) =>
    sanitizeForTerminal(`  ${sign} ${line}`),
  )
}

const listValues = (fields: object = {}, path = ''): readonly (readonly [name: string, value: string])[] =>
  Object.entries(fields).flatMap(([key, value]: [string, unknown]) => {
    const name = path + key
    if (NO_TEXTS.includes(name) || value === undefined) return []
    return typeof value === 'object' && value !== null
      ? listValues(value, `${name}.`)
      : [[name, String(value)] as const]
  })

export function registerHubPin(hub: Command, io: CliContext): void {
  define(hub, 'pin <id>', 'show a memory first on all machines of the team, as a rule of the team')
    .option('--undo', 'no longer')
    .action(async (id: string, options: HubOptions & { readonly undo?: boolean }) => {
      const isPinned = options.undo !== true
      await withProject(options, io, async (database, project) => {
        const memory = await (await loadTeam()).pinForTeam(database, { project, id }, isPinned)
        const done = isPinned ? 'Pinned for the team' : 'No longer pinned for the team'
        printResult(io, options.json, { project, memory, isPinned }, () => [`${done} (${shortId(memory)}).`])
      })
    })
}

export function registerHubRemove(hub: Command, io: CliContext): void {
  define(hub, 'remove [person]', 'remove all that a person has shared in a project, or the project; only the owner may')
    .option('-y, --yes', 'do it without asking')
    .option('--dry-run', 'only show what it would do')
    .action(async (person: string | undefined, options: HubOptions & ConfirmOptions) => {
      await withProject(options, io, async (database, project) => {
        const { removeFromHub } = await loadTeam()
        const what = person === undefined ? `the project ${project}` : `what ${person} has shared in ${project}`
        const preview = () => ({ project, person: person ?? null })
        const format = () => [`This removes ${what} from the hub, and from every machine that only received it.`]
        const question = { preview, format, question: 'Remove it?', done: 'removed', hint: 'Add --yes to remove it.' }
        if (!(await confirmDeletion(io, options, question))) return
        const removal = await removeFromHub(database, project, person)
        printResult(io, options.json, { ...preview(), ...removal }, formatRemoval)
      })
    })
}

const formatRemoval = ({ removed, kept }: Removal): string[] => [
  `Removed ${formatCount(removed, 'memory', 'memories')}.`,
  ...(kept > 0 ? [`${kept} stay, because others have met them too: \`memctl forget ID\` erases one for all.`] : []),
]

/** Changes that are listed. */
const CHANGES_DEFAULT = 20

export function registerHubLog(hub: Command, io: CliContext): void {
  define(hub, 'log [id]', 'show who changed what last, as the server has recorded it, and how often each person met it')
    .option('--limit <n>', `number of memories (default: ${CHANGES_DEFAULT})`, integerOption(1), CHANGES_DEFAULT)
    .action(async (id: string | undefined, options: HubOptions & { readonly limit: number }) => {
      await withProject(options, io, async (database, project) => {
        const changes = await (await loadTeam()).listChanges(database, { project, id: id ?? '' }, options.limit)
        printResult(io, options.json, { project, changes }, formatChanges)
      })
    })
}

const formatChanges = ({ changes }: { readonly changes: readonly RecordedChange[] }): string[] =>
  changes.flatMap(({ id, at, role, acceptedBy, by, state, pinned, text, counts }) => [
    removeControls(
      `${shortId(id)}  ${at}  ${pinned ? 'pinned' : state}  by ${by} (role ${role ?? 'unknown'}` +
        `${acceptedBy === null ? '' : `, accepted by ${acceptedBy}`})`,
    ),
    ...(text === null ? [] : [`  ${sanitizeForTerminal(firstLine(text, TEXT_CHARS))}`]),
    ...counts.map(({ person, met, used, obeyed, broken }) =>
      removeControls(`    ${person}: met ${formatNumber(met)}, used ${used}, obeyed ${obeyed}, broken ${broken}`),
    ),
  ])
