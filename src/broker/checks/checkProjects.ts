// Checks which memory a folder uses, and lists the projects whose folders are gone. Nothing is linked or deleted: that
// is the person's decision.
import { type CheckResult, checkPassed, checkProblem } from '../../model/checkResult.ts'
import { readLink } from '../../store/project/earlierFile.ts'
import { ownStoreName } from '../open/earlierMemory.ts'
import type { Store } from '../open/openStore.ts'
import { isForgotten } from '../projects/forgetProject.ts'
import { listProjects } from '../projects/projectList.ts'
import { listEarlierMemory } from '../queries/earlierMemory.ts'

/** Projects without a folder that are named, at most. */
const UNUSED_MAX = 5

export function checkProjects(store: Store): CheckResult[] {
  const { files, home, layout, project } = store
  if (home === undefined) return []
  const left = files.list(`${home}/projects`).filter(isForgotten)
  const problems = left.map((name) =>
    checkProblem('projects', 'warn', 'A project was not erased to its end', {
      where: `${home}/projects/${name}`,
      hint: 'Run `memctl doctor --fix`, which erases the rest.',
    }),
  )
  const ownFolder = `${home}/projects/${ownStoreName(project)}`
  const link = readLink(files, ownFolder)
  if (project.linkedFrom !== undefined) {
    return [...problems, checkPassed('projects', `Linked: ${project.linkedFrom} uses this memory`, layout.folder)]
  }
  if (link !== undefined) {
    const hint = 'Run `memctl project link PROJECT`, or `memctl project unlink`.'
    problems.push(checkProblem('projects', 'warn', 'The link leads to no memory', { where: `${ownFolder}/link`, hint }))
  }
  for (const { store: name, title, memories } of listEarlierMemory(store)) {
    const what = `This folder may be the project ${title} (${memories} memories), which is not used here`
    const hint = `\`memctl project link ${name}\` uses it, \`memctl project unlink\` ends this message.`
    problems.push(checkProblem('projects', 'warn', what, { where: `${home}/projects/${name}`, hint }))
  }
  return [...problems, listUnused(store, home)]
}

function listUnused(store: Store, home: string): CheckResult {
  const all = listProjects(store)
  const unused = all.filter(({ exists }) => !exists)
  const names = unused
    .slice(0, UNUSED_MAX)
    .map(({ name, lastUsed, memories }) => `${name} since ${lastUsed?.slice(0, 10) ?? '?'} (${memories} memories)`)
  const more = unused.length > UNUSED_MAX ? ` and ${unused.length - UNUSED_MAX} more` : ''
  const what = unused.length === 0 ? '' : `; folders are gone, unused: ${names.join(', ')}${more}`
  return checkPassed('projects', `${all.length} with a memory${what}`, `${home}/projects`)
}
