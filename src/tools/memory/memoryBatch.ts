// memory_batch_store and memory_batch_update: many in one event, so that a crash leaves all of them or none.
import { MemoryError } from '../../model/memoryError.ts'
import { buildJsonSchema, readInput, text, uncheckedList, withDefault } from '../definition/field.ts'
import { defineTool } from '../definition/tool.ts'
import { type ErrorType, toToolFailure } from '../definition/toolFailure.ts'
import { requireMemory } from './memoryFields.ts'
import { memoryFromStoreInput, STORE_FIELDS } from './memoryStore.ts'
import { changeFromUpdateInput, UPDATE_FIELDS } from './memoryUpdate.ts'

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

export const memoryBatchStore = defineTool({
  name: 'memory_batch_store',
  title: 'Store memories',
  description: 'Store up to 100 memories at once.',
  group: 'memory',
  effect: 'writes',
  command: { words: 'memory batch-store', stdin: 'items' },
  input: {
    items: uncheckedList('The memories', buildJsonSchema(STORE_FIELDS), { min: 1, max: ITEMS_MAX }),
    on_error: onError,
  },
  async handle({ items, on_error }, context) {
    const given = await import('../../broker/commands/newMemory.ts')
    const { done, errors } = each(items, on_error, (item, i) =>
      memoryFromStoreInput(readInput(STORE_FIELDS, item, `items[${i}]`), context, given),
    )
    if (done.length > 0) context.commit({ kind: 'memory.batch', stored: done, changes: [] })
    const ids = done.map((memory) => memory.id)
    return { success: errors.length === 0, stored_count: ids.length, stored_ids: ids, errors }
  },
})

export const memoryBatchUpdate = defineTool({
  name: 'memory_batch_update',
  title: 'Update memories',
  description: 'Update up to 100 memories at once.',
  group: 'memory',
  effect: 'writes',
  command: { words: 'memory batch-update', stdin: 'updates' },
  input: {
    updates: uncheckedList('The changes', buildJsonSchema(UPDATE_FIELDS), { min: 1, max: ITEMS_MAX }),
    on_error: onError,
  },
  async handle({ updates, on_error }, context) {
    const given = await import('../../broker/commands/newMemory.ts')
    const { done, errors } = each(updates, on_error, (update, i) => {
      const input = readInput(UPDATE_FIELDS, update, `updates[${i}]`)
      return changeFromUpdateInput(input, requireMemory(context, input.id), context, given)
    })
    if (done.length > 0) context.commit({ kind: 'memory.batch', stored: [], changes: done })
    const ids = done.map((change) => change.memory)
    return { success: errors.length === 0, updated_count: ids.length, updated_ids: ids, errors }
  },
})

interface ItemError {
  readonly index: number
  readonly error_type: ErrorType
  readonly message: string
  readonly hint: string
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
      const { error_type, message, hint } = toToolFailure(error)
      errors.push({ index, error_type, message, hint: hint })
      if (onError === 'stop') break
    }
  }
  return { done: onError === 'rollback' && errors.length > 0 ? [] : done, errors }
}
