// The twin of a session on another system: the same payloads as a client on Windows or macOS would send them.
import type { RecordedPayload } from '../../bench/fixture/replaySessions.ts'
import type { HookPayload } from '../../src/record/hookPayload.ts'

export const LINUX_ROOT = '/home/太郎/my shop'
export const WINDOWS_ROOT = 'C:\\Users\\太郎\\my shop'
export const MAC_ROOT = '/Users/太郎/my shop'

/** The recording with another root: the twin on Linux or macOS. */
export const withRoot = (session: readonly RecordedPayload[], from: string, root: string): RecordedPayload[] =>
  JSON.parse(JSON.stringify(session).replaceAll(from, root)) as RecordedPayload[]

const PATH_FIELDS = ['file_path', 'notebook_path', 'path', 'filePath']
/** Texts of programs on Windows: their paths have backslashes. Code and prose stay. */
const OUTPUT_FIELDS = ['stdout', 'stderr', 'error', 'filenames']

/** The twin on Windows of a session in LINUX_ROOT. With `shell` Bash (Git Bash) or PowerShell. */
export function toWindows(session: readonly RecordedPayload[], shell: 'Bash' | 'PowerShell'): RecordedPayload[] {
  return session.map(({ at, payload }) => {
    const twin = translate(payload, shell) as HookPayload
    const tool = payload['tool_name'] === 'Bash' ? { tool_name: shell } : {}
    return { at, payload: { ...twin, ...tool } }
  })
}

function translate(value: unknown, shell: string, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => translate(item, shell, name))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, translate(field, shell, key)]))
  if (typeof value !== 'string') return value
  if (name === 'cwd' || name === 'transcript_path') return toWindowsPath(value)
  if (PATH_FIELDS.includes(name)) return toWindowsPath(value)
  if (name === 'command') {
    // Git Bash knows the drive as a folder.
    return shell === 'Bash' ? value.replaceAll(LINUX_ROOT, '/c/Users/太郎/my shop') : toWindowsText(value)
  }
  return OUTPUT_FIELDS.includes(name) ? toWindowsText(value) : value
}

const toWindowsPath = (path: string): string =>
  (path.startsWith('/') ? path.replace(LINUX_ROOT, WINDOWS_ROOT).replace(/^\/home/, 'C:\\Users') : path).replaceAll(
    '/',
    '\\',
  )

/** Absolute paths in the project, and relative ones with an extension. */
const toWindowsText = (text: string): string =>
  text
    .replace(/\/home\/太郎\/my shop((?:\/[\w.@-]+)*)/g, (_, rest: string) => WINDOWS_ROOT + rest.replaceAll('/', '\\'))
    .replace(/(?<![\w.@/:\\~-])(?:\.{1,2}\/)*(?:[\w@-]+\/)+[\w.@-]*\w\.(?:[cm]?js|ts|json|csv|md|go|yml)\b/g, (path) =>
      path.replaceAll('/', '\\'),
    )

/** A text of a memory or a note of the twin, as on Linux. */
export const toLinux = (text: string): string =>
  text.replaceAll('C:/Users/太郎', '/home/太郎').replaceAll('/Users/太郎', '/home/太郎')
