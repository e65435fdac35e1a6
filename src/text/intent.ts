// Intent: what a person's prompt signals beyond its task, in English and Japanese. Precision before recall: a wrong
// preference is worse than a missed one.
import { sentencesOf } from './excerpt.ts'

export interface UserSignal {
  readonly kind: 'remember' | 'preference' | 'decision' | 'correction' | 'thanks' | 'complaint'
  /** The sentence to keep, at most 400 characters. */
  readonly text: string
}

const TEXT_CHARS_MAX = 400
/** What is longer was pasted: only its first and last sentences are the person's own words. */
const OWN_SENTENCES = 6

const RULES: readonly (readonly [UserSignal['kind'], RegExp])[] = [
  [
    'remember',
    /^(?:please |pls |and |also,? )*(?:remember|note|keep in mind|don'?t forget)(?: that|:| to\b| this)|(?:を|と|ことを|ように)?覚えて(?:おいて|おくように|ください)|忘れないで/i,
  ],
  [
    'preference',
    /^(?:please |pls |and |also,? |but )*(?:always|never|from now on|going forward|in (?:the )?future,|by default,?|i (?:always |really |strongly )?prefer|i'?d (?:rather|prefer)|i don'?t (?:like|want) (?:you|it when)|i (?:like|want) (?:you to|all|every|my))\b|^(?:please )?(?:use|write|keep|answer|make|do|run|prefer|avoid|add|don'?t \w+|do not \w+)\b[^.?]*\b(?:always|every time|from now on|in every|for all|whenever|never)\b|今後は|これからは|(?:いつも|常に|必ず|毎回)[^？?]*(?:て(?:ください|ほしい|くれ)?|こと|ように|で)[。!！]?$|(?:は|を)(?:絶対に|二度と)?(?:使わ|書か|入れ|し)ないで(?:ください|ほしい)?/i,
  ],
  [
    'decision',
    /\b(?:we|i)(?:'ve| have)? (?:just |finally |already )?decided (?:to|that|on|against)\b|\b(?:the )?decision(?: is|:)|\blet'?s (?:go with|settle on|stick with)\b|\bwe(?:'ll| will| are going to) (?:go with|use|keep|stick with)\b[^?]*(?:instead|because|since|for now on|,|\.)|(?:に|と)(?:決め|決定し)(?:ました|よう|ます|た)(?:。|！|$)|(?:方針|仕様)(?:は|と)[^？]*(?:とする|にする|です)/i,
  ],
  [
    'correction',
    /^(?:no|nope|wrong|actually|stop)[,.!:—-]+ ?\S|^(?:that'?s|this is|that is) (?:not (?:right|what i|correct)|wrong|incorrect)|^not (?:there|that|like that|this)[,.:!;—-]|\bi (?:said|meant|asked (?:you )?(?:for|to))\b.*\b(?:not|instead|rather)\b|^(?:you|it) should(?:n'?t| not) have\b|^(?:いや|違い?ます|違う|ちがう|そうではな|そうじゃな|間違って)|ではなく(?:て)?[、,]?.*(?:てください|にして|直して)/i,
  ],
  [
    'complaint',
    /\b(?:still (?:does(?:n'?t| not)|is(?:n'?t| not)|broken|fail)|you broke|this is (?:terrible|a mess)|again,? (?:it|this) (?:fails|is broken))\b|まだ(?:直って|動か|できて)(?:い)?(?:ない|ません)/i,
  ],
  [
    'thanks',
    /^(?:(?:ok|great|nice|cool|perfect|awesome|excellent)[,!. ]+)*(?:thanks|thank you|thx|perfect|great(?: job| work)?|nice(?: work| job)?|awesome|excellent|well done|works now|that works|looks good|lgtm)\b(?![^.!]*\bbut\b)|^(?:ありがとう|助かり|完璧|素晴らし|いいですね|うまくいき)/i,
  ],
]

/** A question is no order; an interruption's own text is nobody's. */
const NO_SIGNAL =
  /[?？]\s*$|^\[Request interrupted|^<|^(?:should|could|can|would|do|does|did|is|are|was|what|why|how|when|where|which|who)\b(?! not)/i

/** The signals of a prompt, in order; one sentence gives one signal. Questions, code, quotes and pasted text give none. */
export function userSignals(prompt: string): readonly UserSignal[] {
  const own = prompt
    .split('\n')
    .filter((line) => !/^\s*(?:>|\$|\||at |\d+\s*[|:]|[A-Z]+:|\[|\{|<|\+|-{2,})/.test(line))
    .join('\n')
  const all = sentencesOf(own)
  const sentences =
    all.length <= 2 * OWN_SENTENCES ? all : [...all.slice(0, OWN_SENTENCES), ...all.slice(-OWN_SENTENCES)]
  return sentences.flatMap((sentence) => {
    if (sentence.length > 600 || NO_SIGNAL.test(sentence)) return []
    const rule = RULES.find(([, pattern]) => pattern.test(sentence))
    return rule ? [{ kind: rule[0], text: sentence.slice(0, TEXT_CHARS_MAX) }] : []
  })
}
