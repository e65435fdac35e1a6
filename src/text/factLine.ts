// One line for a project fact, for a memory's content and for what hooks inject.
import type { ProjectFact } from '../model/fact.ts'

/** `Use X: Y does not exist`; without a known remedy only the claim. No full stop. */
export function formatFactLine({ claim, remedies: [best] }: Pick<ProjectFact, 'claim' | 'remedies'>): string {
  return best === undefined ? upperFirst(claim) : `${upperFirst(best.text)}: ${claim}`
}

const upperFirst = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

/** The line with what a linter printed marked as output, for a failure that matches it. */
export const withMarkedOutput = (line: string): string => line.replace(/ reports "([^"“”]*)"/g, ' reports output “$1”')

/** The line without what a linter printed: `errcheck reports "…"` becomes `errcheck rejects it`. */
export const withoutOutput = (line: string): string => line.replace(/ reports "[^"]*"/g, ' rejects it')
