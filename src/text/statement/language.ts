// The language of a sentence, as far as traits need it, and the sentence's traits.
import { pattern } from '../pattern.ts'
import { CHINESE_TRAITS } from './chineseTraits.ts'
import { ENGLISH_TRAITS } from './englishTraits.ts'
import { FRENCH_TRAITS, GERMAN_TRAITS, SPANISH_TRAITS } from './europeanTraits.ts'
import { JAPANESE_TRAITS } from './japaneseTraits.ts'
import { TRAITS, type Trait, type TraitPatterns } from './traits.ts'

export type Language = 'en' | 'ja' | 'zh' | 'de' | 'fr' | 'es'

const PATTERNS: { readonly [Name in Language]: TraitPatterns } = {
  en: ENGLISH_TRAITS,
  ja: JAPANESE_TRAITS,
  zh: CHINESE_TRAITS,
  de: GERMAN_TRAITS,
  fr: FRENCH_TRAITS,
  es: SPANISH_TRAITS,
}

/** Function words that the other languages do not have. */
const FUNCTION_WORDS: { readonly [Name in 'en' | 'de' | 'fr' | 'es']: RegExp } = {
  en: /\b(?:the|is|are|to|of|and|you|we|it|that|this|not|with|can|should|for|always|never|use|don't|please)\b/g,
  de: pattern(
    String.raw`\b(?:der|die|das|und|nicht|ist|wir|bitte|immer|ein|eine|einen|ich|mit|auf|fur|du|den|dem|zu|nie|
      keine?|sondern|statt|verwende|wenn|soll)\b`,
    'g',
  ),
  fr: pattern(
    String.raw`\b(?:le|la|les|des|une?|et|est|pas|pour|nous|on|toujours|jamais|je|dans|que|du|il|faut|ne|avec|au|
      sur|utilise[rz]?)\b|\b[ldnjcqs]'`,
    'g',
  ),
  es: pattern(
    String.raw`\b(?:el|los|las|una?|y|es|para|nunca|siempre|no|que|del|con|en|por|hay|usa[r]?|nosotros|se|lo|
      prefiero|debe[ns]?|favor|tests?)\b`,
    'g',
  ),
}

/** Straight quotes, and for comparison with European patterns no accents. */
const plain = (text: string): string => text.toLowerCase().replaceAll('’', "'")
const withoutAccents = (text: string): string => text.normalize('NFD').replace(/[\u0300-\u036f]/g, '')

/** English unless the script or the function words say otherwise. */
export function detectLanguage(text: string): Language {
  if (/[\u3040-\u30ff]/.test(text)) return 'ja'
  const han = text.match(/[\u4e00-\u9fff]/g)?.length ?? 0
  if (han >= 2) return 'zh'
  const words = withoutAccents(plain(text))
  const count = (language: 'en' | 'de' | 'fr' | 'es') => words.match(FUNCTION_WORDS[language])?.length ?? 0
  const english = count('en')
  const [best, hits] = (['de', 'fr', 'es'] as const)
    .map((language) => [language, count(language)] as const)
    .reduce((a, b) => (b[1] > a[1] ? b : a))
  return hits >= 2 && hits > english ? best : 'en'
}

/** The traits of a sentence in that language. */
export function findTraits(sentence: string, language: Language = detectLanguage(sentence)): ReadonlySet<Trait> {
  const text = plain(sentence)
  const compared = language === 'en' || language === 'ja' || language === 'zh' ? text : withoutAccents(text)
  const patterns = PATTERNS[language]
  return new Set(TRAITS.filter((trait) => patterns[trait]?.test(compared)))
}
