// Prompts that nobody typed: the client's own texts, the text of a skill or command, a summary of an earlier session.

const CLIENT_PROMPT =
  /^\s*(?:\[Request interrupted|<(?:task-notification|command-|local-command|system-reminder|bash-)|Caveat: The messages below|This session is being continued|Base directory for this skill|Operation stopped by)/

/** Whether the client wrote the prompt. A plan that it hands over is not among these: a person has approved it. */
export const isClientPrompt = (prompt: string): boolean => CLIENT_PROMPT.test(prompt)
