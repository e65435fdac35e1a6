// Words that say that an instruction holds for more than the work at hand. The hook of prompts has them too.

/** In the languages that statements have and that write spaces. */
const LASTING_WORDS = (
  'always|never|from now on|going forward|in future|in the future|every time|each time|whenever|wherever|prefer|' +
  'at all times|no matter what|immer|niemal|niemals|ab jetzt|ab sofort|künftig|grundsätzlich|' +
  'toujours|jamais|désormais|dorénavant|siempre|nunca|jamás|de ahora en adelante|a partir de ahora'
).split('|')

/** In Japanese and Chinese. */
const CJK_LASTING_WORDS =
  '今後|これから|常に|必ず|いつも|毎回|以降|決して|絶対|原則|总是|始终|永远|从现在|以后|一律|务必'.split('|')

/** Of a rule in its barest form: what to use and what not. */
const CHOICE_WORDS = 'instead of|rather than|, not |ではなく|じゃなく|而不是'.split('|')

/**
 * Whether a text may have an instruction that lasts. Without patterns: to compile them takes a cold hook half a
 * millisecond.
 */
export function mayHaveLastingInstruction(text: string): boolean {
  const lower = text.toLowerCase()
  const isInText = (word: string): boolean => lower.includes(word)
  return LASTING_WORDS.some(isInText) || CJK_LASTING_WORDS.some(isInText) || CHOICE_WORDS.some(isInText)
}

/** The same words as a pattern: whole words, in any case. */
export const lastingPattern = (): RegExp =>
  new RegExp(`\\b(?:${LASTING_WORDS.join('|')})\\b|${CJK_LASTING_WORDS.join('|')}`, 'iu')
