// A month's summary groups what was done by outcome and area.
import { expect, test } from 'vitest'
import type { Memory } from '../../src/model/memory.ts'
import { updateMonthlyRollups } from '../../src/organize/lifecycle.ts'
import { toMemoryTable } from '../../src/organize/memoryTable.ts'
import { BEGIN, buildMemory, buildMemoryMap, DAY } from '../testData.ts'

const task = (n: number, content: string, more: Partial<Memory>): Memory =>
  buildMemory(n, { kind: 'experience', content, tier: 'cold', status: 'archived', importance: 0.5, ...more })

test('organize: a month says where most changes were made, what was finished there and what was left open', () => {
  const tasks = buildMemoryMap(
    task(1, 'add a discount → Added a discount\nChanged src/cart/total.js', { editedFiles: ['src/cart/total.js'] }),
    task(2, 'round it → Rounded the totals', { editedFiles: ['src/cart/round.js', 'test/round.test.js'] }),
    task(3, 'export the cart', { editedFiles: ['src/export.js'], outcome: 'failure' }),
    task(4, 'does it round? → Yes, half up', {}),
    task(5, 'committed "wip"', { searchOnly: true }),
  )
  const [month] = updateMonthlyRollups(toMemoryTable(tasks), tasks, BEGIN + 60 * DAY)
  expect(month?.content.split('\n').slice(1)).toEqual([
    'Most changes: src/cart (2), src (1)',
    'Finished in src/cart: Added a discount; Rounded the totals',
    'Without changes: Yes, half up',
    'Left open: export the cart',
  ])
  expect(month?.content).toMatch(/^\d{4}-\d{2}: 5 tasks\n/)
})
