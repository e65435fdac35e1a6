// eval distill: the requests of recorded sessions are written, and answers to them become lines for the scorer.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { runDeveloperCommand } from '../../../bench/run.ts'
import { newWorld, RECORDINGS } from '../../cli/testContext.ts'

test('eval: an answer to a written request gives the statements that it keeps', async () => {
  const world = newWorld({}, (words, io) => runDeveloperCommand(['eval', ...words], io))
  const [first = ''] = fs.readdirSync(RECORDINGS).filter((name) => name.endsWith('.jsonl'))
  const recording = path.join(RECORDINGS, first)
  expect((await world.memctl('distill', recording, '--prompts', 'prompts')).status).toBe(0)
  const folder = path.join(world.folder, 'project')
  const [name = ''] = fs.readdirSync(path.join(folder, 'prompts'))
  const request = fs.readFileSync(path.join(folder, 'prompts', name), 'utf8')
  const [, number, text = ''] = /^\[(\d+)\] PERSON: (.+)$/m.exec(request) ?? []
  const fields = { type: 'rule', scope: 'project', strength: 2, statement: 'It holds.', short: 'It holds.' }
  const statements = [
    { ...fields, quote: text.slice(0, 200), cites: [Number(number)] },
    { ...fields, statement: 'Nobody said it.', quote: 'nobody ever said these words', cites: [Number(number)] },
  ]
  fs.mkdirSync(path.join(folder, 'answers'))
  fs.writeFileSync(path.join(folder, 'answers', name.replace('.txt', '.json')), JSON.stringify({ statements }))
  const result = await world.json('distill', recording, '--answers', 'answers', '--alone', '--out', 'run.jsonl')
  expect(result).toEqual({ answers: 1, rejected: [], kept: 1, dropped: 1 })
  const line = JSON.parse(fs.readFileSync(path.join(folder, 'run.jsonl'), 'utf8'))
  expect(line).toMatchObject({ type: 'kept', kind: 'rule', text: expect.stringContaining('It holds. ("') })
  world.end()
})
