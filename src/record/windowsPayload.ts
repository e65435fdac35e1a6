// The payload of a session on Windows with the paths of its calls as elsewhere; src/text/windowsPaths.ts says which.
// What people and agents wrote, and the content of files, stays as it is.
import { isWindowsPath, slashPath, slashPaths } from '../text/windowsPaths.ts'
import { getTextField, type HookPayload } from './hookPayload.ts'

/** The payload with forward slashes in its paths; itself if the session is not on Windows. `root`: of the project. */
export function slashPayload(payload: HookPayload, root: string): HookPayload {
  const cwd = getTextField(payload, 'cwd') ?? ''
  if (!isWindowsPath(cwd)) return payload
  const folder = slashPath(isWindowsPath(root) ? root : cwd)
  const tool = payload['tool_name']
  const slash = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((item) => (typeof item === 'string' ? slash(item) : item))
    return typeof value === 'string' ? slashPaths(value, folder, tool === 'PowerShell') : value
  }
  return {
    ...payload,
    cwd: slashPath(cwd),
    error: slash(payload['error']),
    tool_input: mapFields(payload['tool_input'], (value, name) => {
      if (name === 'command') return slash(value)
      return PATH_FIELDS.includes(name) && typeof value === 'string' ? slashPath(value) : value
    }),
    tool_response: tool === 'Read' ? payload['tool_response'] : mapFields(payload['tool_response'], slash),
  }
}

/** Fields of a call's input that are a path. */
const PATH_FIELDS = ['file_path', 'notebook_path', 'path']

/** The object with its fields changed; of anything else, as a text or a list, the change of it. */
function mapFields(fields: unknown, change: (value: unknown, name: string) => unknown): unknown {
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return change(fields, '')
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, change(value, name)]))
}
