// memctl supersede --outdated: a person says that a memory no longer holds, by its words or its id.
import { shortId } from '../../model/id.ts'
import type { Memory } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { changeMemories } from '../context/changeMemories.ts'
import { type CliContext, commandText, printResult } from '../context/cliContext.ts'
import type { StoreOptions } from '../context/storeOption.ts'
import { describeMemory } from '../format/memoryText.ts'
import { askWhichMemory, type FoundMemories, findMeant } from './findMeant.ts'

interface OutdatedOptions extends StoreOptions {
  readonly undo?: true
}

/** The memory that was changed, or those of which one may be meant. */
interface Outcome {
  readonly memory?: Memory
  readonly memories?: readonly Memory[]
}

/** Archives the memory that these words or this id name, or makes it hold again. Throws USAGE and NOT_FOUND. */
export async function changeOutdated(words: string, options: OutdatedOptions, io: CliContext): Promise<void> {
  if (words === '') throw new MemoryError('USAGE', 'No memory was named', { hint: 'Give its id, or words of it.' })
  let found: FoundMemories | undefined
  const changed = await changeMemories(options, io, async (context) => {
    const { markOutdated, unmarkOutdated } = await import('../../broker/commands/statements.ts')
    if (options.undo) return unmarkOutdated(context, words)
    found = await findMeant(context, words)
    return found.kind === 'clear' ? markOutdated(context, found.memory.id) : undefined
  })
  const result: Outcome = changed ? { memory: changed } : { memories: found?.kind === 'several' ? found.memories : [] }
  const command = io.isSlashCommand ? 'outdated' : 'supersede --outdated'
  printResult(io, options.json, result, () => {
    if (!changed) return found && found.kind !== 'clear' ? askWhichMemory(found, words, command, io) : []
    if (options.undo) return [`Holds again: ${describeMemory(changed)}`]
    const id = shortId(changed.id)
    return [
      `Outdated from now on: ${describeMemory(changed)}`,
      `To say what is right instead: ${commandText(io, `supersede ${id} TEXT`)}`,
      `If that was wrong: ${commandText(io, `${command} --undo ${id}`)}`,
    ]
  })
}
