// Passed: lessons whose very command a session ran without meeting their error. A warning that came in vain is told no second time
// as surely as the first.
import { commandOf } from '../model/event.ts'
import type { MemoryId } from '../model/id.ts'
import type { Memory } from '../model/memory.ts'
import { coreOf, isStepDone } from '../text/fix.ts'
import type { Known, SessionPart } from './part.ts'
import { rememberedIn } from './remembered.ts'
import { callsOf } from './task.ts'

/** Counted this far: then a warning is silent anyway, and a lesson about an everyday command is not written anew every day. */
const PASSED_MAX = 8

/**
 * The lessons, each with one session more in `metadata.passed`: the command passed when the session first ran it, and nobody had
 * mended it as the lesson says. `met` are those whose error came again.
 */
export function passedBy(part: SessionPart, known: Known, met: ReadonlySet<MemoryId>): Memory[] {
  const calls = callsOf(part.events)
  const remembered = rememberedIn(known)
  const run = new Set<string>()
  return calls.flatMap((call, at) => {
    const core = coreOf(commandOf(call))
    if (core === undefined || run.has(core)) return []
    run.add(core)
    if (call.kind === 'call.failed') return []
    return remembered
      .warningOf(core)
      .filter((lesson) => !met.has(lesson.id) && passedOf(lesson) < PASSED_MAX)
      .filter((lesson) => !isStepDone(lesson.lessons.join('\n'), calls.slice(0, at)))
      .map((lesson) => ({ ...lesson, metadata: { ...lesson.metadata, passed: passedOf(lesson) + 1 } }))
  })
}

const passedOf = (lesson: Memory): number =>
  typeof lesson.metadata['passed'] === 'number' ? lesson.metadata['passed'] : 0
