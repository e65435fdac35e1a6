// Builds facts.json: the project facts that hooks may show, the worthiest first.
import type { ProjectFact } from '../../model/fact.ts'
import type { FactFile, FactNote } from '../../model/factNote.ts'
import type { SessionId } from '../../model/id.ts'
import type { Memory } from '../../model/memory.ts'
import type { FactNumbers } from '../../model/policy.ts'
import { isPrivate } from '../../model/privacy.ts'
import { firstLine } from '../../text/excerpt.ts'
import { formatFactLine, withMarkedOutput, withoutOutput } from '../../text/factLine.ts'
import { hasPlainNames } from '../../text/plainName.ts'

/** Hooks parse the file: a hundred facts take 0.2 ms. */
const FACTS_MAX = 100

/** Characters of a fact's line: a block at a start has 600 for all. */
const LINE_CHARS_MAX = 220

const MS_PER_DAY = 24 * 60 * 60 * 1000

interface FactContext {
  /** Milliseconds since 1970. */
  readonly now: number
  readonly numbers: FactNumbers
  /** When each session of the project began, ISO. */
  readonly sessionTimes: readonly string[]
  /** The sessions that have not ended. */
  readonly openSessions: ReadonlySet<string>
}

export function buildFactFile(memories: readonly Memory[], generation: number, context: FactContext): FactFile {
  const facts = memories.flatMap((memory) => {
    const { fact, status } = memory
    // A private one would be for one agent, and is in no file for all.
    if (fact === undefined || fact.state === 'retired' || status !== 'active' || isPrivate(memory)) return []
    const note = toNote(memory, fact, context)
    // A name that is a sentence came from outside.
    return hasPlainNames(note.line) ? [note] : []
  })
  const compare = (a: FactNote, b: FactNote): number => b.worth - a.worth || (a.id < b.id ? -1 : 1)
  // A released fact may say what everyone has found as well.
  const distinct = facts
    .sort(compare)
    .filter((fact, i, all) => !all.slice(0, i).some(({ line, role }) => line === fact.line && role === fact.role))
  return { generation, facts: distinct.slice(0, FACTS_MAX) }
}

function toNote(memory: Memory, fact: ProjectFact, context: FactContext): FactNote {
  const { now, numbers, sessionTimes, openSessions } = context
  const session = fact.sessions.at(-1) as SessionId | undefined
  const full = formatFactLine(fact)
  const line = withoutOutput(full)
  const worth = expectedFailures(memory, fact, now, numbers)
  const sessions = sessionTimes.filter((time) => time >= memory.created).length
  return {
    id: memory.id,
    topic: fact.topic,
    ...(memory.privacy !== 'public' && { role: memory.role }),
    state: fact.state === 'standing' ? 'standing' : 'proposed',
    line: firstLine(line, LINE_CHARS_MAX),
    ...(line !== full && { failureLine: firstLine(withMarkedOutput(full), LINE_CHARS_MAX) }),
    hasRemedy: fact.remedies.length > 0,
    ...(fact.topic === 'rule' && { short: shortenRule(fact), extensions: listExtensions(memory.files) }),
    sessions: memory.sessionCount,
    lastMet: fact.lastMet,
    ...(session !== undefined && openSessions.has(session) && { metBy: { session, agentId: fact.lastAgentId } }),
    rate: Math.round(1000 * Math.min(1, worth / Math.max(1, sessions))) / 1000,
    worth: Math.round(1000 * worth) / 1000,
    triggers: fact.triggers,
    ...(memory.team && { team: memory.team }),
  }
}

/** `errcheck: mark an intended case with …`: without the linter's message. */
function shortenRule({ claim, remedies: [best] }: ProjectFact): string | undefined {
  const rule = /^(\S+(?: \S+)?) reports /.exec(claim)?.[1]
  return best && rule !== undefined ? firstLine(`${rule}: ${best.text}`, LINE_CHARS_MAX) : undefined
}

const listExtensions = (files: readonly string[]): readonly string[] => [
  ...new Set(files.flatMap((file) => /\.\w+$/.exec(file)?.[0] ?? [])),
]

/**
 * How many failed calls showing the fact is expected to prevent: the sessions that met it, each fading by half in
 * `halfLifeDays`, less the sessions in which it was not true. A standing command prevents none.
 */
export function expectedFailures(
  memory: Memory,
  fact: ProjectFact,
  now: number,
  { halfLifeDays }: FactNumbers,
): number {
  const ageDays = Math.max(0, now - Date.parse(fact.lastMet)) / MS_PER_DAY
  const failures = fact.topic === 'routine' ? 0.1 : memory.sessionCount
  return (failures / (1 + fact.refutations)) * 0.5 ** (ageDays / halfLifeDays)
}
