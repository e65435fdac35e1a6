// Fix: what a lesson's text says of it, read back: which command failed, what is to be done, and whether that has been done.
import { type CallEnded, commandOf } from '../model/event.ts'
import type { Memory } from '../model/memory.ts'
import { commandCore, commandShape } from './command.ts'

const EDITING = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit'])

/**
 * The very command that fails until what mends it is run again, as `coreOf` has it; undefined where no command mends it. What a fix
 * edits stays edited: a test that found a mistake is no test to be warned of. Undefined too for a command that was too long to be
 * told whole, and for one that passed as part of another.
 */
export function recurring({ content, commandShape: shape, lessons }: Told): string | undefined {
  const fix = lessons[0] ?? ''
  const told = /^`([^\n]+?)` failed: /.exec(content)?.[1]
  if (told === undefined || told.endsWith('…') || commandShape(told) !== shape) return undefined
  const core = coreOf(told)
  const isRun = /^Fix: (?:use )?`/.test(fix) && filesToEdit(fix).length === 0
  return core !== undefined && isRun && !fix.includes(core) ? core : undefined
}

type Told = Pick<Memory, 'content' | 'commandShape' | 'lessons'>

/** What a command of one line does, without where and with what around it; undefined for a script: what it does stands in its other lines. */
export const coreOf = (command: string): string | undefined =>
  command.trim().includes('\n') ? undefined : commandCore(command) || undefined

/** The files a fix says to edit, in its order: `Fix: edit src/a.ts (const x = 1), then …`. */
export const filesToEdit = (fix: string): string[] =>
  [...fix.matchAll(/(?:^Fix: |, then |^Fix: use )edit ([^\s(;,]+)/g)].map((match) => match[1]!.replace(/\.$/, ''))

/** Whether one of these calls did a step of it: a command of the same shape went well, or a file it names was changed. */
export function isStepDone(fix: string, calls: readonly CallEnded[]): boolean {
  const done = calls.filter((call) => call.kind === 'call.succeeded')
  if (done.length === 0) return false
  const shapes = new Set([...fix.matchAll(/`([^`\n]{2,200})`/g)].map((match) => commandShape(match[1]!)))
  const files = new Set(filesToEdit(fix))
  return done.some((call) =>
    commandOf(call) === ''
      ? EDITING.has(call.tool) && call.files.some((file) => files.has(file))
      : call.commandShape !== undefined && shapes.has(call.commandShape),
  )
}
