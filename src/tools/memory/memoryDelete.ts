// memory_delete: by id, or what was kept through tools of a tier or before a time. Gone from every search at once; the log keeps its words until `memctl forget`.
import { listVisible } from '../../broker/live/visibility.ts'
import type { Memory } from '../../model/memory.ts'
import { dateTime, invalidInput, list, optional } from '../definition/field.ts'
import { defineTool } from '../definition/tool.ts'
import { assertNotEntry, memoryIdField, tierField, viewingSession } from './memoryFields.ts'

export const memoryDelete = defineTool({
  name: 'memory_delete',
  title: 'Delete memories',
  description:
    'Delete by id or ids; or by memory_tier and older_than, what tools have stored. Search forgets it, the log keeps it.',
  group: 'memory',
  core: true,
  coreFields: ['id', 'ids'],
  effect: 'destroys',
  command: { words: 'memory delete', args: ['ids'] },
  input: {
    id: optional(memoryIdField),
    ids: optional(list('Several IDs', memoryIdField)),
    memory_tier: optional(tierField),
    older_than: optional(dateTime('Created before this time, ISO 8601')),
  },
  handle(input, context) {
    const { id, ids, memory_tier, older_than } = input
    if ([id, ids, memory_tier, older_than].every((value) => value === undefined)) {
      throw invalidInput('Nothing says what to delete', 'Give id, ids, memory_tier or older_than.')
    }
    const named = new Set([id, ...(ids ?? [])].map((one) => one?.toLowerCase()))
    // What was learnt from sessions goes by its id alone: a tier's name must not sweep away what nobody wrote by hand.
    const swept = (memory: Memory): boolean =>
      (memory_tier !== undefined || older_than !== undefined) &&
      memory.source !== 'task' &&
      memory.entrySource === undefined &&
      (memory_tier === undefined || memory.retention === memory_tier) &&
      (older_than === undefined || memory.created < older_than)
    const gone = listVisible(context.liveStore, viewingSession(context)).filter(
      (memory) => named.has(memory.id) || swept(memory),
    )
    for (const memory of gone) assertNotEntry(memory)
    const memories = gone.map((memory) => memory.id)
    if (memories.length > 0) context.commit({ kind: 'memory.deleted', memories })
    return { deleted_count: memories.length, deleted_ids: memories }
  },
})
