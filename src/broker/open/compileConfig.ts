// config.yaml: read, checked, and what hooks need of it compiled to config.json. For commands and the worker.
import { MemoryError } from '../../model/memoryError.ts'
import type { Files } from '../../store/disk/files.ts'
import { writeJsonFile } from '../../store/disk/jsonFile.ts'
import { SYNC_MODES } from '../../store/log/eventLog.ts'
import { configFile, type HookConfig, hookConfigFile, WARNING_MODES } from './hookConfig.ts'
import type { Store } from './openStore.ts'
import { readYaml, type YamlPath } from './yamlSource.ts'

const SHIPPED: HookConfig = { log: { sync: 'session' }, warnings: 'tell' }

/** What config.yaml may say. */
const NAMES: readonly string[] = ['log', 'policy', 'embedder', 'warnings']

/**
 * Brings config.json in line with config.yaml, for every hook from now on. Throws CONFIG_INVALID naming file, line, value and
 * what is allowed; what was compiled last then goes on.
 */
export function compileConfig({ files, home }: Store): void {
  if (home === undefined) return
  const compiled = hookConfigFile(home)
  const config = readConfig(files, home)
  const chosen = JSON.stringify(config)
  const before = files.read(compiled)?.toString('utf8')
  if (chosen === JSON.stringify(SHIPPED)) {
    if (before !== undefined) files.remove(compiled)
  } else if (before !== `${chosen}\n`) writeJsonFile(files, compiled, config)
}

/** What a person chose, whatever is left out as shipped. Throws CONFIG_INVALID. */
export function readConfig(files: Files, home: string): HookConfig {
  const file = configFile(home)
  const text = files.read(file)?.toString('utf8')
  if (text === undefined) return SHIPPED
  const source = readYaml(text)
  const fault = source.errors[0]
  if (fault) throw invalid(`${file}, line ${fault.line}: ${fault.what}`, 'Correct the line')
  const { value } = source
  if (value === null || value === undefined) return SHIPPED
  if (!isMapping(value))
    throw invalid(`${file}, line 1: it is not a list of names and values`, 'Write `name: value` lines')
  const given = (path: YamlPath): Given => ({
    text: source.textAt(path) ?? JSON.stringify(path.reduce<unknown>(valueIn, value)),
    where: `${file}, line ${source.lineAt(path)}`,
  })
  const warnings = choice(value['warnings'], WARNING_MODES, 'warnings', () => given(['warnings']))
  return { log: { sync: syncIn(value['log'], given) ?? SHIPPED.log.sync }, warnings: warnings ?? SHIPPED.warnings }
}

/** A value as it stands in the file, and where. */
interface Given {
  readonly text: string
  readonly where: string
}

function syncIn(log: unknown, given: (path: readonly string[]) => Given): HookConfig['log']['sync'] | undefined {
  if (log === undefined || log === null) return undefined
  if (!isMapping(log))
    throw invalid(`log is ${JSON.stringify(log)} in ${given(['log']).where}`, 'Write `log: { sync: session }`')
  for (const name of Object.keys(log)) {
    if (name === 'sync') continue
    const { where } = given(['log', name])
    throw invalid(`log.${name} in ${where} is not known`, 'There is log.sync and no other: correct the name')
  }
  return choice(log['sync'], SYNC_MODES, 'log.sync', () => given(['log', 'sync']))
}

function choice<T extends string>(
  value: unknown,
  choices: readonly T[],
  name: string,
  given: () => Given,
): T | undefined {
  const chosen = choices.find((one) => one === value)
  if (chosen !== undefined || value === undefined) return chosen
  const { text, where } = given()
  throw invalid(`${name} is ${text} in ${where}`, `Use one of ${choices.join(', ')}`)
}

/** Names at the top of config.yaml that mean nothing here, with their lines: a slip of the keyboard, or a later version's. */
export function findUnknownConfigNames(
  files: Files,
  home: string,
): { name: string; line: number; known: readonly string[] }[] {
  const source = readYaml(files.read(configFile(home))?.toString('utf8') ?? '')
  if (!isMapping(source.value)) return []
  const unknown = Object.keys(source.value).filter((name) => !NAMES.includes(name))
  return unknown.map((name) => ({ name, line: source.lineAt([name]), known: NAMES }))
}

const valueIn = (value: unknown, name: string): unknown => (isMapping(value) ? value[name] : undefined)

const isMapping = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const invalid = (what: string, hint: string): MemoryError =>
  new MemoryError('CONFIG_INVALID', what, { hint: `${hint}, or remove the line for the default.` })
