// An error that a person pasted into a prompt.
import { errorSignature } from './errorSignature.ts'

/** A line that begins as tools and languages begin their errors. A sentence about an error does not. */
const ERROR_LINE =
  /^[ \t>|│]{0,40}(?:[\w./$:-]*(?:Error|Exception|Panic)(?: \[\w+\])?: \S|(?:[Ee]rror|ERROR|[Ff]atal|panic)(?:\[\w+\]|\s+TS\d+)?: \S|(?:--- FAIL|FAIL|FAILED|not ok|npm ERR!|npm error):? \S|\S{1,300}\.\w+[:(]\d+[:,]\d+\)?:? +(?:error|fatal)?\S*:? \S)/m

/** The signature of the error that a prompt quotes, as if a command had printed it; undefined if it quotes none. */
export function pastedErrorSignature(prompt: string): string | undefined {
  const start = prompt.search(ERROR_LINE)
  return start === -1 ? undefined : errorSignature('Bash', prompt.slice(start))
}
