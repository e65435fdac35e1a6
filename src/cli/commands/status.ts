// memctl status: the state of a project's memory. It reads little, so it can run often.
import type { Command } from 'commander'
import type { DistillStatus } from '../../broker/distill/distillSessions.ts'
import type { LiveStore } from '../../broker/live/liveStore.ts'
import { hasUserConfig, mayHaveReader } from '../../broker/open/hookConfig.ts'
import type { Store } from '../../broker/open/openStore.ts'
import type { StoreStatus } from '../../broker/queries/storeStatus.ts'
import type { HubStatus } from '../../broker/team/hubStatus.ts'
import { countObedience, describeObedience, NO_SESSIONS } from '../../knowledge/obedience.ts'
import { type CheckResult, checkProblem } from '../../model/checkResult.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { removeControls, sanitizeForTerminal } from '../../report/fitText.ts'
import { formatBytes, formatCount, formatTimeAgo, formatTimestamp } from '../../report/formatNumber.ts'
import { findUserHome } from '../../store/disk/paths.ts'
import { type CliContext, printResult, type Terminal } from '../context/cliContext.ts'
import { openSelectedStore, type StoreOptions, withStoreOptions } from '../context/storeOption.ts'
import { formatKindNames, formatKinds, formatWrappedFields } from '../format/memoryText.ts'

export function registerStatus(program: Command, io: CliContext): void {
  withStoreOptions(program.command('status').description("show the state of this project's memory")).action(
    async (options: StoreOptions) => {
      const { readStoreStatus } = await import('../../broker/queries/storeStatus.ts')
      const store = await openSelectedStore(options, io)
      const { readHubStatus } = await import('../../broker/team/hubStatus.ts')
      const distill = await readDistill(store, io)
      const { openLiveStore } = await import('../../broker/live/liveStore.ts')
      const liveStore = openLiveStore(store)
      const hub = readHubStatus(store, io.env, liveStore.loaded.projection)
      const rules = await readRules(store, liveStore)
      const problems = await findProblems(store)
      const hooks = options.store === undefined && { hooks: readHooks(store, io) }
      const status = {
        ...readStoreStatus(store, liveStore),
        ...hooks,
        rules,
        problems,
        ...(distill && { distill }),
        ...(hub && { hub }),
      }
      printResult(io, options.json, status, formatStatus)
    },
  )
}

/** Whether sessions of this project are recorded: a settings file names our hooks or the plugin. */
function readHooks({ files, project }: Store, { env }: CliContext): 'installed' | 'not installed' {
  const folders = [`${project.root}/.claude`, env['CLAUDE_CONFIG_DIR'] || `${findUserHome(env)}/.claude`]
  const texts = folders.flatMap((folder) =>
    ['settings.json', 'settings.local.json'].map((name) => files.read(`${folder}/${name}`)?.toString('utf8') ?? ''),
  )
  return texts.some((text) => OUR_HOOKS.test(text)) ? 'installed' : 'not installed'
}

/** `memctl doctor` reads the settings in full. */
const OUR_HOOKS = /session-start\.cjs|"memctl@[^"]*"\s*:\s*true/

type RuleStatus = Awaited<ReturnType<typeof readRules>>

async function readRules(store: Store, liveStore: LiveStore) {
  const { listPersonKnowledge } = await import('../../broker/queries/browse.ts')
  const { findLatestSession } = await import('../../broker/queries/sessionLog.ts')
  const counted = countObedience(listPersonKnowledge(liveStore))
  // Counts that an import brought are of sessions of another store.
  return findLatestSession(store) === undefined ? { ...counted, before: NO_SESSIONS, since: NO_SESSIONS } : counted
}

/** What keeps the settings, or everything, from having an effect. */
async function findProblems(store: Store): Promise<readonly CheckResult[]> {
  const { files, home } = store
  if (home === undefined || !hasUserConfig(store)) return checkHome(store)
  const { readConfig } = await import('../../broker/open/configFile.ts')
  const { checkConfig } = await import('../../broker/checks/checkConfig.ts')
  try {
    readConfig(files, home)
    return checkConfig(store).filter(({ state }) => state !== 'ok')
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error
    return [checkProblem('config', 'fail', error.message, { hint: error.hint })]
  }
}

/** A home that is a file looks like an empty one. */
function checkHome({ files, home }: Store): CheckResult[] {
  if (home === undefined || (files.permissions(home)?.kind ?? 'folder') === 'folder') return []
  return [checkProblem('home', 'fail', `${home} is no folder`, { where: home, hint: 'Set MEMCTL_HOME to a folder.' })]
}

