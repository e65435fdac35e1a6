// The call of `memctl forget` names what is forgotten: it must not record it again.
import { expect, test } from 'vitest'
import { exampleSession, recordEvents } from '../testData.ts'

test.each(['memctl forget --text "the plum tree" --yes', 'cd /x && npx memctl forget --text=the\\ plum\\ tree'])(
  'record: a call that forgets something is recorded without its arguments and its answer: %s',
  (command) => {
    const session = exampleSession().starts().asks('Do it.').runs(command, 'redacted  the plum tree')
    session.fails(command, 'error: the plum tree')
    const events = recordEvents(session.recorded)
    expect(events.filter(({ kind }) => kind.startsWith('call.'))).toHaveLength(4)
    expect(JSON.stringify(events)).not.toMatch(/plum/)
  },
)
