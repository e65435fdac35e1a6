// The status line of the client: one line on the memory and what the session was shown. It never fails, because the
// client would show nothing at all.

import { openStore } from '../../broker/open/openStore.ts'
import { readSessionNotes, type SessionNotes } from '../../broker/queries/sessionLog.ts'
import { objectOf, parseObject } from '../../model/unknownJson.ts'
import { clipColumns } from '../../text/sanitizeText.ts'

/** Columns without $COLUMNS, which the client sets. */
const USUAL_COLUMNS = 120

/** Columns that the client's own words beside the line take. */
const CLIENT_COLUMNS = 30

/**
 * The line for what the client writes to stdin: JSON with `session_id` and `workspace.project_dir`. Of anything else
 * `cwd`, the current folder, is used.
 */
export function formatStatusLine(input: string, env: NodeJS.ProcessEnv, cwd: string, now = Date.now()): string {
  try {
    const { session, folder } = parseInput(input)
    const notes = readSessionNotes(openStore(env['CLAUDE_PROJECT_DIR'] || folder || cwd, env), session, now)
    return clipColumns(describeNotes(notes), Math.max(40, (Number(env['COLUMNS']) || USUAL_COLUMNS) - CLIENT_COLUMNS))
  } catch {
    return 'memctl' // The store cannot be read now: `memctl doctor` says why.
  }
}

function describeNotes({ memories, notes, tokens, last, isRecorded, hasFault }: SessionNotes): string {
  const parts = [
    `memctl ${memories} ${memories === 1 ? 'memory' : 'memories'}`,
    ...(isRecorded ? [] : ['not recording this session: memctl doctor']),
    ...(hasFault ? ['a hook failed: memctl doctor'] : []),
    ...(notes > 0 ? [`${notes} ${notes === 1 ? 'note' : 'notes'} shown`, `${tokens} tokens`] : []),
    ...(last === undefined ? [] : [`last: ${last}`]),
  ]
  return parts.join(' · ')
}

function parseInput(input: string) {
  const { session_id, cwd, workspace } = parseObject(input) ?? {}
  const { project_dir, current_dir } = objectOf(workspace)
  const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
  return { session: [session_id].find(isText), folder: [project_dir, current_dir, cwd].find(isText) }
}
