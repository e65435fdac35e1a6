// The summaries: how many entries there are, of which tags, from when to when; of the active ones and of the archive.
import type { Entry, EntryLayer } from '../../entries/entry.ts'
import { entryFromMemory } from '../../entries/entrySource.ts'
import { defineTool, type ToolOutput } from '../definition/tool.ts'
import { OWNER_FIELDS, openEntryWriter, toEntryScope } from './entryFields.ts'

const flagOf = (layer: EntryLayer) => (layer === 'global' ? { flag: layer } : {})

const summary = (layer: EntryLayer) =>
  defineTool({
    name: layer === 'project' ? 'get_memory_summary' : 'get_global_memory_summary',
    title: layer === 'project' ? 'Summary of entries' : 'Summary of global entries',
    description: 'How many entries, their tags, from when to when, and the limits of clean-up.',
    group: 'entries',
    effect: 'reads',
    command: { words: 'entry summary', ...flagOf(layer) },
    input: OWNER_FIELDS[layer],
    async handle(input, context) {
      const scribe = await openEntryWriter(context, layer, input)
      const [{ listEntries }, { readEvictionLimits }] = await Promise.all([
        import('../../broker/entries/entryRepository.ts'),
        import('../../broker/entries/evictEntries.ts'),
      ])
      const { entriesMax, ttlDays } = readEvictionLimits(context.env)
      const told = summed(listEntries(scribe.liveStore, toEntryScope(layer, input)).map(entryFromMemory))
      return { success: true, summary: { ...told, max_entries: entriesMax, ttl_days: ttlDays } }
    },
  })

const archiveSummary = (layer: EntryLayer) =>
  defineTool({
    name: layer === 'project' ? 'get_memory_archive_summary' : 'get_global_memory_archive_summary',
    title: layer === 'project' ? 'Summary of the archive' : 'Summary of the global archive',
    description: 'How many archived entries, their tags, from when to when.',
    group: 'entries',
    effect: 'reads',
    command: { words: 'archive summary', ...flagOf(layer) },
    input: OWNER_FIELDS[layer],
    async handle(input, context) {
      const scribe = await openEntryWriter(context, layer, input)
      const { listArchivedEntries } = await import('../../broker/entries/entryArchive.ts')
      const archived = listArchivedEntries(scribe.liveStore.store, toEntryScope(layer, input))
      return { success: true, summary: summed(archived.map(({ entry }) => entry)) }
    },
  })

function summed(entries: readonly Entry[]): ToolOutput {
  const counts = new Map<string, number>()
  for (const tag of entries.flatMap((entry) => entry.tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  const tags = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
  return {
    ...{ total_entries: entries.length, tags: Object.fromEntries(tags) },
    oldest_created_at: entries.flatMap(({ createdAt }) => createdAt ?? []).sort()[0] ?? null,
    newest_updated_at:
      entries
        .flatMap(({ updatedAt }) => updatedAt ?? [])
        .sort()
        .at(-1) ?? null,
  }
}

export const getMemorySummary = summary('project')
export const getGlobalMemorySummary = summary('global')
export const getMemoryArchiveSummary = archiveSummary('project')
export const getGlobalMemoryArchiveSummary = archiveSummary('global')
