// What a prompt is for the hooks, at little cost: whether the client wrote it, which error it quotes, whether it may
// state something lasting.
import { errorSignature } from './errorSignature.ts'
import { phrasePattern } from './pattern.ts'

/** A line that begins as tools and languages begin their errors. A sentence about an error does not. */
const ERROR_LINE =
  /^[ \t>|│]{0,40}(?:[\w./$:-]*(?:Error|Exception|Panic)(?: \[\w+\])?: \S|(?:[Ee]rror|ERROR|[Ff]atal|panic)(?:\[\w+\]|\s+TS\d+)?: \S|(?:--- FAIL|FAIL|FAILED|not ok|npm ERR!|npm error):? \S|\S{1,300}\.\w+[:(]\d+[:,]\d+\)?:? +(?:error|fatal)?\S*:? \S)/m

/** The signature of the error that a prompt quotes, as if a command had printed it; undefined if it quotes none. */
export function pastedErrorSignature(prompt: string): string | undefined {
  const start = prompt.search(ERROR_LINE)
  return start === -1 ? undefined : errorSignature('Bash', prompt.slice(start))
}

const CLIENT_PHRASES = `
  \\s*<(?:task-notification|command-|local-command|system-reminder|bash-)
  \\s*\\[Request interrupted|\\s*Operation stopped by|\\s*Caveat: The messages below
  \\s*This session is being continued|\\s*Base directory for this skill
`
let clientPrompt: RegExp | undefined

/** Whether the client wrote the prompt. A plan that it hands over is not among these: a person has approved it. */
export function isClientPrompt(prompt: string): boolean {
  clientPrompt ??= phrasePattern(CLIENT_PHRASES)
  return clientPrompt.test(prompt)
}

/** Whether the client hands over a plan as the prompt of a new context: the assistant wrote it, a person approved it. */
export const isHandedOverPlan = (prompt: string): boolean => /^\s*Implement the following plan\b/.test(prompt)

/** That it lasts, what to use and what not, what to remember. */
const WORDS =
  'always|never|from now on|going forward|from here on|in future|in the future|every time|each time|whenever|' +
  "everywhere|prefer|avoid|don't|don’t|do not|no more|stop |instead of|rather than|, not |only use|use only|must|" +
  'we use|we only|we never|we decided|we agreed|we keep|make sure|before you|in all my|i want you|i like|i hate|' +
  'answer me|remember|keep in mind|note that|rule:'

const JAPANESE_WORDS =
  '今後|これから|常に|必ず|いつも|毎回|以降|次から|次回|決して|絶対|原則|基本的に|方針|ルール|規約|禁止|統一|覚え|' +
  'ではなく|じゃなく|ないで|やめて|避けて|ほうが|方が|使って|使う|で書いて|英語で|日本語で'

/**
 * Whether a prompt may state something that holds for longer than its task. Often true where nothing is stated: which
 * clauses are rules is decided later, in the background. Text search only: a cold hook compiles patterns slowly.
 */
export function mayStateLasting(prompt: string): boolean {
  const lower = prompt.toLowerCase()
  return (
    WORDS.split('|').some((word) => lower.includes(word)) ||
    JAPANESE_WORDS.split('|').some((word) => prompt.includes(word))
  )
}
