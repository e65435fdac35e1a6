// eval recordings: a ranking uses only what had happened before it.
import path from 'node:path'
import { expect, test } from 'vitest'
import { evaluateRecordings, findProjects, type RunLine } from '../../../bench/eval/evaluateRecordings.ts'

const shop = findProjects([path.resolve(import.meta.dirname, '../../../recordings')], '/')[0]!
const linesOf = (recordings: typeof shop.recordings): RunLine[] => evaluateRecordings({ ...shop, recordings }, () => {})
const keyOf = (line: RunLine): string =>
  line.type === 'session' ? line.session_id : `${line.session_id}/${line.tool_use_id}`

test('eval: each session and each call has one line, best first, and a session never ranks itself', () => {
  const lines = linesOf(shop.recordings)
  expect(new Set(lines.map(keyOf)).size).toBe(lines.length)
  expect(lines.some((line) => line.type === 'session' && line.ranked.length > 0)).toBe(true)
  expect(lines.some((line) => line.type === 'tool')).toBe(true)
  for (const line of lines) {
    const scores = line.ranked.map(({ score }) => score)
    expect(scores).toEqual([...scores].sort((a, b) => b - a))
    if (line.type === 'session') expect(line.ranked.map(({ session_id }) => session_id)).not.toContain(line.session_id)
  }
})

test('eval: later payloads change no ranking', () => {
  const all = linesOf(shop.recordings)
  const ends = shop.recordings.map(({ payloads }) => payloads.at(-1)!.at).sort((a, b) => a - b)
  const until = ends[Math.floor(ends.length / 2)]!
  const cut = shop.recordings
    .map((recording) => ({ ...recording, payloads: recording.payloads.filter(({ at }) => at <= until) }))
    .filter(({ payloads }) => payloads.length > 0)
  const early = linesOf(cut)
  expect(early.length).toBeGreaterThan(3)
  const known = new Map(all.map((line) => [keyOf(line), line]))
  for (const line of early) expect(line).toEqual(known.get(keyOf(line)))
})
