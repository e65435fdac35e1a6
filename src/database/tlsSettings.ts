// Encryption of a connection, with the meaning of libpq: sslmode, an own certificate authority, a client certificate.
import { type ConnectionOptions, createSecureContext } from 'node:tls'
import { MemoryError } from '../model/memoryError.ts'
import { isFileFault, readUntrusted } from '../store/disk/untrustedFiles.ts'

export interface Tls {
  /** `prefer`: encrypted if the server can, else not. */
  readonly use: 'never' | 'prefer' | 'always'
  readonly options: ConnectionOptions
  /** Whether the user has chosen it, by the URL or PGSSLMODE. */
  readonly isChosen: boolean
}

const MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const
type Mode = (typeof MODES)[number]

/** The largest file of certificates that is read: that of all public authorities has 250 kB. */
const FILE_BYTES_MAX = 2_000_000

type Env = Readonly<Record<string, string | undefined>>

/**
 * Without an sslmode, a connection to another machine is `require`: a team's memory does not cross a network without
 * encryption because nobody thought of it. To this machine it is `prefer`, as in psql.
 */
export function readTls(
  parameters: ReadonlyMap<string, string>,
  env: Env,
  { host, home }: { readonly host: string; readonly home: string | undefined },
): Tls {
  const chosen = parameters.get('sslmode') || env['PGSSLMODE'] || undefined
  const source = parameters.get('sslmode') ? 'sslmode' : 'PGSSLMODE'
  const mode = checkMode(chosen, source) ?? (isThisMachine(host) ? 'prefer' : 'require')
  if (mode === 'disable' || host.startsWith('/')) return { use: 'never', options: {}, isChosen: chosen !== undefined }
  const setting = (name: string): string | undefined => parameters.get(name) || env[`PG${name.toUpperCase()}`]
  const ca = readAuthority(setting('sslrootcert'), mode, home)
  const certificate = setting('sslcert')
  const key = setting('sslkey')
  if ((certificate === undefined) !== (key === undefined)) {
    throw invalid('sslcert and sslkey belong together: a certificate and its private key', 'Give both, or none.')
  }
  // libpq: with an authority `require` verifies the certificate, as `verify-ca` does.
  const isVerified = mode.startsWith('verify-') || (mode === 'require' && setting('sslrootcert') !== undefined)
  const files = {
    ...(ca === undefined ? {} : { ca }),
    ...(certificate === undefined ? {} : { cert: readFile(certificate, 'sslcert') }),
    ...(key === undefined ? {} : { key: readFile(key, 'sslkey') }),
    ...(parameters.get('sslpassword') ? { passphrase: parameters.get('sslpassword') } : {}),
  }
  if (key !== undefined || ca !== undefined) checkFiles(files)
  return {
    use: mode === 'allow' || mode === 'prefer' ? 'prefer' : 'always',
    isChosen: chosen !== undefined,
    options: {
      ...files,
      // Older versions of the driver would verify an address as if it were `localhost`.
      host,
      rejectUnauthorized: isVerified,
      ...(mode === 'verify-full' ? {} : { checkServerIdentity: () => undefined }),
    },
  }
}

/** Before anything is sent: a key that does not fit its certificate, a wrong password of the key, another format. */
function checkFiles(files: ConnectionOptions): void {
  try {
    createSecureContext(files)
  } catch (error) {
    const why = withoutLibrary(error instanceof Error ? error.message : String(error))
    throw invalid(
      `sslcert, sslkey or sslrootcert cannot be used: ${why}`,
      'Give files in PEM format that fit together.',
    )
  }
}

/** What OpenSSL says, without its number and the names of its parts: `error:0A000086:SSL routines::…`. */
export const withoutLibrary = (text: string): string => text.replace(/^(?:\w+:)?error:\w+:[^:]*:[^:]*:/i, '')

const isThisMachine = (host: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i.test(host)

function checkMode(mode: string | undefined, source: string): Mode | undefined {
  const known = MODES.find((name) => name === mode)
  if (mode === undefined || known !== undefined) return known
  const what = /^[\w-]{1,40}$/.test(mode) ? `${source} is ${mode}` : `${source} is not known`
  throw invalid(what, `Use one of ${MODES.join(', ')}.`)
}

/** The given file; for a verified connection the file that psql would use; undefined for the authorities of Node. */
function readAuthority(file: string | undefined, mode: Mode, home: string | undefined): Buffer | undefined {
  if (file === 'system') return undefined
  if (file !== undefined) return readFile(file, 'sslrootcert')
  if (!mode.startsWith('verify-') || home === undefined) return undefined
  const found = readUntrusted(undefined, `${home}/.postgresql/root.crt`, FILE_BYTES_MAX)
  return isFileFault(found) ? undefined : found
}

function readFile(file: string, name: string): Buffer {
  const bytes = readUntrusted(undefined, file, FILE_BYTES_MAX)
  if (bytes !== undefined && !isFileFault(bytes)) return bytes
  const what = bytes === undefined ? 'does not exist' : 'cannot be read'
  const shown = file.replace(/\p{C}/gu, '?')
  throw invalid(`${name} ${what}: ${shown}`, 'Give the path of a file in PEM format that you may read.')
}

const invalid = (what: string, hint: string): MemoryError => new MemoryError('INPUT_INVALID', what, { hint })
