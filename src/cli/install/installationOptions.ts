// The installation that a command is about: this package, memctl's home, the project and the client's folders.
import path from 'node:path'
import { findUserHome, toSystemPath } from '../../store/disk/systemPath.ts'
import { resolveMemctlHome, resolveProject } from '../../store/project/project.ts'
import type { CliContext } from '../context/cliContext.ts'
import { readPackageInfo } from '../context/packageInfo.ts'
import type { InstallOptions } from './settingsChange.ts'

/** The options of an installation that a person can give. */
export type CommandOptions = Partial<
  Pick<InstallOptions, 'project' | 'user' | 'local' | 'shared' | 'mcp' | 'statusline' | 'dryRun' | 'json'>
>

/** The options of a command as those of an installation, with this package, home and project. */
export function readInstallation(options: CommandOptions, io: Pick<CliContext, 'env' | 'cwd'>): InstallOptions {
  const { root: packageRoot, version } = readPackageInfo()
  const home = resolveMemctlHome(io.env)
  const project = resolveProject(path.resolve(io.cwd, options.project ?? '.'), home).root
  const userHome = findUserHome(io.env)
  const claudeFolder = io.env['CLAUDE_CONFIG_DIR'] || (userHome && path.join(userHome, '.claude'))
  const isDefaultHome = userHome !== undefined && home === toSystemPath(path.join(path.resolve(userHome), '.memctl'))
  const folders = { userHome, isDefaultHome, ...(claudeFolder && { claudeFolder }) }
  return { ...options, ...folders, project, version, home, packageRoot, env: io.env }
}
