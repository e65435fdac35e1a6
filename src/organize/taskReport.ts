// One task in three parts: what was asked, in one clause; what came of it, in one sentence; which files were changed.
import type { SessionTask } from '../model/sessionTask.ts'
import { findAnswerSentence, findResultSentence, offeredClause, requestClause } from '../text/taskSentences.ts'
import { listChangedFiles } from './changedFiles.ts'
import { findLastAnswer } from './taskFacts.ts'

export interface TaskReport {
  /** Empty if the prompt asks for nothing by itself, or nobody typed it. */
  readonly request: string
  /** Of a task that changed nothing: what the answer says. Empty if no answer says it. */
  readonly result: string
  readonly files: readonly string[]
}

/** The report of a task; `before` is the task before it, whose offer a "yes" accepts. */
export function describeTask(task: SessionTask, before: SessionTask | undefined): TaskReport {
  const files = listChangedFiles(task.events)
  const answer = findLastAnswer(task.events)
  const request = task.prompt ? requestClause(task.prompt.text) : ''
  const accepted = request === '' && before ? offeredClause(findLastAnswer(before.events)) : ''
  const result = findResultSentence(answer) || (files.length === 0 ? findAnswerSentence(answer) : '')
  return { request: request || accepted, result, files }
}
