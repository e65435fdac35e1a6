// The hub of a team: `hub:` in config.yaml of memctl's home. For commands and the worker; hooks know nothing of it.
//
// Like the embedder it cannot be configured by a project's own files: a cloned repository could send memories to its
// own database. DATABASE_URL is not used either, because it is often the database of an application.
import { MemoryError } from '../../model/memoryError.ts'
import { isObject } from '../../model/unknownJson.ts'
import { type Files, realDisk } from '../../store/disk/files.ts'
import { readYaml, setConfigValue } from '../open/configFile.ts'
import { configFile, readConfigText } from '../open/hookConfig.ts'
import type { Environment } from '../open/openStore.ts'

export interface HubConfig {
  /** `postgresql://user@host/database`. It may contain a password: print it with `withoutPassword` only. */
  readonly url: string
  /** What the team calls this person, at most 40 characters. */
  readonly name: string
  readonly from: 'config.yaml' | 'MEMCTL_DATABASE_URL'
}

/** The environment variable that takes the place of `hub.url`, for a URL that should be in no file. */
const URL_VARIABLE = 'MEMCTL_DATABASE_URL'

/**
 * The configured hub of a project, by its name on the hub; undefined if there is none. Throws CONFIG_INVALID with file
 * and line.
 */
export function readHubConfig(
  { home, files = realDisk }: { readonly home?: string | undefined; readonly files?: Files },
  env: Environment,
  project = '',
): HubConfig | undefined {
  const section = home === undefined ? undefined : readSection(files, home)
  const ofProject = section?.projects?.[project]
  const fromEnv = ofProject === undefined ? env[URL_VARIABLE]?.trim() : undefined
  if (fromEnv) checkHubUrl(fromEnv, URL_VARIABLE)
  const url = ofProject || fromEnv || section?.url
  if (url === undefined) return undefined
  return { url, name: section?.name ?? defaultHubName(env), from: fromEnv ? URL_VARIABLE : 'config.yaml' }
}

/** The same. Throws NOT_FOUND if none is configured, and CONFIG_INVALID. */
export function requireHubConfig(...[store, env, project]: Parameters<typeof readHubConfig>): HubConfig {
  const config = readHubConfig(store, env, project)
  if (config) return config
  throw new MemoryError('NOT_FOUND', 'No hub is configured', {
    hint: env['DATABASE_URL']
      ? 'DATABASE_URL is often the database of an application: to use it, `memctl hub connect "$DATABASE_URL"`.'
      : 'Run `memctl hub connect postgresql://USER@HOST/DATABASE`, or set MEMCTL_DATABASE_URL.',
  })
}

/**
 * Writes the hub into config.yaml, or removes it, and keeps everything else; without `url` it is in the environment.
 * Throws CONFIG_INVALID.
 */
export function writeHubConfig(
  home: string,
  hub: { readonly url?: string; readonly name: string } | undefined,
  files = realDisk,
): void {
  const { projects } = (hub && readSection(files, home)) ?? {}
  if (setConfigValue(files, home, 'hub', hub && { ...hub, ...(projects && { projects }) })) return
  const what = `${configFile(home)} cannot be read, so it is not written`
  throw invalid(what, 'Run `memctl doctor`, correct the line it names.')
}

/** The name of a person who has not chosen one: that of the account on this machine. */
export function defaultHubName(env: Environment): string {
  const account = env['USER'] ?? env['USERNAME'] ?? ''
  return NAME.test(account) ? account : 'someone'
}

/** The URL for a person to read: without the password, which may also be a parameter. */
export const withoutPassword = (url: string): string =>
  replaceParameters(url.replace(/^([a-z+]+:\/\/[^:/?#]*):.*@/is, '$1:***@'), /^(?:ssl)?password$/i, '***')

/** The URL with this value for each parameter of these names, which PostgreSQL also takes percent-coded. */
export const replaceParameters = (url: string, names: RegExp, value: string): string =>
  url.replace(/(?<=[?&])([^=&#]*)=[^&#]*/g, (parameter, name: string) =>
    names.test(decodeName(name)) ? `${name}=${value}` : parameter,
  )

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** Throws CONFIG_INVALID for what is no URL of a PostgreSQL database, without it: where a password is, nobody knows. */
export function checkHubUrl(url: string, where: string): void {
  if (/^postgres(?:ql)?:\/\/[^\s]+$/i.test(url)) return
  throw invalid(`${where} is no URL of PostgreSQL`, URL_HINT)
}

/** Throws CONFIG_INVALID for a name that could not stand in a line of a note. */
export function checkHubName(name: string, where: string): void {
  if (!NAME.test(name)) throw invalid(`${where} is ${JSON.stringify(name)}`, NAME_HINT)
}

// The name stands in the notes of others, so it has no room for a sentence or for signs of our own lines.
const NAME = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N} ._'-]{0,38}[\p{L}\p{M}\p{N}.])?$/u
const NAME_HINT = "Use 1 to 40 letters, digits, spaces and . _ ' -, for example `name: Aki`."
const URL_HINT = 'Write it like postgresql://user@host:5432/database, or run `memctl hub connect URL`.'

interface Section {
  readonly url?: string | undefined
  readonly name?: string | undefined
  /** URLs of other hubs, by the name of the project there. */
  readonly projects?: Readonly<Record<string, string>> | undefined
}

function readSection(files: Files, home: string): Section | undefined {
  const file = configFile(home)
  const text = readConfigText(files, home)
  if (text === undefined) return undefined
  const source = readYaml(text)
  if (!isObject(source.value)) return undefined // readConfig reports errors in the file.
  const section = source.value['hub']
  if (section === undefined || section === null || section === false) return undefined
  // The value is not printed: it may contain a password.
  const fail = (path: readonly string[], what: string, hint = HUB_HINT): MemoryError =>
    invalid(`${path.join('.')} in ${file}, line ${source.lineAt(path)}, ${what}`, hint)
  if (!isObject(section)) throw fail(['hub'], 'is no mapping')
  const { url, name, projects, ...others } = section
  for (const unknown of Object.keys(others)) throw fail(['hub', unknown], 'is unknown')
  if (projects !== undefined && !isObject(projects)) throw fail(['hub', 'projects'], 'is no mapping')
  const urls = [
    [['hub', 'url'], url],
    ...Object.entries(projects ?? {}).map(([key, of]) => [['hub', 'projects', key], of]),
  ]
  for (const [path, given] of urls as [string[], unknown][]) {
    if (given === undefined) continue
    if (typeof given !== 'string') throw fail(path, 'is no text', URL_HINT)
    checkHubUrl(given, `${path.join('.')} in ${file}, line ${source.lineAt(path)},`)
  }
  if (name !== undefined && typeof name !== 'string') throw fail(['hub', 'name'], 'is no text', NAME_HINT)
  if (name !== undefined) checkHubName(name, `hub.name in ${file}, line ${source.lineAt(['hub', 'name'])},`)
  return { url, name, projects } as Section
}

const HUB_HINT = 'Write `hub: { url: postgresql://user@host/database, name: Aki }`, or remove the line.'

const invalid = (what: string, hint: string): MemoryError => new MemoryError('CONFIG_INVALID', what, { hint })
