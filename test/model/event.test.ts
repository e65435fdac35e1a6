// Events, written and read again.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Event, eventToLogFields, parseEvent } from '../../src/model/event.ts'
import { arbitraryEvent } from '../arbitraries.ts'
import { iso } from '../testData.ts'

const throughJson = (event: Event): unknown => JSON.parse(JSON.stringify(eventToLogFields(event)))

test('model: an event that is written and parsed again is the same event', () => {
  fc.assert(fc.property(arbitraryEvent, (event) => void expect(parseEvent(throughJson(event))).toEqual(event)))
})

test('model: writing a parsed event gives the same fields', () => {
  fc.assert(
    fc.property(
      arbitraryEvent,
      (event) => void expect(throughJson(parseEvent(throughJson(event))!)).toEqual(throughJson(event)),
    ),
  )
})

const given = { id: 'e1', at: iso(0), session: 's1' }

test('model: an event of a kind this version does not know becomes `other` and keeps its fields', () => {
  const fields = {
    ...given,
    kind: 'dream.ended',
    lessons: ['sleep'],
    colours: ['red'],
    depth: { of: 3 },
    role: 'Explore',
  }
  expect(parseEvent(fields)).toMatchObject({ ...fields, kind: 'other', name: 'dream.ended' })
})

test('model: defaults are restored: role main, outcome unknown, public, no lessons', () => {
  const base = { role: 'main', outcome: 'unknown', privacy: 'public', lessons: [] }
  expect(parseEvent({ ...given, kind: 'answer', text: 'Done.' })).toEqual({
    ...given,
    ...base,
    kind: 'answer',
    text: 'Done.',
  })
  expect(parseEvent({ ...given, kind: 'prompt', text: 'Go.' })).toMatchObject({ ...base, signals: [] })
  expect(parseEvent({ ...given, kind: 'call.failed', error: 'no' })).toMatchObject({
    input: {},
    files: [],
    interrupted: false,
  })
  expect(parseEvent({ ...given, kind: 'recalled' })).toMatchObject({ shown: [], others: [], withheld: false })
})

test('model: fields without id, time, session or kind are not an event, and no input makes parsing throw', () => {
  const whole = { ...given, kind: 'answer', text: '' }
  for (const name of ['id', 'at', 'session', 'kind'] as const) {
    expect(parseEvent({ ...whole, [name]: undefined }), name).toBeUndefined()
    expect(parseEvent({ ...whole, [name]: 5 }), name).toBeUndefined()
  }
  expect(parseEvent({ ...whole, at: 'yesterday' })).toBeUndefined()
  fc.assert(fc.property(fc.jsonValue(), (value) => void parseEvent(value)))
})
