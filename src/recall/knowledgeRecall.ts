// An entry of knowledge as a memory that was recalled, for the log: it was selected by its trigger or its worth.
import type { KnowledgeNote } from '../model/knowledge.ts'
import { kindOfKnowledge, newMemory } from '../model/memory.ts'
import { type RecalledMemory, UNRANKED_FEATURE } from '../model/recallQuery.ts'

export function toRecalled(note: KnowledgeNote): RecalledMemory {
  const memory = newMemory({
    id: note.id,
    kind: kindOfKnowledge(note.type),
    content: note.line,
    created: note.lastMet,
    sessionCount: Math.max(1, note.met),
    // What a person wants is never withheld.
    tags: note.voice === 'known' ? [] : ['remember'],
    provenance: note.voice === 'said' ? 'person' : 'assistant',
    team: note.team,
  })
  return { memory, score: note.worth, features: { [UNRANKED_FEATURE]: 1 }, breakdown: {} }
}
