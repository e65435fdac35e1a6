// Optional packages are beside memctl, or in the node_modules of its home: a plugin, and the copy of memctl's scripts
// in the home, have none beside them.
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

/** The package as `load` imports it, or that of the home. Throws the error of `load` if it is in neither. */
export async function loadOptional<T>(name: string, home: string | undefined, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    const file = home === undefined ? undefined : resolveFrom(home, name)
    if (file === undefined) throw error
    return (await import(pathToFileURL(file).href)) as T
  }
}

function resolveFrom(home: string, name: string): string | undefined {
  try {
    return createRequire(`${home}/`).resolve(name)
  } catch {
    return undefined
  }
}
