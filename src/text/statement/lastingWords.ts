// Words that say that an instruction holds for more than the work at hand. Lean: the hook of prompts has them too.

/** In the languages that statements have. */
const LASTING = new RegExp(
  [
    String.raw`\b(?:always|never|from now on|going forward|in (?:the )?future|(?:every|each) time|whenever|wherever)\b`,
    String.raw`\b(?:prefer|at all times|no matter what|immer|niemals?|ab jetzt|ab sofort|künftig|grundsätzlich)\b`,
    String.raw`\b(?:toujours|jamais|désormais|dorénavant|siempre|nunca|jamás|de ahora en adelante|a partir de ahora)\b`,
    '今後|これから|常に|必ず|いつも|毎回|以降|決して|絶対|原則|总是|始终|永远|从现在|以后|一律|务必',
  ].join('|'),
  'iu',
)

/** A rule in its barest form: what to use and what not. */
const CHOICE =
  /\b(?:use|using|write|run|call|name)\b.{1,160}\b(?:instead of|rather than|not|over)\b|ではなく|じゃなく|而不是/iu

/** Whether a text says that something holds from now on. */
export const hasLastingWords = (text: string): boolean => LASTING.test(text)

/** Whether a text may have an instruction that lasts: it says so, or says what to use and what not. */
export const mayHaveLastingInstruction = (text: string): boolean => hasLastingWords(text) || CHOICE.test(text)
