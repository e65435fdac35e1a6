// The summaries: how many entries there are, of which tags, from when to when; of the active ones and of the archive.
import type { Entry, Layer } from '../../entries/entry.ts'
import { entryOfMemory } from '../../entries/entrySource.ts'
import { type Answer, tool } from '../tool.ts'
import { scribeFor, shelfOf, WHOSE } from './fields.ts'

const flagOf = (layer: Layer) => (layer === 'global' ? { flag: layer } : {})

const summary = (layer: Layer) =>
  tool({
    name: layer === 'project' ? 'get_memory_summary' : 'get_global_memory_summary',
    title: layer === 'project' ? 'Summary of entries' : 'Summary of global entries',
    description: 'How many entries, their tags, from when to when, and the limits of clean-up.',
    layer: 'entries',
    effect: 'reads',
    command: { words: 'entry summary', ...flagOf(layer) },
    input: WHOSE[layer],
    async handle(input, world) {
      const scribe = await scribeFor(world, layer, input)
      const [{ entriesOf }, { limitsIn }] = await Promise.all([
        import('../../broker/entries/keep.ts'),
        import('../../broker/entries/tidy.ts'),
      ])
      const { entriesMax, ttlDays } = limitsIn(world.env)
      const told = summed(entriesOf(scribe.desk, shelfOf(layer, input)).map(entryOfMemory))
      return { success: true, summary: { ...told, max_entries: entriesMax, ttl_days: ttlDays } }
    },
  })

const archiveSummary = (layer: Layer) =>
  tool({
    name: layer === 'project' ? 'get_memory_archive_summary' : 'get_global_memory_archive_summary',
    title: layer === 'project' ? 'Summary of the archive' : 'Summary of the global archive',
    description: 'How many archived entries, their tags, from when to when.',
    layer: 'entries',
    effect: 'reads',
    command: { words: 'archive summary', ...flagOf(layer) },
    input: WHOSE[layer],
    async handle(input, world) {
      const scribe = await scribeFor(world, layer, input)
      const { archivedIn } = await import('../../broker/entries/archive.ts')
      const archived = archivedIn(scribe.desk.store, shelfOf(layer, input))
      return { success: true, summary: summed(archived.map(({ entry }) => entry)) }
    },
  })

function summed(entries: readonly Entry[]): Answer {
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
