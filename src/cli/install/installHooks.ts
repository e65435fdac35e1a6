// memctl init and memctl uninstall: add memctl to one settings file, or remove it. After uninstall the file is as it
// was before init.
import path from 'node:path'
import { runtimeHome } from '../../store/project/project.ts'
import {
  chooseHookLocation,
  describeOtherInstallations,
  findOtherStatusLine,
  type HookLocation,
  type InstallOptions,
  namedScope,
  type Scope,
  type SettingsFiles,
  settingsFilesFor,
  tryReadSettings,
} from './installation.ts'
import {
  assertServerIsOurs,
  hasOurStatusLine,
  listOurEntries,
  mcpConfigFile,
  mcpServerCommand,
  removeMcpServer,
  statusLineCommand,
  updateMcpServer,
  updateOurs,
  withoutOurs,
} from './ourSettings.ts'
import {
  forgetRuntimeUser,
  installCodeCaches,
  installRuntime,
  listRuntimeUsers,
  pruneRuntimes,
  recordRuntimeUser,
} from './runtimeFolder.ts'
import { applyChange, type JsonObject, planChange, type SettingsChange } from './settingsFile.ts'
import { applySlashCommands, assertNoLinksOut, planSlashCommands, slashScript } from './slashCommandFiles.ts'

/**
 * Installs the hooks and prints the result to `out`, as JSON or for a person. Running it again changes no settings, and
 * updates the hooks in memctl's home.
 */
export function installHooks(given: InstallOptions, out: (text: string) => void) {
  const options = given.hooks === 'server' ? { ...given, mcp: true } : given
  const settingsFiles = settingsFilesFor(options)
  const { home, version, packageRoot, dryRun = false } = options
  const { scope, ...location } = chooseHookLocation(options)
  const selected = settingsFiles[scope]
  const hasOther = findOtherStatusLine(settingsFiles) !== undefined
  const change = planChange(selected, home, (settings) =>
    updateOurs(settings, location, options.statusline === true && !hasOther, options.hooks === 'server'),
  )
  const server = scope === 'user' ? undefined : planServerChange(location, options)
  const commands = planSlashCommands(path.dirname(selected), slashScript(location), scope === 'local')

  // Copy the hooks first: settings must never name a script that does not exist.
  const hasRuntime = location.kind === 'runtime' && !dryRun
  if (hasRuntime) installRuntime(path.join(packageRoot, 'dist'), home, version)
  if (!dryRun) assertNoLinksOut(commands, options.project)
  const backup = dryRun ? undefined : applyChange(change, options)
  if (server && !dryRun) applyChange(server, options)
  if (!dryRun) applySlashCommands(commands)
  if (hasRuntime) {
    for (const { file } of [change, ...(server ? [server] : [])]) recordRuntimeUser(home, version, file)
    pruneRuntimes(home)
  }
  const caches = dryRun ? 0 : installCodeCaches(path.join(packageRoot, 'dist'), home, options.env)

  const { file, changed, diff } = change
  const result = {
    file,
    scope,
    changed,
    dryRun,
    diff,
    location,
    backup,
    home,
    caches,
    ...(server && { server: { file: server.file, changed: server.changed, diff: server.diff } }),
    slashCommands: { folder: commands.folder, changed: commands.changed },
    notes: [
      ...describeHome(location, options),
      ...describeServer(location, options, server, scope),
      ...describeStatusLine(location, settingsFiles, options),
      ...describeOtherInstallations(settingsFiles, selected),
    ],
  }
  out(options.json ? `${JSON.stringify(result)}\n` : formatInstall(result))
  return result
}

/** Not for user settings: the client itself manages the list of a user's servers. */
function planServerChange(location: HookLocation, options: InstallOptions): SettingsChange | undefined {
  if (!options.mcp) return undefined
  const command = mcpServerCommand(location, options)
  return planChange(mcpConfigFile(options.project), options.home, (servers) => {
    if (options.hooks === 'server') assertServerIsOurs(servers)
    return updateMcpServer(servers, command)
  })
}

/** What uninstall would change. Writes nothing. */
export function planUninstall(options: InstallOptions) {
  const settingsFiles = settingsFilesFor(options)
  const scope = namedScope(options) ?? findScope(settingsFiles)
  const remove = (file: string, without: (settings: JsonObject | undefined) => JsonObject | undefined) =>
    planChange(file, options.home, (settings) => {
      const left = without(settings)
      return { without: left, wanted: left }
    })
  return {
    scope,
    settingsFiles,
    change: remove(settingsFiles[scope], withoutOurs),
    server: scope === 'user' ? undefined : remove(mcpConfigFile(options.project), removeMcpServer),
    commands: planSlashCommands(path.dirname(settingsFiles[scope]), undefined),
  }
}

