// Reads and checks config.yaml, and compiles what hooks need of it to config.json. For commands and the worker.

import { type Document, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from 'yaml'
import { MemoryError, messageOf } from '../../model/memoryError.ts'
import { isObject, objectOf } from '../../model/unknownJson.ts'
import type { Files } from '../../store/disk/files.ts'
import { encodeJsonFile, writeJsonFile } from '../../store/disk/jsonFile.ts'
import { SYNC_MODES } from '../../store/log/eventLog.ts'
import { configFile, type HookConfig, hookConfigFile, readConfigText, SHOW_MODES, WARNING_MODES } from './hookConfig.ts'
import type { Store } from './openStore.ts'

const DEFAULT_CONFIG: HookConfig = { log: { sync: 'session' }, warnings: 'inject', show: 'brief' }

const CONFIG_NAMES: readonly string[] = ['log', 'policy', 'embedder', 'distill', 'warnings', 'show', 'hub']

/**
 * Updates config.json from config.yaml, for every later hook. With defaults only there is no config.json.
 *
 * A worker and commands may run at once: who wrote config.json last has seen the config.yaml of then.
 *
 * Throws CONFIG_INVALID with file, line, value and the allowed values; config.json then stays as it was.
 */
export function compileConfig({ files, home }: Store): void {
  if (home === undefined) return
  const readText = (): string | undefined => readConfigText(files, home)
  let compiled: string | undefined
  do {
    compiled = readText()
    writeCompiled(files, home)
    // It may have changed before config.json was written.
  } while (readText() !== compiled)
}

function writeCompiled(files: Files, home: string): void {
  const compiledFile = hookConfigFile(home)
  const config = readConfig(files, home)
  const before = files.read(compiledFile)
  if (JSON.stringify(config) === JSON.stringify(DEFAULT_CONFIG)) {
    if (before !== undefined) files.remove(compiledFile)
  } else if (!before?.equals(encodeJsonFile(config))) writeJsonFile(files, compiledFile, config)
}

/** The configured values, with defaults for those left out. Throws CONFIG_INVALID. */
export function readConfig(files: Files, home: string): HookConfig {
  const file = configFile(home)
  const text = readConfigText(files, home)
  if (text === undefined) return DEFAULT_CONFIG
  const source = readYaml(text)
  const syntaxError = source.errors[0]
  if (syntaxError) throw invalid(`${file}, line ${syntaxError.line}: ${syntaxError.what}`, 'Correct the line')
  const { value } = source
  if (value === null || value === undefined) return DEFAULT_CONFIG
  if (!isObject(value))
    throw invalid(`${file}, line 1: it is not a mapping of names to values`, 'Write `name: value` lines')
  const where = (...path: string[]): string => `${file}, line ${source.lineAt(path)}`
  const readChoice = <T extends string>(choices: readonly T[], ...path: string[]): T | undefined => {
    const given = path.reduce<unknown>((at, name) => objectOf(at)[name], value)
    const choice = choices.find((candidate) => candidate === given)
    if (choice !== undefined || given === undefined) return choice
    const text = source.textAt(path) ?? JSON.stringify(given)
    throw invalid(`${path.join('.')} is ${text} in ${where(...path)}`, `Use one of ${choices.join(', ')}`)
  }
  const warnings = readChoice(WARNING_MODES, 'warnings') ?? DEFAULT_CONFIG.warnings
  const show = readChoice(SHOW_MODES, 'show') ?? DEFAULT_CONFIG.show
  const log = value['log'] ?? {}
  if (!isObject(log))
    throw invalid(`log is ${JSON.stringify(log)} in ${where('log')}`, 'Write `log: { sync: session }`')
  const unknown = Object.keys(log).find((name) => name !== 'sync')
  if (unknown !== undefined)
    throw invalid(`log.${unknown} in ${where('log', unknown)} is unknown`, 'Use log.sync, the only name below log')
  return { log: { sync: readChoice(SYNC_MODES, 'log', 'sync') ?? DEFAULT_CONFIG.log.sync }, warnings, show }
}

type FieldType = 'text' | 'flag' | readonly [min: number, max: number]

/** A section of config.yaml that chooses something with one of its names. */
interface Section<T extends string> {
  readonly name: string
  readonly choice: { readonly name: string; readonly of: readonly T[] }
  readonly fields: Readonly<Record<string, FieldType>>
  /** Whether `false` means the same as an empty section. */
  readonly mayBeFalse?: boolean
  /** What a person gets who removes the line: "use no model". */
  readonly without: string
}

/** The fields of a section as it is written here. */
export type SectionFields<Of extends { readonly fields: Readonly<Record<string, FieldType>> }> = {
  readonly [Name in keyof Of['fields']]?: Of['fields'][Name] extends 'text'
    ? string
    : Of['fields'][Name] extends 'flag'
      ? boolean
      : number
}

/**
 * A section with its choice and its fields. A text is the choice alone. Undefined if the file does not name the
 * section, and null if it is empty, or if the file cannot be read: `readConfig` reports that.
 *
 * Throws CONFIG_INVALID with file, line and value.
 */
export function readConfigSection<T extends string>(files: Files, home: string, section: Section<T>) {
  const { name, choice, fields } = section
  const file = configFile(home)
  const source = readYaml(readConfigText(files, home) ?? '')
  const config = source.value ?? (source.errors.length === 0 ? {} : undefined)
  if (!isObject(config)) return null
  if (!Object.hasOwn(config, name)) return undefined
  const value = config[name]
  if (value === undefined || value === null || (value === false && section.mayBeFalse)) return null
  const where = (...field: string[]): string => `${file}, line ${source.lineAt([name, ...field])}`
  const fail = (what: string, use: string): MemoryError =>
    new MemoryError('CONFIG_INVALID', what, { hint: `${use}, or remove the line to ${section.without}.` })
  const useChoice = `Use one of ${choice.of.join(', ')}`
  const given = typeof value === 'string' ? { [choice.name]: value } : value
  if (!isObject(given)) throw fail(`${name} is ${JSON.stringify(value)} in ${where()}`, useChoice)
  const { [choice.name]: chosenName = null, ...others } = given
  const chosen = choice.of.find((candidate) => candidate === chosenName)
  if (chosen === undefined) {
    throw fail(`${name}.${choice.name} is ${JSON.stringify(chosenName)} in ${where(choice.name)}`, useChoice)
  }
  for (const [field, setting] of Object.entries(others)) {
    const type = Object.hasOwn(fields, field) ? fields[field] : undefined
    if (type === undefined) {
      const known = [choice.name, ...Object.keys(fields)].join(', ')
      throw fail(`${name}.${field} in ${where(field)} is unknown`, `Use ${known}`)
    }
    const use = useOther(setting, type)
    if (use) throw fail(`${name}.${field} is ${JSON.stringify(setting)} in ${where(field)}`, use)
  }
  return { chosen, fields: others }
}

function useOther(value: unknown, type: FieldType): string | undefined {
  if (type === 'text') return typeof value === 'string' && value.trim() !== '' ? undefined : 'Use a text'
  if (type === 'flag') return typeof value === 'boolean' ? undefined : 'Use true or false'
  const [min, max] = type
  const fits = Number.isInteger(value) && (value as number) >= min && (value as number) <= max
  return fits ? undefined : `Use a whole number from ${min} to ${max}`
}

/** The unknown top-level names of config.yaml with their lines: misspelled, or of a later version. */
export function findUnknownConfigNames(files: Files, home: string) {
  const source = readYaml(readConfigText(files, home) ?? '')
  if (!isObject(source.value)) return []
  const unknown = Object.keys(source.value).filter((name) => !CONFIG_NAMES.includes(name))
  return unknown.map((name) => ({ name, line: source.lineAt([name]), known: CONFIG_NAMES }))
}

const invalid = (what: string, hint: string): MemoryError =>
  new MemoryError('CONFIG_INVALID', what, { hint: `${hint}, or remove the line to use the default.` })

// Changes config.yaml of memctl's home and keeps everything else in it, comments too.

/**
 * Sets a top-level name to a value, or removes it if the value is undefined. Only the user can read the file after it.
 *
 * Returns false, and writes nothing, if the file is not valid YAML with names at the top.
 */
export function setConfigValue(files: Files, home: string, name: string, value: unknown): boolean {
  const file = configFile(home)
  const document = parseDocument(readConfigText(files, home) ?? '')
  if (document.errors.length > 0 || (document.contents !== null && !isMap(document.contents))) return false
  if (value !== undefined) document.set(name, value)
  // `delete` throws on a file without content.
  else if (document.has(name)) document.delete(name)
  else return true
  const empty = isMap(document.contents) && document.contents.items.length === 0 && !document.commentBefore
  files.replace(file, Buffer.from(empty ? '' : String(document)))
  return true
}

// YAML with positions: the value of a text, and the line of each part. For commands and the worker, never for a hook.

/** A path has names and list positions from the top of the file; it is empty for the entire file. */
export function readYaml(text: string) {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const lineOf = (offset: number): number => lines.linePos(offset).line
  const lineAt = (path: readonly string[]): number => {
    const offset = offsetAt(document, path)
    if (offset !== undefined) return lineOf(offset)
    return path.length === 0 ? 1 : lineAt(path.slice(0, -1))
  }
  const errors = document.errors.map((error) => ({
    line: lineOf(error.pos[0]),
    what: error.message.split('\n')[0] ?? error.message,
  }))
  let value: unknown
  try {
    value = errors.length > 0 ? undefined : document.toJS()
  } catch (error) {
    // References that are missing, or that expand too far.
    errors.push({ line: 1, what: messageOf(error) })
  }
  return {
    /** Undefined if there are errors; null for an empty text. */
    value,
    errors,
    /** The line of a part's name, from 1. A missing part has the line of its parent. */
    lineAt,
    /** A scalar as written: 1e3 stays 1e3. Undefined for lists, mappings and missing parts. */
    textAt(path: readonly string[]) {
      const node = document.getIn(path, true)
      return isScalar(node) ? String(node.source ?? node.value) : undefined
    },
  }
}

function offsetAt(document: Document, path: readonly string[]): number | undefined {
  const name = path.at(-1)
  const parent = document.getIn(path.slice(0, -1), true)
  let node: unknown
  if (name === undefined) node = document.contents
  else if (isMap(parent)) node = parent.items.find(({ key }) => isScalar(key) && String(key.value) === name)?.key
  else if (isSeq(parent)) node = parent.get(Number(name), true)
  return isNode(node) ? node.range?.[0] : undefined
}
