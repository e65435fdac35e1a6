// Formats a payload as a line of a recording, which `replay` reads. Secrets and private parts are removed by default.
import { parseHookPayload } from '../../src/record/hookPayload.ts'
import { sanitizePayload } from '../../src/record/sanitizePayload.ts'
import { readGitBranch } from '../../src/store/project/gitFolder.ts'
import { resolveProject } from '../../src/store/project/project.ts'

/**
 * The line for what a hook read on stdin, newline included; undefined where that is no payload. Where the client names
 * no branch it is read from git: a replay, on another day, cannot ask for it.
 */
export function formatRecordingLine(stdin: string, folder: string, now: number, raw = false): string | undefined {
  const payload = parseHookPayload(stdin)
  if (!payload) return undefined
  const isAsked = payload.hook_event_name === 'SessionStart' || payload.hook_event_name === 'UserPromptSubmit'
  const branch = isAsked && payload['git_branch'] === undefined ? readGitBranch(resolveProject(folder).root) : undefined
  const kept = raw ? payload : sanitizePayload(payload)
  const stored = branch ? { ...kept, git_branch: branch } : kept
  return `${JSON.stringify({ at: new Date(now).toISOString(), payload: stored })}\n`
}
