// Whether the user may have configured a policy. Checked before a YAML parser is loaded.
import { readJson } from '../../store/disk/readJson.ts'
import { configFile } from '../open/hookConfig.ts'
import type { Store } from '../open/openStore.ts'
import type { PolicyFile } from './activePolicy.ts'

/** The config that a project shares with everybody who works on it. */
export const projectConfigFile = (root: string): string => `${root}/.memctl/project.yaml`

/** Whether a file exists that may configure a policy, or a policy is in use whose file was removed. */
export function hasPolicyConfig({ files, layout, home, project }: Store): boolean {
  if (home === undefined) return false
  if ([configFile(home), projectConfigFile(project.root)].some((file) => files.size(file) !== undefined)) return true
  try {
    const base = readJson<PolicyFile>(files, layout.policy)?.base
    return base !== undefined && (base.name !== 'default' || Object.keys(base.values).length > 0)
  } catch {
    return false // Corrupt: the next snapshot writes the policy from the log.
  }
}
