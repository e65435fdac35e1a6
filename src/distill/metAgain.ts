// Failures of a session that earlier sessions met too, and that no entry is about: what will most likely come again.
// The request asks for an entry on each, so that none is lost among the other failures of a long session.
import { firesAt, type ProvenCall } from '../knowledge/proof.ts'
import { contains, prepareText } from '../knowledge/when.ts'
import type { SessionId } from '../model/id.ts'
import type { Knowledge } from '../model/knowledge.ts'
import type { MetAgain, NumberedItem } from './sessionDigest.ts'

interface Past {
  /** The calls of the log, those of the session among them. */
  readonly calls: readonly ProvenCall[]
  readonly session: SessionId
  /** ISO time at which the session began. */
  readonly began: string
  readonly known: readonly Knowledge[]
}

/** So many are asked for in one request. */
export const MET_AGAIN_MAX = 6

/** What the items of a digest met again, the most frequent first; `MET_AGAIN_MAX` at most. */
export function listMetAgain(items: readonly NumberedItem[], past: Past): MetAgain[] {
  const failed = items.filter(({ kind }) => kind === 'failed')
  const earlier = past.calls.filter(({ session, at }) => session !== past.session && at < past.began)
  const byId = new Map(past.calls.map((call) => [call.id, call]))
  const isKnown = (call: ProvenCall | undefined): boolean =>
    call !== undefined && past.known.some(({ when }) => firesAt(when, call))
  const errors = failed
    .filter(({ sessions, events }) => sessions > 0 && !events.some((id) => isKnown(byId.get(id))))
    .map(({ number, sessions }) => ({ number, sessions }))
  const rules = failed.flatMap(({ number, rules = [] }) =>
    rules.flatMap((rule) => {
      const sessions = countSessions(rule, earlier)
      return sessions === 0 || past.known.some((entry) => isAboutRule(entry, rule)) ? [] : [{ number, rule, sessions }]
    }),
  )
  const firstOfRule = new Map(rules.toReversed().map((each) => [each.rule, each]))
  const named = new Set(rules.map(({ number }) => number))
  return [...errors.filter(({ number }) => !named.has(number)), ...[...firstOfRule.values()].reverse()]
    .sort((a, b) => b.sessions - a.sessions)
    .slice(0, MET_AGAIN_MAX)
}

function isAboutRule({ line, when }: Knowledge, rule: string): boolean {
  const own = prepareText(rule)
  return [line, ...when.flatMap(({ has = [] }) => has)].some((text) => contains(prepareText(text), own))
}

/** The sessions whose failed calls name the rule of a check. */
const countSessions = (rule: string, calls: readonly ProvenCall[]): number =>
  new Set(calls.flatMap(({ session, failure }) => (contains(failure?.error ?? '', prepareText(rule)) ? [session] : [])))
    .size
