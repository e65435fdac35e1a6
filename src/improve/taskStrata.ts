// Strata: the kinds of work that a task belongs to, broadest first: what the prompt asks for, the area of the files,
// the command.
import { type CallResult, callCommand, EDIT_TOOLS, type Event, eventTimeMs } from '../model/event.ts'
import { isCheckCommand } from '../text/command.ts'

/** Words of each kind of prompt, in English and Japanese; the first match counts. work.<n>.json stores the names. */
const TASK_KINDS: readonly (readonly [string, RegExp])[] = [
  [
    'task mend',
    /\b(?:fix(?:es|ed)?|bug|broken|fail(?:s|ed|ing|ure)?|error|crash(?:es|ed)?|wrong|red)\b|直し|修正|失敗|エラー|壊れ|バグ/i,
  ],
  ['task test', /\b(?:tests?|coverage|spec)\b|テスト/i],
  ['task tidy', /\b(?:refactor|rename|clean ?up|simplif(?:y|ies)|move|format|lint)\b|整理|リファクタ|名前を変/i],
  ['task tell', /\b(?:docs?|readme|document|explain|describe|comment)\b|説明|ドキュメント|文書/i],
  ['task look', /^(?:what|why|how|where|who|which|is|are|does|do|can you (?:tell|show))\b|[?？]\s*$|調べ|教えて/i],
  ['task make', /\b(?:add|create|implement|build|make|write|support|introduce)\b|追加|作成|作って|実装/i],
]

/** The kind of work that a prompt asks for. */
export function classifyTask(prompt: string): string {
  const head = prompt.trim().slice(0, 400)
  return TASK_KINDS.find(([, words]) => words.test(head))?.[0] ?? 'task other'
}

/** The stratum of the area that a file lies in. */
export const areaStratum = (file: string): string => `area ${fileArea(file)}`

/** The strata of a task, broadest first. `command` is the one it is about, else its last check command is used. */
export function listStrata(
  prompt: Event | undefined,
  calls: readonly CallResult[],
  command?: string,
  file?: string,
): string[] {
  const edited = calls.find((call) => EDIT_TOOLS.has(call.tool) && call.files.length > 0)?.files[0] ?? file
  const shape = command ?? findLastCheck(calls)?.commandShape
  return [
    ...(prompt?.kind === 'prompt' ? [classifyTask(prompt.text)] : []),
    ...(edited === undefined ? [] : [areaStratum(edited)]),
    ...(shape === undefined ? [] : [shape]),
  ]
}

/** Whether the task's last check command passed; undefined if it ran none. */
export function didLastCheckPass(calls: readonly CallResult[]): boolean | undefined {
  const check = findLastCheck(calls)
  return check ? check.kind === 'call.succeeded' : undefined
}

const findLastCheck = (calls: readonly CallResult[]): CallResult | undefined =>
  calls.findLast((call) => isCheckCommand(callCommand(call)))

/** A count or a time in seconds as baselines store it: ln(1 + value). */
export const toLogScale = (value: number): number => Math.log1p(Math.max(0, value))

/** Seconds between two events. */
export const secondsBetween = (from: Event, to: Event): number =>
  Math.max(0, eventTimeMs(to) - eventTimeMs(from)) / 1000

/** How often an error came back, as baselines store it: 0 for never, .75 for once, 1 for more. */
export const toRepeatScore = (times: number): number => (times === 0 ? 0 : times === 1 ? 0.75 : 1)

/** The area of a file: its folder, two levels at most. */
const fileArea = (file: string): string => file.split('/').slice(0, -1).slice(0, 2).join('/') || '.'
