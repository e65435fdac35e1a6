// What a person said that should outlast the session: preferences, decisions, corrections, "remember that…".
import type { EventOf } from '../model/event.ts'
import { type Memory, type MemoryKind, newMemory } from '../model/memory.ts'
import { extractTerms } from '../text/terms/extractTerms.ts'
import { deriveMemoryId } from './derivedId.ts'
import type { SessionTask } from './sessionTask.ts'
import { listTouchedFiles } from './sessionTask.ts'

type Signal = EventOf<'prompt'>['signals'][number]

/** What each signal becomes; thanks and complaints judge what was done, they are no memory. */
const KIND_OF: { readonly [Name in Signal['kind']]?: MemoryKind } = {
  remember: 'preference',
  preference: 'preference',
  decision: 'decision',
  correction: 'lesson',
}

/**
 * The memories a task's prompt asks for. The same words said again (in any case or punctuation) are the same memory.
 * A correction is about the work at hand, so it carries that task's files; a preference holds everywhere.
 */
export function extractUserStatements(task: SessionTask, before: SessionTask | undefined): Memory[] {
  const prompt = task.prompt
  if (prompt?.role !== 'main') return []
  return prompt.signals.flatMap((signal) => {
    const kind = KIND_OF[signal.kind]
    if (!kind) return []
    const about = kind === 'preference' ? [] : listTouchedFiles([...(before?.events ?? []), ...task.events]).slice(0, 8)
    const said = newMemory({
      id: deriveMemoryId('said', kind, extractTerms(signal.text).join(' ') || signal.text),
      kind,
      content: signal.kind === 'correction' ? `The person corrected: ${signal.text}` : signal.text,
      created: prompt.at,
      session: prompt.session,
      taskId: task.id,
      role: prompt.role,
      files: about,
      branch: prompt.branch,
      trust: 'user',
      tags: [signal.kind],
      events: [prompt.id],
    })
    return [kind === 'lesson' ? { ...said, lessons: [signal.text] } : said]
  })
}
