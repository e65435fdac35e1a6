// /memctl:recall: what do we remember about a topic? The memories that answer it, with their text.
import type { Command } from 'commander'
import { shortId } from '../../model/id.ts'
import type { Memory } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { memoryProvenance } from '../../model/provenance.ts'
import { sanitizeInline } from '../../text/sanitizeText.ts'
import { teamText } from '../../text/teamText.ts'
import { type CliContext, commandText } from '../context/cliContext.ts'
import { openSyncedStore } from '../context/storeOption.ts'

const MEMORIES_MAX = 8

/** Characters of one memory: as much as a person reads of each. */
const CONTENT_CHARS = 700

const WORDS_OF: Readonly<Record<ReturnType<typeof memoryProvenance>, string>> = {
  person: 'said by a person',
  assistant: 'said by the assistant',
  tool: 'observed',
  outside: 'from outside',
  team: 'said by a teammate',
}

export function registerRecallTopic(program: Command, io: CliContext): void {
  program
    .command('recall')
    .description('what do we remember about a topic?')
    .argument('[topic...]', 'what it is about')
    .action(async (words: readonly string[]) => {
      const topic = words.join(' ').trim()
      if (topic === '') throw new MemoryError('USAGE', 'No topic was given', { hint: 'Type it behind the command.' })
      const [{ recallMemories }, { recordFound }, store] = await Promise.all([
        import('../../broker/search/recallMemories.ts'),
        import('../../broker/entries/searchEntries.ts'),
        openSyncedStore({}, io),
      ])
      const { shown } = recallMemories(store, { text: topic, moment: 'ask', topK: MEMORIES_MAX, now: Date.now() })
      const memories = shown.flatMap(({ memory }) => (memory.privacy === 'public' ? [memory] : []))
      recordFound(store, shown, Date.now())
      io.out.write(`${formatTopic(topic, memories, io).join('\n')}\n`)
    })
}

function formatTopic(topic: string, memories: readonly Memory[], io: CliContext): string[] {
  if (memories.length === 0) return [`The memory has nothing about "${topic}".`]
  return [
    `What is remembered about "${topic}":`,
    ...memories.flatMap((memory) => ['', `- ${sanitizeInline(cut(memory.content))}`, `  (${describeOrigin(memory)})`]),
    '',
    `If one no longer holds: ${commandText(io, 'outdated ID')}`,
  ]
}

const describeOrigin = (memory: Memory): string =>
  [
    memory.kind,
    sanitizeInline(teamText(memory)) || WORDS_OF[memoryProvenance(memory)],
    memory.updated.slice(0, 10),
    shortId(memory.id),
  ].join(', ')

const cut = (text: string): string =>
  text.length <= CONTENT_CHARS ? text : `${text.slice(0, CONTENT_CHARS).replace(/[\ud800-\udbff]$/, '')}…`
