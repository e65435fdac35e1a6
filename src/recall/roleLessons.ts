// At an agent's start: what earlier agents of its role have reported as lessons, whatever their task was.
//
// Such a lesson is about the role's work in this project. One that was shown several times and never used is shown only
// where its words match the task.

import type { MemoryId } from '../model/id.ts'
import { isAgentLesson, type Memory } from '../model/memory.ts'
import type { Policy } from '../model/policy.ts'
import { findExcludedMemories, type RecalledMemory, type RecallQuery } from '../model/recallQuery.ts'
import { type RankedCandidate, rankByPolicy } from './rankByPolicy.ts'
import type { RecallCandidate } from './recallCandidate.ts'

/** The best of these reports, at most `recall.roleLessonsMax` of the policy; of the same lessons only one report. */
export function selectRoleLessons(
  reports: readonly RecallCandidate[],
  query: RecallQuery,
  policy: Policy,
  alreadyShown: () => ReadonlySet<MemoryId>,
): RecalledMemory[] {
  if (reports.length === 0) return []
  const shown: RecalledMemory[] = []
  const excluded = findExcludedMemories(policy.recall.exclusions, query)
  for (const candidate of rankByPolicy(reports, query, policy)) {
    if (shown.length >= policy.recall.roleLessonsMax) break
    const memory = candidate.load()
    if (!isForRole(memory, candidate, query) || excluded.has(memory.id)) continue
    if (alreadyShown().has(memory.id)) continue
    const known = new Set(shown.flatMap((other) => other.memory.lessons))
    if (memory.lessons.every((lesson) => known.has(lesson))) continue
    const { score, features, breakdown } = candidate
    shown.push({ memory, score, features, breakdown })
  }
  return shown
}

/** Showings without use, after which a start does not show a report's lessons any more. */
const PATIENCE = 4

function isForRole(memory: Memory, { memory: row }: RankedCandidate, query: RecallQuery): boolean {
  const { shown, used } = row.help
  const isUnused = used === 0 && shown >= PATIENCE
  return isAgentLesson(memory) && memory.role === query.viewer.role && !isUnused
}
