// Lists and `memctl show` say who of the team a memory is from; without a team they look as before.
import { expect, test } from 'vitest'
import { formatMemory, formatMemoryTable } from '../../../src/cli/format/memoryText.ts'
import { createPalette } from '../../../src/report/textOutput.ts'
import { buildMemory } from '../../testData.ts'

const terminal = {
  palette: createPalette({ write: () => true, isTTY: false }, { NO_COLOR: '1' }),
  columns: 200,
  shortId: (id: string) => id.slice(0, 8),
}
const team = { by: '佐藤', people: 3, replicas: 4, own: false, at: '' }

test('team: a list has a column with the author, and how many others have met it', () => {
  const [head, shared, own] = formatMemoryTable([buildMemory(1, { team }), buildMemory(2)], terminal)
  expect(head).toMatch(/\bby\s+content/)
  expect(shared).toMatch(/佐藤 \+2\s+what was learnt number 1/)
  expect(own).toMatch(/\d\s+what was learnt number 2/)
  expect(formatMemoryTable([buildMemory(2)], terminal)[0]).not.toMatch(/\bby\b/)
})

test('team: a memory is shown with who learned it, and on how many machines it is', () => {
  const shown = (memory = buildMemory(1, { team })) =>
    formatMemory(memory, { events: [], releases: [], isComplete: false }, terminal).join('\n')
  expect(shown()).toMatch(/^team +learned by 佐藤; 3 people met it, on 4 machines$/m)
  expect(shown(buildMemory(1, { team: { ...team, people: 1, replicas: 1, own: true } }))).toMatch(
    /^team +shared by this machine$/m,
  )
  expect(shown(buildMemory(1))).not.toMatch(/^team /m)
})

test('show: a field of a memory has no colours of its own, whoever wrote it', () => {
  const memory = buildMemory(1, { privacy: 'agent-only', role: 'x\u001b[31mred', branch: 'a\u001b[32mb' })
  const lines = formatMemory(memory, { events: [], releases: [], isComplete: true }, terminal)
  expect(lines.join('\n')).not.toContain('\u001b')
})
