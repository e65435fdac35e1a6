// memctl organize --distill: the optional model reads sessions now. Or prints what would be sent, or imports an answer.
// And what `memctl init` asks: whether Claude may read finished sessions.
import path from 'node:path'
import type { DistillResult } from '../../broker/distill/answerChanges.ts'
import {
  DIGEST_TOKENS,
  readDistillConfig,
  requireDistillConfig,
  SESSION_TOKENS,
  setSessionReading,
} from '../../broker/distill/distillConfig.ts'
import type { PreparedSession } from '../../broker/distill/prepareSession.ts'
import { hasReadingChoice } from '../../broker/open/hookConfig.ts'
import type { Store } from '../../broker/open/openStore.ts'
import { type SessionId, shortId } from '../../model/id.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { sanitizeForTerminal } from '../../report/fitText.ts'
import { formatCount, formatInteger } from '../../report/formatNumber.ts'
import { layOutLine } from '../../report/textOutput.ts'
import { translate } from '../../report/translation.ts'
import { realDisk } from '../../store/disk/files.ts'
import { estimateTokens, firstLine } from '../../text/excerpt.ts'
import { type CliContext, ExitStatus, printResult } from '../context/cliContext.ts'
import { isForAgent } from '../context/forPerson.ts'
import { readInputFile } from '../context/readInput.ts'
import { openSelectedStore, type StoreOptions } from '../context/storeOption.ts'

export interface DistillOptions extends StoreOptions {
  readonly dryRun?: boolean
  readonly printDigest?: boolean
  readonly answer?: string
}

/** What was read, and sessions in which there is nothing to read. */
type DistillOutput = Readonly<{ distilled: readonly DistillResult[]; skipped: readonly SessionId[] }>

/** Reads these sessions, or prints or imports what belongs to them. */
export async function distill(prefixes: readonly string[], options: DistillOptions, io: CliContext): Promise<void> {
  const store = await openSelectedStore(options, io)
  const sessions = await selectSessions(store, prefixes)
  if (options.answer !== undefined) return importAnswer(store, sessions, options, io)
  if (options.printDigest || options.dryRun) return showRequests(store, sessions, options, io)
  await askAboutSessions(store, sessions, options, io)
}

async function selectSessions(store: Store, prefixes: readonly string[]): Promise<readonly SessionId[]> {
  const { findSessionByPrefix } = await import('../../broker/queries/browse.ts')
  const { listDueSessions } = await import('../../broker/distill/distillUsage.ts')
  if (prefixes.length === 0) return listDueSessions(store, Date.now())
  return [...new Set(prefixes.map((prefix) => findSessionByPrefix(store, prefix)))]
}

type AboutSessions = (
  store: Store,
  sessions: readonly SessionId[],
  options: DistillOptions,
  io: CliContext,
) => Promise<void>

const askAboutSessions: AboutSessions = async (store, sessions, options, io) => {
  const { distillSessions } = await import('../../broker/distill/distillSessions.ts')
  const request = { config: requireDistillConfig(store), env: io.env, now: Date.now, isRequested: true }
  const { distilled, error } = await distillSessions(store, sessions, request)
  const done = new Set(distilled.map(({ session }) => session))
  const skipped = error ? [] : sessions.filter((session) => !done.has(session))
  if (error && (distilled.length === 0 || !options.json)) {
    if (distilled.length > 0) printResult(io, false, { distilled, skipped }, formatDistilled)
    throw error
  }
  const { code, message, hint } = error ?? {}
  const output = { distilled, skipped, ...(error && { error: { code, message, hint } }) }
  printResult(io, options.json, output, formatDistilled)
  if (error) throw new ExitStatus(2)
}

const importAnswer: AboutSessions = async (store, sessions, { answer: file = '', json }, io) => {
  const [session] = sessions
  if (session === undefined || sessions.length > 1)
    throw new MemoryError('USAGE', '--answer is for one session', {
      hint: 'Name it: `memctl organize --distill --session ID --answer FILE`.',
    })
  const { commitAnswer } = await import('../../broker/distill/answerChanges.ts')
  const { parseModelAnswer } = await import('../../distill/modelAnswer.ts')
  const { runMaintenance } = await import('../../broker/maintenance/maintenance.ts')
  const text = readInputFile(path.resolve(io.cwd, file))
  const answer = parseModelAnswer(text)
  const prepared = (await prepare(store, [session]))[0]
  const now = Date.now()
  const tokens = { input: prepared?.digest.tokens ?? 0, output: estimateTokens(text) }
  const result = prepared && commitAnswer(store, prepared, { answer, by: 'import', model: '', tokens, now })
  const distilled = result ? [result] : []
  runMaintenance(store, { now, sessions: [] })
  printResult(io, json, { distilled, skipped: result ? [] : [session] }, formatDistilled)
}

