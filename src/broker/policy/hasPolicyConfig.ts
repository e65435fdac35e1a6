// Whether a person may have chosen a policy: asked before anything loads a YAML parser.
import { readJson } from '../../store/disk/readJson.ts'
import { configFile } from '../open/hookConfig.ts'
import type { Store } from '../open/openStore.ts'
import type { PolicyFile } from './policyFile.ts'

/** Where a project says something of itself, for everybody who works on it. */
export const projectConfigFile = (root: string): string => `${root}/.memctl/project.yaml`

/** Whether there is a file that could say so, or one that did once and is gone. */
export function hasPolicyConfig({ files, layout, home, project }: Store): boolean {
  if (home === undefined) return false
  if ([configFile(home), projectConfigFile(project.root)].some((file) => files.size(file) !== undefined)) return true
  try {
    const base = readJson<PolicyFile>(files, layout.policy)?.base
    return base !== undefined && (base.name !== 'default' || Object.keys(base.values).length > 0)
  } catch {
    return false // Damaged: the next view is written with what the log says.
  }
}
