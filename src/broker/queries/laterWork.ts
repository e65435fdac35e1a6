// What a session left open, and which later work may have done it: one rule for the report and for the tools. And what
// it fixed.
import { isCurrent, isOfPerson } from '../../model/knowledge.ts'
import type { Memory } from '../../model/memory.ts'
import { compareValues } from '../../model/sorting.ts'
import { findFilePaths } from '../../text/filePaths.ts'
import { keepByText, pattern } from '../../text/pattern.ts'
import { weighTerms } from '../../text/similarity.ts'
import { findTaskReference } from '../../text/taskReference.ts'
import { listDone, missingStep, NOT_DONE, ONLY_STATE, readOpenLine } from '../../text/taskSentences.ts'
import { extractTerms } from '../../text/terms/extractTerms.ts'

/** What a session left open: what is open of the items of its summary, and what its first line says more. */
export function listOpenTasks(memory: Memory): readonly string[] {
  const { kind, leftOpen = [] } = memory
  const done = listDone(memory)
  const { line, clauses } = readOpenLine(memory)
  const step = clauses.flatMap((clause) => missingStep(clause) ?? [])[0]
  const isListed = step === undefined ? leftOpen.length > 0 : leftOpen.some((item) => item.toLowerCase().includes(step))
  const stated = kind === 'summary' && !isListed ? clauses.map((clause) => withSubject(clause.trim(), line)) : []
  const open = [...leftOpen.map((item) => nameItem(item, memory)), ...stated.map((task) => nameStep(task, line))]
  return open.filter((task) => task !== '' && !done.includes(task))
}

/** An item as it is listed: without the commit or push that was made since, and a step alone with what was done. */
export const nameItem = (item: string, memory: Memory): string =>
  nameStep(openPart(item, memory), readOpenLine(memory).line)

/** A part that names no work: a step, a pronoun, what a person does, or a check that passed. */
const NO_WORK = pattern(
  String.raw`^(?:commit|push|これ|それ|ユーザー[がは]|(?:it|they|th(?:is|at|ese|ose)|everything)\b|
    (?:the |a )?(?:user|person|reviewer|team) (?:will|wants|must|should|can|reviews|decides|checks)\b|
    (?:\w+ ){0,2}(?:tests?|lint|checks?|builds?|suite|ci)\b.*\b(?:pass(?:e[sd]|ing)?|green|clean|succeed(?:s|ed)?)$|
    (?:テスト|ビルド|検証).*(?:成功|通過|通[るっ]|パス))`,
  'i',
)

/** A step alone (“unpushed”) with what it is said of; after what is no work, with what the session did. */
function nameStep(task: string, line: string): string {
  const isAlone = /^(?:not (?:yet )?\w+|un\w+|未[^\s、。]+)(?: yet)?$/i.test(task)
  const [first = '', ...parts] = line.split(/[;.](?:\s|$)|。/)
  const [own = task] = parts.find((part) => part.includes(task))?.split(/,\s|、/) ?? []
  const subject = own.includes(task) || ONLY_STATE.test(own) || NO_WORK.test(own) ? first : own.trim()
  return isAlone && !subject.includes(task) ? `${subject}: ${task}` : task
}

/** What a clause says is not done; without a subject (“not answered yet”) with what is before it. A step needs none. */
const withSubject = (clause: string, line: string): string =>
  missingStep(clause) !== undefined || clause.search(NOT_DONE) > 0
    ? clause
    : (line.split(/[;.。](?:\s|$)/).find((part) => part.includes(clause)) ?? clause).trim()

function openPart(item: string, memory: Memory): string {
  const clauses = listDone(memory).flatMap((content) => readOpenLine({ content, metadata: {} }).clauses)
  const made = clauses.flatMap((clause) => missingStep(clause) ?? [])
  const left = item.split('; ').filter((clause) => !made.includes(missingStep(clause) ?? ''))
  return left.join('; ')
}

/** The words of a task that one line of later work must name, and the share of their weight. */
const [WORDS_MIN, SHARE_MIN] = [4, 0.5]
/** Less is enough of a task of so few words, and on the issue or a file that it names. */
const [FEW_WORDS, SHARE_ON_SAME_MIN] = [3, 0.4]
/** Lines of a summary about what was asked or is open, and names of files: they say nothing of what was done. */
const NO_RESULT = /^(?:Open|Asked|Worked on|Nothing was changed|Changed)\b/
/** What the person has to decide: a decision of theirs may have done it, also one of the same session. */
const TO_DECIDE = /\b(?:undecided|decisions?|decided?)\b|未決|決め|決定/i

const termsOf = /* @__PURE__ */ keepByText((text): ReadonlySet<string> => new Set(extractTerms(text)))

/**
 * Finds among summaries and tasks the work that ended later than another one and may have done what that left open,
 * the likeliest first: one line of its results says most of it. What was to be decided, a decision of the same session
 * or a later one may have.
 */