async function prepare(store: Store, sessions: readonly SessionId[]): Promise<readonly PreparedSession[]> {
  const { prepareSession, readProvenCalls } = await import('../../broker/distill/prepareSession.ts')
  const tokensMax = readDistillConfig(store)?.digestTokens ?? DIGEST_TOKENS
  const calls = readProvenCalls(store)
  return sessions.flatMap((session) => prepareSession(store, session, tokensMax, calls) ?? [])
}

const showRequests: AboutSessions = async (store, sessions, options, io) => {
  const prepared = await prepare(store, sessions)
  if (options.printDigest && !options.json) {
    for (const { request } of prepared) io.out.write(`${request.system}\n\n${request.user}\n`)
    return
  }
  // What would be sent about each session. Tokens are estimated.
  const plans = prepared.map(({ session, digest, request }) => ({
    session,
    items: digest.items.length,
    tokens: estimateTokens(request.system) + estimateTokens(request.user),
    ...(options.printDigest && { request }),
  }))
  printResult(io, options.json, { total: plans.length, sessions: plans }, () =>
    plans.length === 0
      ? [NOTHING_TO_READ]
      : plans.map(
          ({ session, items, tokens }) => `${shortId(session)}  ${formatCount(items, 'item')}, ${tokens} tokens`,
        ),
  )
}

const NOTHING_TO_READ = 'There is nothing to read.'

function formatDistilled({ distilled, skipped }: DistillOutput): string[] {
  if (distilled.length + skipped.length === 0) return [NOTHING_TO_READ]
  return [...distilled.flatMap(formatResult), ...skipped.map((session) => `${shortId(session)}  nothing to read`)]
}

function formatResult({ session, headline, memories, leftOpen, dropped, tokens }: DistillResult): string[] {
  const cost = `${tokens.input} + ${tokens.output} tokens`
  const lines = [
    ...memories.map(({ kind, content }) => `${kind}: ${content}`),
    ...leftOpen.map((task) => `left open: ${task}`),
    ...dropped.map(({ what, reason }) => `dropped, ${reason}: ${what}`),
  ]
  return [
    `${shortId(session)}  ${sanitizeForTerminal(firstLine(headline, 200)) || 'no summary'} (${cost})`,
    ...lines.map((line) => `  ${sanitizeForTerminal(line)}`),
  ]
}

const ABOUT =
  `Claude can read each finished session and note what later ones should know. It is your own client with a small ` +
  `model, in the background: about ${formatInteger(SESSION_TOKENS)} tokens of your account per session, ` +
  '20 sessions a day at most.'

interface ReadingChoice {
  readonly home: string
  /** `--read-sessions`; undefined if it was not given. */
  readonly given: 'yes' | 'no' | undefined
  readonly dryRun?: boolean | undefined
  readonly json?: boolean | undefined
}

/** Stores the answer of the option or the person. Returns lines for the person; none if it was answered before. */
export async function chooseSessionReading(
  io: CliContext,
  { home, given, dryRun, json }: ReadingChoice,
): Promise<string[]> {
  const place = { files: realDisk, home }
  if (dryRun || (given === undefined && hasReadingChoice(place))) return []
  if (given !== undefined) {
    setSessionReading(place, given === 'yes')
    return [describeReading(given === 'yes')]
  }
  if (!io.ask || json || isForAgent(io)) return [`${ABOUT} To allow it: \`memctl init --read-sessions yes\`.`]
  const answer = (await io.ask([...layOutLine(ABOUT, io.out), `${translate('May it?')} [Y/n] `].join('\n'))) ?? 'no'
  const isAllowed = !/^n(?:o)?$/i.test(answer.trim())
  setSessionReading(place, isAllowed)
  return [describeReading(isAllowed)]
}

const describeReading = (isAllowed: boolean): string =>
  isAllowed
    ? 'Claude reads each finished session. `memctl status` says what it read, what it cost and what it gave.'
    : 'Claude does not read finished sessions. To change that: `memctl init --read-sessions yes`.'
