// User signals: what a prompt says beyond its task, in English and Japanese. Precision before recall: a wrong
// preference is worse than a missed one.
import type { PromptSignal } from '../../model/event.ts'
import { splitSentences } from '../excerpt.ts'
import { isClientPrompt } from '../promptText.ts'

/** The text of a signal. */
const TEXT_CHARS_MAX = 400
/** A longer sentence is pasted text or a line of a log. */
const SENTENCE_CHARS_MAX = 600
/** Of a longer prompt both ends are read, this much each; the middle is pasted text. */
const END_CHARS = 4000
/** Of many sentences only this many at both ends are the user's own words. */
const TYPED_SENTENCES = 6

/** The signals of a prompt, in order, at most one per sentence. Questions, code, quotes and pasted text give none. */
export function detectUserSignals(prompt: string): readonly PromptSignal[] {
  if (isClientPrompt(prompt) || COMMAND_OR_PLAN.test(prompt)) return []
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
  const opening = isJapanese ? sentence : skipFillers(sentence)
  const rules = isJapanese ? selectJapaneseRules(sentence) : selectEnglishRules(opening)
  return rules.find(([kind, pattern]) => (canBeReaction || !REACTIONS.includes(kind)) && pattern.test(opening))?.[0]
}

/** Commands of memctl, and an approved plan: their sentences are no reactions. */
const COMMAND_OR_PLAN = /^\s*(?:\/memctl:|Implement the following plan)/
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

/** The pattern is tested on the sentence in lower case and without leading fillers. */
type SignalRule = readonly [kind: PromptSignal['kind'], pattern: RegExp]

const FILLERS =
  'please pls and also but ok okay yes yeah yep so then hmm oh well great nice cool perfect awesome excellent good sorry'

/** A lower-case sentence without leading fillers. A sentence that only praises stays. */
function skipFillers(sentence: string): string {
  let opening = sentence
  for (;;) {
    const [match, filler = ''] = /^([a-z]+)[,.!… ]+(?=[a-z])/.exec(opening) ?? []
    if (match === undefined || !FILLERS.split(' ').includes(filler) || isPraise(opening)) return opening
    opening = opening.slice(match.length)
  }
}

const isPraise = (opening: string): boolean =>
  /^(?:perfect|great|awesome|excellent|amazing|fantastic|brilliant|wonderful|nice|good|works|lgtm)(?: (?:job|work|one|stuff|find|catch|now))?[^\w]*$/.test(
    opening,
  )

/** The rules for a sentence, in the order in which they are tried. */
function selectEnglishRules(opening: string): readonly SignalRule[] {
  if (isPraise(opening)) return [['thanks', /^/]]
  const word = /^[a-z]+/.exec(opening)?.[0] ?? ''
  return [...(isLasting(opening) ? [LASTING_REQUEST] : []), ...rulesForWord(word)]
}

