// What `memctl init` asks and says about sessions: whether Claude may read finished ones, and that memctl can learn
// from earlier ones.
import path from 'node:path'
import { SESSION_TOKENS, setSessionReading } from '../../broker/distill/distillConfig.ts'
import { hasReadingChoice } from '../../broker/open/hookConfig.ts'
import { openStore } from '../../broker/open/openStore.ts'
import { findTranscripts, transcriptFolder } from '../../broker/transcripts/findTranscripts.ts'
import { readRecordedSessions } from '../../broker/transcripts/recordTranscript.ts'
import { formatCount } from '../../report/formatNumber.ts'
import { realDisk } from '../../store/disk/files.ts'
import type { CliContext } from '../context/cliContext.ts'
import { isForAgent } from '../context/forPerson.ts'

const ABOUT =
  `Claude can read each finished session and note what later ones should know. It is your own client with a small ` +
  `model, in the background: about ${SESSION_TOKENS.toLocaleString('en')} tokens of your account per session, ` +
  '20 sessions a day at most.'

interface Choice {
  readonly home: string
  /** `--read-sessions`; undefined if it was not given. */
  readonly given: 'yes' | 'no' | undefined
  readonly dryRun?: boolean | undefined
  readonly json?: boolean | undefined
}

/** Stores the answer of the option or the person. Returns lines for the person; none if it was answered before. */
export async function chooseSessionReading(io: CliContext, { home, given, dryRun, json }: Choice): Promise<string[]> {
  const place = { files: realDisk, home }
  if (dryRun) return []
  if (given !== undefined) {
    setSessionReading(place, given === 'yes')
    return [describe(given === 'yes')]
  }
  if (hasReadingChoice(place)) return []
  if (!io.ask || json || isForAgent(io)) return [`${ABOUT} To allow it: \`memctl init --read-sessions yes\`.`]
  const isAllowed = !/^n(?:o)?$/i.test((await io.ask(`${ABOUT}\nMay it? [Y/n] `)).trim())
  setSessionReading(place, isAllowed)
  return [describe(isAllowed)]
}

const describe = (isAllowed: boolean): string =>
  isAllowed
    ? 'Claude reads each finished session. `memctl status` says what it read, what it cost and what it gave.'
    : 'Claude does not read finished sessions. To change that: `memctl init --read-sessions yes`.'

/** One line if there are transcripts of sessions that are not recorded yet; `project` is the folder of the project. */
export function describeTranscripts(
  project: string,
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const folder = path.join(transcriptFolder(env), folderName(project))
  if (realDisk.permissions(folder)?.kind !== 'folder') return []
  const sessions = new Set(findTranscripts(realDisk, folder).map(({ session }) => session))
  const recorded = readRecordedSessions(openStore(project, env))
  const missing = [...sessions].filter((session) => !recorded.has(session)).length
  if (missing === 0) return []
  return [`Earlier:   ${formatCount(missing, 'session')} before memctl: \`memctl import transcripts\` learns from them`]
}

/** The client's name for the transcripts of a folder. */
const folderName = (folder: string): string => folder.replace(/[^A-Za-z0-9]/g, '-')
