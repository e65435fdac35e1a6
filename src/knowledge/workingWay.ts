// What made a call pass after it failed: another form of the command, a folder, a step before it, an edit, a path, or a
// mark at an intended finding.
import { type CallResult, callCommand, EDIT_TOOLS, type EventOf, isAgentTool, isShellTool } from '../model/event.ts'
import { sharedStart } from '../model/id.ts'
import { commandFamily, coreCommand, isCheckCommand, isReading } from '../text/command.ts'
import { isGeneralSignature, isMissingPath, salientLine } from '../text/errorSignature.ts'
import { baseName, folderName, isTestName } from '../text/filePaths.ts'
import { givesUp, skipsChecks, withoutSurroundings } from '../text/hiddenFailure.ts'
import { pattern } from '../text/pattern.ts'
import { findWorkingForm, type WorkingForm } from './workingForm.ts'

export type FailedCall = EventOf<'call.failed'>
type PassedCall = EventOf<'call.succeeded'>

/** How it worked. `failing`: fragments of a call that will fail again; empty if that is not sure. */
export type WorkingWay = {
  readonly failing: readonly string[]
  readonly passed: PassedCall
  /** It may be chance: it takes another session in which the same worked. */
  readonly isGuess?: true
} & (
  | ({ readonly kind: 'form' } & WorkingForm)
  | { readonly kind: 'folder'; readonly folder: string; readonly isLeftOut: boolean; readonly command: string }
  | { readonly kind: 'step'; readonly step: string; readonly command: string }
  | { readonly kind: 'path'; readonly good: string; readonly bad: string }
  | { readonly kind: 'edit'; readonly file: string; readonly text: string; readonly command: string }
)

/** Later calls of the same agent among which what helped is looked for: the same command or an edit, another form. */
const SAME_CALLS_MAX = 40
const FORM_CALLS_MAX = 6
const PATH_CALLS_MAX = 12

/** The way, and the calls that it took until the call passed; undefined if none is known. */
export function findWorkingWay(
  failed: FailedCall,
  later: readonly CallResult[],
): { readonly way: WorkingWay; readonly calls: number } | undefined {
  const next = later.slice(0, SAME_CALLS_MAX)
  for (const [index, call] of next.entries()) {
    if (call.kind === 'call.failed') {
      // What was done until now did not help; what helps is found from the later failure.
      if (call.errorSignature === failed.errorSignature && isSameCall(call, failed)) return undefined
      continue
    }
    const between = next.slice(0, index)
    const way = isShellTool(failed.tool) ? commandWay(failed, call, between) : pathWay(failed, call, between)
    if (way === 'unknown') return undefined
    if (way !== undefined) return { way, calls: index + 1 }
  }
  return undefined
}

const isSameCall = (a: CallResult, b: CallResult): boolean =>
  callCommand(a) === ''
    ? JSON.stringify(a.input) === JSON.stringify(b.input)
    : coreCommand(callCommand(a)) === coreCommand(callCommand(b))

function commandWay(
  failed: FailedCall,
  passed: PassedCall,
  between: readonly CallResult[],
): WorkingWay | 'unknown' | undefined {
  const [command, other] = [callCommand(failed), callCommand(passed)]
  if (other === '' || (skipsChecks(other) && !skipsChecks(command)) || (givesUp(other) && !givesUp(command)))
    return undefined
  const isNear = between.length < FORM_CALLS_MAX && !between.some(changesFiles)
  const folder = isNear ? folderWay(failed, passed, between.length === 0) : undefined
  if (folder !== undefined) return folder
  const form = isNear ? findWorkingForm(command, other, failed.error) : undefined
  if (form === undefined && coreCommand(command) !== coreCommand(other)) return undefined
  const way = form === undefined || form.isGuess ? sameCommandWay(failed, passed, between) : 'unknown'
  if (form === undefined) return way
  return way === 'unknown' ? { kind: 'form', ...form, passed } : { ...way, isGuess: true }
}

/** What was done between a failure and the success of the same command. */
function sameCommandWay(
  failed: FailedCall,
  passed: PassedCall,
  between: readonly CallResult[],
): WorkingWay | 'unknown' {
  const steps = between.filter((call) => isStep(call, failed))
  const edits = between.filter((call) => call.kind === 'call.succeeded' && EDIT_TOOLS.has(call.tool))
  const named = steps.findLast((call) => isNamedBy(callCommand(call), failed.error))
  const step = named ?? (steps.length === 1 && !between.some(changesFiles) ? steps[0] : undefined)
  const common = { command: commandFamily(callCommand(passed)), failing: [], passed }
  if (step !== undefined) {
    const shown = withoutSurroundings(callCommand(step))
    // Nothing else was done between the failure and the success.
    const isSure = (named !== undefined || between.length === 1) && !UNSURE_STEP.test(shown)
    return { kind: 'step', step: shown, ...common, ...(!isSure && { isGuess: true }) }
  }
  const isOneFile = new Set(edits.flatMap(({ files }) => files)).size === 1
  const edit =
    edits.findLast(({ files }) => files.some((file) => failed.error.includes(baseName(file)))) ??
    (isOneFile && !isGeneralSignature(failed.errorSignature ?? '') ? edits.at(-1) : undefined)
  if (edit !== undefined)
    return { kind: 'edit', file: edit.files[0] ?? '', text: newText(edit), ...common, isGuess: true }
  return 'unknown'
}

