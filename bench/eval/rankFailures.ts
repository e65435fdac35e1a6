// Ranks the failures of earlier sessions by their likeness to a call. Only the evaluation does this: the product's own
// recall at a call finds lessons, which few failures become (docs/recall.md has both figures).
import { eventFromPayload, openHookContext } from '../../src/broker/handlers/hookContext.ts'
import type { Store } from '../../src/broker/open/openStore.ts'
import type { RecordedPayload } from '../../src/broker/replay/replaySessions.ts'
import { type CallResult, callCommand, eventTimeMs } from '../../src/model/event.ts'
import type { SessionId } from '../../src/model/id.ts'
import { getObjectField } from '../../src/record/hookPayload.ts'
import { commandFamily, commandShape } from '../../src/text/command.ts'
import { jaccard } from '../../src/text/similarity.ts'
import { extractTerms } from '../../src/text/terms/extractTerms.ts'

/** What two calls are compared by. */
interface CallTraits {
  readonly tool: string
  /** Of a command; '' for other tools. */
  readonly family: string
  readonly shape: string
  /** The command, or the file. */
  readonly target: string
  readonly words: readonly string[]
}

export interface EarlierFailure extends CallTraits {
  /** Claude Code's tool_use_id. */
  readonly call: string
  readonly session: SessionId
  /** Milliseconds since 1970. */
  readonly at: number
  readonly signature: string
}

/** Characters of a call's input that are compared. */
const INPUT_CHARS_MAX = 600

/** Words of a failure's input that are compared. */
const WORDS_MAX = 24

/** After this many days a failure's likeness counts half. */
const HALF_LIFE_DAYS = 10

const DAY_MS = 86_400_000

/** Failures that say nothing about the project: the user declined, the editor asks for a fresh read. */
const UNSPECIFIC =
  /user doesn't want to proceed|Sibling tool call errored|has not been read yet|tool use was rejected|Request interrupted|requested permissions|exceeds maximum allowed tokens|modified since read|unexpectedly modified|was cancelled|hook error|String to replace not found|No changes to make|matches of the string to replace/i

/** The failure that a payload reports, where it says something about the project. */
export function failureOf(store: Store, { payload, at }: RecordedPayload): EarlierFailure | undefined {
  const event = eventFromPayload(payload, openHookContext(store, at))
  if (event?.kind !== 'call.failed' || event.interrupted || UNSPECIFIC.test(event.error)) return undefined
  const { call, session, errorSignature: signature } = event
  if (signature === undefined) return undefined
  const traits = traitsOf(event)
  return { ...traits, words: traits.words.slice(0, WORDS_MAX), call, session, at: eventTimeMs(event), signature }
}

/**
 * Failures of one signature stand together: the signature met most and most like this call first, and in each the
 * likest first. The likeness is raised to the third power, so that one failure that is very like the call counts more
 * than many that are a little.
 */
export function rankFailures(
  failures: readonly EarlierFailure[],
  store: Store,
  { payload, at }: RecordedPayload,
): EarlierFailure[] {
  const event = eventFromPayload(payload, openHookContext(store, at))
  if (event?.kind !== 'call.started') return []
  const input = getObjectField(payload, 'tool_input')
  const traits = traitsOf({ ...event, input })
  // A search without a folder is about no file, although its pattern may look like one.
  const isPlaced = ['command', 'file_path', 'path'].some((name) => typeof input[name] === 'string')
  const groups = new Map<string, { sum: number; members: { failure: EarlierFailure; likeness: number }[] }>()
  for (const failure of failures) {
    const likeness = likenessOf(failure, isPlaced ? traits : { ...traits, target: '' })
    if (likeness === 0) continue
    const group = groups.get(failure.signature) ?? { sum: 0, members: [] }
    group.sum += (likeness * 0.5 ** ((at - failure.at) / DAY_MS / HALF_LIFE_DAYS)) ** 3
    group.members.push({ failure, likeness })
    groups.set(failure.signature, group)
  }
  return [...groups.values()]
    .sort((a, b) => b.sum - a.sum)
    .flatMap(({ members }) => members.sort((a, b) => b.likeness - a.likeness || b.failure.at - a.failure.at))
    .map(({ failure }) => failure)
}

function traitsOf(call: Pick<CallResult, 'tool' | 'input' | 'files'>): CallTraits {
  const command = callCommand(call)
  const texts = Object.values(call.input).filter((value) => typeof value === 'string')
  return {
    tool: call.tool,
    family: commandFamily(command),
    shape: commandShape(command),
    target: command || (call.files[0] ?? ''),
    words: [...new Set(extractTerms(texts.join(' ').slice(0, INPUT_CHARS_MAX)))],
  }
}

function likenessOf(failure: CallTraits, call: CallTraits): number {
  if (failure.tool !== call.tool) return 0
  let likeness = 0.2 + 0.5 * jaccard(call.words, failure.words)
  if (call.tool !== 'Bash') return call.target !== '' && failure.target === call.target ? likeness + 0.3 : likeness
  if (failure.family === call.family) likeness += 2
  if (failure.shape === call.shape) likeness += 0.5
  if (failure.target === call.target) likeness += 0.3
  else if (failure.family.split(' ')[0] === call.family.split(' ')[0]) likeness += 0.3
  return likeness
}
