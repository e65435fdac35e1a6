// A deletion shows what it deletes and asks; without a terminal it needs --yes.
import { describe, expect, test } from 'vitest'
import type { CliContext } from '../../../src/cli/context/cliContext.ts'
import { type ConfirmOptions, confirmDeletion } from '../../../src/cli/context/forPerson.ts'

/** Runs a deletion of three memories; `answer` is what the person at the terminal types. */
async function run(options: ConfirmOptions, answer?: string, count = 3) {
  const printed: string[] = []
  const asked: string[] = []
  const out = { write: (text: string) => printed.push(text) }
  const io: CliContext = {
    ...{ out, err: out, env: {}, cwd: '/', stdin: () => '' },
    ...(answer !== undefined && {
      ask: (question) => {
        asked.push(question)
        return Promise.resolve(answer)
      },
    }),
  }
  const deletion = {
    preview: () => ({ memories: count }),
    isEmpty: ({ memories }: { readonly memories: number }) => memories === 0,
    format: ({ memories }: { readonly memories: number }) => [`${memories} memories`],
    question: 'Erase them?',
  }
  const confirmed = await confirmDeletion(io, options, deletion).catch((error: unknown) => error)
  return { confirmed, out: printed.join(''), asked }
}

describe('confirm: a deletion', () => {
  test.each(['y', 'Yes', ' yes '])('confirm: shows the preview, asks, and goes on after %j', async (answer) => {
    const { confirmed, out, asked } = await run({}, answer)
    expect(confirmed).toBe(true)
    expect(out).toBe('3 memories\n')
    expect(asked).toEqual(['Erase them? [y/N] '])
  })

  test.each(['', 'n', 'no', 'yess', 'はい'])('confirm: ends with status 2 after %j', async (answer) => {
    const { confirmed, out } = await run({}, answer)
    expect(confirmed).toMatchObject({ status: 2 })
    expect(out).toContain('Nothing was deleted.')
  })

  test('confirm: without a terminal it shows the preview and names --yes', async () => {
    const { confirmed, out } = await run({})
    expect(out).toBe('3 memories\n')
    expect(confirmed).toMatchObject({ code: 'NOT_CONFIRMED', hint: expect.stringContaining('--yes') })
  })

  test('confirm: --yes neither shows nor asks', async () => {
    expect(await run({ yes: true }, 'n')).toEqual({ confirmed: true, out: '', asked: [] })
  })

  test.each([{ dryRun: true }, { dryRun: true, yes: true }])('confirm: %j only shows', async (options) => {
    const { confirmed, out, asked } = await run(options, 'y')
    expect({ confirmed, asked }).toEqual({ confirmed: false, asked: [] })
    expect(out).toContain('3 memories\nNothing was deleted.')
  })

  test('confirm: with --json the preview is one line, and nobody is asked', async () => {
    expect(await run({ dryRun: true, json: true })).toMatchObject({ confirmed: false, out: '{"memories":3}\n' })
    const { confirmed, out, asked } = await run({ json: true }, 'y')
    expect({ out, asked }).toEqual({ out: '', asked: [] })
    expect(confirmed).toMatchObject({ code: 'NOT_CONFIRMED' })
  })

  test('confirm: nothing to delete needs no confirmation', async () => {
    expect(await run({}, undefined, 0)).toEqual({ confirmed: false, out: '0 memories\n', asked: [] })
  })
})
