// Reads JSON of others, whatever it is.

export type Fields = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A value as an object; empty if it is none. */
export const objectOf = (value: unknown): Fields => (isObject(value) ? value : {})

/** The object that a JSON text has; undefined for anything else. */
export function parseObject(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
