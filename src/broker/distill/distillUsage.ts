// What reading has cost today, and which sessions are still to be read.
import { type Event, eventTimeMs } from '../../model/event.ts'
import type { SessionId } from '../../model/id.ts'
import { writeJsonFile } from '../../store/disk/jsonFile.ts'
import { readJsonIfIntact } from '../../store/disk/readJson.ts'
import { readLog } from '../../store/log/readLog.ts'
import type { Store } from '../open/openStore.ts'
import { eventsNewestFirst } from '../queries/browse.ts'
import { type DistillConfig, readDistillConfig } from './distillConfig.ts'

interface DistillRun {
  /** ISO time. */
  readonly at: string
  readonly project: string
  readonly session: string
  readonly model: string
  /** Entries stored, known ones that changed, and proposals dropped. */
  readonly stored: number
  readonly changed?: number | undefined
  readonly dropped: number
}

/** What was read, what it cost, what it gave. */
type DistillTotal = Readonly<Record<'sessions' | 'tokens' | 'stored' | 'changed', number>>

export const NO_TOTAL: DistillTotal = { sessions: 0, tokens: 0, stored: 0, changed: 0 }

export interface DistillError {
  /** ISO time. */
  readonly at: string
  readonly what: string
  readonly hint: string
}

export interface DistillUsage {
  /** Today (UTC): 2026-03-01. */
  readonly day: string
  readonly calls: number
  readonly tokens: number
  /** Since the model was configured, over all projects. */
  readonly total?: DistillTotal | undefined
  readonly lastRun?: DistillRun | undefined
  /** Absent after a call that went well. */
  readonly lastError?: DistillError | undefined
  /** Answers of a session that were rejected, by session: after two of them it is not tried again. */
  readonly rejected?: Readonly<Record<string, number>> | undefined
}

const usageFile = (home: string): string => `${home}/distill.json`

/** The lock of the process that asks a model: one at a time for all projects. */
export const distillLockFile = (home: string): string => `${home}/distill.lock`

/** Today's usage; zero on a new day and for a damaged file. `now` is in milliseconds since 1970. */
export function readDistillUsage({ files, home }: Store, now: number): DistillUsage {
  const day = new Date(now).toISOString().slice(0, 10)
  const stored = home === undefined ? undefined : readJsonIfIntact<Partial<DistillUsage>>(files, usageFile(home))
  const { calls = 0, tokens = 0 } = stored?.day === day ? stored : {}
  return { ...stored, day, calls, tokens }
}

export function writeDistillUsage({ files, home }: Store, usage: DistillUsage): void {
  if (home !== undefined) writeJsonFile(files, usageFile(home), usage)
}

/** An answer of a session that was rejected is requested once more. */
const REJECTED_MAX = 2

export const isRejected = ({ rejected }: DistillUsage, session: string): boolean =>
  (rejected?.[session] ?? 0) >= REJECTED_MAX

/** Why another call of this many tokens would exceed the day's budget; undefined if it would not. */
export function findExceededBudget(usage: DistillUsage, config: DistillConfig, tokens: number): string | undefined {
  if (usage.calls >= config.perDay) return `today's ${config.perDay} calls are used up (distill.perDay)`
  if (usage.tokens + tokens <= config.tokensPerDay) return undefined
  return `today's ${config.tokensPerDay} tokens are used up (distill.tokensPerDay)`
}

/** How far back a session is looked for, in days: enabling the model does not read a year of sessions. */
const LOOK_BACK_DAYS = 14

/**
 * Sessions that were organized in the last days before `now` (milliseconds since 1970), have a prompt, and were not
 * read since; the newest first, because a day's budget may not be enough for all.
 */
export function listDueSessions(store: Store, now: number): readonly SessionId[] {
  const seen = new Set<SessionId>()
  const organized: SessionId[] = []
  const prompted = new Set<SessionId>()
  for (const event of eventsNewestFirst(store)) {
    const { kind, session } = event
    if (now - eventTimeMs(event) > LOOK_BACK_DAYS * 86_400_000) break
    if (kind === 'prompt') prompted.add(session)
    if ((kind !== 'session.organized' && kind !== 'session.distilled') || seen.has(session)) continue
    seen.add(session)
    if (kind === 'session.organized') organized.push(session)
  }
  return organized.filter((session) => prompted.has(session))
}

/** Whether a model is configured, has something to read, and may be asked today. Throws CONFIG_INVALID. */
export function hasDueSessions(store: Store, now: number): boolean {
  const config = readDistillConfig(store)
  if (!config) return false
  const usage = readDistillUsage(store, now)
  if (findExceededBudget(usage, config, 1) !== undefined) return false
  return listDueSessions(store, now).some((session) => !isRejected(usage, session))
}

/** A session's events that the model has not read; all of them for a session that it has not read at all. */
export function readUndistilledEvents({ files, layout }: Store, session: SessionId): readonly Event[] {
  const all = readLog(files, layout.events).events.filter((event) => event.session === session)
  const last = all.findLast((event) => event.kind === 'session.distilled')
  // With hooks in plugin and settings an event is in the log twice.
  const unique = [...new Map(all.map((event) => [event.id, event])).values()]
  const events = unique.filter((event) => event.kind !== 'session.distilled' && !event.kind.startsWith('memory.'))
  if (last?.kind !== 'session.distilled') return events
  return events.slice(events.findIndex((event) => event.id === last.through) + 1)
}
