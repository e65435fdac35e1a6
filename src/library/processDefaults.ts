// What the library takes of the world by itself, where its caller hands in nothing: the time, chance, the environment.
import { randomUUID } from 'node:crypto'

export type Env = Readonly<Record<string, string | undefined>>

/** Milliseconds since 1970. */
export const nowMs = (): number => Date.now()

/** A UUID nobody else draws. */
export const newUuid = (): string => randomUUID()

export const processEnv = (): Env => process.env
