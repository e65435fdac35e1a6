// Defaults from the process, for callers that pass none of their own: time, random ids, environment variables.
import { randomUUID } from 'node:crypto'

/** Environment variables by name. */
export type Env = Readonly<Record<string, string | undefined>>

/** Milliseconds since 1970. */
export const nowMs = (): number => Date.now()

/** A random UUID. */
export const newUuid = (): string => randomUUID()

export const processEnv = (): Env => process.env
