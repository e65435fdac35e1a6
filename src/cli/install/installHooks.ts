// memctl init: puts the hooks into Claude Code's settings, and nothing else anywhere in the project.
import path from 'node:path'
import { chooseHookLocation, type HookLocation, hookCommandFactory } from './hookLocation.ts'
import { addHooks } from './hookSettings.ts'
import { addMcpServer, mcpConfigFile, mcpServerCommand } from './mcpServerEntry.ts'
import { describeOtherInstallations } from './otherInstallations.ts'
import { installRuntime, pruneRuntimes, recordRuntimeUser } from './runtimeFolder.ts'
import {
  applyChange,
  type InstallOptions,
  planChange,
  type SettingsChange,
  selectSettingsFile,
} from './settingsChange.ts'

interface InstallResult {
  readonly file: string
  /** Whether the settings changed; with `dryRun`, whether they would. */
  readonly changed: boolean
  readonly dryRun: boolean
  readonly diff: string
  readonly location: HookLocation
  /** A copy of the settings as they were; absent where nothing was written or nothing was there. */
  readonly backup?: string | undefined
  /** The file of the MCP server, where it was asked for, and what changes there. */
  readonly server?: { readonly file: string; readonly changed: boolean; readonly diff: string } | undefined
  /** What a person should know besides, as sentences. */
  readonly notes: readonly string[]
}

/**
 * Wires the hooks and tells `out` about it, as JSON or for a person. Running it again changes nothing, and brings the
 * hooks in memctl's home up to date.
 */
export function installHooks(options: InstallOptions, out: (text: string) => void): InstallResult {
  const { places, chosen } = selectSettingsFile(options)
  const { home, version, packageRoot, user = false, dryRun = false } = options
  const wiring = chooseHookLocation({ projectRoot: options.project, packageRoot, home, version, user })
  const change = planChange(chosen, (settings) => addHooks(settings, hookCommandFactory(wiring.folder)))

  const server = serverChange(wiring, options)

  // The hooks first: settings must never name a script that is not there.
  const isInstalled = wiring.kind === 'runtime' && !dryRun
  if (isInstalled) installRuntime(path.join(packageRoot, 'dist'), home, version)
  const backup = dryRun ? undefined : applyChange(change, options)
  if (server && !dryRun) applyChange(server, options)
  if (isInstalled) {
    recordRuntimeUser(home, version, change.file)
    pruneRuntimes(home)
  }

  const { file, changed, diff } = change
  const notes = [
    ...notesOnWiring(wiring, options),
    ...notesOnServer(wiring, server, options),
    ...describeOtherInstallations(places, chosen),
  ]
  const told = server && { file: server.file, changed: server.changed, diff: server.diff }
  const result: InstallResult = {
    file,
    changed,
    dryRun,
    diff,
    location: wiring,
    backup,
    ...(told && { server: told }),
    notes,
  }
  out(options.json ? `${JSON.stringify(result)}\n` : renderInit(result))
  return result
}

/** The result for a person. */
function renderInit(result: InstallResult): string {
  const { file, changed, dryRun, diff, location, backup, server } = result
  const head = !changed
    ? `memctl is wired in ${file} already.`
    : dryRun
      ? `${diff}\nNothing was written. Without --dry-run, ${file} changes as above.`
      : `memctl is wired in ${file}. It takes effect in the next session.`
  const served = server?.changed
    ? [dryRun ? `${server.diff}\n${server.file} would change as above.` : `The MCP server is named in ${server.file}.`]
    : []
  const lines = [
    head,
    location.reason,
    ...served,
    ...(backup ? [`The settings as they were: ${backup}`] : []),
    ...result.notes,
  ]
  return `${lines.join('\n')}\n`
}

function notesOnWiring(wiring: HookLocation, options: InstallOptions): readonly string[] {
  if (wiring.kind !== 'runtime' || options.user || options.local) return []
  return [
    `These settings are the project's, and now name a folder of this machine (${wiring.folder}). If they are kept in git, ` +
      'either run `npm install --save-dev memctl` and `memctl init` again, or `memctl uninstall` and `memctl init --local`.',
  ]
}

/** What naming the server would change: in the project's own file alone, since of a person's servers the client itself keeps the list. */
function serverChange(wiring: HookLocation, options: InstallOptions): SettingsChange | undefined {
  if (!options.mcp || options.user || options.local) return undefined
  return planChange(mcpConfigFile(options.project), (servers) => addMcpServer(servers, mcpServerCommand(wiring)))
}

function notesOnServer(
  wiring: HookLocation,
  server: SettingsChange | undefined,
  options: InstallOptions,
): readonly string[] {
  if (!options.mcp) return []
  if (server) return ['Claude Code asks once, at its next start, whether the MCP server may be used.']
  const [script] = mcpServerCommand(wiring)['args'] as readonly string[]
  const scope = options.user ? 'user' : 'local'
  return [`For the MCP server: claude mcp add --scope ${scope} memctl -- node ${script}`]
}
