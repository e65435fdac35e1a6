// An installation: its options, the settings files of a project and user, the folder of the hooks that settings name,
// and other installations, which are reported and never changed.
//
// The folder must exist as long as the settings do, however memctl was started. Settings files and a plugin add up.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { MemoryError } from '../../model/memoryError.ts'
import { isObject } from '../../model/unknownJson.ts'
import { findUserHome, toSystemPath } from '../../store/disk/paths.ts'
import { resolveMemctlHome, resolveProject } from '../../store/project/project.ts'
import type { Role } from '../../tools/definition/toolContext.ts'
import type { Toolset } from '../../tools/toolRegistry.ts'
import type { CliContext } from '../context/cliContext.ts'
import { readPackageInfo } from '../context/packageInfo.ts'
import { hasOtherStatusLine, listOurEntries } from './ourSettings.ts'
import { runtimeFolder } from './runtimeFolder.ts'
import { type JsonObject, readSettings } from './settingsFile.ts'

/** The options of an installation that a person can give. */
export interface CommandOptions {
  /** The folder Claude Code is started in. */
  readonly project?: string
  /** The user settings, for all projects, instead of the project's. */
  readonly user?: boolean
  /** The project's settings for this user only (settings.local.json, which does not belong in git). */
  readonly local?: boolean
  /** The project's settings for everyone (settings.json, in git). */
  readonly shared?: boolean
  /** Also add the MCP server, in the project's .mcp.json. */
  readonly mcp?: boolean
  /** Whether our MCP server runs the hooks that it can; implies `mcp`. Scripts by default. */
  readonly hooks?: 'scripts' | 'server'
  /** The server's set of tools and the role of its caller. */
  readonly tools?: Toolset
  readonly role?: Role
  /** Also set the client's status line, unless a person has one. */
  readonly statusline?: boolean
  readonly dryRun?: boolean
  readonly json?: boolean
}

export interface InstallOptions extends CommandOptions {
  readonly project: string
  /** The home is deleted afterwards. */
  readonly purged?: boolean
  /** The environment of processes that are started. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** $MEMCTL_HOME */
  readonly home: string
  /** Whether the home is where memctl looks without MEMCTL_HOME. */
  readonly isDefaultHome?: boolean
  /** The user's own folder, $HOME. */
  readonly userHome?: string | undefined
  readonly packageRoot: string
  readonly version: string
  /** The client's folder of user settings; default $CLAUDE_CONFIG_DIR, else ~/.claude. */
  readonly claudeFolder?: string
}

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

/** The settings files of this project and user. */
export function settingsFilesFor(options: Pick<InstallOptions, 'project' | 'claudeFolder'>): SettingsFiles {
  const user = options.claudeFolder || process.env['CLAUDE_CONFIG_DIR'] || path.join(os.homedir(), '.claude')
  const own = path.join(options.project, '.claude')
  return {
    user: path.join(user, 'settings.json'),
    project: path.join(own, 'settings.json'),
    local: path.join(own, 'settings.local.json'),
  }
}

/** The scope that the options name; undefined if they name none. Throws USAGE for two of them. */
export function namedScope({ user, local, shared }: CommandOptions): Scope | undefined {
  const named = [user && 'user', local && 'local', shared && 'project'].filter(Boolean) as Scope[]
  if (named.length < 2) return named[0]
  throw new MemoryError('USAGE', '--user, --local and --shared select different settings files', {
    hint: 'Use one of them.',
  })
}

/** The settings of the user, of the project for everyone, or of the project for this user. */
export type Scope = 'user' | 'project' | 'local'

export interface HookLocation {
  /** The project is memctl itself, the project has memctl in its node_modules, or neither. */
  readonly kind: 'own' | 'project' | 'runtime'
  /** The folder of the hooks as settings name it; the client fills in CLAUDE_PROJECT_DIR. */
  readonly folder: string
  /** The reason, as a sentence for a person. */
  readonly reason: string
}

/**
 * Chooses the location, and the settings if the options name none. Writes nothing.
 *
 * User settings apply to every project, so they never name a folder of one. The project's shared settings are for
 * everyone, so they never name a folder of this machine: the exec form of a hook expands neither `~` nor `$HOME`.
 * Throws USAGE if they are named and the project has no memctl of its own.
 */
