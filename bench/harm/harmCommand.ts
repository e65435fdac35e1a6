// `npm run -s eval -- harm`: knowledge that no longer holds, is somebody else's, or was planted may not be injected.
import type { Command } from 'commander'
import { type CliContext, ExitStatus } from '../../src/cli/context/cliContext.ts'
import { CHANGED_SCENARIOS } from './changedScenarios.ts'
import { OUTSIDE_SCENARIOS } from './outsideScenarios.ts'
import { HARM_KINDS, type HarmResult, runScenario, type Scenario } from './scenario.ts'

export const HARM_SCENARIOS: readonly Scenario[] = [...CHANGED_SCENARIOS, ...OUTSIDE_SCENARIOS]

interface HarmOptions {
  readonly only?: string
}

export function registerHarm(program: Command, io: CliContext): void {
  program
    .command('harm')
    .description(
      'superseded, contradicted, outdated, adjacent, planted and forgotten knowledge: what is injected of it',
    )
    .option('--only <text>', 'only scenarios with this text in their kind or name')
    .action(async ({ only = '' }: HarmOptions) => {
      const results: HarmResult[] = []
      for (const scenario of HARM_SCENARIOS)
        if (`${scenario.kind} ${scenario.name}`.includes(only)) results.push(await runScenario(scenario))
      for (const line of formatResults(results)) io.out.write(`${line}\n`)
      if (results.some(({ harms, invalid }) => harms.length + invalid.length > 0)) throw new ExitStatus(1)
    })
}

/** A table by kind, then what was injected and what is missing. */
function formatResults(results: readonly HarmResult[]): string[] {
  const row = (name: string, own: readonly HarmResult[]): string => {
    const count = (key: 'harms' | 'invalid') => own.filter((result) => result[key].length > 0).length
    const injections = own.reduce((sum, { harms }) => sum + harms.length, 0)
    return `| ${[name, own.length, count('harms'), injections, count('invalid')].join(' | ')} |`
  }
  return [
    '| kind | scenarios | harmful | harmful injections | without control |',
    '|---|---:|---:|---:|---:|',
    ...HARM_KINDS.map((kind) =>
      row(
        kind,
        results.filter(({ scenario }) => scenario.kind === kind),
      ),
    ),
    row('all', results),
    ...results.flatMap(({ scenario: { kind, name }, harms, invalid }) =>
      [...harms, ...invalid].map((what) => `${kind} · ${name} · ${what}`),
    ),
  ]
}
