// memctl memory search --hub: the words and filters of the tool, for a search on the hub of the team.
import { MEMORY_KINDS } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import type { CliContext } from '../context/cliContext.ts'
import type { StoreOptions } from '../context/storeOption.ts'
import { optionFlag } from '../format/commandWords.ts'
import { searchMemories } from './memories.ts'

/** Results if the person names no number, as of the tool. */
const LIMIT = 10

/**
 * Searches on the hub and prints what was found. `input` has the tool's fields. The hub has no other filter than the
 * kind: for any other one it throws INPUT_INVALID.
 */
export async function searchTeam(
  input: Readonly<Record<string, unknown>>,
  options: StoreOptions,
  io: CliContext,
): Promise<void> {
  const { query = '', top_k: limit = LIMIT, kind, ...others } = input
  const [other] = Object.keys(others)
  if (other !== undefined) throw invalid(`The hub does not know ${optionFlag(other)}`)
  if (!Number.isInteger(limit) || Number(limit) < 1) throw invalid('--top-k is not a whole number from 1 up')
  const kinds = MEMORY_KINDS.filter((known) => known === kind)
  if (kind !== undefined && kinds.length === 0) throw invalid(`--kind is not one of ${MEMORY_KINDS.join(', ')}`)
  const found = { ...options, hub: true, limit: Number(limit), ...(kinds.length > 0 && { kind: kinds }) }
  await searchMemories([String(query)], found, io)
}

const invalid = (message: string): MemoryError =>
  new MemoryError('INPUT_INVALID', message, { hint: 'With --hub, give words, --kind and --top-k only.' })