export function laterWorkFinder(work: readonly Memory[], entries: readonly Memory[]) {
  const decisions = entries.filter(
    ({ knowledge }) => knowledge?.type === 'decision' && isCurrent(knowledge) && isOfPerson(knowledge),
  )
  // What is not committed itself has done nothing yet; a file may have changed after a commit.
  const finished = work.filter((memory) => {
    const left = (memory.leftOpen ?? []).filter((item) => !item.startsWith('changed after the last commit'))
    return ![...readOpenLine(memory).clauses, ...left].map(missingStep).includes('commit')
  })
  const results = [...finished, ...decisions].map((memory) => {
    const texts = memory.questionOnly ? [] : memory.content.split('\n').filter((line) => !NO_RESULT.test(line))
    const lines = texts.map(termsOf)
    return { memory, lines, all: new Set(lines.flatMap((terms) => [...terms])) }
  })
  const weigh = weighTerms(results.map(({ all }) => all))
  return (task: string, left: Memory): readonly Memory[] => {
    const isToDecide = TO_DECIDE.test(task)
    const words = termsOf(isToDecide ? task.replace(NOT_DONE, '') : task)
    const isLater = ({ session, created, updated, knowledge }: Memory): boolean =>
      knowledge ? isToDecide && created >= left.created : session !== left.session && updated > left.updated
    const weight = weigh(words)
    // #7713 is not #7716, however much else is the same. "Phase 2" names nothing.
    const numbers = [...words].filter((word) => /\d{3}/.test(word))
    const sharedWith = (terms: ReadonlySet<string>): string[] => [...words].filter((word) => terms.has(word))
    const found = results.flatMap(({ memory, lines, all }) => {
      if (sharedWith(all).length < FEW_WORDS || !isLater(memory)) return []
      const isSame = isOnSame(task, memory)
      const least = isSame || words.size === FEW_WORDS ? FEW_WORDS : WORDS_MIN
      const shares = lines.map((terms) => {
        const shared = sharedWith(terms)
        return shared.length >= least && numbers.every((number) => terms.has(number)) ? weigh(shared) / weight : 0
      })
      const share = Math.max(0, ...shares)
      return share >= (isSame ? SHARE_ON_SAME_MIN : SHARE_MIN) ? [{ memory, share }] : []
    })
    return found
      .sort((a, b) => b.share - a.share || compareValues(b.memory.updated, a.memory.updated))
      .map(({ memory }) => memory)
  }
}

function isOnSame(task: string, { taskId, content, editedFiles = [] }: Memory): boolean {
  const reference = findTaskReference(task)
  const files = findFilePaths(task)
  const isOfIssue = reference !== undefined && (taskId === reference || content.includes(reference))
  return isOfIssue || editedFiles.some((file) => files.some((named) => `/${file}`.endsWith(`/${named}`)))
}

/** The titles of commits, and of a plan: they say best what was fixed. */
const TITLES = [
  /^(?:Commits: |Committed ")(.*?)(?:"(?: and|;|$).*)?$/,
  /^(?:Plan: |Implemented .* plan ")(.*?)(?:"(?:;|$).*)?$/,
]
const FIX =
  /^(?:fixup! )*(?:bug ?)?fix(?:e[sd])?(?:\([^)]*\))?!?:? +(?!(?:by the|width|costs?|prices?|size|position)\b)(.+)/i
/** 修正 and 直 as what was done: 修正依頼 and 未修正 are no fix. */
const FIX_JAPANESE = pattern(`(?<!見|書き|やり|作り|取り)直(?:し(?!な|ま?せん|てい?(?:な|ませ)|き)|った|りまし)|
  不具合(?:対応|を?解[消決])|(?<![未要])修正(?:し(?!な|ません|てい?(?:な|ませ)|ておら|き)|され(?!な|ず|ません|てい?(?:な|ませ))|
  済|完了|[と・:：]|を?(?:実施|反映|適用)|$)`)
/** In the first line of a summary. That a check or a review is content says nothing of what was wrong. */
const FIXED = pattern(String.raw`^(?!.*\b(?:[Ff]indings?|[Rr]eview|[Ll]int)\b).*(?:${FIX_JAPANESE.source}|
  (?<!\b(?:be|get|[Aa]n?|[Tt]he|[Aa]dd(?:ed)?|(?:[Nn]ot?|[Nn]ever|[Nn]othing|\w+n['’]t)(?: \w+){0,2}) )
  \b[Ff]ixed\b(?! (?:by the|nothing|width|costs?|prices?|size|position)\b))`)
const CAUSE = /^(?!Asked|Commits|Open).*(?:\b(?:root cause|caused by|fixed by)\b|原因)/i
const NO_CAUSE = pattern(
  String.raw`\bcause(?: is|:)?(?: still)? (?:unknown|unclear)\W*$|\bcause:? (?:(?:is|was|has|could) )?not (?:yet |been |be )*
    (?:found|known|identified)|原因.{0,5}(?:不明(?!な)|未特定|特定でき[てま]|[わ分]か[らり])|\b(?:be|not) fixed\b`,
  'i',
)
/** Titles of one session. */
const FIXES_MAX = 3

/** What a session fixed, by a title or its first line, and the line that says why. */
export function findFixes({ content }: Memory) {
  const lines = content.split('\n')
  const cause = lines.slice(1).find((line) => CAUSE.test(line) && !NO_CAUSE.test(line))
  const titles = TITLES.map((title) => {
    const own = lines.flatMap((line) => title.exec(line)?.[1]?.split('; ') ?? [])
    const found = own.flatMap((each) => FIX.exec(each)?.[1] ?? (FIX_JAPANESE.test(each) ? each : []))
    return [...new Set(found)].slice(0, FIXES_MAX)
  })
  const clause = lines[0]?.split(/[;,.](?:\s|$)|[、。]/).find((part) => FIXED.test(part))
  return { cause, fixes: titles.find((list) => list.length > 0) ?? [clause ?? []].flat() }
}
