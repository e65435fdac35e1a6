// What a prompt asks for, in one clause: without greetings, agreement, pasted text and what the client wrote.
import { isClientPrompt } from './clientPrompt.ts'
import { splitSentences, truncateAtWord } from './excerpt.ts'
import { removePasted } from './pastedText.ts'
import { phrasePattern } from './phrasePattern.ts'

const CLAUSE_CHARS_MAX = 110

/** Sentences looked at: what a person asks for is said near the beginning, or after a pasted text. */
const SENTENCES_MAX = 40

/** Words that ask for nothing by themselves: "yes, commit this and push", "go on", "option 2". */
const EMPTY_WORDS = new Set(
  (
    'yes yeah yep yup no nope ok okay sure please pls thanks thank you great perfect nice cool good fine commit push ' +
    'continue proceed go on ahead do it this that them these those all both now then and or the a b c your my our ' +
    'changes change work again try retry done more next option options first second third last one two for with same ' +
    'right correct exactly agreed lgtm works wait stop still there here just also let lets us me i think so to ' +
    'are is was be keep going can could would should will what why how about any sorry of in look have see not but'
  ).split(' '),
)

const EMPTY_JAPANESE =
  /^(?:はい|ええ|うん|お願いします|お願い|続けて|続き|進めて|コミット|プッシュ|して|もう一度|ください|了解|わかりました|ありがとう|ございます|どうぞ|それで|その|まま|大丈夫|です|ok|[、。！!\s])+$/i

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
    .slice(0, SENTENCES_MAX)
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
  if (EMPTY_JAPANESE.test(text.trim())) return false
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
