// What answers rest on, by the log: what was said when something was decided, the command that failed and what then
// worked, and the checks that passed.
import { posix } from 'node:path'
import { listVisible } from '../../broker/live/liveStore.ts'
import type { Store } from '../../broker/open/openStore.ts'
import { eventsNewestFirst, listSourceEvents } from '../../broker/queries/browse.ts'
import { describeCall } from '../../distill/callItems.ts'
import { HEADINGS, listDigestItems } from '../../distill/sessionDigest.ts'
import { failureId, quoteError } from '../../knowledge/overcomeFailures.ts'
import { contains, prepareText } from '../../knowledge/when.ts'
import { FAILING_TEST } from '../../knowledge/workingWay.ts'
import {
  type CallResult,
  callCommand,
  EDIT_TOOLS,
  type Event,
  type EventOf,
  isCallResult,
  isShellTool,
} from '../../model/event.ts'
import type { Memory } from '../../model/memory.ts'
import { listCallResults, listChoices } from '../../model/sessionTask.ts'
import { compareValues, groupBy } from '../../model/sorting.ts'
import { commandFamily, coreCommand, isCheckCommand } from '../../text/command.ts'
import { salientLine, splitErrorLines } from '../../text/errorSignature.ts'
import { firstLine, oneLine, splitSentences } from '../../text/excerpt.ts'
import { baseName, isWindowsPath, slashPath, toRepoPath } from '../../text/filePaths.ts'
import { reportsFailures, revealFailure, withoutSurroundings } from '../../text/hiddenFailure.ts'
import { removePasted } from '../../text/pastedText.ts'
import { pattern } from '../../text/pattern.ts'
import { extractTerms } from '../../text/terms/extractTerms.ts'
import { SHORT_CHARS, type ToolOutput } from '../definition/tool.ts'
import { type ToolContext, viewingSession } from '../definition/toolContext.ts'
import { countTexts } from '../entries/entryTools.ts'
import { latestFirst } from './everydayFields.ts'
import type { WordForms } from './question.ts'

/** Characters of what was said, in lists and of one memory, and of an error's line; how many parts of what was said. */
const [SAID_CHARS, WHOLE_CHARS, ERROR_CHARS, SAID_MAX] = [400, 4_000, 160, 3]

/**
 * What memories rest on, by the log: of a failure the command, its error and what then worked; of all others what was
 * said, where the reason of a decision is; of one memory as a whole.
 */
export function listSources(memories: readonly Memory[], { store }: ToolContext, isWhole = false) {
  const charsMax = isWhole ? WHOLE_CHARS : SAID_CHARS
  const known = memories.filter(({ knowledge }) => knowledge)
  const all = listSourceEvents(store, known).filter(({ privacy }) => privacy === 'public')
  const eventsOf = ({ events }: Memory) => all.filter(({ id }) => events.includes(id))
  const lessons = known.filter(({ kind }) => kind === 'lesson')
  const sessions = new Set<string>(lessons.flatMap(eventsOf).map(({ session }) => session))
  // A whole file has line ends.
  const isOfSessions = (line: Buffer): boolean => line.includes(0x0a) || sessions.has(sessionOf(line))
  const failures = sessions.size > 0 ? readFailures(store, isOfSessions) : []
  return new Map(
    known.map((memory): [Memory, ToolOutput] => {
      const failed = memory.kind === 'lesson' && describeFailed(memory, eventsOf(memory), failures)
      return [memory, failed || describeSaid(eventsOf(memory), memory.content, charsMax)]
    }),
  )
}

const SESSION = '"session":"'

function sessionOf(line: Buffer): string {
  const start = line.indexOf(SESSION) + SESSION.length
  return line.toString('latin1', start, line.indexOf('"', start))
}

/** A failed command of the log, and what then worked; undefined if it did not pass again in its session. */
interface LoggedFailure {
  readonly call: EventOf<'call.failed'>
  readonly worked?: string
  readonly passed?: CallResult
}

/** The latest calls that are looked at. */
const CALLS_MAX = 20_000
const CALL = Buffer.from('"kind":"call.')

