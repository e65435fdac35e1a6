// False alarms: lessons whose very command a session ran without their error. Such a lesson warns less and less.
import { callCommand } from '../model/event.ts'
import type { MemoryId } from '../model/id.ts'
import type { Memory } from '../model/memory.ts'
import { isStepDone, oneLineCommandCore } from '../text/fixSteps.ts'
import { toMemoryTable } from './memoryTable.ts'
import type { MemoryMap, SessionSlice } from './sessionSlice.ts'
import { listCallResults } from './sessionTask.ts'

/** Counted this far: by then it warns no more, and a lesson about a daily command is not rewritten every day. */
const FALSE_ALARMS_MAX = 8

/**
 * The lessons, each with one false alarm more: the command passed when the session first ran it, and nobody had done
 * what the lesson says. `met` are those whose error came again.
 */
export function countFalseAlarms(part: SessionSlice, known: MemoryMap, met: ReadonlySet<MemoryId>): Memory[] {
  const calls = listCallResults(part.events)
  const remembered = toMemoryTable(known)
  const run = new Set<string>()
  return calls.flatMap((call, at) => {
    const core = oneLineCommandCore(callCommand(call))
    if (core === undefined || run.has(core)) return []
    run.add(core)
    if (call.kind === 'call.failed') return []
    return remembered.findLessonsForCommand(core).flatMap((memory) => {
      const { id, lesson } = memory
      if (lesson === undefined || met.has(id) || lesson.falseAlarms >= FALSE_ALARMS_MAX) return []
      if (isStepDone(lesson.fix, calls.slice(0, at))) return []
      return { ...memory, lesson: { ...lesson, falseAlarms: lesson.falseAlarms + 1 } }
    })
  })
}