/** The status of the optional model; undefined if none is configured. `memctl doctor` reports an invalid config. */
export async function readDistill(store: Store, io: CliContext): Promise<DistillStatus | undefined> {
  if (!mayHaveReader(store)) return undefined
  const { readDistillStatus } = await import('../../broker/distill/distillSessions.ts')
  try {
    return readDistillStatus(store, io.env, Date.now()) ?? undefined
  } catch (error) {
    if (error instanceof MemoryError) return undefined
    throw error
  }
}

function formatDistill(status: DistillStatus, { palette }: Terminal): [string, string][] {
  const { by, model, today, total, lastRun, error } = status
  const spent = `today ${today.calls} of ${today.callsMax} calls, ${today.tokens} of ${today.tokensMax} tokens`
  const read = formatCount(total.sessions, 'session')
  const gave = `${formatCount(total.stored, 'entry', 'entries')}, ${total.changed} confirmed or changed`
  const { at, project, stored, dropped } = lastRun ?? {}
  const last = at ? `last ${formatTimestamp(at)} UTC, ${project}: ${stored} stored, ${dropped} dropped` : 'not yet'
  const fields: [string, string][] = [['distill', `${by} ${model}, ${spent}`]]
  if (total.sessions > 0) fields.push(['', `read ${read} for ${total.tokens} tokens: ${gave}`])
  fields.push(['', last])
  if (error) fields.push(['', palette.yellow(sanitizeForTerminal(`${error.what}. ${error.hint}`))])
  return fields
}

function formatHub(hub: HubStatus, { palette }: Terminal): [string, string][] {
  const fault = formatHubFault(hub)
  const line: [string, string] = ['hub', removeControls(formatHubLine(hub, Date.now()))]
  return fault === '' ? [line] : [line, ['', palette.yellow(removeControls(fault))]]
}

/** Where the memory is, if the folder uses that of another project, or could. */
function formatIdentity({ project, earlier }: StoreStatus, { palette }: Terminal): [string, string][] {
  if (project.linkedFrom !== undefined)
    return [['linked', `from ${project.linkedFrom}; \`memctl project unlink\` separates them`]]
  return earlier.map(({ store, title, memories, joins }) => {
    const which = `${sanitizeForTerminal(title)} (${formatCount(memories, 'memory', 'memories')})`
    return joins
      ? ['earlier', `the next session uses the memory of ${which}`]
      : ['earlier', palette.yellow(`this may be ${which}: \`memctl project link ${store}\``)]
  })
}

/** `7 of the person, kept 12 of 13 times since memctl repeats them (before: 3 of 9)`; and which, if any was met. */
function formatRules({ count, ...kept }: RuleStatus): [string, string][] {
  const counts = describeObedience(kept)
  const each = 'each once in every session that met it: `memctl list --kind rule`, `memctl report`'
  const fields: [string, string][] = [['rules', [`${count} of the person`, counts].filter(Boolean).join(', ')]]
  return counts === '' ? fields : [...fields, ['', each]]
}

const NO_HOOKS = 'not in the settings: sessions are recorded after `memctl init` or with the plugin'

/** Unreadable entry files that are listed one by one. */
const SHOWN_FILES_MAX = 5

interface StatusAnswer extends StoreStatus {
  /** Absent for a store that is not a project's. */
  readonly hooks?: 'installed' | 'not installed'
  readonly rules: RuleStatus
  readonly problems: readonly CheckResult[]
  readonly distill?: DistillStatus
  readonly hub?: HubStatus
}

