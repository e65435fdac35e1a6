// Words of prompts that may state something lasting. Text search only: to compile patterns takes a cold hook half a
// millisecond. Which clauses are rules is decided later, in the background.

/** That it lasts, what to use and what not, what to remember. */
const WORDS = (
  'always|never|from now on|going forward|from here on|in future|in the future|every time|each time|whenever|' +
  "everywhere|prefer|avoid|don't|don’t|do not|no more|stop |instead of|rather than|, not |only use|use only|must|" +
  'we use|we only|we never|we decided|we agreed|we keep|make sure|before you|in all my|i want you|i like|i hate|' +
  'answer me|remember|keep in mind|note that|rule:'
).split('|')

const JAPANESE_WORDS = (
  '今後|これから|常に|必ず|いつも|毎回|以降|次から|次回|決して|絶対|原則|基本的に|方針|ルール|規約|禁止|統一|覚え|' +
  'ではなく|じゃなく|ないで|やめて|避けて|ほうが|方が|使って|使う|で書いて|英語で|日本語で'
).split('|')

/** Whether a prompt may state something that holds for longer than its task. Often true where nothing is stated. */
export function mayStateLasting(prompt: string): boolean {
  const lower = prompt.toLowerCase()
  return WORDS.some((word) => lower.includes(word)) || JAPANESE_WORDS.some((word) => prompt.includes(word))
}
