// The sentence of a prompt that asks, the sentence of an answer that says what came of it, and what a summary calls not
// done.
import type { Memory } from '../model/memory.ts'
import { capitalize, firstLine, splitSentences, truncateAtWord } from './excerpt.ts'
import { removePasted } from './pastedText.ts'
import { pattern, phrasePattern } from './pattern.ts'
import { isClientPrompt } from './promptText.ts'

const CLAUSE_CHARS_MAX = 110

/** Sentences looked at: what a person asks for is said near the beginning, or after a pasted text. */
const REQUEST_SENTENCES_MAX = 40

/** Words that ask for nothing by themselves: "yes, commit this and push", "go on", "option 2". */
const EMPTY_WORDS = new Set(
  (
    'yes yeah yep yup no nope ok okay sure please pls thanks thank you great perfect nice cool good fine commit push ' +
    'continue proceed go on ahead do it this that them these those all both now then and or the a b c your my our ' +
    'changes change work again try retry done more next option options first second third last one two for with same ' +
    'right correct exactly agreed lgtm works wait stop still there here just also let lets us me i think so to ' +
    'are is was be keep going can could would should will what why how about any sorry of in look have see not but ' +
    `today tonight day bye that's that'll it's we're i'm`
  ).split(' '),
)

const EMPTY_SENTENCE =
  /^(?:はい|ええ|うん|お願いします|お願い|続けて|続き|進めて|コミット|プッシュ|して|もう一度|ください|了解|わかりました|ありがとう|ございます|どうぞ|それで|その|まま|大丈夫|です|お疲れ(?:様|さま)|でした|今日は|ここまで|以上|また明日|see (?:you|ya)(?: \w+){0,2}|ok|[、。！!\s])+$/i

/** Words before the request itself; removed again and again. */
const LEAD = phrasePattern(String.raw`
  (?:ok(?:ay)?|yes|yeah|yep|no|so|and|also|then|now|well|hmm+|hi|hey|hello|sure|great|perfect)(?:[,.!:;…-]+\s*|\s+)
  (?:nice|cool|sorry|thanks|actually|but|one more thing|one follow[- ]up|question)(?:[,.!:;…-]+\s*|\s+)
  (?:はい|では|じゃあ|あと|それと|次に)[、。！,\s]*
`)

/** The form of a request; what follows it says what to do. */
const ASKING = phrasePattern(String.raw`
  (?:can|could|would|will) (?:you|we|u)(?: (?:please|also|just|maybe|quickly|then))* (?=\S)
  (?:let'?s|let us|please|pls|go ahead and|try to|make sure to)(?: (?:please|also|just|now|then))* (?=\S)
  i(?:'d| would)? (?:like|want|need)(?: you)? to (?:(?:also|just) )*|i want you to (?:(?:also|just) )*
  (?:we (?:should|need to|have to|must)|you (?:should|need to)) (?:(?:also|just|now|then) )*
`)

/** A request behind its reason: "the list is too long, can you cut it". */
const INNER_ASKING = /^(.{12,}?)[,;–—-]+ (?:so |and )?(?:can|could) (?:you|we) (?:please |just |also )*(.+)$/i

const LASTING = /^(?:from now on|going forward|remember|always|never|今後|これから|以後)/i

/** A verb at the beginning of a sentence that asks for work. */
const IMPERATIVE = phrasePattern(String.raw`
  (?:add|address|adjust|apply|build|bump|change|check|clean|compare|convert|copy|create|debug|delete|describe)\b
  (?:document|drop|enable|ensure|explain|extract|find|fix|generate|handle|hide|implement|improve|increase|inline)\b
  (?:install|investigate|keep|link|list|look|make|merge|migrate|move|open|optimi[sz]e|port|prepare|propose|put)\b
  (?:read|rebase|refactor|release|remove|rename|replace|research|resolve|restore|revert|review|rewrite|run)\b
  (?:separate|set|show|simplify|split|start|stop|summari[sz]e|support|switch|test|translate|undo|update|upgrade)\b
  (?:use|validate|verify|work|write)\b
`)

