// What a lesson's fix asks for: which command needs it, which files it edits, and whether a step of it has been done.
import { type CallResult, callCommand, EDIT_TOOLS } from '../model/event.ts'
import type { LessonFix } from '../model/lesson.ts'
import type { Memory } from '../model/memory.ts'
import { commandShape, coreCommand } from './command.ts'

/**
 * The very command that fails until another command is run again, as `oneLineCommandCore` returns it; undefined where no command
 * fixes it. What a fix edits stays edited: a test that found a mistake is no reason for a warning. Undefined too for a
 * command that was too long to be kept whole, and for one that passed as part of another.
 */
export function recurringCommand({ lesson, commandShape: shape }: LessonMemory): string | undefined {
  const { command, fix } = lesson ?? {}
  if (command === undefined || command.endsWith('…') || commandShape(command) !== shape) return undefined
  const core = oneLineCommandCore(command)
  if (core === undefined || fix === undefined || fix.steps.length === 0) return undefined
  return fix.steps.every(({ kind, what }) => kind === 'command' && !what.includes(core)) ? core : undefined
}

type LessonMemory = Pick<Memory, 'lesson' | 'commandShape'>

/** What a command of one line does, without its folder; undefined for a script: its other lines matter too. */
export const oneLineCommandCore = (command: string): string | undefined =>
  command.trim().includes('\n') ? undefined : coreCommand(command) || undefined

/** The file that a fix says to edit first. */
export const findFirstFileToEdit = (fix: LessonFix | undefined): string | undefined =>
  fix?.steps.find(({ kind }) => kind === 'edit')?.what

/** Whether a call did a step of it: a command of the same shape passed, or a file that it edits was changed. */
export function isStepDone(fix: LessonFix | undefined, calls: readonly CallResult[]): boolean {
  const done = calls.filter((call) => call.kind === 'call.succeeded')
  if (fix === undefined || done.length === 0) return false
  const shapes = new Set<string>()
  const files = new Set<string>()
  for (const { kind, what } of fix.steps) {
    if (kind === 'command') shapes.add(commandShape(what))
    else files.add(what)
  }
  return done.some((call) =>
    callCommand(call) === ''
      ? EDIT_TOOLS.has(call.tool) && call.files.some((file) => files.has(file))
      : call.commandShape !== undefined && shapes.has(call.commandShape),
  )
}
