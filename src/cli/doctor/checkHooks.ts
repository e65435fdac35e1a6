// Are the hooks wired? Where, to scripts that are there and of this version, and does each one start?
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { type CheckResult, checkPassed, checkProblem } from '../../model/checkResult.ts'
import { HOOK_REGISTRATIONS } from '../../model/hookEvents.ts'
import { type JsonObject, listOurEntries } from '../install/hookSettings.ts'
import { hasMemctlPlugin, type SettingsFiles } from '../install/otherInstallations.ts'
import { readSettings } from '../install/settingsFile.ts'

interface HookCheckInput {
  readonly settingsFiles: SettingsFiles
  /** What CLAUDE_PROJECT_DIR stands for. */
  readonly projectRoot: string
  readonly version: string
  /** The environment the scripts are started with. */
  readonly env: Readonly<Record<string, string | undefined>>
}

/** A hook that does not even start within this has hung, in milliseconds. */
const STARTS_WITHIN_MS = 10_000

export function checkHooks(wired: HookCheckInput): CheckResult[] {
  const read = Object.entries(wired.settingsFiles).map(([name, file]: [string, string]) => settingsAt(name, file))
  const found = read.flatMap((one) => ('settings' in one ? [one] : []))
  const broken = read.flatMap((one) => ('name' in one ? [one] : []))
  const scripts = new Map<string, string>()
  const places = found.flatMap((one) => checkPlace(one, wired, scripts))
  const plugin = found.find((one) => hasMemctlPlugin(one.settings))
  const muted = found.find((one) => one.settings['disableAllHooks'] === true)
  const wiredIn = found.filter((one) => listOurEntries(one.settings).length > 0).length + (plugin ? 1 : 0)
  return [
    ...broken,
    ...places,
    ...(plugin ? [checkPassed('hooks', 'The memctl plugin is on', plugin.file)] : []),
    ...(wiredIn === 0 ? [unwired(wired)] : []),
    ...(wiredIn > 1 ? [twice()] : []),
    ...(muted ? [mutedBy(muted.file)] : []),
    ...checkStarts(scripts, wired.env),
  ]
}

interface Found {
  readonly place: string
  readonly file: string
  readonly settings: JsonObject
}

function settingsAt(place: string, file: string): Found | CheckResult | { readonly absent: true } {
  try {
    const read = readSettings(file)
    return read.settings ? { place, file: read.file, settings: read.settings } : { absent: true }
  } catch (error) {
    return checkProblem('hooks', 'fail', error instanceof Error ? error.message : String(error), {
      where: file,
      hint: 'Mend the file: Claude Code cannot read it either.',
    })
  }
}

/** One settings file that has hooks of ours in it; every script found is put into `scripts`. */
function checkPlace(
  { place, file, settings }: Found,
  wired: HookCheckInput,
  scripts: Map<string, string>,
): CheckResult[] {
  const paths = listOurEntries(settings).flatMap((entry) => scriptOf(entry, wired.projectRoot))
  if (paths.length === 0) return []
  const again = `Run \`memctl init${place === 'project' ? '' : ` --${place}`}\` again.`
  const gone = paths.filter((script) => !fs.existsSync(script))
  if (gone.length > 0) {
    const what = `${gone.length} of ${paths.length} scripts are not there, first ${gone[0]}`
    return [checkProblem('hooks', 'fail', what, { where: file, hint: again })]
  }
  for (const script of paths) scripts.set(script, file)
  const unwiredEvents = HOOK_REGISTRATIONS.filter(
    ({ script }) => !paths.some((one) => path.basename(one) === `${script}.cjs`),
  )
  if (unwiredEvents.length > 0) {
    const names = unwiredEvents.map(({ event }) => event).join(', ')
    return [checkProblem('hooks', 'warn', `Not wired for ${names}`, { where: file, hint: again })]
  }
  const versions = [...new Set(paths.map(versionOf))]
  const other = versions.find((version) => version !== undefined && version !== wired.version)
  if (other !== undefined) {
    const what = `They are of memctl ${other}, this is ${wired.version}`
    return [checkProblem('hooks', 'warn', what, { where: file, hint: again })]
  }
  return [checkPassed('hooks', `Wired for ${HOOK_REGISTRATIONS.length} events in the ${place} settings`, file)]
}

function scriptOf(entry: JsonObject, projectRoot: string): string[] {
  const args = entry['args']
  const words = [entry['command'], ...(Array.isArray(args) ? args : [])]
  const script = words.find((word) => typeof word === 'string' && /\.cjs["']?\s*$/.test(word)) as string | undefined
  if (script === undefined) return []
  const bare = script
    .replace(/^.*?node(?:\.exe)?["']?\s+(?=["']?[/$\\A-Z])/i, '')
    .replace(/["']/g, '')
    .trim()
  return [path.normalize(bare.replace(/\$\{?CLAUDE_PROJECT_DIR\}?/g, projectRoot))]
}

/** Of which version a script is: its runtime's folder says it, or the package.json above its dist. */
function versionOf(script: string): string | undefined {
  const runtime = /[\\/]runtime[\\/](\d[^\\/]*)[\\/]hooks[\\/]/.exec(script)?.[1]
  if (runtime) return runtime
  try {
    const manifest = path.join(path.dirname(script), '..', '..', 'package.json')
    const { version } = JSON.parse(fs.readFileSync(manifest, 'utf8')) as { version?: unknown }
    return typeof version === 'string' ? version : undefined
  } catch {
    return undefined // Copied by hand to some other place: nobody can tell.
  }
}

/** Starts every script as the client would, but told to be silent: it must load, print nothing and end well. */
function checkStarts(scripts: ReadonlyMap<string, string>, env: HookCheckInput['env']): CheckResult[] {
  const failed = [...scripts].flatMap(([script, file]) => {
    const { status, stdout, stderr, error } = spawnSync(process.execPath, [script], {
      input: '',
      encoding: 'utf8',
      timeout: STARTS_WITHIN_MS,
      env: { ...env, MEMCTL_OFF: '1' },
    })
    if (status === 0 && stdout === '') return []
    const why =
      error?.message ?? (stdout || stderr.split('\n').find((line) => /error/i.test(line)) || `it ended with ${status}`)
    return [
      checkProblem('starts', 'fail', `${script} does not start: ${why.trim()}`, {
        where: file,
        hint: 'Run `memctl init` again; in its own repository `npm run build`.',
      }),
    ]
  })
  if (scripts.size === 0 || failed.length > 0) return failed
  return [checkPassed('starts', `${scripts.size} hook scripts start and end well`)]
}

const unwired = ({ settingsFiles }: HookCheckInput): CheckResult =>
  checkProblem('hooks', 'warn', 'Not wired in any settings of this project or yours', {
    where: Object.values(settingsFiles).join(', '),
    hint: 'Run `memctl init`. With `claude --plugin-dir` or managed settings all is well: doctor does not see those.',
  })

const twice = (): CheckResult =>
  checkProblem(
    'hooks',
    'warn',
    'Wired in more than one place: an event still counts once, but each hook starts twice',
    {
      hint: 'Run `memctl uninstall` for all but one place (--user, --local).',
    },
  )

const mutedBy = (file: string): CheckResult =>
  checkProblem('hooks', 'warn', 'No hook runs while "disableAllHooks" is true', {
    where: file,
    hint: 'Take the line out.',
  })
