// What a session left open, and what later work says of it.
import { subjectWords } from '../../knowledge/compareRules.ts'
import type { Memory } from '../../model/memory.ts'
import { findFilePaths } from '../../text/filePaths.ts'
import { findTaskReference } from '../../text/taskReference.ts'
import { NOT_DONE } from '../../text/taskSentences.ts'
import { type ToolContext, viewingSession } from '../definition/toolContext.ts'
import { describeLine, isOfKinds, listOpenTasks } from './everydayFields.ts'
import { type Likeness, lineOf, NAMED_MAX } from './sameSubject.ts'

/** The share of a task's words, the rare ones more, from which later work may have done it. */
const MOST_SHARE = 0.5
/** And what both lines share of all their words, if they have a subject in common. */
const COMMON_SHARE = 0.12
/** The same if later work was on the issue or a file that the task names: it says the rest in other words. */
const SOME_SHARE = 0.3
/** The latest sessions of which later work is looked for: it costs a search for each task. */
const COMPARED_MAX = 50

/** What a session left open, and what of it later work may have done. */
export interface OpenWork {
  readonly left_open: readonly string[] | undefined
  readonly perhaps_done?: readonly { readonly task: string; readonly later_work: readonly string[] }[]
}

/** Whether a memory is of the issue that a task names, or changed a file that it names. */
function isOnSame(task: string, { taskId, content, editedFiles = [] }: Memory): boolean {
  const reference = findTaskReference(task)
  const files = findFilePaths(task)
  const isOfIssue = reference !== undefined && (taskId === reference || content.includes(reference))
  return isOfIssue || editedFiles.some((file) => files.some((named) => `/${file}`.endsWith(`/${named}`)))
}

/** By memory what its session left open, and what of it may be done: the latest ones only. */
export async function findOpenWork(
  found: readonly Memory[],
  context: ToolContext,
  alike: Likeness,
): Promise<ReadonlyMap<Memory, OpenWork>> {
  const { hybridSearch } = await import('../../broker/search/hybridSearch.ts')
  const viewing = viewingSession(context)
  const findLater = async (task: string, left: Memory): Promise<readonly string[]> => {
    // “Not pushed” has no subject that later work could share.
    if (subjectWords(task.replace(NOT_DONE, '')).size === 0) return []
    const passes = (memory: Memory): boolean =>
      isOfKinds(['summary', 'experience'], memory) && memory.session !== left.session && memory.created > left.created
    const limits = { topK: COMPARED_MAX, similarityMin: SOME_SHARE, passes, mode: 'keyword' } as const
    const hits = await hybridSearch(context.liveStore, { ...viewing, ...limits, query: task })
    const isOnSubject = (memory: Memory): boolean => alike(task, lineOf(memory)).ofAll >= COMMON_SHARE
    const later = hits.filter(
      ({ memory, similarity }) => isOnSame(task, memory) || (similarity >= MOST_SHARE && isOnSubject(memory)),
    )
    return later.slice(0, NAMED_MAX).map(({ memory }) => describeLine(memory))
  }
  const work = new Map<Memory, OpenWork>()
  for (const memory of found.slice(0, COMPARED_MAX)) {
    const tasks = await Promise.all(
      listOpenTasks(memory).map(async (task) => ({ task, later_work: await findLater(task, memory) })),
    )
    const left = tasks.filter(({ later_work: later }) => later.length === 0).map(({ task }) => task)
    const done = tasks.filter(({ task }) => !left.includes(task))
    work.set(memory, {
      left_open: left.length > 0 ? left : undefined,
      ...(done.length > 0 && { perhaps_done: done }),
    })
  }
  return work
}
