// The steps of a lesson's fix: which command needs them, which file they edit first, whether one of them was done.
import { type CallResult, callCommand, EDIT_TOOLS } from '../model/event.ts'
import type { LessonFix } from '../model/lesson.ts'
import type { Memory } from '../model/memory.ts'
import { commandShape, coreCommand } from './command.ts'

/**
 * The command that fails again until another command is run, as `oneLineCommandCore` returns it. Undefined if the fix
 * edits a file, because edits stay; if the command was truncated; and if it passed as part of another command.
 */
export function recurringCommand({ lesson, commandShape: shape }: LessonMemory): string | undefined {
  const { command, fix } = lesson ?? {}
  if (command === undefined || command.endsWith('…') || commandShape(command) !== shape) return undefined
  const core = oneLineCommandCore(command)
  if (core === undefined || fix === undefined || fix.steps.length === 0) return undefined
  return fix.steps.every(({ kind, what }) => kind === 'command' && !what.includes(core)) ? core : undefined
}

type LessonMemory = Pick<Memory, 'lesson' | 'commandShape'>

/** The core of a command of one line; undefined for a script of several lines. */
export const oneLineCommandCore = (command: string): string | undefined =>
  command.trim().includes('\n') ? undefined : coreCommand(command) || undefined

/** The file of the fix's first edit. */
export const findFirstFileToEdit = (fix: LessonFix | undefined): string | undefined =>
  fix?.steps.find(({ kind }) => kind === 'edit')?.what

/** Whether a call did one of the steps: a command of the same shape passed, or the same file was edited. */
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
