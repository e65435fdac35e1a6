// What init and uninstall have done: printed with --json, and as text by installText.ts.
import type { HookLocation, Scope } from './hookLocation.ts'

export interface InstallResult {
  readonly file: string
  readonly scope: Scope
  /** Whether the settings changed; with `dryRun`, whether they would. */
  readonly changed: boolean
  readonly dryRun: boolean
  readonly diff: string
  /** A copy of the old settings; absent if nothing was written or there was no file. */
  readonly backup?: string | undefined
  /** What the user should know besides, as sentences. */
  readonly notes: readonly string[]
  /** The folder of the slash commands' files, and whether one changed. */
  readonly slashCommands: { readonly folder: string; readonly changed: boolean }
  readonly location: HookLocation
  /** The change of the file of MCP servers, if the server was requested. */
  readonly server?: { readonly file: string; readonly changed: boolean; readonly diff: string }
  /** The folder of everything that memctl stores. */
  readonly home: string
  /** How many code caches of hooks were built. */
  readonly caches: number
}

export interface UninstallResult extends Omit<InstallResult, 'location' | 'server' | 'caches'> {
  /** The settings file was created by init and had nothing else in it, so it is removed. */
  readonly removed: boolean
  /** The memories in `home` are removed too. */
  readonly purged: boolean
  /** Other settings files that start the hooks in the home. */
  readonly usedBy: readonly string[]
}
