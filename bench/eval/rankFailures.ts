// Ranks the failures of earlier sessions by their similarity to a call. Only the evaluation does this: the product's
// own recall at a call finds lessons, and few failures become lessons.
import { eventFromPayload, openHookContext } from '../../src/broker/handlers/hookContext.ts'
import type { Store } from '../../src/broker/open/openStore.ts'
import { type CallResult, callCommand, eventTimeMs } from '../../src/model/event.ts'
import type { SessionId } from '../../src/model/id.ts'
import { objectOf } from '../../src/model/unknownJson.ts'
import { commandFamily, commandShape } from '../../src/text/command.ts'
import { jaccard } from '../../src/text/similarity.ts'
import { extractTerms } from '../../src/text/terms/extractTerms.ts'
import type { RecordedPayload } from '../fixture/replaySessions.ts'

/** The features by which two calls are compared. */
interface CallTraits {
  readonly tool: string
  /** The family of a command; '' for other tools. */
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

/** After this many days a failure's similarity counts half. */
const HALF_LIFE_DAYS = 10

const DAY_MS = 86_400_000

/** Failures without information about the project: the user declined, the file must be read again. */
const UNSPECIFIC =
  /user doesn't want to proceed|Sibling tool call errored|has not been read yet|tool use was rejected|Request interrupted|requested permissions|exceeds maximum allowed tokens|modified since read|unexpectedly modified|was cancelled|hook error|String to replace not found|No changes to make|matches of the string to replace/i

/** The failure that a payload reports; undefined without one, or if it has no information about the project. */
export function failureOf(store: Store, { payload, at }: RecordedPayload): EarlierFailure | undefined {
  const event = eventFromPayload(payload, openHookContext(store, at))
  if (event?.kind !== 'call.failed' || event.interrupted || UNSPECIFIC.test(event.error)) return undefined
  const { call, session, errorSignature: signature } = event
  if (signature === undefined) return undefined
  const traits = traitsOf(event)
  return { ...traits, words: traits.words.slice(0, WORDS_MAX), call, session, at: eventTimeMs(event), signature }
}

/**
 * Groups failures by signature. Groups are sorted by the sum of their similarities to the call, failures in a group
 * by similarity. The similarity is cubed, so that one very similar failure counts more than many slightly similar
 * failures.
 */
export function rankFailures(
  failures: readonly EarlierFailure[],
  store: Store,
  { payload, at }: RecordedPayload,
): EarlierFailure[] {
  const event = eventFromPayload(payload, openHookContext(store, at))
  if (event?.kind !== 'call.started') return []
  const input = objectOf(payload['tool_input'])
  const traits = traitsOf({ ...event, input })
  // A search without a folder has no target file, although its pattern may look like a file.
  const hasTarget = ['command', 'file_path', 'path'].some((name) => typeof input[name] === 'string')
  const groups = new Map<string, { sum: number; members: { failure: EarlierFailure; similarity: number }[] }>()
  for (const failure of failures) {
    const similarity = similarityOf(failure, hasTarget ? traits : { ...traits, target: '' })
    if (similarity === 0) continue
    const group = groups.get(failure.signature) ?? { sum: 0, members: [] }
    group.sum += (similarity * 0.5 ** ((at - failure.at) / DAY_MS / HALF_LIFE_DAYS)) ** 3
    group.members.push({ failure, similarity })
    groups.set(failure.signature, group)
  }
  return [...groups.values()]
    .sort((a, b) => b.sum - a.sum)
    .flatMap(({ members }) => members.sort((a, b) => b.similarity - a.similarity || b.failure.at - a.failure.at))
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

function similarityOf(failure: CallTraits, call: CallTraits): number {
  if (failure.tool !== call.tool) return 0
  let similarity = 0.2 + 0.5 * jaccard(call.words, failure.words)
  if (call.tool !== 'Bash') return call.target !== '' && failure.target === call.target ? similarity + 0.3 : similarity
  if (failure.family === call.family) similarity += 2
  if (failure.shape === call.shape) similarity += 0.5
  if (failure.target === call.target) similarity += 0.3
  else if (failure.family.split(' ')[0] === call.family.split(' ')[0]) similarity += 0.3
  return similarity
}