const LASTING_REQUEST: SignalRule = [
  'preference',
  /^(?:use|write|keep|answer|reply|make|run|prefer|avoid|add|always|never|from|going|we should|do not|don't|commit|put|name|format|test) /,
]

/** Whether the sentence is about the future, such as "… from now on". */
const isLasting = (opening: string): boolean =>
  /\bfrom now on\b|\bgoing forward\b|\bevery time\b|\bin (?:the )?future(?=[,.!]|$)|\bwherever (?:we|you) can\b/.test(
    opening,
  )

/** A request has the verb's base form; "always returns null", "never called" and "never mind" are no requests. */
const ALWAYS =
  '(?:always (?!(?:the|an?|in|on|at|be|been|has|had|was|null|true|false|empty|there|\\w+[^s]s|\\w+(?:ed|en))\\b)[a-z]|never (?!(?:mind|the|an?|been|had|has|was|got|happens?|\\w+[^s]s|\\w+(?:ed|en|wn))\\b)[a-z])'
/** A decision for "A", "#4" or "option 2" means nothing without the list. */
const CHOICE =
  '(?!(?:the )?(?:\\w|#?\\d+|that|this|it|option \\S+|(?:first|second|third|last|latter|former|other)(?: (?:one|option))?)(?:[^\\w]*$|\\)|,| and\\b| then\\b| for now\\b| please\\b))\\S'

function rulesForWord(word: string): readonly SignalRule[] {
  switch (word) {
    case 'remember':
      return [['remember', /^remember(?: that|:| to\b|,)/]]
    case 'keep':
    case 'bear':
      return [['remember', /^\w+ in mind(?: that|:)/]]
    case 'save':
    case 'store':
    case 'add':
    case 'commit':
      return [['remember', /^\w+ (?:this|that|it) (?:to|in) (?:your |the )?memory\b/]]
    case 'don':
    case 'do':
      return [
        ['remember', /^do(?: not|n't) forget(?: that|:)/],
        ['preference', /^do(?: not|n't) ever [a-z]/],
      ]
    case 'make':
      return [
        ['remember', /^make a note (?:that|to|:)/],
        ['preference', new RegExp(`^make sure (?:to|you|that you) ${ALWAYS}`)],
      ]
    case 'always':
    case 'never':
      return [['preference', new RegExp(`^${ALWAYS}`)]]
    case 'from':
    case 'going':
      return [['preference', /^(?:from now on|going forward)\b/]]
    case 'in':
    case 'when':
    case 'whenever':
      return [
        [
          'preference',
          new RegExp(
            `^(?:in this|when(?:ever)? (?:you|we|i|\\w+ing))\\b[^,]{3,60},? (?:please )?(?:we |you should )?${ALWAYS}`,
          ),
        ],
      ]
    case 'i':
      return [
        [
          'preference',
          /^i(?:(?: always| really| strongly| generally| usually)? prefer|'d (?:rather|prefer)| would (?:rather|prefer)) (?!(?:that|this|it|not|the (?:first|second|latter|former))\b[^\w]*$)\S+ \S|^i don't like (?:it when|how|when) you/,
        ],
        ['preference', new RegExp(`^i (?:want|would like|need) you to ${ALWAYS}`)],
        ...DECIDED,
        ...STILL,
        [
          'correction',
          /^i (?:said|meant|asked (?:you )?(?:for|to))\b.*\b(?:not|instead|rather)\b|^i (?:didn't|did not) (?:ask|want|tell|say)\b/,
        ],
        ['thanks', /^i (?:love|like) it[^\w]*$/],
      ]
    case 'we':
      return [
        [
          'preference',
          /^we (?:always|never) (?:use|run|write|commit|push|deploy|merge|add|put|name|call|test|format|sign|squash|rebase|review)\b/,
        ],
        ...DECIDED,
        [
          'decision',
          new RegExp(
            `^we(?:'ll|'re| will| are)(?: going to)? (?:going with|go with|stick(?:ing)? (?:with|to)) ${CHOICE}`,
          ),
        ],
      ]
    case 'let':
      return [['decision', new RegExp(`^let's (?:go with|settle on|stick (?:with|to)) ${CHOICE}`)]]
    case 'the':
    case 'our':
    case 'final':
    case 'decision':
      return [...DECIDED, ['decision', /^(?:(?:the|our|final) )*decision(?: is|:) (?!["'{[])\S/], ...STILL]
    case 'no':
    case 'nope':
    case 'wrong':
      return [
        [
          'correction',
          /^\w+[,.!:—-]+ ?(?!(?:but|problem|worries|need|idea|thanks|wait|just|(?:it|that)'?s (?:fine|ok|all)|we'?re good)\b)\S+ \S/,
        ],
        ['correction', /^no (?:revert|remove|don't|do not|use|keep|put|change|undo|i (?:meant|said|asked))\b/],
      ]
    case 'not':
      return [['correction', /^not (?:there|that|like that|this|what i)[,.:!;— -]/]]
    case 'actually':
      return [['correction', /^actually,? (?:use|it should|no|don't|i (?:meant|want))\b/]]
    case 'stop':
      return [
        ['preference', /^stop (?:adding|using|writing|putting|making|creating|committing|asking|doing)\b/],
        ['correction', /^stop[,.!:—-]+ ?\S+ \S/],
      ]
    case 'you':
      return [
        ['preference', new RegExp(`^you (?:should|must) ${ALWAYS}`)],
        ['correction', /^you should(?:n't| not) have\b|^you (?:misunderstood|forgot|ignored|missed)\b/],
        ['complaint', /^you (?:just )?broke\b/],
      ]
    case 'it':
    case 'its':
    case 'that':
    case 'this':
      return [
        ['correction', /^\w+(?:'s| is) (?:not (?:right|what i|correct|how)|wrong\b(?! (?:if|when))|incorrect)/],
        [
          'complaint',
          /^this is (?:terrible|a mess|useless|frustrating)|^(?:it|this)(?:'s| is)? (?:broke|broken|failing|fails|crashe[sd]) again\b/,
        ],
        ...STILL,
        ['thanks', /^\w+(?:'s| is)? (?:perfect|great|awesome|excellent|amazing|works)[^\w]*$/],
        WORKS,
      ]
    case 'works':
    case 'looks':
      return [WORKS]
    case 'test':
    case 'tests':
    case 'build':
    case 'same':
    case 'still':
      return [
        ...STILL,
        ['complaint', /^same (?:error|problem|issue)\b|^still (?:broken|failing|not|doesn't|the same|wrong)/],
      ]
    case 'thanks':
    case 'thank':
    case 'thx':
    case 'many':
      return [['thanks', /^(?:many )?(?:thanks|thx|thank you)\b(?! to (?!you\b))(?!.*\b(?:but|however|except)\b)/]]
    default:
      return []
  }
}

const DECIDED: readonly SignalRule[] = [
  [
    'decision',
    /^(?:we|i|the team)(?:'ve| have| has)? (?:just |finally |already |now )?(?:decided (?:to|that|on|against|not to)|settled on|chose \S+ (?:over|because|instead|for)|agreed (?:to|on|that)) \S/,
  ],
]
const STILL: readonly SignalRule[] = [
  [
    'complaint',
    /^(?:i guess )?(?:it|this|that|the \w+(?: \w+)?|tests?|build|same error)(?:'s| is| are)? still (?:not?\b|broken|fail|does|is(?:n't| not)|are(?:n't| not)|won't|can't|shows?|display|wrong|happen|throw|crash|the same|gives?)/,
  ],
]
const WORKS: SignalRule = [
  'thanks',
  /^(?:(?:it|that|this) )?(?:works|looks) (?:now|great|perfectly|well|good|perfect|like a charm)(?! (?:but|except|if|only|on|for|when))(?!.*\b(?:but|however|except|only)\b)/,
]

/** The rules for a sentence, in the order in which they are tried. A question or a condition has none. */
function selectJapaneseRules(sentence: string): readonly SignalRule[] {
  const contains = (...words: readonly string[]) => words.some((word) => sentence.includes(word))
  const rules: SignalRule[] = []
  if (
    /(?:です|ます|でしょう|ました|ません|べき|[るたの])か(?:な|ね)?。?$|(?:かな|かしら|かも)。?$|もし|なら|場合/.test(
      sentence,
    )
  )
    return rules
  if (contains('覚えて', '記憶して', 'メモして', '忘れないで'))
    rules.push([
      'remember',
      /(?:[をとはも、]|これ|ように|^)(?:よく)?(?:覚えて|記憶して|メモして)(?:おいて|おくように|ください|下さい|ね|。|$)|忘れないで(?:ください|下さい|ね|ほしい|。|$)/,
    ])
  // A request to search or to explain is a task.
  if (!/(?:予定|探し|教え|調べ|見つけ|列挙し|説明し|直し|修正し|作っ|実装し|追加し)/.test(sentence)) {
    if (contains('今後', 'これから', '次回から', '次から', '以後', '以降'))
      rules.push([
        'preference',
        /(?:今後|これから|次回から|次から|以後|以降)(?!の|\s).*(?:て(?:ください|下さい|ほしい|欲しい|くれ|ね|よ)?|で(?:ください|下さい|ほしい|欲しい|お願いします)|[るいうくすつむぶぐ](?:こと|ように)(?:して(?:ください|下さい|ほしい)?|する)?|お願いします|を(?:使う|使用する))[。!！]*$/,
      ])
    if (contains('いつも', '常に', '必ず', '毎回', '絶対に', '二度と', '決して', '原則'))
      rules.push([
        'preference',
        /(?:いつも|常に|必ず|毎回|絶対に|二度と|決して|原則)(?!.*(?:失敗し|落ち|返っ|なって|出て|起き|発生し|壊れ|止まっ)).*(?:て(?:ください|下さい|ほしい|欲しい|くれ|ね)?|ないで(?:ください|下さい|ほしい|ね)?|[るいうくす](?:こと|ように)(?:して(?:ください|下さい)?)?)[。!！]*$/,
      ])
    if (contains('ないで', '好み', '好き'))
      rules.push([
        'preference',
        /[はを](?:勝手に|もう).*ないで(?:ください|下さい|ほしい|ね)?[。!！]*$|は(?:使わ|書か|入れ|付け|つけ)ないで(?:ください|下さい|ほしい|ね)[。!！]*$|(?:方|ほう)が(?:好み|好き)(?:です|だ)?[。!！]*$/,
      ])
  }
  if (contains('決め', '決定', '決まり', 'ことに', '方針', '仕様', '結論', 'ましょう'))
    rules.push([
      'decision',
      /[にと](?:決め|決定し|決まり)(?:ました|ましょう|よう|ます|た)(?:。|！|!|$)|[るうくすつむぶぐい]ことに(?:し(?:ました|ます|た|よう)|なりました)(?:。|！|!|$)|^(?:方針|仕様|結論)[はと].*(?:とする|にする|です|でいく|で行く)[。！!]*$|で(?:いき|行き)ましょう[。！!]*$/,
    ])
  if (contains('違', 'ちが', '間違', '誤り', 'いや', 'いいえ', 'では', 'じゃ', '頼んで', '言って', 'お願いして'))
    rules.push([
      'correction',
      /^(?:いや|いいえ)[、,。]|^(?:それ[はも]?)?(?:違い?ます|違う|ちがう|違って|間違って|(?:間違い|誤り)(?:です|だ|[。、!！]|$))|^(?:そう|それ|そこ)(?:では|じゃ|でも)?な[いく]|^そう(?:じゃ|では)な|ではなく(?:て)?[、,]?[^。]*(?:てください|て下さい|にして|直して|お願いします)[。！!]*$|(?:頼んで|言って|お願いして)い?(?:ない|ません)/,
    ])
  if (contains('まだ', 'また', '相変わらず', 'ひどい', '困り'))
    rules.push([
      'complaint',
      /(?:まだ|また|相変わらず).*(?:(?:直って|動か|動いて|できて|変わって)い?(?:ない|ません)|(?:失敗し|落ち|壊れ|エラー).*(?:ます|た|る|です))[。！!]*$|(?:ひどい|困ります)(?:です)?[。！!]*$/,
    ])
  rules.push([
    'thanks',
    /^(?:(?:本当に|どうも|いつも|おお|よし|完璧|はい|うん)[、。！! ]*)*(?:(?:ありがとう|有難う|有り難う|サンキュー)(?:ございま|です|ね|[、。！! ]|$)|助かりま|助かった|(?:完璧|最高|いい感じ)(?:です|だ|[！!。]|$)|素晴らし|すばらし|いいですね|うまくい[きっ]|動きました|直りました|さすが)(?!.*(?:が、|けど|けれど|でも|しかし|ただ))/,
  ])
  return rules
}
