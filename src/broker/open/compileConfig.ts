// Reads and checks config.yaml, and compiles what hooks need of it to config.json. For commands and the worker.
import { MemoryError } from '../../model/memoryError.ts'
import type { Files } from '../../store/disk/files.ts'
import { encodeJsonFile, writeJsonFile } from '../../store/disk/jsonFile.ts'
import { SYNC_MODES } from '../../store/log/eventLog.ts'
import { configFile, type HookConfig, hookConfigFile, SHOW_MODES, WARNING_MODES } from './hookConfig.ts'
import type { Store } from './openStore.ts'
import { isYamlMapping, readYaml, type YamlPath } from './yamlSource.ts'

const DEFAULT_CONFIG: HookConfig = { log: { sync: 'session' }, warnings: 'inject', show: 'brief' }

/** The top-level names of config.yaml. */
const CONFIG_NAMES: readonly string[] = ['log', 'policy', 'embedder', 'distill', 'warnings', 'show', 'hub']

/**
 * Updates config.json from config.yaml, for every later hook. With defaults only there is no config.json.
 *
 * Throws CONFIG_INVALID with file, line, value and the allowed values; config.json then stays as it was.
 */
export function compileConfig({ files, home }: Store): void {
  if (home === undefined) return
  const compiledFile = hookConfigFile(home)
  const config = readConfig(files, home)
  const compiled = JSON.stringify(config)
  const before = files.read(compiledFile)
  if (compiled === JSON.stringify(DEFAULT_CONFIG)) {
    if (before !== undefined) files.remove(compiledFile)
  } else if (!before?.equals(encodeJsonFile(config))) writeJsonFile(files, compiledFile, config)
}

/** The configured values, with defaults for those left out. Throws CONFIG_INVALID. */
export function readConfig(files: Files, home: string): HookConfig {
  const file = configFile(home)
  const text = files.read(file)?.toString('utf8')
  if (text === undefined) return DEFAULT_CONFIG
  const source = readYaml(text)
  const syntaxError = source.errors[0]
  if (syntaxError) throw invalid(`${file}, line ${syntaxError.line}: ${syntaxError.what}`, 'Correct the line')
  const { value } = source
  if (value === null || value === undefined) return DEFAULT_CONFIG
  if (!isYamlMapping(value))
    throw invalid(`${file}, line 1: it is not a mapping of names to values`, 'Write `name: value` lines')
  const locate = (path: YamlPath): LocatedValue => ({
    text: source.textAt(path) ?? JSON.stringify(path.reduce<unknown>(valueAt, value)),
    where: `${file}, line ${source.lineAt(path)}`,
  })
  const warnings = parseChoice(value['warnings'], WARNING_MODES, ['warnings'], locate)
  const show = parseChoice(value['show'], SHOW_MODES, ['show'], locate)
  return {
    log: { sync: parseSync(value['log'], locate) ?? DEFAULT_CONFIG.log.sync },
    warnings: warnings ?? DEFAULT_CONFIG.warnings,
    show: show ?? DEFAULT_CONFIG.show,
  }
}

/** A value as written in the file, and its position for an error. */
interface LocatedValue {
  readonly text: string
  readonly where: string
}

function parseSync(log: unknown, locate: (path: YamlPath) => LocatedValue): HookConfig['log']['sync'] | undefined {
  if (log === undefined || log === null) return undefined
  if (!isYamlMapping(log))
    throw invalid(`log is ${JSON.stringify(log)} in ${locate(['log']).where}`, 'Write `log: { sync: session }`')
  const unknown = Object.keys(log).find((name) => name !== 'sync')
  if (unknown !== undefined) {
    const { where } = locate(['log', unknown])
    throw invalid(`log.${unknown} in ${where} is unknown`, 'Use log.sync, the only name below log')
  }
  return parseChoice(log['sync'], SYNC_MODES, ['log', 'sync'], locate)
}

function parseChoice<T extends string>(
  value: unknown,
  choices: readonly T[],
  path: YamlPath,
  locate: (path: YamlPath) => LocatedValue,
): T | undefined {
  const choice = choices.find((candidate) => candidate === value)
  if (choice !== undefined || value === undefined) return choice
  const { text, where } = locate(path)
  throw invalid(`${path.join('.')} is ${text} in ${where}`, `Use one of ${choices.join(', ')}`)
}

/** The unknown top-level names of config.yaml with their lines: misspelled, or of a later version. */
export function findUnknownConfigNames(
  files: Files,
  home: string,
): { name: string; line: number; known: readonly string[] }[] {
  const source = readYaml(files.read(configFile(home))?.toString('utf8') ?? '')
  if (!isYamlMapping(source.value)) return []
  const unknown = Object.keys(source.value).filter((name) => !CONFIG_NAMES.includes(name))
  return unknown.map((name) => ({ name, line: source.lineAt([name]), known: CONFIG_NAMES }))
}

const valueAt = (value: unknown, name: string): unknown => (isYamlMapping(value) ? value[name] : undefined)

const invalid = (what: string, hint: string): MemoryError =>
  new MemoryError('CONFIG_INVALID', what, { hint: `${hint}, or remove the line to use the default.` })
