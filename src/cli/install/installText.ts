// What init and uninstall print for a person.
import path from 'node:path'
import { runtimeHome } from '../../store/project/project.ts'
import type { HookLocation, Scope } from './hookLocation.ts'
import type { InstallResult, UninstallResult } from './installResult.ts'
import { mcpServerCommand } from './mcpServerEntry.ts'
import { describeOtherInstallations, findOtherStatusLine, type SettingsFiles } from './otherInstallations.ts'
import type { InstallOptions, SettingsChange } from './settingsChange.ts'
import { statusLineCommand } from './statusLineEntry.ts'

export function formatInstall(result: InstallResult): string {
  const { file, changed, dryRun, diff, location, backup, server, slashCommands, notes, home } = result
  const installed = changed
    ? `memctl is installed in ${file}. It takes effect in the next session.`
    : `memctl is already installed in ${file}.`
  const planned = `${diff}\nNothing was written. Without --dry-run, ${file} changes as above.`
  const serverLine = dryRun
    ? `${server?.diff}\n${server?.file} would change as above.`
    : `The MCP server was added to ${server?.file}.`
  return toLines([
    changed && dryRun ? planned : installed,
    location.reason,
    ...(server?.changed ? [serverLine] : []),
    ...describeSlashCommands(slashCommands, dryRun),
    ...describeBackup(backup),
    ...notes,
    '',
    ...describeRecording(home),
  ])
}

/** What is recorded and where, what never is, and what comes next. */
const describeRecording = (home: string): string[] => [
  'Recorded:  prompts, tool calls with their results, answers and errors of sessions',
  `Stored in: ${path.join(home, 'projects')}, readable by you alone; nothing is sent anywhere`,
  'Never:     what is between <private> and </private>; detected passwords, keys and tokens are removed',
  'Next:      start `claude` and work. After the session: `memctl status`; if something is wrong: `memctl doctor`',
  'Off:       `MEMCTL_OFF=1 claude` for one session; `memctl uninstall` for good',
]

export function formatUninstall(result: UninstallResult): string {
  const { file, changed, dryRun, diff, removed, backup, home, notes, purged } = result
  const done = removed ? `${file} contained only memctl and was removed.` : `memctl is no longer installed in ${file}.`
  const wouldBe = removed ? 'is removed' : 'changes as above'
  const planned = `${diff}\nNothing was written. Without --dry-run, ${file} ${wouldBe}.`
  return toLines([
    changed ? (dryRun ? planned : done) : `memctl is not installed in ${file}.`,
    ...describeBackup(backup),
    ...notes,
    purged
      ? `${home} is deleted.`
      : `Memories stay in ${home}: \`memctl uninstall --purge\` deletes them, for all projects.`,
  ])
}

/** The other settings that start the same hooks; empty if there are none. Printed before anything changes. */
export const formatUsers = (home: string, usedBy: readonly string[]): string =>
  usedBy.length === 0
    ? ''
    : toLines([`These settings also start hooks in ${home}, and keep them:`, ...usedBy.map((user) => `  ${user}`)])

const describeSlashCommands = ({ folder, changed }: InstallResult['slashCommands'], dryRun: boolean): string[] =>
  changed ? [`The slash commands /memctl:remember and others ${dryRun ? 'would be' : 'are'} in ${folder}.`] : []

const toLines = (lines: readonly string[]): string => `${lines.join('\n')}\n`

const describeBackup = (backup: string | undefined): string[] =>
  backup ? [`Backup of the old settings: ${backup}`] : []

interface Installed {
  readonly scope: Scope
  readonly server: SettingsChange | undefined
  readonly settingsFiles: SettingsFiles
  readonly selected: string
}

/** What the user should know besides, as sentences. */
export function describeInstall(location: HookLocation, options: InstallOptions, installed: Installed): string[] {
  return [
    ...describeHome(location, options),
    ...describeServer(location, options, installed),
    ...describeStatusLine(location, installed.settingsFiles, options),
    ...describeOtherInstallations(installed.settingsFiles, installed.selected),
  ]
}

/** Scripts in the home know it; those in a project, and the command, know only what the environment says. */
function describeHome(location: HookLocation, { home, isDefaultHome }: InstallOptions): string[] {
  if (isDefaultHome) return []
  return [
    runtimeHome(location.folder) === home
      ? `These hooks use ${home} in every session. For \`memctl\` itself, keep MEMCTL_HOME=${home} in your shell.`
      : `Keep MEMCTL_HOME=${home} in the environment of the client and of your shell: a project's hooks need it.`,
  ]
}

function describeServer(location: HookLocation, options: InstallOptions, { server, scope }: Installed): string[] {
  if (!options.mcp) return []
  if (server) return ['Claude Code asks once, at its next start, whether the MCP server may be used.']
  const [script] = mcpServerCommand(location)['args'] as readonly string[]
  return [`For the MCP server: claude mcp add --scope ${scope} memctl -- node "${script}"`]
}

function describeStatusLine(location: HookLocation, files: SettingsFiles, options: InstallOptions): string[] {
  const other = options.statusline ? findOtherStatusLine(files) : undefined
  if (other === undefined) return []
  return [`${other} has a status line already, which stays. In a script of yours: ${statusLineCommand(location)}`]
}

export function describeRemovedServer({ file, changed, textAfter }: SettingsChange, dryRun: boolean): string[] {
  if (!changed) return []
  const isOrWas = dryRun ? 'would be' : 'was'
  return [
    textAfter === undefined
      ? `${file} contained only the MCP server and ${isOrWas} removed.`
      : `The MCP server ${isOrWas} removed from ${file}.`,
  ]
}
