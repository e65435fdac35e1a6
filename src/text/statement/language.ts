// The language of a sentence, as far as traits need it, and the sentence's traits.
import { pattern } from '../pattern.ts'
import { CHINESE_TRAITS } from './chineseTraits.ts'
import { ENGLISH_TRAITS } from './englishTraits.ts'
import { FRENCH_TRAITS, GERMAN_TRAITS, SPANISH_TRAITS } from './europeanTraits.ts'
import { JAPANESE_TRAITS } from './japaneseTraits.ts'
import { TRAITS, type Trait, type TraitPatterns } from './traits.ts'

const EUROPEAN = ['de', 'fr', 'es'] as const
type European = (typeof EUROPEAN)[number]
export type Language = 'en' | 'ja' | 'zh' | European

const PATTERNS: { readonly [Name in Language]: TraitPatterns } = {
  en: ENGLISH_TRAITS,
  ja: JAPANESE_TRAITS,
  zh: CHINESE_TRAITS,
  de: GERMAN_TRAITS,
  fr: FRENCH_TRAITS,
  es: SPANISH_TRAITS,
}

/** Words that only this language has, so that one of them is enough. */
const OWN_WORDS: { readonly [Name in European]: RegExp } = {
  de: pattern(
    String.raw`\b(?:nicht|kein\w*|immer|niemals|wir|ich|und|oder|werden|mussen|muss|durfen|sollen|sollte|bitte|
      statt|sondern|verwende|benutze|wenn|fur|jetzt|merk)\b`,
    'g',
  ),
  fr: pattern(
    String.raw`\b(?:toujours|jamais|nous|utilise[rz]?|faut|doit|doivent|reponds?|pas de|prefere|desormais|dans|
      avec|n'\w+|c'est|j'\w+|quand)\b`,
    'g',
  ),
  es: pattern(
    String.raw`\b(?:siempre|nunca|jamas|prefiero|usa|hay que|debe[ns]?|recuerda|cuando|responde|haz|gracias|
      prueba[s]?|porque|a partir de)\b`,
    'g',
  ),
}
/** Frequent words, some of which other languages have as well. */
const FREQUENT_WORDS: { readonly [Name in European]: RegExp } = {
  de: /\b(?:der|die|das|ist|ein|eine|einen|mit|auf|du|den|dem|zu|nie|vom|soll)\b/g,
  fr: /\b(?:le|la|les|des|une?|et|est|pas|pour|on|je|que|du|il|ne|au|sur)\b|\b[ldnjcqs]'/g,
  es: /\b(?:el|los|las|una?|y|es|para|no|que|del|con|en|por|se|lo|la)\b/g,
}
const ENGLISH_WORDS = pattern(
  String.raw`\b(?:the|is|are|to|of|and|you|we|it|that|this|not|with|can|should|for|always|never|use|don't|please|i|
    be|on|if)\b`,
  'g',
)

/** Straight quotes, and for comparison with European patterns no accents. */
const plain = (text: string): string => text.toLowerCase().replaceAll('’', "'")
const withoutAccents = (text: string): string => text.normalize('NFD').replace(/[\u0300-\u036f]/g, '')

/** English unless the script or the function words say otherwise. */
export function detectLanguage(text: string): Language {
  if (/[\u3040-\u30ff]/.test(text)) return 'ja'
  const han = text.match(/[\u4e00-\u9fff]/g)?.length ?? 0
  if (han >= 2) return 'zh'
  const words = withoutAccents(plain(text))
  const count = (list: RegExp) => words.match(list)?.length ?? 0
  const scores = EUROPEAN.map((language) => 2 * count(OWN_WORDS[language]) + count(FREQUENT_WORDS[language]))
  const best = Math.max(...scores)
  return best >= 2 && best > count(ENGLISH_WORDS) ? (EUROPEAN[scores.indexOf(best)] ?? 'en') : 'en'
}

/** The traits of a sentence in that language. */
export function findTraits(sentence: string, language: Language = detectLanguage(sentence)): ReadonlySet<Trait> {
  const text = plain(sentence)
  const compared = language === 'en' || language === 'ja' || language === 'zh' ? text : withoutAccents(text)
  const patterns = PATTERNS[language]
  const traits = new Set(TRAITS.filter((trait) => patterns[trait]?.test(compared)))
  if (patterns.rule?.test(compared.replace(INTRODUCTION, ''))) traits.add('rule')
  return traits
}

/** A few words and a colon before a rule: "We moved: from now on, …". */
const INTRODUCTION = /^(?:[\p{L}'’]+,? ){0,4}[\p{L}'’]+(?:: +|：)/u