function formatStatus(status: StatusAnswer, terminal: Terminal): string[] {
  const { project, store, bytes, events, memories, unorganized, policyVersion, lastOrganized, faults, distill } = status
  const { hasContent, invalidEntries, rules, trust } = status
  const { palette } = terminal
  const archived = memories.archived > 0 ? `, ${memories.archived} archived` : ''
  const fields: [string, string][] = [
    ['project', `${palette.bold(sanitizeForTerminal(project.name))} ${palette.dim(sanitizeForTerminal(project.root))}`],
    ['store', store],
    ...formatIdentity(status, terminal),
    ['size', `${formatBytes(bytes.log)} of log, ${formatBytes(bytes.memories)} of memories`],
    ['events', events.lines === null ? 'not counted (log too large)' : formatCount(events.lines, 'event')],
    ['memories', `${formatCount(memories.total, 'memory', 'memories')}${archived}`],
  ]
  const tiers = Object.entries(memories.byTier).flatMap(([tier, count]) => (count > 0 ? [`${count} ${tier}`] : []))
  if (memories.total > 0) fields.push(['', formatKinds(memories.byKind)], ['', tiers.join(', ')])
  if (rules.count > 0) fields.push(...formatRules(rules))
  fields.push(
    ['to organize', unorganized === 0 ? 'nothing' : palette.yellow(formatCount(unorganized, 'session'))],
    [
      'organized',
      lastOrganized ? `${formatTimestamp(lastOrganized)} UTC, ${formatTimeAgo(lastOrganized, Date.now())}` : 'not yet',
    ],
    ['policy', policyVersion === 0 ? 'default' : `version ${policyVersion}, learned here`],
    ...(distill ? formatDistill(distill, terminal) : []),
    ...(status.hub ? formatHub(status.hub, terminal) : []),
    ['faults', faults.count === 0 ? 'none' : palette.red(String(faults.count))],
  )
  if (faults.incomplete > 0)
    fields.push([
      '',
      `${formatCount(faults.incomplete, 'payload')} did not arrive in time; the session's end reads the transcript`,
    ])
  for (const problem of status.problems)
    fields.push(
      [problem.name, palette.yellow(removeControls(problem.what))],
      ['', problem.state === 'ok' ? '' : problem.hint],
    )
  if (status.hooks) fields.push(['hooks', status.hooks === 'installed' ? status.hooks : palette.yellow(NO_HOOKS)])
  if (hasContent && trust !== 'trusted') {
    fields.push(['trust', 'what this repository brings is not used: `memctl project trust`'])
  }
  if (invalidEntries.length > 0) {
    const count = formatCount(invalidEntries.length, 'unreadable file')
    fields.push(['entries', palette.yellow(`${count}, see \`memctl doctor\``)])
    fields.push(
      ...invalidEntries.slice(0, SHOWN_FILES_MAX).map((file): [string, string] => ['', sanitizeForTerminal(file)]),
    )
  }
  if (faults.latest) {
    const { at, where, what, hint } = faults.latest
    fields.push(['', sanitizeForTerminal(`${formatTimestamp(at)} ${where}: ${what}. ${hint}`)])
  }
  return formatWrappedFields(fields, terminal)
}

/** `github.com/me/shop as Aki, synced 5 min ago, nothing waits`. `now` in milliseconds since 1970. */
export function formatHubLine(status: HubStatus, now: number): string {
  const { url, name, project, waiting, lastSync, fault } = status
  const waits =
    waiting === 0 ? 'nothing waits' : `${formatCount(waiting, 'change')} ${waiting === 1 ? 'waits' : 'wait'}`
  if (project === null) {
    if (url === null) return 'not used, because its configuration is wrong'
    if (waiting > 0) return `left, ${waits} to be taken back: \`memctl hub sync\``
    return `connected as ${name}; this project shares nothing: \`memctl hub join\``
  }
  const who = `${project} as ${name}`
  if (url === null && fault === null) return `${who}, but no hub is configured: \`memctl hub connect URL\``
  return lastSync === null
    ? `${who}, not synced yet${fault ? '' : ': `memctl hub sync`'}`
    : [`${who}, synced ${formatTimeAgo(lastSync, now)}, ${waits}`, ...describeTodo(status)].join(', ')
}

function* describeTodo({ lost, reviews, newKinds }: HubStatus): Iterable<string> {
  if (lost.length > 0) yield `${formatCount(lost.length, 'text')} of yours replaced: \`memctl hub sync\``
  if (reviews > 0) yield `${formatCount(reviews, 'text')} to be reviewed: \`memctl hub review\``
  if (newKinds.length > 0) yield `the team shares ${formatKindNames(newKinds)} too: \`memctl hub join\``
}

/** What is wrong and what to do: `DATABASE_UNREACHABLE: nothing listens on db:5432. Check …`; empty if nothing is. */
export const formatHubFault = ({ fault }: HubStatus): string =>
  fault === null ? '' : `${fault.code}: ${fault.message}. ${fault.hint}`

/** Both in one line; undefined without a hub. */
export const describeHub = (status: HubStatus | undefined, now: number): string | undefined =>
  status && [formatHubLine(status, now), formatHubFault(status)].filter(Boolean).join('. ')
