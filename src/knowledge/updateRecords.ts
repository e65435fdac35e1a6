// What a session shows about the entries that are known: which were met, obeyed, broken or refuted. The log decides
// what is shown; this is where it is counted.
import { type CallResult, EDIT_TOOLS, type Event, isCallResult, isShellTool } from '../model/event.ts'
import type { MemoryId } from '../model/id.ts'
import {
  isAboutFailures,
  isCurrent,
  type Knowledge,
  type KnowledgeRecord,
  type KnowledgeState,
  type Trigger,
} from '../model/knowledge.ts'
import type { Memory } from '../model/memory.ts'
import type { KnowledgePolicy } from '../model/policy.ts'
import { revealFailure } from '../text/hiddenFailure.ts'
import { keepByText, pattern } from '../text/pattern.ts'
import { bannedPart } from './compareRules.ts'
import {
  callOccasion,
  EARLIER_CALLS_MAX,
  failureOccasion,
  fires,
  isDoneBefore,
  matchTrigger,
  type Occasion,
  onlyReads,
  wantedFirst,
  withoutQuotes,
} from './when.ts'

/** The latest sessions that are kept by id. */
const SESSIONS_MAX = 8

/** A finished call, prepared to be compared with all entries. */
export interface PreparedCall extends Pick<CallResult, 'at' | 'call' | 'tool' | 'role'> {
  readonly occasion: Occasion
  readonly failure: Occasion | undefined
}

/** The known entries that this session's events change, each complete. Entries that nothing concerns are left out. */
export function updateRecords(
  known: Iterable<Memory>,
  events: readonly Event[],
  session: string,
  { retireAfter }: Pick<KnowledgePolicy, 'retireAfter'>,
): Memory[] {
  const calls = events
    .filter(isCallResult)
    .filter((call) => !(call.kind === 'call.failed' && call.interrupted))
    .map(prepareCall)
  const shown = findShown(events)
  const words = listWords(calls.flatMap(({ occasion, failure }) => failure ?? occasion))
  const changed: Memory[] = []
  for (const memory of known) {
    const { knowledge } = memory
    if (!knowledge || !isCurrent(knowledge) || memory.status !== 'active') continue
    // A session concerns few of the entries: the others cost no more than this.
    if (!shown.has(memory.id) && !knowledge.when.some((trigger) => mayMatch(trigger, words))) continue
    const own = calls.filter(({ role }) => memory.privacy === 'public' || role === memory.role)
    const next = countSession(knowledge, own, { session, shown: shown.get(memory.id) })
    if (next === knowledge.record) continue
    const state = stateAfter(knowledge, next, session, retireAfter)
    changed.push({ ...memory, knowledge: { ...knowledge, record: next, state } })
  }
  return changed
}

/** Whether a trigger may match one of the occasions with these words. Far cheaper than to match it. */
export const mayMatch = ({ has = [], unless = [], signature = '' }: Trigger, words: ReadonlySet<string>): boolean =>
  words.has(signature) ||
  unless.some((part) => mayContain(words, part)) ||
  (has.length > 0 && has.every((part) => mayContain(words, part)))

export const listWords = (occasions: readonly Occasion[]): ReadonlySet<string> =>
  new Set(
    occasions.flatMap(({ text, error = '', signature }) => [signature ?? [], wordsOf(text), wordsOf(error)].flat()),
  )

const wordsOf = (text: string): readonly string[] => text.match(/[a-z0-9]+/g) ?? []

const mayContain = (words: ReadonlySet<string>, fragment: string): boolean =>
  wholeWords(fragment).every((word) => words.has(word))

/** The words of a fragment that a text with it has too: not those that a `*` allows to continue. */
const wholeWords = /* @__PURE__ */ keepByText((fragment): readonly string[] => {
  const marked = withoutQuotes(fragment)
    .replace(/^\*|\*$/g, '\0')
    .toLowerCase()
  return marked.match(/(?<![a-z0-9\0])[a-z0-9]+(?![a-z0-9\0])/g) ?? []
})

/** A failure that a pipe hid is one too. */
export function prepareCall(result: CallResult): PreparedCall {
  const shown = revealFailure(result)
  const failure = shown.kind === 'call.failed' ? failureOccasion(shown, shown.error, shown.errorSignature) : undefined
  const { at, call, tool, role } = result
  return { at, call, tool, role, occasion: callOccasion(result), failure }
}

/** When each entry was first shown in the session, and at which call, if any. */
interface Showing {
  readonly at: string
  readonly call: string | undefined
  /** When it was first shown at a call, which may be later. */
  readonly atCall: string | undefined
}

