// A scenario of harm: what happened before, what later sessions do, which text may not be injected into them, and, as a
// control, which text must be.
import { type Probe, type Project, TwoProjects } from './twoProjects.ts'

export const HARM_KINDS = ['superseded', 'contradicted', 'outdated', 'adjacent', 'planted', 'forgotten'] as const
export type HarmKind = (typeof HARM_KINDS)[number]

export interface Scenario {
  readonly kind: HarmKind
  readonly name: string
  /** What happened, until the entry no longer holds, or is somebody else's. */
  readonly play: (world: TwoProjects) => unknown
  /** What comes first: after it the harmful text is still shown, so that its absence later means something. */
  readonly before?: (world: TwoProjects) => unknown
  /** The project that is shown it then, by default that of the control. */
  readonly beforeIn?: Project
  /** What later sessions do. */
  readonly probe?: Probe
  /** The project and branch of the sessions that may not be shown it: `shop`, main. */
  readonly in?: Project
  readonly harmful: RegExp
  /** Shown in `controlIn`, by default where the harmful text is not. */
  readonly control: RegExp
  readonly controlIn?: Project
  readonly controlProbe?: Probe
}

export interface HarmResult {
  readonly scenario: Scenario
  /** Lines that were injected and have the harmful text, with the moment at which the session was probed. */
  readonly harms: readonly string[]
  /** Why the scenario shows nothing: what should have been injected was not. */
  readonly invalid: readonly string[]
}

/** Plays a scenario, and probes while its last session is open and after its end. */
export async function runScenario(scenario: Scenario): Promise<HarmResult> {
  const { before, play, probe = {}, harmful, control, in: place = 'shop', controlIn = place } = scenario
  const { beforeIn = controlIn } = scenario
  const controlProbe = scenario.controlProbe ?? probe
  const world = new TwoProjects()
  const harms: string[] = []
  const invalid: string[] = []
  const look = (when: string): readonly string[] => {
    const lines = world.probe(probe, place)
    harms.push(...lines.filter((line) => harmful.test(line)).map((line) => `${when}: ${line.trim()}`))
    return lines
  }
  try {
    if (before) {
      await before(world)
      world.endSession()
      if (!world.probe(controlProbe, beforeIn).some((line) => harmful.test(line)))
        invalid.push(`was never shown: ${harmful}`)
    }
    await play(world)
    if (world.hasOpenSession) look('while it is open')
    world.endSession()
    const lines = look('after its end')
    const isSame = controlIn === place && controlProbe === probe
    const controlled = isSame ? lines : world.probe(controlProbe, controlIn)
    if (!controlled.some((line) => control.test(line))) invalid.push(`control is not shown: ${control}`)
    look('in a later session')
  } finally {
    world.end()
  }
  return { scenario, harms: [...new Set(harms)], invalid }
}
