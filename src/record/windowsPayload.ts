// The payload of a session on Windows with the paths of its calls as elsewhere; src/text/windowsPaths.ts says which.
// What people and agents wrote, and the content of files, stays as it is.
import { isWindowsPath, slashPath, slashPaths } from '../text/windowsPaths.ts'
import { getObjectField, getTextField, type HookPayload } from './hookPayload.ts'

/** The payload with forward slashes in its paths; itself if the session is not on Windows. `root`: of the project. */
export function slashPayload(payload: HookPayload, root: string): HookPayload {
  const cwd = getTextField(payload, 'cwd') ?? ''
  if (!isWindowsPath(cwd)) return payload
  const folder = isWindowsPath(root) ? slashPath(root) : slashPath(cwd)
  const tool = payload['tool_name']
  const slash = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((item) => (typeof item === 'string' ? slash(item) : item))
    return typeof value === 'string' ? slashPaths(value, folder, tool === 'PowerShell') : value
  }
  const response = payload['tool_response']
  return {
    ...payload,
    cwd: slashPath(cwd),
    tool_input: mapFields(getObjectField(payload, 'tool_input'), (value, name) => {
      if (name === 'command') return slash(value)
      return PATH_FIELDS.includes(name) && typeof value === 'string' ? slashPath(value) : value
    }),
    ...(response !== undefined && {
      tool_response:
        typeof response === 'object' && tool !== 'Read'
          ? mapFields(getObjectField(payload, 'tool_response'), slash)
          : slash(response),
    }),
    ...(payload['error'] !== undefined && { error: slash(payload['error']) }),
  }
}

/** Fields of a call's input that are a path. */
const PATH_FIELDS = ['file_path', 'notebook_path', 'path']

const mapFields = (
  fields: Readonly<Record<string, unknown>>,
  change: (value: unknown, name: string) => unknown,
): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, change(value, name)]))