const ASKING_JAPANESE = /(?:ください|下さい|して(?:ほしい|欲しい)|したい|お願い|しよう|て(?:くれ|もらえ)|せよ|しろ)/

/**
 * What the prompt asks for, at most 110 characters; empty if it asks for nothing by itself ("yes", "commit this") or
 * nobody typed it. A plan handed over as a prompt is named by its title.
 */
export function requestClause(prompt: string): string {
  if (isClientPrompt(prompt)) return ''
  const title = planTitle(/^[^\n]{0,80}:\s*\n+\s*(#{1,3} [\s\S]*)/.exec(prompt.trim())?.[1] ?? '')
  if (title) return truncateAtWord(title, CLAUSE_CHARS_MAX)
  const sentences = splitSentences(removePasted(prompt, true).replace(/^[^\S\n]*>.*$/gm, ''))
    .slice(0, REQUEST_SENTENCES_MAX)
    .map(skipLead)
    .filter(isSubstantive)
  // A lasting wish is kept as a statement of its own.
  const current = sentences.filter((sentence) => !LASTING.test(sentence))
  const request = findRequest(current.length > 0 ? current : sentences)
  const clause = request.replace(ASKING, '')
  if (!isSubstantive(clause)) return ''
  const isQuestion = clause === request && /[?？]$/.test(request)
  return truncateAtWord(
    clause.replace(isQuestion ? /$/ : /(?:,? please)?[\s?？.。!！:,]{1,80}$/i, ''),
    CLAUSE_CHARS_MAX,
  )
}

/** That work is left, with a time for it, or that it is not done yet. Things that come later, or tomorrow, are none. */
const PUT_OFF = pattern(
  String.raw`(?:^|[,;—-] |\b(?:and|so|but) )(?:(?:let's|we(?:'ll| will)|i(?:'ll| will)) (?!see\b|be\b|talk\b)\w.*|
    (?:please )?(?:(?:continue|finish|do (?:it|this|that|the rest))\b.*|(?:leave )?the rest(?: of \S+(?: \S+)?)?))[ ]
    (?:for )?(?:tomorrow|later|next (?:week|session|time))$|
    (?:続き|残り|あと)[^、。はが]{0,12}は、?(?:また)?(?:明日|あした|後日|来週|次回)(?:で|に|お願い|[やし続]|$)|
    (?:明日|あした|後日|来週|次回)に?(?:や[るりろ]|続[けき]|書[くきこ]|回[すし]|し(?:ます|よう|ましょう)|する|お願い)
    [ぁ-ん]{0,6}$|は途中まで$|がまだ(?:です|なので|だから)?(?:ね|よ)?$`,
  'i',
)
const QUESTION = /(?:[?？]|か|っけ|かな)$/

/** The sentences of a prompt that leave something for later: "The rest tomorrow", `続きは明日`, `〜がまだ`. */
export const findPutOff = (prompt: string): string[] =>
  isClientPrompt(prompt)
    ? []
    : splitSentences(removePasted(prompt, true))
        .map((sentence) => sentence.replace(/[。.!！]$/, ''))
        .filter((sentence) => PUT_OFF.test(sentence) && isSubstantive(sentence) && !QUESTION.test(sentence))

/** What an answer offers or asks at its end, as a clause: a "yes" that follows means this. Empty if it asks nothing. */
export function offeredClause(answer: string): string {
  const last = splitSentences(answer).at(-1) ?? ''
  if (!/[?？]$/.test(last)) return ''
  const offer = /^(?:(?:do you )?want me to|would you like(?: me)? to|should (?:i|we)|shall (?:i|we)) /i
  const clause = last.replace(offer, '').replace(/[?？]$/, '')
  return clause === last || !isSubstantive(clause) ? '' : truncateAtWord(clause, CLAUSE_CHARS_MAX)
}

/** The title of a plan in Markdown: its first heading, without the word "plan". Empty if it has no heading. */
export function planTitle(plan: string): string {
  const heading = /^[^\S\n]*#{1,3}[^\S\n]+(.+)$/m.exec(plan)?.[1] ?? ''
  const title = heading.replace(/^(?:implementation |detailed )?plan\s*[:：—–-]\s*/i, '').replace(/[*_#]+/g, '')
  return /^(?:implementation )?plan$/i.test(title.trim()) ? '' : title.trim()
}

/** Whether a text names something to do: more than agreement and words of hand-over. */
export function isSubstantive(text: string): boolean {
  if (EMPTY_SENTENCE.test(text.trim())) return false
  if (/[\u3040-\u30ff\u3400-\u9fff]{4}/.test(text)) return true
  const words = text.toLowerCase().match(/[\p{L}\p{N}](?:[\p{L}\p{N}'’_./-]*[\p{L}\p{N}])?/gu) ?? []
  return words.length > 1 && words.some((word) => !EMPTY_WORDS.has(word) && !/^\d+$/.test(word))
}

function skipLead(sentence: string): string {
  let rest = sentence.replace(/\*\*/g, '').trim()
  for (let match = LEAD.exec(rest); match && match[0].length < rest.length; match = LEAD.exec(rest)) {
    rest = rest.slice(match[0].length)
  }
  return rest
}

/** The sentence that asks; without one the first. An imperative counts at either end: in between it may be pasted. */
function findRequest(sentences: readonly string[]): string {
  const ends = [...sentences.slice(0, 2), ...sentences.slice(-2)]
  const found =
    sentences.find((sentence) => ASKING.test(sentence) || ASKING_JAPANESE.test(sentence)) ??
    ends.find((sentence) => IMPERATIVE.test(sentence) && !/[?？]$/.test(sentence)) ??
    sentences.find((sentence) => INNER_ASKING.test(sentence)) ??
    sentences[0] ??
    ''
  const [, before = '', inner = ''] = INNER_ASKING.exec(found) ?? []
  if (inner === '') return found
  return isSubstantive(inner) && inner.split(' ').length > 3 ? `please ${inner}` : before
}

const SENTENCE_CHARS_MAX = 180

/** Sentences looked at: an answer says first what was done, then the details. */
const RESULT_SENTENCES_MAX = 24

/** Sentences of substance in which a deed is preferred to a state or a cause. */
const DEED_SENTENCES_MAX = 3

/** What is planned, offered or announced, and what only opens an answer. */
const NO_RESULT = phrasePattern(String.raw`
  (?:(?:now|ok(?:ay)?|first|next|then|good)[,.!]? )?(?:let me|let's|i'll|i will|i'm going to|i need to|i should)\b
  i can\b|i could\b|i see\b|i understand\b|i now understand\b|my guess\b|i (?:think|believe|guess|suspect)\b
  (?:we|you) (?:could|can|should)\b|if you\b|want me\b|would you\b|shall\b|should i\b|do you\b|feel free\b|please\b
  next steps?\b|now (?:i|let|update|add|fix|create|the (?:next|last))\b|waiting\b|options?\b|note\b|before:|line \d+
  (?:committed|pushed|the (?:commit|branch|push)|commit (?:successful|created)|all pre-commit)\b
  looking at\b|this is (?:strange|odd|interesting)|here(?:'s| is| are)\b|below\b
  you(?:'re| are) (?:absolutely |totally )?(?:right|welcome)|(?:good|great) (?:question|idea|point|catch|news)
  it (?:looks|seems)\b|maybe\b|perhaps\b|probably\b|sorry\b|sure\b|thanks?\b
  to (?:test|rebuild|try|use|verify|run)\b|rebuild\b|try\b|run\b
`)

const DOER = "(?:(?:i|we)(?:'ve| have)? )?(?:(?:also|successfully|now|just) )*"

/** What passes or is done. */
const CHECKED =
  String.raw`(?:all |both |everything |and |the )*(?:\d+ )?(?:tests?|lint(?:ing|er)?|checks?|builds?|done|clean|good|` +
  'green|set|code|unit|integration|types?|typecheck|validations?|pipelines?|ci|todos?|tasks?)'

/** A sentence that only says that the work is over, or that the checks pass: the state of the checks is known. */
export const ONLY_STATE = phrasePattern(String.raw`
  ${CHECKED}\b[^.]{0,40}\b(?:pass(?:e[sd]|ing)?|clean|green|succeed(?:ed|s)?|completed?|good|works?|ok)\b
  ${DOER}(?:fixed|resolved|addressed) the (?:issue|bug|problem|error)s?(?: and\b.*)?[.!]?$
  (?:all )?(?:done|fixed|perfect|great|excellent|completed?|committed|pushed|finished|good|clean)\b[^\p{L}]*$
  the (?:implementation|work|task|plan|change|fix|build) (?:is|has been) (?:now )?(?:completed?|done|finished)\b
`)

/** The heading of a list: the list itself has the details. */
const LIST_HEADING =
  /\b(?:summary|changes|what (?:i|was|has|it|changed)|following|fix|results?|details)\b[^,]{0,300}[:：]$/i

/** Something was done, in English: a verb in the past tense at the beginning. */
const DEED = phrasePattern(String.raw`
  ${DOER}(?:(?!need|indeed|speed|embed|feed|proceed|exceed|shed|red\b)[a-z]+ed)\b
  ${DOER}(?:made|wrote|rewrote|built|rebuilt|split|set|put|kept|found|ran|cut|went)\b
  [^.]{3,60} (?:has|have) been [a-z]+ed\b
`)

/** A new state, or a cause. */
const RESULT = [
  /\b(?:(?:is|are) now|no longer|(?:has|have) been|root cause|because)\b|\bnow \w+(?:s|ed)\b/i,
  /\b(?:was|were) (?:\w+ed|missing|caused|due)\b/i,
]

const RESULT_JAPANESE = /(?:ました|した|なりました|済み(?:です)?|原因(?:は|です)[^。]*)[。！]?$/
const NO_RESULT_JAPANESE = [
  /(?:(?:し|い|き|り|ち|び|み|え|れ|せ|て)ます|ください|でしょう|予定です|思います)[。！]?$/,
  /(?:コミット|プッシュ)(?:し|され)ました[。！]?$/,
  /^(?:完了しました|承知(?:いた)?しました|了解しました|わかりました|はい|以下|ありがとう)[^、]*[。！：:]?$/,
]

/** What came of the work by this answer, at most 180 characters; empty if the answer does not say it. */
export const findResultSentence = (answer: string): string =>
  findSentence(answer, isDeed, DEED_SENTENCES_MAX) || findSentence(answer, isResult)

/** What the answer says first of substance, for a question that changed nothing; empty if there is no such sentence. */
export const findAnswerSentence = (answer: string): string => findSentence(answer, () => true)

function findSentence(answer: string, isWanted: (sentence: string) => boolean, max = RESULT_SENTENCES_MAX): string {
  const sentence = splitSentences(answer)
    .slice(0, RESULT_SENTENCES_MAX)
    .map(clean)
    .filter(isSubstantial)
    .slice(0, max)
    .find(isWanted)
  return sentence === undefined ? '' : truncateAtWord(shorten(sentence), SENTENCE_CHARS_MAX)
}

const isDeed = (sentence: string): boolean => DEED.test(sentence) || RESULT_JAPANESE.test(sentence)

const isResult = (sentence: string): boolean =>
  RESULT.some((pattern) => pattern.test(sentence)) || RESULT_JAPANESE.test(sentence)

function isSubstantial(sentence: string): boolean {
  if (/[?？]$/.test(sentence) || NO_RESULT.test(sentence) || ONLY_STATE.test(sentence)) return false
  if (LIST_HEADING.test(sentence) || NO_RESULT_JAPANESE.some((pattern) => pattern.test(sentence))) return false
  const isJapanese = /[\u3040-\u30ff\u3400-\u9fff]{4}/.test(sentence)
  if (isJapanese) return sentence.length >= 8
  const words = shorten(sentence).split(/\s+/).length
  // "I've fixed the bug." says no more than that there was one.
  const wordsMin = /[:：]$/.test(sentence) ? 6 : /[`/\d]|[a-z][A-Z]/.test(sentence) ? 3 : 4
  return words >= wordsMin
}

/** Without emphasis, pictures and a label at the beginning ("Done — …"). */
const clean = (sentence: string): string =>
  sentence
    .replace(/\*\*|__|^\[[ x]\] /g, '')
    .replace(/\p{Extended_Pictographic}|\ufe0f/gu, '')
    .replace(
      /^(?:summary(?: of (?:the )?changes)?|tl;dr|results?|(?:the )?(?:fix|solution|cause)|what changed)\s*[:：]\s*/i,
      '',
    )
    .replace(/^(?:done|fixed|perfect|great|excellent|found it|yes|no)\s*(?:[-—–:,.!]+)\s+(?=\S)/i, '')
    .replace(/^(?:looking at|based on|from) [^,]{3,60}, (?:i can see (?:that )?)?/i, '')
    .trim()

/** "I've successfully added X:" as "Added X". */
function shorten(sentence: string): string {
  const bare = sentence.replace(
    /^(?:I|We)(?:'ve| have)? (?:(?:successfully|also|now|just) )*(?=[a-z]+ed\b|made\b|wrote\b)/,
    '',
  )
  // A file or an identifier at the beginning keeps its case.
  const capitalized = /^[a-z]+(?:\s|$)/.test(bare) ? capitalize(bare) : bare
  return capitalized.replace(/[\s:：.。!！]+$/, '')
}

/** `not yet pushed` and `unpushed`. */
const NOT = '(?:not (?:yet |been |seen )*|un)'

/** What is not done: often only the sentence that sums up a session says it. `.Interrupted` is a name. */
export const NOT_DONE = pattern(
  String.raw`(?<!\.)\b(?:${NOT}(?:pushed|committed|merged|released|published|posted|finished|(?<!un)done|verified|
    tested|deployed|fixed|answered|resolved|decided|started|completed|implemented)(?: yet| (?:or|nor|and) \w+ed)*|
    still (?:fails?|failing|open|pending|missing|running|broken|to (?:do|be))|
    (?:remains?|left|stay(?:s|ed)) (?:open|undecided|to (?:do|be))|TODO|next steps?|
    await(?:s|ing)|waiting for|(?:is|are|was|were|run) pending|interrupted|yet to)\b|
    未(?:プッシュ|コミット|マージ|公開|完了|完成|対応|解決|着手|実装|確認|検証|修正|決定?|回答)|
    (?:まだ|失敗した|落ちた|動かない)まま|残(?:って|り|る|課題)|途中|中断|保留|待ち|次の(?:作業|ステップ|段階)`,
  'i',
)

/** A step after the work on files that is missing: “not pushed yet”; or that an open task is about: “Commit of …”. */
const MISSING_STEP = pattern(
  String.raw`(?:\b${NOT}|未)(commit|push|merg|releas|publish|deploy|コミット|プッシュ)|
    ^(?:the |a )?(?:\w+[ -])?(commit|push)(?= (?:of|to|the|for)\b|:|$)|^changed after the last (commit)`,
  'i',
)
const JAPANESE_STEPS: Readonly<Record<string, string>> = { コミット: 'commit', プッシュ: 'push' }

/** That step as the beginning of its verb: `push`, `merg`; undefined if the text names none. */
export function missingStep(text: string): string | undefined {
  const step = MISSING_STEP.exec(text)?.slice(1).find(Boolean)?.toLowerCase()
  return step === undefined ? undefined : (JAPANESE_STEPS[step] ?? step)
}

/** The field of a summary's metadata with the first line that says something is not done, if it is done by now. */
export const DONE = 'done'

const OPEN_LINE_CHARS = 240

/** A summary's first line, and its clauses that say what is not done: none if all is done by now. */
export function readOpenLine(memory: Pick<Memory, 'content' | 'metadata'>) {
  const line = firstLine(memory.content, OPEN_LINE_CHARS)
  // Without titles and what is listed below it.
  const stated = listDone(memory).includes(line) ? '' : line.replace(/"[^"]*"|; (?:open|asked): .*|^Worked on: .*/g, '')
  return { line, clauses: stated.split(/[;,.](?:\s|$)|[。、]/).filter((clause) => NOT_DONE.test(clause)) }
}

/** The texts of what is done by now, of which a summary's line or an item said that it is not. */
export const listDone = ({ metadata }: Pick<Memory, 'metadata'>): readonly string[] =>
  Array.isArray(metadata[DONE]) ? metadata[DONE].map(String) : []
