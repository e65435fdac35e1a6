// memctl init --upgrade: brings what init has installed on this machine to the version of the running command.
import path from 'node:path'
import { MemoryError } from '../../model/memoryError.ts'
import { installCodeCaches } from './installCodeCaches.ts'
import { type LeftAlone, type PlannedUpgrade, planUpgrade } from './planUpgrade.ts'
import { installRuntime, isRuntimeCurrent, pruneRuntimes, recordRuntimeUser } from './runtimeFolder.ts'
import { applyChange, type InstallOptions } from './settingsChange.ts'
import { applySlashCommands } from './slashCommandFiles.ts'

/** A file that was changed; with `dryRun`, that would be. */
export interface UpgradedFile {
  readonly file: string
  readonly from: string
  readonly to: string
  /** What changed there: hooks, status line, slash commands, MCP server. */
  readonly parts: readonly string[]
  /** Unified; empty if only slash commands changed. */
  readonly diff: string
  readonly backup?: string | undefined
}

export interface UpgradeResult {
  readonly version: string
  readonly home: string
  readonly dryRun: boolean
  /** The scripts in the home, and whether they changed. */
  readonly runtime: { readonly folder: string; readonly changed: boolean }
  readonly upgraded: readonly UpgradedFile[]
  /** Files that name this version already. */
  readonly current: readonly string[]
  readonly left: readonly LeftAlone[]
  /** How many code caches of hooks were built. */
  readonly caches: number
  /** Versions of the scripts that were removed, because no known settings name them. */
  readonly removed: readonly string[]
  /** The settings file that enables the plugin, which only the client updates. */
  readonly plugin?: string | undefined
}

/** Each file changes as a whole or not at all. One that cannot be written does not stop the others. */
export function upgradeInstallation(options: InstallOptions): UpgradeResult {
  const { home, version, packageRoot, dryRun = false } = options
  const dist = path.join(packageRoot, 'dist')
  const { upgrades, current, left, plugin } = planUpgrade(options)
  const isUsed = upgrades.length > 0 || current.length > 0
  const changed = isUsed && !isRuntimeCurrent(dist, home, version)
  const result = {
    version,
    home,
    dryRun,
    current,
    plugin,
    runtime: { folder: path.join(home, 'runtime', version), changed },
  }
  if (dryRun || !isUsed) {
    return { ...result, upgraded: upgrades.map((planned) => describe(planned, version)), left, caches: 0, removed: [] }
  }
  // The scripts first: settings must never name one that does not exist.
  installRuntime(dist, home, version)
  const upgraded: UpgradedFile[] = []
  const failed: LeftAlone[] = []
  for (const planned of upgrades) {
    try {
      const backup = applyChange(planned.change, options)
      if (planned.commands) applySlashCommands(planned.commands)
      upgraded.push({ ...describe(planned, version), backup })
    } catch (error) {
      failed.push(describeFailure(planned.file, error))
    }
  }
  for (const file of [...current, ...upgraded.map((each) => each.file)]) recordRuntimeUser(home, version, file)
  const removed = pruneRuntimes(home)
  const caches = installCodeCaches(dist, home, options.env)
  return { ...result, upgraded, left: [...left, ...failed], caches, removed }
}

const describe = ({ file, from, parts, change }: PlannedUpgrade, to: string): UpgradedFile => ({
  file,
  from,
  to,
  parts,
  diff: change.diff,
})

function describeFailure(file: string, error: unknown): LeftAlone {
  const hint = error instanceof MemoryError ? error.hint : 'Grant yourself write permission there.'
  return { file, why: `it was not changed: ${error instanceof Error ? error.message : String(error)}`, hint }
}
