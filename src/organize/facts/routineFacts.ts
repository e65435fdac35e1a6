// The standing commands of a project: how it is built, tested, linted, formatted and run, with time and success rate.
import { type CallResult, callCommand } from '../../model/event.ts'
import { splitSimpleCommands } from '../../text/shellCommands.ts'
import type { FactDetector, FactSighting } from './factSighting.ts'
import { median } from './mergeRoutine.ts'
import { concreteForm, routineForm } from './routineForm.ts'
import { type RoutinePurpose, routinePurpose } from './routinePurpose.ts'
import { isRefusedCall } from './sessionCalls.ts'
import { findUsageError } from './usageErrors.ts'

/** A command with more options is an experiment. */
const OPTIONS_MAX = 3

/** Commands of services that have no purpose of their own; of those a session used, the most frequent ones. */
const SERVICES = /^(?:gh|glab|docker|docker-compose|podman|kubectl|helm|terraform|aws|gcloud|az|psql|mysql|redis-cli)$/
const SERVICE_FORMS_MAX = 3
const SERVICE_PURPOSE: RoutinePurpose = { kind: 'other', title: 'Often used' }

export const detectRoutineFacts: FactDetector = ({ calls }) => {
  const runs = new Map<string, Runs>()
  for (const call of calls) {
    if (callCommand(call) === '' || isRefusedCall(call) || findUsageError(call) !== undefined) continue
    for (const { words, isAuxiliary } of splitSimpleCommands(callCommand(call))) {
      const purpose = routinePurpose(words) ?? servicePurpose(words)
      if (isAuxiliary || purpose === undefined || words.filter(isOption).length > OPTIONS_MAX) continue
      const shown = shownWords(words, purpose)
      const form = routineForm(shown)
      const run = runs.get(form) ?? { purpose, calls: [], forms: [] }
      run.calls.push(call)
      run.forms.push(concreteForm(shown))
      runs.set(form, run)
    }
  }
  const isService = ([, { purpose }]: readonly [string, Runs]) => purpose === SERVICE_PURPOSE
  const byCount = [...runs].filter(isService).sort(([, a], [, b]) => b.calls.length - a.calls.length)
  const standing = [...runs].filter((run) => !isService(run))
  return [...standing, ...byCount.slice(0, SERVICE_FORMS_MAX)].map(([form, run]) => toSighting(form, run))
}

/** An address of the project at a service, such as `gh api repos/acme/shop/issues`. */
const servicePurpose = (words: readonly string[]): RoutinePurpose | undefined =>
  SERVICES.test(words[0] ?? '') && words.slice(2).some((word) => /^[\w.{}-]+(?:\/[\w.{}<>-]+)+$/.test(word))
    ? SERVICE_PURPOSE
    : undefined

const isOption = (word: string): boolean => /^-./.test(word)

/** A script without its arguments, a program that is run without what it is given. */
function shownWords(words: readonly string[], { title }: RoutinePurpose): readonly string[] {
  if (title.startsWith('Script')) return words.slice(0, 1)
  return title === 'Run the program' ? words.slice(0, 3) : words
}

interface Runs {
  readonly purpose: RoutinePurpose
  readonly calls: CallResult[]
  /** The concrete form of each run. */
  readonly forms: string[]
}

function toSighting(form: string, { purpose, calls, forms }: Runs): FactSighting {
  // A call that runs several commands gives no time of its own.
  const times = calls.filter(isAlone).flatMap(({ durationMs }) => (isPlausibleTime(durationMs) ? [durationMs] : []))
  const passed = calls.filter(({ kind }) => kind === 'call.succeeded').length
  return {
    topic: 'routine',
    key: form,
    claim: purpose.title,
    triggers: [],
    failures: 0,
    at: calls.at(-1)?.at ?? '',
    events: calls.slice(-2).map(({ id }) => id),
    routine: {
      purpose: purpose.kind,
      medianMs: median(times),
      timesMs: times.length > 0 ? [median(times)] : [],
      passed: passed / calls.length,
      runs: calls.length,
      forms: [{ text: mostFrequent(forms), sessions: 1 }],
    },
  }
}

/** A longer call waited for a person's permission. */
const PLAUSIBLE_MS_MAX = 30 * 60_000

const isPlausibleTime = (ms: number | undefined): ms is number => ms !== undefined && ms <= PLAUSIBLE_MS_MAX

const isAlone = (call: CallResult): boolean =>
  splitSimpleCommands(callCommand(call)).filter(({ isAuxiliary }) => !isAuxiliary).length <= 2

function mostFrequent(texts: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? ''
}
