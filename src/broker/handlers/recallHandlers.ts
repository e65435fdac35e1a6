// The hooks that recall: at a prompt, before a call, at a failure, at a subagent's start. Each records first.
import { selectForCommand, selectForFile } from '../../knowledge/selectKnowledge.ts'
import { callCommand, EDIT_TOOLS, type Event, isAgentCall } from '../../model/event.ts'
import { SNAPSHOT_TAIL_BYTES } from '../../model/limits.ts'
import { KNOWLEDGE_KINDS, type MemoryKind } from '../../model/memory.ts'
import { isOwnCommand } from '../../model/sessionTask.ts'
import { focusOnPrompt } from '../../recall/promptFocus.ts'
import { countBytesAfter } from '../../store/log/eventLog.ts'
import { readManifest } from '../../store/snapshot/snapshotReader.ts'
import { classifyPrompt } from '../../text/intent/promptClass.ts'
import { detectUserSignals } from '../../text/intent/userSignals.ts'
import { mayStateLasting } from '../../text/promptText.ts'
import { type IndexedCandidate, relatedIn, sessionsNearFile } from '../search/candidates.ts'
import { recallNearFiles, recallRoleLessons } from '../search/leadingMemories.ts'
import { findBlockingRecall } from './blockCall.ts'
import {
  commitHookEvents,
  eventFromPayload,
  type HookContext,
  type HookHandler,
  type HookOutput,
  NO_OUTPUT,
} from './hookContext.ts'
import { findPromptTask, latestAgentTask } from './hookQuery.ts'
import type { SelectNear } from './knowledgeNotes.ts'
import { recordAndRecall } from './recordAndRecall.ts'
import { isAnotherSessionOpen } from './recordHandlers.ts'

/**
 * UserPromptSubmit. Once in a turn it also checks whether the log is far ahead of the snapshot. Then a new one is
 * written in the background, so that hooks read no more in a long session.
 */
export const onUserPromptSubmit: HookHandler = (payload, context) => {
  const event = eventFromPayload(payload, context, ['prompt'], { detectSignals: detectUserSignals })
  // The client's note that a subagent in the background has ended: it has reported.
  if (!event) return { refresh: isAnotherSessionOpen(payload, context) }
  if (event.kind === 'prompt' && isOwnCommand(event)) return recordOnly(event, context)
  const output = isSilentPrompt(event)
    ? recordOnly(event, context)
    : recordAndRecall(
        'prompt',
        { event, payload, context },
        {
          findSessions: relatedIn(context.store),
          findTask: () => findPromptTask(event, payload, context),
          findFocus: focusOnPrompt,
        },
      )
  const { files, layout } = context.store
  const { cursor } = readManifest(files, layout)
  const needsMaintenance = countBytesAfter(files, layout.events, cursor) > SNAPSHOT_TAIL_BYTES
  return { ...output, needsMaintenance, refresh: maySayLasting(event) }
}

/** Whether another window should know at once what the person says. The end of the turn brings everything else. */
const maySayLasting = (event: Event): boolean => 'text' in event && mayStateLasting(event.text)

/** Whether the prompt has nothing to search for. Decided before any index is read. */
const isSilentPrompt = (event: Event): boolean => event.kind === 'prompt' && classifyPrompt(event.text) !== 'task'

function recordOnly(event: Event, context: HookContext): HookOutput {
  commitHookEvents(context, event)
  return NO_OUTPUT
}

/**
 * PreToolUse: what would change the call. The client shows it after the tool's result. An agent that starts can be
 * shown what the session has learned so far.
 */
export const onPreToolUse: HookHandler = (payload, context) => {
  const event = eventFromPayload(payload, context)
  if (!event) return NO_OUTPUT
  const output = recordAndRecall(
    'call',
    { event, payload, context },
    {
      findBlock: findBlockingRecall,
      ...selectorFor(event, context),
      findFocus: (found) => ({ candidates: found.filter(isNoKnowledge) }),
    },
  )
  return isAgentCall(event) && output.denyReason === undefined ? { ...output, refresh: true } : output
}

/**
 * An edit tells what work it is, before the commands that follow: what they met in sessions with such edits. A command
 * tells which programs the next ones run.
 */
function selectorFor(event: Event, { store, policy }: HookContext): { selectNear?: SelectNear } {
  if (event.kind !== 'call.started') return {}
  const command = callCommand(event)
  if (command !== '') return { selectNear: (notes, _, isShown) => selectForCommand(notes, command, isShown) }
  if (!EDIT_TOOLS.has(event.tool)) return {}
  return {
    selectNear: (notes, { files: [file] }, isShown) =>
      file === undefined
        ? []
        : selectForFile(notes, { file, sessions: sessionsNearFile(store, file) }, isShown, policy.knowledge),
  }
}

/** Entries of knowledge are shown by their triggers, not by their rank. */
const isNoKnowledge = ({ memory }: IndexedCandidate): boolean =>
  !(KNOWLEDGE_KINDS as readonly MemoryKind[]).includes(memory.kind)

/**
 * PostToolUseFailure: the fix that worked last time, unless the conversation contains it already. A failure alone
 * teaches nothing that is worth showing; the same one again is counted.
 */
export const onPostToolUseFailure: HookHandler = (payload, context) => {
  const event = eventFromPayload(payload, context, ['call.failed'])
  if (!event) return NO_OUTPUT
  if (event.kind === 'call.failed' && event.interrupted) return recordOnly(event, context)
  const output = recordAndRecall(
    'failure',
    { event, payload, context },
    // Likeness of words is no reason: none of ten such notes was useful.
    {
      findLeading: recallNearFiles(context.store, event),
      findFocus: (found) => ({
        candidates: found.filter((candidate) => candidate.match.error > 0 && isNoKnowledge(candidate)),
      }),
    },
  )
  const isRepeated = event.kind === 'call.failed' && event.repeatOf !== undefined
  return { ...output, refresh: isRepeated && isAnotherSessionOpen(payload, context) }
}

/** SubagentStart: what its role may see about its task, which is in the latest Agent call without a result. */
export const onSubagentStart: HookHandler = (payload, context) => {
  const event = eventFromPayload(payload, context)
  if (!event) return NO_OUTPUT
  const { text, taskId } = latestAgentTask(payload, context)
  return recordAndRecall(
    'agent',
    { event, payload, context },
    { queryText: text, findTask: () => taskId, findLeading: recallRoleLessons },
  )
}
