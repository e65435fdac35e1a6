// What happened between two runs: calls as steps, without those that change nothing or that a reader could not repeat.
import { type CallResult, callCommand, EDIT_TOOLS } from '../model/event.ts'
import { commandFamily, isCheckCommand } from '../text/command.ts'
import { firstLine } from '../text/excerpt.ts'
import { givesUp, skipsChecks, withoutSurroundings } from '../text/uncheckedCommand.ts'
import { callText, type EpisodeStep } from './relatedSteps.ts'

/** Steps kept of a fix or of failed attempts: a longer list is a history, not a lesson. */
export const STEPS_MAX = 4

/** Characters of a command that a reader can repeat; a longer one, or a script of several lines, is no advice. */
export const COMMAND_CHARS_MAX = 160

const LOOKUP_TOOLS = new Set(['Read', 'Grep', 'Glob', 'LS', 'WebFetch', 'WebSearch'])

/** Commands that read, print or change the directory. A lookup without a result is not a problem. */
const LOOKUP =
  'ls|cat|head|tail|grep|rg|find|pwd|cd|echo|which|wc|sed -n|git (?:status|log|diff|show|branch)|tree|file|stat|ps|' +
  'env|type'
const LOOKUP_COMMAND = new RegExp(`^(?:${LOOKUP})\\b`)

/** All that change nothing, by their shape; the failure of some can teach something. */
const READING_COMMAND = new RegExp(
  `^(?:${LOOKUP}|awk|jq|less|diff|date|sleep|sort|printf|export|set|curl|sed(?!.* -i)|go (?:doc|env|list|version)|` +
    'gh (?:api|\\w+ (?:view|list|diff|checks))|(?:docker|kubectl) (?:ps|logs|get|inspect|describe|images)|' +
    'git (?:blame|rev-parse|ls-files))\\b',
)

/** Commands that pass a change on: they are no step towards it. */
const PUBLISHING_COMMAND = /^(?:git (?:commit|push|fetch)|gh \w+ (?:create|comment|edit|merge))\b/

/** What a call is for: a command's family, else the tool and its file. Calls with the same aim try the same thing. */
export function callAim(call: CallResult): string {
  const command = callCommand(call)
  return command ? `${call.tool} ${commandFamily(command)}` : `${call.tool} ${call.files[0] ?? ''}`.trim()
}

/** What the agent of the failed call changed or ran with success; lookups and calls with the same aim are no steps. */
export const listSteps = (calls: readonly CallResult[], failed: CallResult): EpisodeStep[] =>
  calls.flatMap((call) => (call.agentId === failed.agentId ? stepUnlessSameAim(call, failed) : []))

/** What subagents did for the main conversation: if it did nothing itself, they fixed its failure. */
export const listSubagentSteps = (calls: readonly CallResult[], failed: CallResult): EpisodeStep[] =>
  failed.agentId === undefined
    ? calls.flatMap((call) => (call.agentId === undefined ? [] : stepUnlessSameAim(call, failed)))
    : []

function stepUnlessSameAim(call: CallResult, failed: CallResult): EpisodeStep[] {
  if (call.kind !== 'call.succeeded' || callAim(call) === callAim(failed)) return []
  const step = toStep(call)
  return step && !callCommand(failed).includes(step.what) ? [step] : []
}

/** The last steps, several edits of one file merged into the first of them. */
export function mergeEdits(steps: readonly EpisodeStep[]): EpisodeStep[] {
  return [...new Map(steps.toReversed().map((step) => [step.what, step])).values()].reverse().slice(-STEPS_MAX)
}

/** A call as a step; undefined for a lookup, a check, and what a reader could not repeat. */
function toStep(call: CallResult): EpisodeStep | undefined {
  const command = callCommand(call)
  const text = callText(call)
  if (command) {
    if (isLookup(call) || PUBLISHING_COMMAND.test(call.commandShape ?? '') || givesUp(command)) return undefined
    if (isPureCheck(command) || skipsChecks(command) || !isRepeatable(command)) return undefined
    // An edit of a file by a shell command is nothing to repeat.
    if (WRITES_FILE.test(command) || /\b(?:sed|perl)\s(?:\S+\s)*?-\w*i/.test(command)) return undefined
    return {
      kind: 'command',
      what: withoutSurroundings(firstLine(command, COMMAND_CHARS_MAX)),
      files: call.files,
      text,
    }
  }
  const [file] = call.files
  if (!EDIT_TOOLS.has(call.tool) || file === undefined) return undefined
  return { kind: 'edit', what: file, files: call.files, detail: firstMeaningfulLine(text), text }
}

export const isLookup = (call: CallResult): boolean =>
  LOOKUP_TOOLS.has(call.tool) || (READING_COMMAND.test(call.commandShape ?? '') && !WRITES_FILE.test(callCommand(call)))

/** A redirection to a file; not `2>&1`, and not `> /dev/null`. */
const WRITES_FILE = /(?<![0-9&=-])>>?\s*(?!&|\/dev\/|\s)/

/** A check that writes nothing; a build may be what another command needs. */
const isPureCheck = (command: string): boolean =>
  isCheckCommand(command) &&
  !/build|compile|bundle|generate|codegen|install|assemble|package|fix|format|fmt|write/.test(commandFamily(command))

/** Whether a call between two runs may have changed what the second one found. */
export function changesState(call: CallResult, failed: CallResult): boolean {
  const command = callCommand(call)
  if (command) return !isLookup(call) && !isPureCheck(command) && callAim(call) !== callAim(failed)
  return EDIT_TOOLS.has(call.tool) || /create|update|delete|write|save|set_|send|merge/i.test(call.tool)
}

/** The first line of new text that means something by itself: a fragment like `620))` does not. */
function firstMeaningfulLine(text: string): string | undefined {
  const line = text.split('\n').find((candidate) => candidate.trim().length >= 12 && /[\p{L}]{3}/u.test(candidate))
  return line === undefined ? undefined : firstLine(line, 120)
}

/** Whether a reader can repeat the command: it has one line and is not too long. */
export const isRepeatable = (command: string): boolean =>
  command.trim() !== '' && command.trim().length <= COMMAND_CHARS_MAX && !command.trim().includes('\n')

/** Whether the call only looked for something. */
export const isFruitlessLookup = (call: CallResult): boolean =>
  LOOKUP_TOOLS.has(call.tool) || LOOKUP_COMMAND.test(call.commandShape ?? '')