export function chooseHookLocation(options: InstallOptions): HookLocation & { readonly scope: Scope } {
  const { project, packageRoot, home, version } = options
  const scope = namedScope(options)
  if (scope === 'user') {
    const reason = "User settings apply to every project, so the hooks are in memctl's home."
    return { kind: 'runtime', folder: runtimeFolder(home, version), reason, scope }
  }
  if (isSameFolder(project, packageRoot)) {
    // Those of the plugin are in git: a fresh clone has them without a build.
    const folder = `\${CLAUDE_PROJECT_DIR}/plugin/dist/hooks`
    return { kind: 'own', folder, reason: 'This project is memctl itself.', scope: scope ?? 'project' }
  }
  if (fs.existsSync(path.join(project, IN_PROJECT, 'session-start.cjs'))) {
    const reason = 'This project has memctl in its node_modules, so everyone who installs it has the hooks too.'
    return { kind: 'project', folder: `\${CLAUDE_PROJECT_DIR}/${IN_PROJECT}`, reason, scope: scope ?? 'project' }
  }
  if (scope === 'project') {
    throw new MemoryError('USAGE', 'The shared settings of a project must not name a folder of this machine', {
      hint:
        'Install memctl in the project (`npm install --save-dev` and the package), or leave --shared out: then ' +
        '.claude/settings.local.json is used. A team can also enable the plugin; docs/install.md says how.',
    })
  }
  const reason =
    "The hooks are in memctl's home, on this machine, so they are in settings.local.json: keep that file out of git."
  return { kind: 'runtime', folder: runtimeFolder(home, version), reason, scope: 'local' }
}

// With slashes on every system, because settings in git are shared between systems.
const IN_PROJECT = 'node_modules/memctl/dist/hooks'

function isSameFolder(folder: string, other: string): boolean {
  try {
    return fs.realpathSync(folder) === fs.realpathSync(other)
  } catch {
    return false // One of them does not exist.
  }
}

/** The settings files that a session in `project` reads, without managed settings of an organization. */
export type SettingsFiles = Readonly<Record<Scope, string>>

/** Other installations, as sentences; `file` is the settings file that is being changed. */
export function describeOtherInstallations(settingsFiles: SettingsFiles, file: string): readonly string[] {
  const all = Object.values(settingsFiles).flatMap((name: string) => tryReadSettings(name))
  const others = all.filter((found) => found.file !== tryReadSettings(file)[0]?.file)
  const installed = others.filter(({ settings }) => listOurEntries(settings).length > 0).map((found) => found.file)
  const plugin = all.find(({ settings }) => hasMemctlPlugin(settings))
  const muted = all.find(({ settings }) => settings['disableAllHooks'] === true)
  return [
    ...installed.map((other) => `memctl is also installed in ${other}. ${HARMLESS}`),
    ...(plugin ? [`The memctl plugin is enabled (${plugin.file}). ${HARMLESS}`] : []),
    ...(muted ? [`No hook runs while ${muted.file} has "disableAllHooks": true.`] : []),
  ]
}

/** The settings file with a status line that is not ours; undefined if there is none. */
export const findOtherStatusLine = (settingsFiles: SettingsFiles): string | undefined =>
  Object.values(settingsFiles)
    .flatMap((name: string) => tryReadSettings(name))
    .find(({ settings }) => hasOtherStatusLine(settings))?.file

const HARMLESS = 'That is harmless: an event that arrives twice has one id and counts once. But each hook starts twice.'

/** The name of the memctl plugin that these settings enable, with its marketplace: `memctl@memctl`. */
export function findMemctlPlugin(settings: JsonObject): string | undefined {
  const plugins = settings['enabledPlugins']
  if (!isObject(plugins)) return undefined
  return Object.entries(plugins).find(([name, on]) => on === true && /^memctl(?:@|$)/.test(name))?.[0]
}

export const hasMemctlPlugin = (settings: JsonObject): boolean => findMemctlPlugin(settings) !== undefined

/** A settings file, if it exists and is valid. */
export function tryReadSettings(file: string): { file: string; settings: JsonObject }[] {
  try {
    const { file: real, settings } = readSettings(file)
    return settings ? [{ file: real, settings }] : []
  } catch {
    // An invalid file elsewhere is not part of this command. The client reports it and ignores its content.
    return []
  }
}
