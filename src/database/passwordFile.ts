// The password file of PostgreSQL: one line for each server, `host:port:database:user:password`, each part maybe `*`.
import { statSync } from 'node:fs'
import { IS_WINDOWS } from '../store/disk/paths.ts'
import { isFileFault, readUntrusted } from '../store/disk/untrustedFiles.ts'

interface Account {
  readonly host: string
  readonly port: number
  readonly database: string
  readonly user: string
}

const FILE_BYTES_MAX = 1_000_000

/** The password of this account; none if no line is for it. A file that others can read is not used, as in psql. */
export function findPassword(
  file: string,
  account: Account,
): { readonly password: string | undefined } | { readonly problem: string } {
  const bytes = readUntrusted(undefined, file, FILE_BYTES_MAX)
  if (bytes === undefined) return { password: undefined }
  if (isFileFault(bytes)) return { problem: `the password file ${file} cannot be read` }
  if (!IS_WINDOWS && (statSync(file).mode & OTHERS) !== 0) {
    return { problem: `the password file ${file} was not used, because others can read it: run \`chmod 600 ${file}\`` }
  }
  const wanted = [hostInFile(account.host), String(account.port), account.database, account.user]
  for (const line of bytes.toString('utf8').split(/\r?\n/)) {
    const parts = line.startsWith('#') ? [] : splitLine(line)
    const password = parts[4]
    if (password && wanted.every((value, i) => parts[i] === '*' || parts[i] === value)) return { password }
  }
  return { password: undefined }
}

const OTHERS = 0o077

/** A Unix socket in the default folder is `localhost` in the file. */
const hostInFile = (host: string): string => (/^\/(?:tmp|var\/run\/postgresql)\/?$/.test(host) ? 'localhost' : host)

/** The five parts of a line. A colon or a backslash in a part has a backslash before it. */
const splitLine = (line: string): string[] =>
  (LINE.exec(line) ?? []).slice(1).map((part) => part.replace(/\\(.)/gsu, '$1'))

const LINE = new RegExp(`^${String.raw`((?:\\.|[^\\:])*):`.repeat(4)}(.*)$`, 'su')
