// Prompts that nobody typed: the client's own texts, the text of a skill or command, a summary of an earlier session.
import { phrasePattern } from './phrasePattern.ts'

const CLIENT_PROMPT = phrasePattern(String.raw`
  \s*<(?:task-notification|command-|local-command|system-reminder|bash-)
  \s*\[Request interrupted|\s*Operation stopped by|\s*Caveat: The messages below|\s*This session is being continued
  \s*Base directory for this skill
`)

/** Whether the client wrote the prompt. A plan that it hands over is not among these: a person has approved it. */
export const isClientPrompt = (prompt: string): boolean => CLIENT_PROMPT.test(prompt)
