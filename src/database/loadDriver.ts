// Loads the package `pg`, an optional peer dependency: where memctl is installed, else in memctl's home.
import { MemoryError } from '../model/memoryError.ts'
import { loadOptional } from '../packages/optionalPackage.ts'
import { findMemctlHome } from '../store/project/project.ts'
import type { Env } from './connectionUrl.ts'

/** The part of the package that is used. */
export type Driver = Pick<typeof import('pg'), 'Pool' | 'Client'>

export type DriverClient = import('pg').PoolClient
export type DriverConfig = import('pg').PoolConfig

/** Throws DATABASE_DRIVER_MISSING with the command that installs it. */
export async function loadDriver(env: Env): Promise<Driver> {
  // Its native form has neither the guard against servers that answer nonsense nor the state of a transaction.
  if (env['NODE_PG_FORCE_NATIVE'] !== undefined) {
    throw new MemoryError('DATABASE_DRIVER_MISSING', 'The package pg is switched to its native form', {
      hint: 'Unset NODE_PG_FORCE_NATIVE: memctl needs the form in JavaScript.',
    })
  }
  const home = findMemctlHome(env)
  try {
    const loaded = await loadOptional('pg', home, () => import('pg'))
    // Versions before 8.15 are CommonJS, whose names Node does not find.
    return loaded.Pool ? loaded : loaded.default
  } catch (cause) {
    if (!isMissing(cause)) {
      throw new MemoryError('DATABASE_DRIVER_MISSING', `The package pg cannot be loaded: ${firstLine(cause)}`, {
        hint: 'Install it again.',
        cause,
      })
    }
    const command = home === undefined ? 'npm install pg' : `npm install --prefix ${quote(home)} pg`
    throw new MemoryError('DATABASE_DRIVER_MISSING', 'The package pg, which connects to PostgreSQL, is not installed', {
      hint: `Install it with \`${command}\`, or beside memctl: \`npm install -g pg\`.`,
      cause,
    })
  }
}

const isMissing = (error: unknown): boolean => /^Cannot find (?:package|module) ["']pg["']/.test(firstLine(error))

const firstLine = (error: unknown): string =>
  String(error instanceof Error ? error.message : error).split('\n', 1)[0] ?? ''

const quote = (path: string): string => (/^[\w./:~-]+$/.test(path) ? path : `"${path}"`)
