// Encryption of a connection, with the meaning of libpq: sslmode, an own certificate authority, a client certificate.
import { type ConnectionOptions, createSecureContext } from 'node:tls'
import { MemoryError } from '../model/memoryError.ts'
import { isFileFault, readUntrusted } from '../store/disk/untrustedFiles.ts'

export interface Tls {
  /** `prefer`: encrypted if the server can, else not. */
  readonly use: 'never' | 'prefer' | 'always'
  readonly options: ConnectionOptions
}

const MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full']

/** The largest file of certificates that is read: that of all public authorities has 250 kB. */
const FILE_BYTES_MAX = 2_000_000

/**
 * Without an sslmode, a connection to another machine is `require`: a team's memory does not cross a network without
 * encryption because nobody thought of it. To this machine it is `prefer`, as in psql.
 */
export function readTls(
  parameters: ReadonlyMap<string, string>,
  env: Readonly<Record<string, string | undefined>>,
  { host, home }: { readonly host: string; readonly home: string | undefined },
): Tls {
  const setting = (name: string): string | undefined => parameters.get(name) || env[`PG${name.toUpperCase()}`]
  const isThisMachine = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i.test(host)
  const mode = setting('sslmode') ?? (isThisMachine ? 'prefer' : 'require')
  if (!MODES.includes(mode)) throw invalid('sslmode, or PGSSLMODE, is not known', `Use one of ${MODES.join(', ')}.`)
  if (mode === 'disable' || host.startsWith('/')) return { use: 'never', options: {} }
  const [authority, certificate, key] = [setting('sslrootcert'), setting('sslcert'), setting('sslkey')]
  // libpq: with an authority `require` verifies the certificate, as `verify-ca` does.
  const isVerified = mode.startsWith('verify-') || (mode === 'require' && authority !== undefined)
  const usual =
    home !== undefined && isVerified ? readUntrusted(undefined, usualAuthority(home), FILE_BYTES_MAX) : undefined
  const ca = authority === undefined ? usual : authority === 'system' ? undefined : readFile(authority, 'sslrootcert')
  const files = {
    // Without one, the authorities that Node knows count.
    ...(ca === undefined || isFileFault(ca) ? {} : { ca }),
    ...(certificate === undefined ? {} : { cert: readFile(certificate, 'sslcert') }),
    ...(key === undefined ? {} : { key: readFile(key, 'sslkey') }),
  }
  if (Object.keys(files).length > 0) checkFiles(files)
  return {
    use: mode === 'allow' || mode === 'prefer' ? 'prefer' : 'always',
    options: {
      ...files,
      // Older versions of the driver would verify an address as if it were `localhost`.
      host,
      rejectUnauthorized: isVerified,
      ...(mode === 'verify-full' ? {} : { checkServerIdentity: () => undefined }),
    },
  }
}

const usualAuthority = (home: string): string => `${home}/.postgresql/root.crt`

/** Before anything is sent: a key that does not fit its certificate, or one that is missing, or another format. */
function checkFiles(files: { readonly cert?: Buffer; readonly key?: Buffer; readonly ca?: Buffer }): void {
  try {
    if ((files.cert === undefined) !== (files.key === undefined)) throw new Error('sslcert and sslkey belong together')
    createSecureContext(files)
  } catch (error) {
    const why = withoutLibrary(error instanceof Error ? error.message : String(error))
    throw invalid(`sslcert, sslkey or sslrootcert cannot be used: ${why}`, 'Give PEM files that fit together.')
  }
}

/** What OpenSSL says, without its number and the names of its parts: `error:0A000086:SSL routines::…`. */
export const withoutLibrary = (text: string): string => text.replace(/^(?:\w+:)?error:\w+:[^:]*:[^:]*:/i, '')

function readFile(file: string, name: string): Buffer {
  const bytes = readUntrusted(undefined, file, FILE_BYTES_MAX)
  if (bytes !== undefined && !isFileFault(bytes)) return bytes
  const shown = file.replace(/\p{C}/gu, '?')
  throw invalid(`${name} cannot be read: ${shown}`, 'Give the path of a PEM file that you may read.')
}

const invalid = (what: string, hint: string): MemoryError => new MemoryError('INPUT_INVALID', what, { hint })
