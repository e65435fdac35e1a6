// The functions of src/text and src/record that take a text, read from their declarations, so that new ones are
// measured too. Their other parameters get a plain value of their type.
import fs from 'node:fs'
import path from 'node:path'
import { Script } from 'node:vm'

/** A function that reads a text. */
export interface Scanner {
  /** `src/text/command.ts: commandShape`. */
  readonly name: string
  readonly run: (text: string) => unknown
}

/** The scanners of a checkout, and the exported functions whose parameters have another type. */
export interface ScannerList {
  readonly scanners: readonly Scanner[]
  readonly left: readonly string[]
}

const FOLDERS = ['src/text', 'src/record']

/** Files whose functions make a pattern from the program's own words. */
const PATTERN_FILE = /[pP]attern\.ts$/

/** Plain values by the type of a parameter. */
const VALUES: Readonly<Record<string, (text: string) => unknown>> = {
  string: (text) => text,
  unknown: (text) => text,
  'string | undefined': (text) => text,
  'string[]': (text) => text.split('\n'),
  'readonly string[]': (text) => text.split('\n'),
  'Iterable<string>': (text) => text.split(' '),
  number: () => 400,
  boolean: () => true,
  Date: () => new Date(0),
  'SecretSpan[]': () => [],
  NameStrength: () => 'strong',
}

/** Lists the scanners below `root`.  */
export async function listScanners(root: string): Promise<ScannerList> {
  const declared = FOLDERS.flatMap((folder) => listFiles(path.join(root, folder))).flatMap((file) => declarations(file))
  const modules = await loadModules(root, [...new Set(declared.map(({ file }) => file))])
  const scanners: Scanner[] = []
  const left: string[] = []
  for (const { file, name, types } of declared) {
    const label = `${path.relative(root, file)}: ${name}`
    const run = modules.get(file)?.[name]
    const values = types.map((type) => VALUES[type])
    const known = values.filter((value) => value !== undefined)
    if (typeof run !== 'function' || known.length < types.length || !types.some((type) => type.includes('string')))
      left.push(label)
    else scanners.push({ name: label, run: (text) => run(...known.map((value) => value(text))) })
  }
  return { scanners, left }
}

function listFiles(folder: string): string[] {
  const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.endsWith('.ts') && !PATTERN_FILE.test(name)).map((name) => path.join(folder, name))
}

const DECLARATION = /^export (?:function (\w+)(?:<[^(]*>)?|const (\w+) = (?:<[^(]*>)?)\(([^)]*(?:\([^)]*\)[^)]*)*)\)/gm

/** The exported functions of a file, with the types of the parameters that have no default. */
function declarations(file: string): { file: string; name: string; types: string[] }[] {
  return [...fs.readFileSync(file, 'utf8').matchAll(DECLARATION)].map(([, named, constant, parameters = '']) => ({
    file,
    name: named ?? constant ?? '',
    types: parameters
      .split(/,\s*(?=\w+\??[:=]|\w+ =|\{)/)
      .map((parameter) => parameter.trim().replace(/,$/, ''))
      .filter((parameter) => parameter !== '' && !parameter.includes('?:') && !/(?:^| )= |=\s/.test(parameter))
      .map((parameter) => parameter.replace(/^[^:]*:\s*/, '')),
  }))
}

/** The exports of each file, by its path. They are bundled into one script, which runs here. */
async function loadModules(
  root: string,
  files: readonly string[],
): Promise<Map<string, Readonly<Record<string, unknown>>>> {
  const { build } = await import('esbuild')
  const contents = files.map((file, i) => `export * as m${i} from ${JSON.stringify(file)}`).join('\n')
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    format: 'iife',
    globalName: 'scanners',
    platform: 'node',
    write: false,
    logLevel: 'warning',
  })
  const script = new Script(`${outputFiles[0]?.text ?? ''};scanners`)
  const modules = script.runInThisContext() as Readonly<Record<string, Readonly<Record<string, unknown>>>>
  return new Map(files.map((file, i) => [file, modules[`m${i}`] ?? {}]))
}