/** The commands that failed, the latest first, each with the next one of its kind that passed in the session. */
function readFailures(store: Store, mayConcern: (line: Buffer) => boolean = () => true): LoggedFailure[] {
  const found: LoggedFailure[] = []
  const [passed, edits] = [new Map<string, CallResult>(), new Map<string, CallResult>()]
  let count = 0
  for (const event of eventsNewestFirst(store, (line) => line.includes(CALL) && mayConcern(line))) {
    if (!isCallResult(event) || event.privacy !== 'public') continue
    if (++count > CALLS_MAX) break
    const call = revealFailure(event)
    const agent = `${call.session} ${call.agentId} `
    if (call.kind === 'call.succeeded' && EDIT_TOOLS.has(call.tool)) edits.set(agent, call)
    if (!isShellTool(call.tool)) continue
    const kind = agent + kindOfCall(call)
    if (call.kind === 'call.failed') found.push({ call, ...describeWay(call, passed.get(kind), edits.get(agent)) })
    else if (!reportsFailures(call) && !isLook(call)) passed.set(kind, call)
  }
  return found
}

const kindOfCall = (call: CallResult): string => commandFamily(callCommand(call)) || call.tool

/** Whether only a part of what it printed was looked at: it may have failed again. */
const LOOK = /(?<!\|)\|\s*(?:e?grep|rg|sort|uniq|wc|awk|Select-String)\b(?:[^&;\n]|>&|&>)*(?:[;&]+ *echo\b.*)?$/
const isLook = (call: CallResult): boolean => LOOK.test(callCommand(call))

/** What passed; if it is the same command, what was edited first. With only other arguments it is other work. */
function describeWay(failed: CallResult, passed: CallResult | undefined, edit?: CallResult) {
  if (passed === undefined) return undefined
  const [own, others] = [listArguments(failed), listArguments(passed)]
  if (own.length > 0 && others.length > 0 && !own.some((name) => others.includes(name))) return undefined
  const first = isSameWork(failed, passed) && edit && edit.at < passed.at ? `${describeCall(edit)}, then ` : ''
  return { worked: first + describeCall(passed), passed }
}