function findShown(events: readonly Event[]): ReadonlyMap<MemoryId, Showing> {
  const found = new Map<MemoryId, Showing>()
  for (const event of events) {
    if (event.kind !== 'recalled' || event.withheld) continue
    for (const { memory } of event.shown) {
      const { at, call, atCall } = found.get(memory) ?? { at: event.at, call: event.call, atCall: undefined }
      found.set(memory, { at, call, atCall: atCall ?? (event.call === undefined ? undefined : event.at) })
    }
  }
  return found
}

/** What a call says of an entry: it broke the rule or failed; it kept it or passed; undefined: nothing. */
type Verdict = 'bad' | 'good' | undefined

/** The verdict on one call, and whether a trigger fired at it. */
function judgeCall(
  knowledge: Pick<Knowledge, 'type' | 'line' | 'when'>,
  occasion: Occasion,
  failure: Occasion | undefined,
): { readonly verdict: Verdict; readonly fired: boolean } {
  const matches = knowledge.when.map((trigger) => matchTrigger(trigger, occasion))
  const match = matches.includes('fires') ? 'fires' : matches.find((one) => one !== undefined)
  const isFailure = failure !== undefined && fires(knowledge.when, failure)
  if (!isAboutFailures(knowledge)) {
    const fired = match === 'fires' || isFailure
    const isBroken = fired && breaksRule(knowledge, occasion)
    const isKept = match === 'keeps' && !DEPENDS_ON_WORDS.test(knowledge.line)
    return { fired, verdict: isBroken ? 'bad' : isKept ? 'good' : undefined }
  }
  if (isFailure) return { fired: true, verdict: 'bad' }
  if (match === undefined) return { fired: false, verdict: undefined }
  const namesErrors = knowledge.when.some(({ at }) => at === 'failure')
  // What an edit wrote is judged by the check that comes later.
  const isEdit = EDIT_TOOLS.has(occasion.tool ?? '')
  if (namesErrors && isEdit && failure === undefined) return { fired: match === 'fires', verdict: undefined }
  // A failure with another error is another failure.
  const failed = failure !== undefined && match === 'fires' && !namesErrors
  return { fired: match === 'fires', verdict: failed ? 'bad' : failure === undefined ? 'good' : undefined }
}

/**
 * Whether a call at which a rule fires breaks it: the trigger says what the good call has, or the rule is a ban. Any
 * other trigger only says when the rule is worth a note.
 */
export function breaksRule({ line, when }: Pick<Knowledge, 'line' | 'when'>, occasion: Occasion): boolean {
  if (DEPENDS_ON_WORDS.test(line)) return false
  const acting = ABOUT_COMMITS.test(line) ? occasion : { ...occasion, text: withoutStaged(occasion.text) }
  return when.some(
    (trigger) => matchTrigger(trigger, acting) === 'fires' && mayBreak(trigger, line) && !isOnlyRead(trigger, acting),
  )
}

/** Such a rule may be about what is staged: `Never commit .env`. */
const ABOUT_COMMITS = /\b(?:git|commit|stag|push|add|track|check)|コミット|プッシュ|追加/i

/** Who stages a script does not run it: without the files of `git add`. */
const withoutStaged = (text: string): string =>
  text.replace(/\bgit add\b[^&;|]*/g, (add) => add.replace(/ (?!-|\.(?: |$)|add\b)\S+/g, ''))

/** Whether a call only looks at something: who searches for `yarn` does not run it. */
export const isLookUp = ({ tool = '', text }: Occasion): boolean => isShellTool(tool) && onlyReads(text)

/** Not of a rule about a file, or about the reading command itself. */
const isOnlyRead = ({ has = [] }: Trigger, acting: Occasion): boolean =>
  isLookUp(acting) && !has.some((part) => PLACE.test(part) || onlyReads(part))

/** Whether any call could break the rule: else nothing says that it was kept. */
export const canBreak = (rule: Pick<Knowledge, 'line' | 'when'>): boolean => listBreaches(rule).length > 0

/** The triggers that fire at calls which break the rule. */
export const listBreaches = ({ line, when }: Pick<Knowledge, 'line' | 'when'>): Trigger[] =>
  DEPENDS_ON_WORDS.test(line) ? [] : when.filter((trigger) => mayBreak(trigger, line))

/** What the person has said or allowed since, no call shows: "unless asked", "ask before …", 「確認してから」. */
const DEPENDS_ON_WORDS = pattern(
  String.raw`\bunless (?:asked|i\b|you(?:'re| are)?\b|they\b|the (?:person|user|owner))|\b(?:only|not|never)\b.*
    \b(?:when|if|until|after|before) (?:ask(?:ed|ing)|i\b|the (?:person|user|owner))|\bwithout (?:asking|being asked|
    (?:my|their|an?|the person's|explicit) (?:ok|okay|approval|permission|consent|go-ahead|sign-off))|
    ^(?:always |please )*ask (?:me )?(?:before|first)\b|事前に\S{0,6}(?:確認|連絡|許可)|相談|
    (?:確認|許可|承認|了承|指示)\S{0,6}(?:なし|ない|前|まで|から|取|もら)|(?:言われ|頼まれ)`,
  'i',
)

