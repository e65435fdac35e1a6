// /memctl:forget: erases one memory. Nobody can be asked in a slash command, so the first call shows what would be
// erased and prints the command that does it.
import type { Command } from 'commander'
import { shortId } from '../../model/id.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { askWhichMemory, findMeant, isShortId } from '../commands/findMeant.ts'
import { formatErasure } from '../commands/forget.ts'
import { applyConfig } from '../context/applyConfig.ts'
import { openToolContext } from '../context/changeMemories.ts'
import { type CliContext, commandText } from '../context/cliContext.ts'
import { describeMemory } from '../format/memoryText.ts'

export function registerForgetMemory(program: Command, io: CliContext): void {
  program
    .command('forget')
    .description('erase a memory permanently')
    .argument('[id|words...]', 'id of the memory or a prefix of it, or words that it contains')
    .option('--yes', 'erase it; needs its id')
    .action(async (given: readonly string[], { yes }: { readonly yes?: boolean }) => {
      const words = given.join(' ').trim()
      const lines = await forget(words, yes === true, io)
      io.out.write(`${lines.join('\n')}\n`)
    })
}

async function forget(words: string, isConfirmed: boolean, io: CliContext): Promise<readonly string[]> {
  if (words === '') throw new MemoryError('USAGE', 'No memory was named', { hint: 'Give its id, or words of it.' })
  if (isConfirmed && !isShortId(words)) {
    throw new MemoryError('USAGE', 'Words do not say surely which memory is meant', { hint: 'Give its id with --yes.' })
  }
  const context = await openToolContext({}, io)
  const found = await findMeant(context, words)
  if (found.kind !== 'clear') return askWhichMemory(found, words, 'forget', io)
  const { memory } = found
  const { eraseEverywhere } = await import('../../broker/forget/eraseEverywhere.ts')
  await applyConfig(context.store)
  const request = { memories: [memory.id], entries: false }
  const result = eraseEverywhere(context.store, request, { now: Date.now(), dryRun: !isConfirmed })
  if (isConfirmed) return formatErasure(result, false)
  return [
    `Nothing is erased yet. This would be erased: ${describeMemory(memory)}`,
    ...formatErasure(result, false),
    `To erase it: ${commandText(io, `forget ${shortId(memory.id)} --yes`)}`,
    `To keep it, but no longer use it: ${commandText(io, `outdated ${shortId(memory.id)}`)}`,
  ]
}
