// One line for a project fact, for a memory's content and for what hooks inject.
import type { ProjectFact } from '../model/fact.ts'

/** `Use X: Y does not exist`; without a known remedy only the claim. No full stop. */
export function formatFactLine({ claim, remedies: [best] }: Pick<ProjectFact, 'claim' | 'remedies'>): string {
  return best === undefined ? upperFirst(claim) : `${upperFirst(best.text)}: ${claim}`
}

const upperFirst = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)
