// The steps of a worker's run, so that one step that never ends does not keep all others from being done.
//
//   worker ─── the step it begins ──▶ watchdog ─── it had to be ended there ──▶ worker.json
//      ◀──────────────── the next worker skips a step that failed three times ──────┘
//
// A skipped step is tried again once a day, and `memctl doctor` reports it.
import { writeJsonFile } from '../../store/disk/jsonFile.ts'
import { readJsonIfIntact } from '../../store/disk/readJson.ts'
import type { Store } from '../open/openStore.ts'

export const sessionStep = (session: string): string => `session:${session}`

/** A step in which workers had to be ended. */
interface FailedStep {
  /** `session:<id>`, or the name of a part of the work. */
  readonly step: string
  readonly count: number
  /** The latest time, in ISO 8601. */
  readonly at: string
  readonly what: string
}

/** A step that failed this often is skipped. */
const FAILURES_MAX = 3

/** After this it is tried again, in milliseconds. */
const SKIPPED_MS = 86_400_000

/** More are not kept: the oldest are forgotten, and tried again. */
const STEPS_MAX = 50

/** Whether workers skip this step at `now`, in milliseconds since 1970. */
export const isSkipped = ({ count, at }: FailedStep, now: number): boolean =>
  count >= FAILURES_MAX && now - Date.parse(at) < SKIPPED_MS

/** The steps in which workers had to be ended; a damaged file counts as empty. */
export function readFailedSteps({ files, layout }: Store): readonly FailedStep[] {
  const steps = readJsonIfIntact<unknown>(files, layout.worker)
  return Array.isArray(steps) ? steps.filter(isFailedStep) : []
}

const isFailedStep = (value: unknown): value is FailedStep => {
  const { step, count, at, what } = (value ?? {}) as Partial<Record<keyof FailedStep, unknown>>
  return typeof step === 'string' && Number.isInteger(count) && typeof at === 'string' && typeof what === 'string'
}

/** Counts that a worker was ended in this step. `what` is the reason. */
export function recordFailedStep(store: Store, step: string, what: string, now: number): void {
  const failed = readFailedSteps(store)
  const count = (failed.find((other) => other.step === step)?.count ?? 0) + 1
  const others = failed.filter((other) => other.step !== step).slice(1 - STEPS_MAX)
  writeJsonFile(store.files, store.layout.worker, [...others, { step, count, at: new Date(now).toISOString(), what }])
}

/** The steps of one run that begins at `now`. `onBegin` is called before each step that is done. */
export function startWorkRun(store: Store, now: number, onBegin: (step: string) => void) {
  const failed = readFailedSteps(store)
  const begun = new Set<string>()
  return {
    /** Whether the step may be done. It lasts until the next one begins. */
    begin(step: string): boolean {
      if (failed.some((other) => other.step === step && isSkipped(other, now))) return false
      begun.add(step)
      onBegin(step)
      return true
    },

    /** The run has ended by itself: what was done has not failed any more. */
    finish(): void {
      const left = failed.filter(({ step }) => !begun.has(step))
      if (left.length === failed.length) return
      if (left.length === 0) store.files.remove(store.layout.worker)
      else writeJsonFile(store.files, store.layout.worker, left)
    },
  }
}

export type WorkRun = ReturnType<typeof startWorkRun>
