// User signals: what a prompt says beyond its task, in English and Japanese. Precision before recall: a wrong
// preference is worse than a missed one.
import type { PromptSignal } from '../../model/event.ts'
import { splitSentences } from '../excerpt.ts'
import { pattern } from '../pattern.ts'
import { isClientPrompt, isHandedOverPlan } from '../promptText.ts'

const TEXT_CHARS_MAX = 400
/** A longer sentence is pasted text or a line of a log. */
const SENTENCE_CHARS_MAX = 600
/** Of a longer prompt both ends are read, this much each; the middle is pasted text. */
const END_CHARS = 4000
/** Of many sentences only this many at both ends are the user's own words. */
const TYPED_SENTENCES = 6

/** The signals of a prompt, in order, at most one per sentence. Questions, code, quotes and pasted text give none. */
export function detectUserSignals(prompt: string): readonly PromptSignal[] {
  if (isClientPrompt(prompt) || isHandedOverPlan(prompt) || prompt.trimStart().startsWith('/memctl:')) return []
  const sentences = splitTypedSentences(prompt)
  const signals: PromptSignal[] = []
  sentences.forEach((sentence, i) => {
    if (sentence.length > SENTENCE_CHARS_MAX || /[?？]["')」）]?$|^["'“‘「『`([]/.test(sentence)) return
    // A reaction is at the beginning or the end of a prompt; a heading is none.
    const canBeReaction = (i < 2 || i === sentences.length - 1) && !/[:：]$/.test(sentence)
    const kind = classifySentence(sentence.toLowerCase().replaceAll('’', "'"), canBeReaction)
    if (kind) signals.push({ kind, text: sentence.slice(0, TEXT_CHARS_MAX) })
  })
  return signals
}

const REACTIONS: readonly PromptSignal['kind'][] = ['correction', 'thanks', 'complaint']

function classifySentence(sentence: string, canBeReaction: boolean): PromptSignal['kind'] | undefined {
  const isJapanese = /[\u3040-\u30ff\u4e00-\u9fff]/.test(sentence)
  const kind = isJapanese ? classifyJapanese(sentence) : classifyEnglish(skipFillers(sentence))
  return kind !== undefined && REACTIONS.includes(kind) && !canBeReaction ? undefined : kind
}

/** Lines of quotes, logs, tables, code or diffs. */
const PASTED_LINE =
  /^\s*(?:[>$|<{}[+#]|at |\d+\s*[|:]|[A-Z]{2,}:|\/\/|\/?\*|-{2,}|@@|\d{4}[-/]\d\d|\w+[:(]\d+|(?:import|const|let|func|def|class|return|var) )/
const BARE_NO = /^(?:no|nope|wrong|that'?s wrong|違います|違う|いいえ|いや)[.!。！]$/i

/** The sentences that the user typed: without code, quotes, tags and the middle of a long prompt. */
function splitTypedSentences(prompt: string): readonly string[] {
  const ends = prompt.length > 2 * END_CHARS ? `${prompt.slice(0, END_CHARS)}\n\n${prompt.slice(-END_CHARS)}` : prompt
  const typed = (ends.includes('</') ? ends.replace(/<([a-z][\w-]*)[^<>]*>[^<]*<\/\1>/g, '\n') : ends)
    .split('\n')
    .filter((line) => line.startsWith('```') || !PASTED_LINE.test(line))
    .join('\n')
  const sentences: string[] = []
  for (const sentence of splitSentences(typed)) {
    const before = sentences.at(-1)
    // "No. Use X instead." is one reaction.
    if (before !== undefined && BARE_NO.test(before)) sentences[sentences.length - 1] = `${before} ${sentence}`
    else sentences.push(sentence)
  }
  return sentences.length <= 2 * TYPED_SENTENCES
    ? sentences
    : [...sentences.slice(0, TYPED_SENTENCES), ...sentences.slice(-TYPED_SENTENCES)]
}

const FILLER =
  /^(?:please|pls|and|also|but|ok|okay|yes|yeah|yep|so|then|hmm|oh|well|great|nice|cool|perfect|good|sorry)[,.!… ]+(?=[a-z])/

/** A lower-case sentence without leading fillers. A sentence that only praises stays. */
function skipFillers(sentence: string): string {
  let opening = sentence
  while (!PRAISE.test(opening) && FILLER.test(opening)) opening = opening.replace(FILLER, '')
  return opening
}

const PRAISE =
  /^(?:perfect|great|awesome|excellent|amazing|nice|good|works|lgtm)(?: (?:job|work|one|catch|now))?[^\w]*$/

/** A request has the verb's base form; "always returns null", "never called" and "never mind" are no requests. */
const ALWAYS = String.raw`(?:always (?!(?:the|an?|in|on|at|be|been|has|had|was|null|true|false|empty|there|\w+[^s]s|
  \w+(?:ed|en))\b)[a-z]|never (?!(?:mind|the|an?|been|had|has|was|got|happens?|\w+[^s]s|\w+(?:ed|en|wn))\b)[a-z])`
/** A decision for "A", "#4" or "option 2" means nothing without the list. */
const CHOICE = String.raw`(?!(?:the )?(?:\w|#?\d+|that|this|it|option \S+|(?:first|second|third|last|latter|former|
  other)(?: (?:one|option))?)(?:[^\w]*$|\)|,| and\b| then\b| for now\b| please\b))\S`

/** Kind, first words of a sentence, and the pattern: a cold hook compiles only those that its words may match. */
const ENGLISH: readonly (readonly [kind: PromptSignal['kind'], words: string, source: string])[] = [
  [
    'remember',
    'remember keep bear do don make',
    String.raw`^(?:remember(?: that|:| to\b|,)|(?:keep|bear) in mind(?: that|:)|do(?: not|n't) forget(?: that|:)|
      make a note )`,
  ],
  ['preference', 'always never make i you', `^(?:make sure (?:to|you) |i (?:want|need) you to |you should )?${ALWAYS}`],
  ['preference', 'when whenever', `^when(?:ever)? (?:you|we|i)\\b[^,]{3,60},? (?:please )?${ALWAYS}`],
  ['preference', 'do don', "^do(?: not|n't) ever [a-z]"],
  [
    'preference',
    'we',
    String.raw`^we (?:always|never) (?:use|run|write|commit|push|deploy|merge|test|format|sign|squash|rebase|review)\b`,
  ],
  ['preference', 'stop', '^stop (?:adding|using|writing|putting|making|creating|committing|asking|doing)\\b'],
  [
    'preference',
    'i',
    String.raw`^i(?:'d|(?: always| really)?| would) (?:prefer|rather) (?!(?:that|this|it|not)\b[^\w]*$)\S+ \S`,
  ],
  [
    'decision',
    'we i',
    "^(?:we|i)(?:'ve| have)? (?:decided (?:to|that|on|against)|settled on|agreed (?:to|on|that)) \\S",
  ],
  [
    'decision',
    'let we',
    `^(?:let's|we(?:'ll|'re| will| are)(?: going to)?) (?:go|going|stick|sticking) (?:with|to) ${CHOICE}`,
  ],
  ['decision', 'the our final decision', '^(?:(?:the|our|final) )*decision(?: is|:) (?!["\'{[])\\S'],
  [
    'correction',
    'no nope wrong',
    String.raw`^\w+[,.!:—-]+ ?(?!(?:but|problem|worries|need|idea|thanks|wait|just|(?:it|that)'?s (?:fine|ok|all)|
      we'?re good)\b)\S+ \S|^no (?:revert|remove|don't|do not|use|keep|put|change|undo)\b`,
  ],
  ['correction', 'not', '^not (?:there|that|this)[,.:!;— -]'],
  ['correction', 'i', "^i (?:said|meant) .*\\b(?:not|instead)\\b|^i (?:didn't|did not) (?:ask|want)\\b"],
  ['correction', 'you', "^you (?:should(?:n't| not) have|misunderstood|forgot|ignored|missed)\\b"],
  [
    'correction',
    'it its that this',
    String.raw`^\w+(?:'s| is) (?:not (?:right|what i|correct)|wrong\b(?! (?:if|when))|incorrect)`,
  ],
  ['complaint', 'you', '^you (?:just )?broke\\b'],
  [
    'complaint',
    'i it that this the tests test build same still',
    String.raw`^same (?:error|problem|issue)\b|^still (?:broken|failing|not|doesn't|the same|wrong)|^(?:i guess )?(?:it|
      this|that|the \w+|tests?|build)(?:'s| is| are)? still (?:not?\b|broken|fail|does|is(?:n't| not)|won't|can't|
      shows?|display|wrong|throw|crash|the same)|^(?:it|this)(?:'s| is)? (?:broken?|fail(?:s|ing)) again\b`,
  ],
  [
    'thanks',
    'many thanks thx thank',
    String.raw`^(?:many )?(?:thanks|thx|thank you)\b(?! to (?!you\b))(?!.*\b(?:but|however|except)\b)`,
  ],
  [
    'thanks',
    'it its that this works looks',
    String.raw`^\w+(?:'s| is)? (?:perfect|great|awesome|works)[^\w]*$|^(?:(?:it|that|this) )?(?:works|looks) (?:now|
      great|perfectly|well|good)(?! (?:but|except|if|only|on|for|when))(?!.*\b(?:but|however|except|only)\b)`,
  ],
]

/** A wish that says that it lasts, whatever its first word. */
const LASTING = /\b(?:from now on|going forward|every time)\b|\bin (?:the )?future(?=[,.!]|$)|\bwherever we can\b/
const ASKING =
  /^(?:from|going|we should|use|write|keep|answer|reply|make|run|avoid|add|do not|don't|commit|put|name|test) /

function classifyEnglish(opening: string): PromptSignal['kind'] | undefined {
  if (PRAISE.test(opening)) return 'thanks'
  if (LASTING.test(opening) && ASKING.test(opening)) return 'preference'
  const first = /^[a-z]+/.exec(opening)?.[0] ?? ''
  return ENGLISH.find(([, words, source]) => words.split(' ').includes(first) && pattern(source).test(opening))?.[0]
}

/** A question or a condition. */
const JAPANESE_QUESTION =
  /(?:です|ます|でしょう|ました|ません|べき|[るたの])か(?:な|ね)?。?$|(?:かな|かも)。?$|もし|なら|場合/

/** A request to search, to explain or to change something is a task. */
const NO_TASK = '(?!.*(?:予定|探し|教え|調べ|見つけ|列挙し|説明し|直し|修正し|作っ|実装し|追加し))'

const REQUEST =
  '(?:て(?:ください|下さい|ほしい|くれ|ね)?|で(?:ください|下さい|ほしい|お願いします)?|お願いします|を使う|[るいうくす](?:こと|ように)(?:して(?:ください|下さい)?)?)[。!！]*$'

const JAPANESE: readonly (readonly [kind: PromptSignal['kind'], words: RegExp, source: string])[] = [
  [
    'remember',
    /て|で/,
    '(?:覚えて|記憶して|メモして)(?:おいて|おくように|ください|下さい|ね|。|$)|忘れないで(?:ください|下さい|ね|。|$)',
  ],
  [
    'preference',
    /今後|これから|次から|以後|以降/,
    `^${NO_TASK}.*(?:今後|これから|次から|以後|以降)(?!の|\\s).*${REQUEST}`,
  ],
  [
    'preference',
    /いつも|常に|必ず|毎回|絶対に|決して|原則/,
    `^${NO_TASK}.*(?:いつも|常に|必ず|毎回|絶対に|決して|原則)(?!.*(?:失敗し|落ち|返っ|なって|出て|起き)).*${REQUEST}`,
  ],
  [
    'decision',
    /決|ことに/,
    '[にと](?:決め|決定し|決まり)(?:ました|ましょう|ます|た)(?:。|$)|ことに(?:し|なり)(?:ました|た)(?:。|$)',
  ],
  [
    'correction',
    /いや|いいえ|違|間違|そう|それ/,
    '^(?:いや|いいえ)[、,。]|^(?:それ[はも]?)?(?:違い?ます|違う|間違って|間違い(?:です|だ|[。、]|$))|^(?:そう|それ)(?:では|じゃ)な[いく]',
  ],
  [
    'complaint',
    /まだ|また|相変わらず/,
    '(?:まだ|また|相変わらず).*(?:(?:直って|動か|動いて|できて)い?(?:ない|ません)|(?:失敗し|落ち|壊れ|エラー).*(?:ます|た|る|です))[。！!]*$',
  ],
  [
    'thanks',
    /ありがとう|助か|完璧|最高|うまく|動き|直り/,
    '^(?:ありがとう(?:ございま|です|ね|[、。！! ]|$)|助かりま|助かった|(?:完璧|最高)(?:です|だ|[！!。]|$)|うまくい[きっ]|動きました|直りました)(?!.*(?:が、|けど|しかし))',
  ],
]

const classifyJapanese = (sentence: string): PromptSignal['kind'] | undefined =>
  JAPANESE_QUESTION.test(sentence)
    ? undefined
    : JAPANESE.find(([, words, source]) => words.test(sentence) && pattern(source).test(sentence))?.[0]