/** The base names of what a command is given, without lines: no flags, subcommands and addresses. */
function listArguments(call: CallResult): readonly string[] {
  const words = coreCommand(callCommand(call)).split(/[\s'"]+/)
  const subcommands = kindOfCall(call).split(' ')
  const given = words.filter((word) => /^(?!-|\w+:\/\/|(?:localhost|[\d.]+):\d)./.test(word))
  return given.filter((word) => !subcommands.includes(word)).map((word) => baseName(word.replace(/(?::\d+)+$/, '')))
}

/** The same command, also from another folder, if the error is not about where it ran. */
function isSameWork(failed: CallResult, passed: CallResult): boolean {
  const core = coreCommand(callCommand(failed))
  const isSame = core !== '' && core === coreCommand(callCommand(passed)) && !MISPLACED.test(outputOf(failed))
  return isSame || describeCall(passed) === describeCall(failed)
}

/** How many characters are cut from the middle of a command. */
const CUT = /\d+(?= characters cut)/

/** A line that says that all went well: the last one of a command that was stopped. */
const SUCCESS =
  /^(?!.*\b(?:not?|\w*error|fail\w*|fatal|expected|assert\w*)\b).*\b(?:committed|pushed|passed|success|done|ok)\W*$/i

/** The command, its error and what then worked, in this order; what reads the same as the command says nothing. */
function describeFailure({ call, worked }: LoggedFailure): ToolOutput {
  const failed = describeCall(call)
  const isSame = worked?.replace(CUT, '') === failed.replace(CUT, '')
  const error = quoteError(call.error, ERROR_CHARS)
  return { failed, ...(!SUCCESS.test(error) && { error }), ...(!isSame && worked && { worked }) }
}

/**
 * The failure among a lesson's events that it is most about. What they have themselves of what worked comes before what
 * the log has next.
 */
function describeFailed(
  lesson: Memory,
  events: readonly Event[],
  logged: readonly LoggedFailure[],
): ToolOutput | undefined {
  const calls = listCallResults(events).map(revealFailure)
  const failures = calls.flatMap((call) =>
    call.kind === 'call.failed' ? [{ ...call, error: findLine(call.error, lesson) ?? salientLine(call.error) }] : [],
  )
  const shared = ({ error }: { readonly error: string }): number => countShared(error, lesson.content)
  const [failed] = failures.sort((x, y) => shared(y) - shared(x))
  if (!failed) return undefined
  const same = calls.findLast(
    (call) =>
      call.kind === 'call.succeeded' && call.at > failed.at && kindOfCall(call) === kindOfCall(failed) && !isLook(call),
  )
  const next = logged.find(({ call }) => call.id === failed.id)
  const way = same && describeCall(same) !== describeCall(failed) ? describeWay(failed, same) : undefined
  const { passed } = way ?? next ?? {}
  // The lesson says what to edit.
  const isAdvice = passed && isAboutChange(lesson.content, failed, passed)
  return describeFailure({ call: failed, ...(isAdvice && { worked: describeCall(passed) }) })
}

/** Whether a text has a word that one of two calls has and the other has not: it says what was changed. */
function isAboutChange(text: string, ...calls: readonly CallResult[]): boolean {
  const words = calls.map((call) => new Set(extractTerms(callCommand(call))))
  return extractTerms(text).some((word) => words.filter((terms) => terms.has(word)).length === 1)
}

/** The line of an error by which the triggers of a lesson know it. */
function findLine(error: string, { knowledge }: Memory): string | undefined {
  const fragments = knowledge?.when.flatMap(({ at, has = [] }) => (at === 'failure' ? has : [])) ?? []
  return splitErrorLines(error).find((line) => fragments.some((fragment) => contains(prepareText(line), fragment)))
}

function describeSaid(events: readonly Event[], about: string, charsMax: number): ToolOutput {
  const said = listDigestItems(events, (text) => text).filter(({ kind }) => SAID_KINDS.test(kind))
  // What was answered then says what came of it.
  const last = said.findLastIndex(({ kind }) => kind !== 'answer')
  const parts = said.slice(0, last + 1).flatMap(({ kind, text, at, events: [id] }) => {
    const choices = kind === 'reply' ? events.filter((event) => event.id === id).flatMap(listChoices) : []
    // A plan that was handed over is no pasted text.
    const own = kind === 'plan' ? text.replace(/^[^\n]*:\s*/, '') : removePasted(text, true)
    const found = findChoice(choices, about, charsMax) ?? findPassage(own, about, charsMax)
    const passage = found === '' && kind === 'plan' ? firstLine(own, SHORT_CHARS) : found
    return passage === '' ? [] : [`${at.slice(0, 10)} ${HEADINGS[kind]}: ${passage}`]
  })
  return parts.length > 0 ? { said_then: parts.slice(-SAID_MAX) } : {}
}

const SAID_KINDS = /^(?:person|rejection|reply|plan|answer)$/

/** The choice that is most about a text, and what the option said: there is the reason. */
function findChoice(choices: ReturnType<typeof listChoices>, about: string, charsMax: number) {
  const lines = choices.map(({ question, options, answer }) => {
    const chosen = options.find(({ label }) => answer.startsWith(String(label)))
    return `${chosen ? `${chosen['label']}: ${chosen['description']}` : answer} (${question})`
  })
  const [best] = lines.sort((x, y) => countShared(y, about) - countShared(x, about))
  return best && oneLine(best, charsMax)
}

const REASON =
  /\b(?:because|since|so that|in order to|reasons?|otherwise|instead of|rather than)\b|ので|ため|から[、。]|理由/i

/** The sentences of a text that are about another one, or give a reason; the text itself if it is short. */
function findPassage(text: string, about: string, charsMax: number): string {
  if (text.length <= charsMax) return oneLine(text, charsMax)
  const isAbout = (sentence: string): boolean => REASON.test(sentence) || countShared(sentence, about) > 1
  return oneLine(splitSentences(text).filter(isAbout).join(' '), charsMax)
}

function countShared(text: string, about: string): number {
  const terms = new Set(extractTerms(about))
  return new Set(extractTerms(text).filter((term) => terms.has(term))).size
}

/** Failures that are named beside the results. */
const FAILURES_MAX = 5
/** The client has not run the command. */
const NOT_RUN = /\bauto mode cannot determine\b/i

/** What an answer shows of a failure; a failing test, or a command that was not run, says nothing of the command. */
function shownOf({ call }: LoggedFailure): string {
  const line = salientLine(call.error)
  return NOT_RUN.test(line) || FAILING_TEST.test(line) ? line : `${call.tool} ${describeCall(call)}\n${line}`
}

/** What else failed with the words of a query, by the log: what came most often first, then the latest. */
export function listOtherFailures(forms: WordForms, shown: readonly Memory[], { store }: ToolContext): ToolOutput {
  const asked = [...forms].map(([word, others]) => [word, ...others].map((form) => extractTerms(form)))
  const isAsked = (failure: LoggedFailure): boolean => {
    const terms = new Set(extractTerms(shownOf(failure)))
    return asked.every((words) => words.some((parts) => parts.every((part) => terms.has(part))))
  }
  const known = new Set<string>(shown.flatMap(({ events }) => events))
  const failures = asked.length > 0 ? readFailures(store).filter(isAsked) : []
  const others = [...groupBy(failures, ({ call }) => failureId(call) ?? '')].flatMap(([id, [latest, ...earlier]]) =>
    id === '' || !latest || [latest, ...earlier].some(({ call }) => known.has(call.id))
      ? []
      : [{ ...describeFailure(latest), last: latest.call.at.slice(0, 10), runs: 1 + earlier.length }],
  )
  const most = others.toSorted((a, b) => b.runs - a.runs).slice(0, FAILURES_MAX)
  return most.length > 0 ? { also_failed: most } : {}
}

/** How tests, a build or a linter are run, but not “how are tests named”. */
const HOW_TO_RUN = pattern(
  String.raw`\bhow (?:to|(?:do|can|should) (?:i|we|you)) (?:run|test|build|lint)\b|
    \bhow (?:is|are) .*\b(?:run|tested|built|linted)\b|
    (?:実行|テスト|ビルド|リント)の?(?:方法|やり方|手順|コマンド)|ど[うの].*(?:実行|テスト|ビルド|リント)[しす]`,
  'i',
)
/** The latest calls that are looked at, and commands that are named. */
const [EVENTS_MAX, COMMANDS_MAX] = [20_000, 8]
const STARTED = Buffer.from('"kind":"session.started"')
const GOES_TO = /^\s*(?:cd|Set-Location) (?:"([^"]+)"|'([^']+)'|([^\s;&|]+)) *(?:&&|;|\n|$)\s*/
const GOES_TO_UNKNOWN = /^\s*(?:cd|Set-Location) (?:-(?=[\s;&|]|$)|"?[$`]|~)/
/** What the client says if a command ended outside of the project. */
const RESET = /Shell cwd was reset to/

/** Checks that ran so often and never passed are ones that end with findings; of the most frequent one’s runs. */
const [RUNS_MIN, SELDOM_SHARE] = [3, 0.05]
/** The command was not run, or not where it belongs. */
const MISPLACED = /no such file|not found|cannot find|can't (?:read|find)|does not contain|enoent/i

/** Words of most such questions: another word, such as `e2e`, says more. */
const GENERAL = /\b(?:checks?|tests?|build|lint)\b/gi

/**
 * To a question how something is run: the checks with its words, then those that passed last, of each only the form
 * that passed or ran most often, and the folder in which it did. What ran seldom is a form for one case.
 */
export function listCommands(query: string, { store }: ToolContext): ToolOutput {
  if (!HOW_TO_RUN.test(query)) return {}
  const words = query.replace(/\b(?:run|commands?)\b/gi, ' ')
  const special = new Set(extractTerms(words.replace(GENERAL, ' ')))
  const general = new Set(extractTerms(words))
  const has = (text: string, asked: ReadonlySet<string>) => Number(extractTerms(text).some((term) => asked.has(term)))
  const found = [...groupBy(readChecks(store), ({ form }) => commandFamily(form))].flatMap(([family, all]) => {
    const passed = all.filter(({ isPassed }) => isPassed)
    const counted = passed.length > 0 ? passed : all
    const counts = Object.entries(countTexts(counted.map(nameCheck)))
    const [[text = '', most = 0] = []] = counts.sort(([a], [b]) => has(b, special) - has(a, special))
    // With another file each time there is no plain form.
    const isEachOther = most === 1 && counted.length >= RUNS_MIN
    const runs = all.filter((run) => isEachOther || nameCheck(run) === text)
    const last = runs.findLast(({ isPassed }) => isPassed) ?? runs.at(-1)
    if (!last || (passed.length === 0 && all.length < RUNS_MIN)) return []
    const times = passed.length > 0 && !isEachOther ? most : counted.length
    const how = [
      passed.length > 0 ? `passed ${times}×` : `ran ${times}×, with findings`,
      ...[`last ${last.day}`, passed.length > 0 && runs.length > times ? `failed ${runs.length - times}×` : []].flat(),
      ...(last.folder === '' || isEachOther ? [] : [`in ${last.folder}`]),
    ]
    const command = `${isEachOther ? `${family} …` : last.form} (${how.join(', ')})`
    const [isSpecial, isGeneral] = [has(text, special), has(text, general)]
    return [{ command, isSpecial, rank: isSpecial + isGeneral, day: last.day, times }]
  })
  const timesMin = Math.max(...found.map(({ times }) => times)) * SELDOM_SHARE
  const best = found
    .filter(({ isSpecial, times }) => isSpecial || times >= timesMin)
    .sort((a, b) => b.rank - a.rank || compareValues(b.day, a.day) || b.times - a.times)
  return best.length > 0 ? { commands: best.slice(0, COMMANDS_MAX).map(({ command }) => command) } : {}
}

const nameCheck = ({ form, folder }: { readonly form: string; readonly folder: string }): string => `${form}\n${folder}`

/** The checks that ran, each with the folder in which the shell was then, as seen from the project's root. */
function readChecks(store: Store) {
  const events: Event[] = []
  for (const event of eventsNewestFirst(store, (line) => line.includes(CALL) || line.includes(STARTED))) {
    if (events.length >= EVENTS_MAX) break
    if (isCallResult(event) || event.kind === 'session.started') events.push(event)
  }
  const project = slashPath(store.project.root)
  const [starts, shells] = [new Map<string, string>(), new Map<string, string | undefined>()]
  return events.reverse().flatMap((event) => {
    if (event.kind === 'session.started') starts.set(event.session, slashPath(event.cwd))
    if (!isCallResult(event) || !isShellTool(event.tool)) return []
    const command = callCommand(event)
    const start = starts.get(event.session) ?? project
    const root = `${start}/`.startsWith(`${project}/`) ? project : start
    const shell = `${event.session} ${event.agentId} ${event.tool}`
    const folder = enterFolder(shells.has(shell) ? shells.get(shell) : start, command, outputOf(event))
    shells.set(shell, RESET.test(outputOf(event)) ? start : folder)
    const form = withoutSurroundings(command).replace(GOES_TO, '')
    const isCheck = isCheckCommand(form) || /lint|e2e/.test(commandFamily(form))
    const isNamed = isCheck && form.length <= SHORT_CHARS / 2 && !/\n|\bcd /.test(form)
    const isPassed = event.kind === 'call.succeeded' && !reportsFailures(event)
    if (event.privacy !== 'public' || !isNamed || (!isPassed && MISPLACED.test(outputOf(event)))) return []
    const named = folder === undefined || folder === root ? '' : (toRepoPath(folder, [root]) ?? folder)
    return [{ form, folder: named, isPassed, day: event.at.slice(0, 10) }]
  })
}

const WHICH_FILE =
  /\bfiles?\b.*\b(?:chang|edit|touch)|\b(?:chang|edit|touch)\w* files?\b|ファイル.*(?:変更|編集)|(?:変更|編集).*ファイル/i
/** The latest tasks of which the files are counted. */
const TASKS_MAX = 50

/** To a question which files changed: those that most of the latest tasks changed. */
export function listChangedFiles(query: string, context: ToolContext): ToolOutput {
  if (!WHICH_FILE.test(query)) return {}
  const work = latestFirst(listVisible(context.liveStore, viewingSession(context)))
  const tasks = work
    .filter(({ kind, editedFiles = [] }) => kind === 'experience' && editedFiles.length > 0)
    .slice(0, TASKS_MAX)
  const files = Object.entries(countTexts(tasks.flatMap(({ editedFiles = [] }) => editedFiles))).slice(0, COMMANDS_MAX)
  const changed = files.map(([file, times]) => {
    const last = tasks.find(({ editedFiles = [] }) => editedFiles.includes(file))?.updated.slice(0, 10)
    return `${file} (by ${times} of the last ${tasks.length} tasks, last ${last})`
  })
  return files.length > 0 ? { files: changed, files_hint: 'A query with one of them finds what is known of it.' } : {}
}

const outputOf = (call: CallResult): string => (call.kind === 'call.failed' ? call.error : call.output)

/**
 * The folder that a command goes to first, from where the shell is; the same if it is not there. Undefined if it is
 * not known: it was the one before, a variable's, or below one that is not known.
 */
function enterFolder(from: string | undefined, command: string, output: string): string | undefined {
  if (output.includes('cd: ')) return from
  if (GOES_TO_UNKNOWN.test(command)) return undefined
  const to = GOES_TO.exec(command)?.slice(1).find(Boolean)
  if (to === undefined) return from
  if (to.startsWith('/') || isWindowsPath(to)) return slashPath(to)
  return from && posix.join(from, slashPath(to))
}