/**
 * Whether a call at which this trigger of a rule fires breaks the rule: its fragments are what the rule bans, or the
 * call lacks what it demands. An edit is a part of a file: what is written there already does not stand in it, and its
 * place says nothing of what it writes. `After a version bump, run X` says nothing of calls that name no version.
 */
function mayBreak({ tool = '', has = [], unless = [] }: Trigger, line: string): boolean {
  if (!isUnderCondition(line, has)) return false
  const isPlace = EDIT_TOOLS.has(tool.split('|')[0] ?? '') && has.every((part) => PLACE.test(part))
  if (unless.length > 0) return !isPlace
  const banned = bannedPart(line)
  const named = has.map(namingWords).filter((words) => words.length > 0)
  const isBannedIn = (part: string): boolean => named.length > 0 && named.every((words) => isBannedBy(part, words))
  if (isPlace) return BANNED_EDIT.test(banned) && (has.every((part) => banned.includes(part)) || isBannedIn(banned))
  // "No dashes in commit messages" bans no commit.
  return isBannedIn(banned.split(/\s(?:in|on|at|for|of)\s/)[0] ?? '')
}

/** A rule with only the triggers at which a call alone proves whether it was kept: for people, who read a verdict. */
export const provablePart = <Rule extends Pick<Knowledge, 'line' | 'when'>>(rule: Rule): Rule => ({
  ...rule,
  when: rule.when.filter((trigger) => isProof(trigger, rule.line)),
})

/**
 * An edit with the words of a rule may carry it out: only its place proves something. What is wanted first may have
 * been done by somebody else, and `fix*` only guesses what a call is about.
 */
function isProof(trigger: Trigger, line: string): boolean {
  const { tool, has = [], unless = [] } = trigger
  if (tool === undefined || !mayBreak(trigger, line)) return false
  if (EDIT_TOOLS.has(tool.split('|')[0] ?? '')) return unless.length === 0 && has.every((part) => PLACE.test(part))
  return unless.length === 0 || (wantedFirst(trigger, line).length === 0 && !has.some((part) => part.includes('*')))
}

const BANNED_EDIT = /^\W*(?:\w+ ){0,2}(?:edit|chang|modif|touch|writ|creat|delet|renam|mov)/i

/** Whether a trigger has a word of the condition that the rule begins with, if it has one. */
function isUnderCondition(line: string, has: readonly string[]): boolean {
  const [, condition] = /^(?:after|when(?:ever)?|once|if|before|while)\s([^,:;]+)[,:]/i.exec(line) ?? []
  if (condition === undefined) return true
  const words = wordsOf(condition.toLowerCase()).filter((word) => word.length > 1)
  return wordsOf(has.join(' ').toLowerCase()).some((word) => words.some((other) => other.startsWith(word)))
}

/** Whether a trigger of a rule is about what the rule bans, or says what the good call has. */
export const isAboutBreach = ({ has = [], unless = [] }: Trigger, line: string): boolean =>
  unless.length > 0 || has.map(namingWords).some((words) => words.length > 0 && isBannedBy(bannedPart(line), words))

const namingWords = (fragment: string): readonly string[] =>
  wordsOf(fragment.toLowerCase()).filter((word) => word.length >= NAMING_LETTERS_MIN)

function isBannedBy(banned: string, words: readonly string[]): boolean {
  const others = wordsOf(banned.toLowerCase())
  return words.every((word) => others.some((other) => other.startsWith(word)))
}

/** A part of a path: it says where an edit is, and not what it writes. */
const PLACE = /^(?!@).*\/|^\*?[\w.-]*\.[a-z]{1,5}$/i

/** Shorter words, such as `git` or `src`, are in most commands and paths. */
const NAMING_LETTERS_MIN = 4

