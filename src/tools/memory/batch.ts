// memory_batch_store and memory_batch_update: many in one event, so that a crash leaves all of them or none.
import { MemoryError } from '../../model/errors.ts'
import { type ErrorType, failureOf } from '../failure.ts'
import { readInput, roughList, schemaOf, text, withDefault } from '../field.ts'
import { tool } from '../tool.ts'
import { memoryOf } from './fields.ts'
import { memoryFrom, STORE_FIELDS } from './store.ts'
import { changeFrom, UPDATE_FIELDS } from './update.ts'

/** The document's limit. */
const ITEMS_MAX = 100

const ON_ERROR = ['rollback', 'continue', 'stop'] as const
type OnError = (typeof ON_ERROR)[number]

const onError = withDefault(
  text('At an item that is wrong: rollback stores none, continue leaves it out, stop keeps those before it', {
    choices: ON_ERROR,
  }),
  'rollback',
)

export const memoryBatchStore = tool({
  name: 'memory_batch_store',
  title: 'Store memories',
  description: 'Store up to 100 memories at once.',
  layer: 'memory',
  effect: 'writes',
  command: { words: 'memory batch-store', stdin: 'items' },
  input: {
    items: roughList('The memories', schemaOf(STORE_FIELDS), { min: 1, max: ITEMS_MAX }),
    on_error: onError,
  },
  async handle({ items, on_error }, world) {
    const given = await import('../../broker/given.ts')
    const { done, errors } = each(items, on_error, (item, i) =>
      memoryFrom(readInput(STORE_FIELDS, item, `items[${i}]`), world, given),
    )
    if (done.length > 0) world.tell({ kind: 'memory.batch', stored: done, changes: [] })
    const ids = done.map((memory) => memory.id)
    return { success: errors.length === 0, stored_count: ids.length, stored_ids: ids, errors }
  },
})

export const memoryBatchUpdate = tool({
  name: 'memory_batch_update',
  title: 'Update memories',
  description: 'Update up to 100 memories at once.',
  layer: 'memory',
  effect: 'writes',
  command: { words: 'memory batch-update', stdin: 'updates' },
  input: {
    updates: roughList('The changes', schemaOf(UPDATE_FIELDS), { min: 1, max: ITEMS_MAX }),
    on_error: onError,
  },
  async handle({ updates, on_error }, world) {
    const given = await import('../../broker/given.ts')
    const { done, errors } = each(updates, on_error, (update, i) => {
      const input = readInput(UPDATE_FIELDS, update, `updates[${i}]`)
      return changeFrom(input, memoryOf(world, input.id), world, given)
    })
    if (done.length > 0) world.tell({ kind: 'memory.batch', stored: [], changes: done })
    const ids = done.map((change) => change.memory)
    return { success: errors.length === 0, updated_count: ids.length, updated_ids: ids, errors }
  },
})

interface ItemError {
  readonly index: number
  readonly error_type: ErrorType
  readonly message: string
  readonly mend: string
}

/** What each item comes to, and what is wrong with those that come to nothing. */
function each<T>(
  items: readonly unknown[],
  onError: OnError,
  read: (item: unknown, index: number) => T,
): { readonly done: readonly T[]; readonly errors: readonly ItemError[] } {
  const done: T[] = []
  const errors: ItemError[] = []
  for (let index = 0; index < items.length; index++) {
    try {
      done.push(read(items[index], index))
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error
      const { error_type, message, mend } = failureOf(error)
      errors.push({ index, error_type, message, mend })
      if (onError === 'stop') break
    }
  }
  return { done: onError === 'rollback' && errors.length > 0 ? [] : done, errors }
}
