// The bench of harm: what no longer holds, is of another project, or was planted is injected nowhere.
import { describe, expect, it } from 'vitest'
import { HARM_SCENARIOS } from '../../../bench/harm/harmCommand.ts'
import { HARM_KINDS, runScenario } from '../../../bench/harm/scenario.ts'

describe('harm: only what holds, here, and was meant is injected', () => {
  it('there are at least 40 scenarios, each kind has some in Japanese', () => {
    expect(HARM_SCENARIOS.length).toBeGreaterThanOrEqual(40)
    for (const kind of HARM_KINDS) {
      const own = HARM_SCENARIOS.filter((scenario) => scenario.kind === kind)
      expect(own.filter(({ name }) => /[\u3040-\u30ff\u4e00-\u9fff]/.test(name)).length).toBeGreaterThan(0)
    }
  })

  // Every third one; the command runs all.
  it.each(HARM_KINDS)('%s', { timeout: 120_000 }, async (kind) => {
    const scenarios = HARM_SCENARIOS.filter((scenario, i) => scenario.kind === kind && i % 3 === 0)
    for (const scenario of scenarios) {
      const { harms, invalid } = await runScenario(scenario)
      expect({ name: scenario.name, harms, invalid }).toEqual({ name: scenario.name, harms: [], invalid: [] })
    }
  })

  it('a harmful injection and a missing control are found', async () => {
    const { harms, invalid } = await runScenario({
      kind: 'outdated',
      name: 'nothing made it outdated',
      play: (world) => world.says('Always deploy with the wombat script.'),
      harmful: /wombat/,
      control: /never said/,
    })
    expect(harms.length).toBeGreaterThan(0)
    expect(invalid).toEqual(['control is not shown: /never said/'])
  })
})
