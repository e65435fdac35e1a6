// What `memctl init` says about earlier sessions of a project: memctl can learn from the client's transcripts of them.
import path from 'node:path'
import { openStore } from '../../broker/open/openStore.ts'
import { findTranscripts, transcriptFolder } from '../../broker/transcripts/findTranscripts.ts'
import { readRecordedSessions } from '../../broker/transcripts/recordedSessions.ts'
import { formatCount } from '../../report/formatNumber.ts'
import { realDisk } from '../../store/disk/files.ts'

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