/** The first line of an edit's new text that says something and is no comment. */
const newText = ({ input }: CallResult): string => {
  const text = input['new_string'] ?? input['content']
  if (typeof text !== 'string') return ''
  return /^(?!\s*(?:\/\/|#|\*|\/\*|--|<!--)).*\p{L}{3}.*$/mu.exec(text)?.[0].trim() ?? ''
}

// ── The same command from another folder ──

function folderWay(failed: FailedCall, passed: PassedCall, isNext: boolean): WorkingWay | undefined {
  const [command, other] = [callCommand(failed), callCommand(passed)]
  const [old, own] = [folderOf(command), folderOf(other)]
  if (old === own || (own !== undefined && /[$`*?]/.test(own))) return undefined
  const family = commandFamily(command)
  if (family === '' || family !== commandFamily(other) || isErrorOfOther(failed, family)) return undefined
  const common = { kind: 'folder' as const, command: family, failing: [], passed }
  // The shell was in the folder already: `cd src` fails there.
  if (own === undefined)
    return old && salientLine(failed.error).includes(old) ? { ...common, folder: old, isLeftOut: true } : undefined
  // The same command, or the error says that something is not here. A failing test is not in the wrong folder.
  const isSame = coreCommand(command) === coreCommand(other) && !FAILING_TEST.test(failed.error)
  const isElsewhere = ELSEWHERE.test(failed.error)
  if (!isSame && !isElsewhere) return undefined
  // If the same command passed at once, only its folder was different. A missing file may be that of a shell gone astray.
  const isSure = isSame && isNext && !isElsewhere
  return { ...common, folder: own, isLeftOut: false, ...(!isSure && { isGuess: true }) }
}

/** Whether the error names another program of the chain than the one that gives the command its name. */
function isErrorOfOther(failed: FailedCall, family: string): boolean {
  const [, named = ''] = /^(?:\S*[\\/])?([\w.-]{2,40}): /.exec(salientLine(failed.error)) ?? []
  const program = named === 'fatal' ? 'git' : named
  const words: readonly string[] = callCommand(failed).match(/[^\s;&|()]+/g) ?? []
  return program !== family.split(' ')[0] && words.includes(program)
}

export const FAILING_TEST = /^\s*(?:--- FAIL\b|FAIL\b|not ok \d|[✗✖✕×] )|AssertionError/m
const ELSEWHERE =
  /no such file|not found|(?:cannot|could ?n[o']t|can't) (?:find|read|open|locate)|does not exist|not a git rep/i

const folderOf = (command: string): string | undefined =>
  /^\s*cd (?:"([^"]+)"|'([^']+)'|([^\s;&|]+))\s*(?:&&|;|\n)/.exec(command)?.slice(1).find(Boolean)

// ── A command run in between ──

/** Commands that pass on or remove what is there, or run what others cannot repeat. */
const NO_STEP = /^(?:rm|mv|cp|chmod|pkill|node|python|bun -e|git (?!submodule|lfs|worktree))\b/
/** Another's process may have ended by itself. */
const UNSURE_STEP = /\| ?xargs /

/** A script that looks whether all is well. That it passes before the failed call does is no help. */
const CHECK_SCRIPT = /(?<![a-z])(?:check|verify|validate)(?![a-z])/

const STEP_CHARS_MAX = 120

/** A command that may have prepared what failed: not a lookup, not a check, on one line. */
function isStep(call: CallResult, failed: FailedCall): boolean {
  const command = callCommand(call)
  const own = withoutSurroundings(command)
  const shape = call.commandShape ?? ''
  if (call.kind !== 'call.succeeded' || isReading(shape) || NO_STEP.test(shape)) return false
  if (
    /[\n;<>]|&&|\|(?! ?xargs )|^lsof [^|]*$/.test(own) ||
    own.length > STEP_CHARS_MAX ||
    givesUp(command) ||
    skipsChecks(command)
  )
    return false
  const family = commandFamily(command)
  const isCheck = isCheckCommand(command) || CHECK_SCRIPT.test(family)
  if (isCheck && !/build|compile|generate|codegen|bundle|fix|format|fmt/.test(family)) return false
  return family !== commandFamily(callCommand(failed))
}

/** Whether the error names it: its family, or a word of its script of five letters or more that says what it makes. */
const isNamedBy = (step: string, error: string): boolean => {
  const family = commandFamily(step)
  const words = (family.split(' ').at(-1) ?? '').split(/[^a-z]+/i)
  return (
    family.includes(' ') &&
    (error.includes(family) ||
      words.some((word) => word.length >= 5 && !/^(?:build|check)$/.test(word) && error.includes(word)))
  )
}

const changesFiles = (call: CallResult): boolean =>
  EDIT_TOOLS.has(call.tool) ||
  isAgentTool(call.tool) ||
  /(?<![0-9&=-])>>?\s*(?!&|\/dev\/|\s)|<<|\b(?:sed|perl)\s(?:\S+\s)*?-\w*i/.test(callCommand(call))

// ── A path that does not exist ──

/** A file of the same name in another place, or one beside it with nearly the same name. */
function pathWay(failed: FailedCall, passed: PassedCall, between: readonly CallResult[]): WorkingWay | undefined {
  const [bad] = failed.files
  const [good] = passed.files
  if (bad === undefined || between.length >= PATH_CALLS_MAX || !isMissingPath(failed)) return undefined
  if (good === undefined || good === bad || !/^(?:Read|Edit|Grep|Glob)$/.test(passed.tool)) return undefined
  if (good === folderName(bad) && !/\.\w+$/.test(bad) && passed.tool === failed.tool)
    return { kind: 'path', bad: `${bad}/`, good: `${good}/`, failing: [bad], passed }
  const [name, own] = [baseName(bad), baseName(good)]
  if (name === own && name.includes('.')) {
    const [wrong, right] = [folderName(bad), folderName(good)]
    const isUsed = [...between, passed].some((call) => call.kind === 'call.succeeded' && isIn(call.files, wrong))
    const folders = wrong !== '' && right !== '' && !isUsed
    return folders
      ? { kind: 'path', bad: `${wrong}/`, good: `${right}/`, failing: [wrong], passed }
      : { kind: 'path', bad, good, failing: [bad], passed }
  }
  const isBeside = folderName(bad) === folderName(good) && isSameKind(name, own)
  // What was opened next in the folder, if nothing but searching led to it.
  if (!isBeside || !(isAlike(name, own) || between.every(isSearch))) return undefined
  return { kind: 'path', bad, good, failing: [bad], passed }
}

const isIn = (files: readonly string[], folder: string): boolean => files.some((file) => file.startsWith(`${folder}/`))

/** Five letters or more in common at the beginning. */
const isAlike = (name: string, other: string): boolean => sharedStart(name, other) >= 5

/** The same extension, and both or neither are tests; a folder and a file may stand for one another. */
const isSameKind = (name: string, other: string): boolean =>
  (!name.includes('.') || /\.\w+$/.exec(name)?.[0].slice(0, 2) === /\.\w+$/.exec(other)?.[0].slice(0, 2)) &&
  isTestName(name) === isTestName(other)

const isSearch = (call: CallResult): boolean =>
  call.kind === 'call.failed' ||
  /^(?:Glob|Grep|LS)$/.test(call.tool) ||
  /^(?:ls|find|git ls-files|tree|rg|grep)\b/.test(call.commandShape ?? '')

/** A rule, and the comment that was added for it: `//nolint:errcheck`, `// biome-ignore lint/a/b`. */
export type MarkedRule = ReturnType<typeof findMarkedRules>[number]

/** Findings that name their rule: `file:1:2: what (rule)`, `1:2 error what rule`, `lint/group/rule`, `: E501 `. */
const RULES = pattern(
  String.raw`^\S+\.\w+[:(]\d.*\(([a-z][\w-]{2,30})\)\s*$|^\s*\d+:\d+ +error .* (@?[a-z][\w-]*(?:\/[\w-]+)*)\s*$|
    \b(lint\/\w+\/\w+)\b|: ([A-Z]{1,4}\d{3,4}):? `,
  'gm',
)
const COMMENT = /(?:\/\/|#|\/\*|<!--|--)[ \t]?[^\n]*/g

/** The rules that a failed call reports and that a later edit marks as intended. */
export function findMarkedRules(failed: EventOf<'call.failed'>, later: readonly CallResult[]) {
  const named = [...failed.error.matchAll(RULES)].flatMap((match) =>
    match.slice(1).filter((name) => name !== undefined),
  )
  return [...new Set(named)].flatMap((rule) => {
    for (const [index, edit] of later.slice(0, SAME_CALLS_MAX).entries()) {
      const mark = edit.kind === 'call.succeeded' ? markOf(edit, rule) : undefined
      if (mark !== undefined && edit.kind === 'call.succeeded') return [{ rule, mark, edit, calls: index + 1 }]
    }
    return []
  })
}

/** The comment that an edit adds for the rule, up to its name: a marker, then the rule, and no sentence about it. */
function markOf({ tool, input }: CallResult, rule: string): string | undefined {
  const { new_string: added, old_string: removed } = input
  if (!EDIT_TOOLS.has(tool) || typeof added !== 'string') return undefined
  if (typeof removed === 'string' && removed.includes(rule)) return undefined
  for (const [comment] of added.matchAll(COMMENT)) {
    const at = comment.indexOf(rule)
    const marker = comment.slice(0, Math.max(0, at)).replace(/^\W+/, '').trim()
    // Of several rules only this one: `//nolint:errcheck,gosec`.
    if (at !== -1 && /^[\w-]+(?:[:=(]\S*)?$/.test(marker))
      return comment.slice(0, at + rule.length).replace(/(?<=[:,])[\w-]+,(?=[\w-]+$)/, '')
  }
  return undefined
}
