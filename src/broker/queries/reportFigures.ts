// Figures of `memctl report`: times of hooks, errors that came again, entries about one subject.
import { subjectWords } from '../../knowledge/compareRules.ts'
import { fires, type Occasion } from '../../knowledge/when.ts'
import type { EventKind } from '../../model/event.ts'
import type { MemoryId } from '../../model/id.ts'
import { isAboutFailures, isCurrent } from '../../model/knowledge.ts'
import type { Memory, MemoryMap } from '../../model/memory.ts'
import { addTo, groupBy } from '../../model/sorting.ts'
import { isGeneralSignature, isGenericError } from '../../text/errorSignature.ts'
import { shareTerms, weighTerms } from '../../text/similarity.ts'
import type { ReportScan, ScannedCall } from './reportScan.ts'

/** The median time of each kind of hook, in milliseconds; empty for logs without times. */
export const summarizeHooks = ({ hookTimes }: ReportScan): ReadonlyMap<EventKind, number> =>
  new Map([...hookTimes].map(([kind, times]) => [kind, times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0]))

/** An error by its signature, which several sessions have met. */
export interface RecurringError {
  readonly latest: ScannedCall
  readonly sessions: number
}

/** A lesson or fact that names an error. */
const isAboutError = ({ kind, errorSignature, knowledge }: Memory): boolean =>
  knowledge
    ? isAboutFailures(knowledge) && (errorSignature !== undefined || knowledge.when.some(({ at }) => at === 'failure'))
    : kind === 'lesson' && errorSignature !== undefined

const isAbout = (memory: Memory, failure: Occasion): boolean =>
  listSignatures(memory).has(failure.signature ?? '') || fires(memory.knowledge?.when ?? [], failure)

const listSignatures = ({ errorSignature, knowledge }: Memory): ReadonlySet<string> =>
  new Set([errorSignature, ...(knowledge?.when.map(({ signature }) => signature) ?? [])].flatMap((each) => each ?? []))

/** Errors of the list, at most. */
const RECURRING_MAX = 20

/**
 * Errors that several sessions have met and no entry is about, those of most sessions first: without signatures that
 * many different errors have, and errors of the client's own tools, which say what to do.
 */
export function listRecurring(calls: readonly ScannedCall[], memories: MemoryMap): RecurringError[] {
  const errors = groupBy(calls, ({ failure, error = '' }) => {
    const { signature = '' } = failure ?? {}
    if (failure === undefined || isGeneralSignature(signature) || isGenericError(error)) return undefined
    // Several tools may print the same error.
    return signature.slice(signature.indexOf('|'))
  })
  errors.delete(undefined)
  const entries = [...memories.values()].filter(
    // What no session would be shown is a guess.
    (memory) => memory.knowledge && isCurrent(memory.knowledge) && memory.searchOnly !== true && isAboutError(memory),
  )
  return (
    [...errors.values()]
      .flatMap((own) => {
        const [latest, sessions] = [own.at(-1), new Set(own.map(({ session }) => session)).size]
        return latest && sessions > 1 ? [{ latest, sessions }] : []
      })
      .sort((a, b) => b.sessions - a.sessions)
      // Last: each error is compared with all entries.
      .filter(({ latest: { failure } }) => !entries.some((memory) => failure && isAbout(memory, failure)))
      .slice(0, RECURRING_MAX)
  )
}

/** Shared words of all words of two entries, by weight, from which they are about one subject. */
const GROUP_SHARE = 0.3
/** Subjects that are compared because they have a word: one of more subjects says little. */
const COMPARED_MAX = 30

/** For each entry the first one about its subject, which may be itself; rare words count more. */
export function groupSubjects(entries: readonly Memory[]): ReadonlyMap<MemoryId, MemoryId> {
  const texts = new Map(entries.map(({ id, knowledge }) => [id, subjectWords(knowledge?.line ?? '')]))
  const weigh = weighTerms([...texts.values()])
  const subjects = new Map<MemoryId, MemoryId>()
  // An entry is compared with the first ones that have one of its words, not with all others.
  const firsts = new Map<string, MemoryId[]>()
  for (const [id, words] of texts) {
    const near = new Set([...words].flatMap((word) => firsts.get(word) ?? []))
    const shares = [...near].map((first) => ({ first, ...shareTerms(words, texts.get(first) ?? new Set(), weigh) }))
    const best = shares.sort((a, b) => b.ofAll - a.ofAll)[0]
    const isNew = best === undefined || best.ofAll < GROUP_SHARE
    subjects.set(id, isNew ? id : best.first)
    if (!isNew) continue
    for (const word of words) if ((firsts.get(word)?.length ?? 0) < COMPARED_MAX) addTo(firsts, word, id)
  }
  return subjects
}