/**
 * Removes the hooks and prints the result to `out`, as JSON or for a person: which other settings use them is printed
 * before anything changes. With `purged`, which has shown that already, `deleteHome` deletes the home.
 */
export function uninstallHooks(options: InstallOptions, out: (text: string) => void, deleteHome?: () => void) {
  const { home, dryRun = false, purged = false } = options
  const { scope, settingsFiles, change, server, commands } = planUninstall(options)
  const own = [change.file, server?.file]
  const usedBy = listRuntimeUsers(home).filter((user) => !own.includes(user))
  if (!options.json && !purged && usedBy.length > 0)
    out(toLines([`These settings also start hooks in ${home}, and keep them:`, ...usedBy.map((user) => `  ${user}`)]))
  if (!dryRun) assertNoLinksOut(commands, options.project)
  const backup = dryRun ? undefined : applyChange(change, options)
  if (!dryRun) {
    if (server) applyChange(server, options)
    applySlashCommands(commands)
    for (const file of [change.file, ...(server ? [server.file] : [])]) forgetRuntimeUser(home, file)
  }

  const { file, changed, diff, textAfter } = change
  const result = {
    file,
    scope,
    changed,
    dryRun,
    diff,
    home,
    purged,
    backup: purged ? undefined : backup,
    // Init has created it, and nothing else was in it.
    removed: changed && textAfter === undefined,
    slashCommands: { folder: commands.folder, changed: commands.changed },
    notes: [
      ...(server ? describeRemovedServer(server, dryRun) : []),
      ...describeOtherInstallations(settingsFiles, settingsFiles[scope]),
    ],
    usedBy,
  }
  deleteHome?.()
  out(options.json ? `${JSON.stringify(result)}\n` : formatUninstall(result))
  return result
}

/** The scope of the project that has memctl, first the one for this user only. */
function findScope(settingsFiles: SettingsFiles): Scope {
  const isInstalled = (scope: Scope): boolean =>
    tryReadSettings(settingsFiles[scope]).some(
      ({ settings }) => listOurEntries(settings).length > 0 || hasOurStatusLine(settings),
    )
  return isInstalled('local') || !isInstalled('project') ? 'local' : 'project'
}

function formatInstall(result: ReturnType<typeof installHooks>): string {
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
    ...(slashCommands.changed
      ? [`The slash commands /memctl:remember and others ${dryRun ? 'would be' : 'are'} in ${slashCommands.folder}.`]
      : []),
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

function formatUninstall(result: ReturnType<typeof uninstallHooks>): string {
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

const toLines = (lines: readonly string[]): string => `${lines.join('\n')}\n`

const describeBackup = (backup: string | undefined): string[] =>
  backup ? [`Backup of the old settings: ${backup}`] : []

/** Scripts in the home know it; those in a project, and the command, know only what the environment says. */
function describeHome(location: HookLocation, { home, isDefaultHome }: InstallOptions): string[] {
  if (isDefaultHome) return []
  return [
    runtimeHome(location.folder) === home
      ? `These hooks use ${home} in every session. For \`memctl\` itself, keep MEMCTL_HOME=${home} in your shell.`
      : `Keep MEMCTL_HOME=${home} in the environment of the client and of your shell: a project's hooks need it.`,
  ]
}

/** The first client that calls a tool of a server as a hook. */
const SERVER_HOOKS_CLIENT = '2.1.118'

function describeServer(
  location: HookLocation,
  options: InstallOptions,
  server: SettingsChange | undefined,
  scope: Scope,
): string[] {
  if (!options.mcp) return []
  const isNeeded = options.hooks === 'server' ? ` It runs most hooks (client ${SERVER_HOOKS_CLIENT} or later).` : ''
  if (server) return [`Claude Code asks once, at its next start, whether the MCP server may be used.${isNeeded}`]
  const { tools, role } = options
  const [script, ...words] = mcpServerCommand(location, { tools, role })['args'] as string[]
  const command = [`claude mcp add --scope ${scope} memctl -- node "${script}"`, ...words].join(' ')
  return [`The MCP server is not added yet, because the client keeps this list itself. Run: ${command}`]
}

function describeStatusLine(location: HookLocation, files: SettingsFiles, options: InstallOptions): string[] {
  const other = options.statusline ? findOtherStatusLine(files) : undefined
  if (other === undefined) return []
  return [`${other} has a status line already, which stays. In a script of yours: ${statusLineCommand(location)}`]
}

function describeRemovedServer({ file, changed, textAfter }: SettingsChange, dryRun: boolean): string[] {
  if (!changed) return []
  const isOrWas = dryRun ? 'would be' : 'was'
  return [
    textAfter === undefined
      ? `${file} contained only the MCP server and ${isOrWas} removed.`
      : `The MCP server ${isOrWas} removed from ${file}.`,
  ]
}