function countSession(
  knowledge: Knowledge,
  calls: readonly PreparedCall[],
  { session, shown }: { readonly session: string; readonly shown: Showing | undefined },
): KnowledgeRecord {
  const { record } = knowledge
  const judged = judgeCalls(knowledge, calls)
  const bad = judged.filter(({ verdict }) => verdict === 'bad')
  const good = judged.filter(({ verdict }) => verdict === 'good')
  if (!shown && !judged.some(({ verdict, fired }) => fired || verdict !== undefined)) return record
  const lastBad = isAboutFailures(knowledge) ? bad.at(-1)?.call.at : undefined
  // Edits that a check refused later.
  const refused = judged.filter(
    ({ call, fired, verdict }) => fired && !verdict && EDIT_TOOLS.has(call.tool) && call.at < (lastBad ?? ''),
  )
  const isAfter = ({ call }: JudgedCall): boolean =>
    shown !== undefined && call.at > shown.at && call.call !== shown.call
  const [badAfter, goodAfter] = [bad.filter(isAfter), good.filter(isAfter)]
  const isMet = bad.length > 0
  const lastMet = bad.at(-1)?.call.at ?? ''
  const isBefore = record.shown === 0 && !shown
  const isNewSession = !record.sessions.includes(session)
  const isVain = isAboutFailures(knowledge) && isShownInVain(knowledge, judged, shown)
  // At the call that would break a rule, or at its failure: that it did not come again is the effect.
  const isWarned = shown?.call !== undefined && !DEPENDS_ON_WORDS.test(knowledge.line)
  const isObeyed = !isVain && badAfter.length === 0 && (goodAfter.length > 0 || isWarned)
  const isRefuted = !isMet && (isVain || (!shown && isAboutFailures(knowledge) && good.some(({ fired }) => fired)))
  return {
    ...record,
    calls: 0,
    fired: record.fired + judged.filter(({ fired }) => fired).length,
    firedIn: (record.firedIn ?? record.met) + +judged.some(({ fired }) => fired),
    failed: record.failed + bad.length + refused.length,
    met: record.met + (isMet && (isNewSession || record.met === 0) ? 1 : 0),
    sessions: isMet && isNewSession ? [...record.sessions, session].slice(-SESSIONS_MAX) : record.sessions,
    lastMet: lastMet > record.lastMet ? lastMet : record.lastMet,
    cost: isMet ? (record.cost * record.met + bad.length) / (record.met + 1) : record.cost,
    shown: record.shown + (shown ? 1 : 0),
    obeyed: record.obeyed + (shown && isObeyed ? 1 : 0),
    broken: record.broken + (shown && badAfter.length > 0 ? 1 : 0),
    keptBefore: record.keptBefore + (isBefore && !isMet && good.length > 0 ? 1 : 0),
    brokenBefore: record.brokenBefore + (isBefore && isMet ? 1 : 0),
    refuted: isMet ? 0 : record.refuted + (isRefuted ? 1 : 0),
  }
}

/** What the calls of a session, in their order, say of an entry. */
export const judgeCalls = (knowledge: Knowledge, calls: readonly PreparedCall[]): JudgedCall[] =>
  calls.map((call, i) => {
    const { verdict, fired } = judgeCall(knowledge, call.occasion, call.failure)
    const listEarlier = () => calls.slice(Math.max(0, i - EARLIER_CALLS_MAX), i).map(({ occasion }) => occasion.text)
    // What a rule wants first came in an earlier call.
    const isKept = !isAboutFailures(knowledge) && verdict === 'bad' && isDoneBefore(knowledge, listEarlier)
    return { call, fired: fired && !isKept, verdict: isKept ? ('good' as const) : verdict }
  })

type JudgedCall = Readonly<{ call: PreparedCall; verdict: Verdict; fired: boolean }>

/**
 * Shown at a call, and the next result is that of such a call, which passed: nothing was done in between. Or shown at a
 * start, and such a call passed without any word of the commands that the entry names.
 */
function isShownInVain(
  { line, when }: Pick<Knowledge, 'line' | 'when'>,
  judged: readonly JudgedCall[],
  shown: Showing | undefined,
): boolean {
  if (shown === undefined) return false
  const { at, atCall } = shown
  const after = judged.filter(({ call }) => call.at >= (atCall ?? at))
  const next = atCall === undefined ? after.find(({ fired }) => fired) : after[0]
  if (next?.fired !== true || next.verdict !== 'good') return false
  if (atCall !== undefined) return true
  const own = new Set(when.flatMap(({ has = [] }) => wordsOf(has.join(' ').toLowerCase())))
  const named = namedWords(line).filter((word) => !own.has(word))
  const done = new Set(after.slice(0, after.indexOf(next) + 1).flatMap(({ call }) => wordsOf(call.occasion.text)))
  return named.length > 0 && !named.some((word) => done.has(word))
}

/** The words in backticks: a command is seldom repeated letter by letter. */
const namedWords = (line: string): readonly string[] =>
  [...line.matchAll(/`([^`]+)`/g)].flatMap(([, code = '']) => wordsOf(code.toLowerCase()))

/** What a person asked for stays. What only holds by evidence stands with it and falls with it. */
function stateAfter(
  { author, state, asked }: Knowledge,
  record: KnowledgeRecord,
  session: string,
  retireAfter: number,
): KnowledgeState {
  if (author === 'person' || asked) return state
  // What was met often is refuted by as many times as many sessions.
  if (record.refuted >= retireAfter * Math.max(1, record.met)) return 'retired'
  const isMetAgain = record.sessions.some((id) => id !== record.sessions[0]) && record.sessions.includes(session)
  return isMetAgain ? 'standing' : state
}
