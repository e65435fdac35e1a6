// What the user said that should outlast the session: preferences, decisions, corrections, "remember that…".
import type { PromptSignal } from '../model/event.ts'
import { type Memory, type MemoryKind, newMemory } from '../model/memory.ts'
import type { SessionTask } from '../model/sessionTask.ts'
import { extractTerms } from '../text/terms/extractTerms.ts'
import { deriveMemoryId } from './derivedId.ts'
import { listTouchedFiles } from './taskFacts.ts'

/** The memory kind for each signal. Thanks and complaints judge what was done; they are no memories. */
const KIND_BY_SIGNAL: { readonly [Name in PromptSignal['kind']]?: MemoryKind } = {
  remember: 'preference',
  preference: 'preference',
  decision: 'decision',
  correction: 'lesson',
}

/**
 * The memories that a task's prompt asks for. The same words again, in any case or punctuation, are the same memory.
 * Decisions and corrections are about the current work and get the files of this task and the one before; preferences
 * hold everywhere.
 */
export function extractUserStatements(task: SessionTask, before: SessionTask | undefined): Memory[] {
  const prompt = task.prompt
  if (prompt?.role !== 'main') return []
  return prompt.signals.flatMap((signal) => {
    const kind = KIND_BY_SIGNAL[signal.kind]
    if (!kind) return []
    const events = kind === 'preference' ? [] : [...(before?.events ?? []), ...task.events]
    const statement = newMemory({
      id: deriveMemoryId('said', kind, extractTerms(signal.text).join(' ') || signal.text),
      kind,
      content: signal.kind === 'correction' ? `The person corrected: ${signal.text}` : signal.text,
      created: prompt.at,
      session: prompt.session,
      taskId: task.id,
      role: prompt.role,
      files: listTouchedFiles(events).slice(0, 8),
      branch: prompt.branch,
      trust: 'user',
      tags: [signal.kind],
      events: [prompt.id],
    })
    return kind === 'lesson' ? { ...statement, lessons: [signal.text] } : statement
  })
}
