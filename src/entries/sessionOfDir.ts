// The session of a folder in `.memctl`. Hooks use this file; names are made in sessionDirName.ts.

/** Whether a folder may be that of a session: no name with another meaning there. */
export function isSessionDirName(name: string): boolean {
  if (name === '' || name.length > 255 || name === 'memory' || name === 'archive' || name[0] === '.') return false
  for (let i = 0; i < name.length; i++) {
    const unit = name.charCodeAt(i)
    if (unit < 33 || unit === 127 || '"*/:<>?\\|'.includes(name.charAt(i))) return false
  }
  return name[name.length - 1] !== '.'
}

/** The id of the session that a folder belongs to. */
export const sessionOfDir = (name: string): string =>
  name.includes('%')
    ? name.replace(/%([0-9a-f]{4})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    : name
