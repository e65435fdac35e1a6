// The declarations of the library: one file with every type that a caller can reach from src/index.ts.
// `node build-types.mjs` writes them to dist/, for import and for require; tests read them with `readDeclarations`.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { SyntaxKind } from 'typescript/unstable/ast'
import { API, SymbolFlags } from 'typescript/unstable/sync'

const ROOT = path.dirname(fileURLToPath(import.meta.url))

/** What a reader of a declaration looks up. */
const MEMBERS = new Set([
  SyntaxKind.PropertySignature,
  SyntaxKind.PropertyDeclaration,
  SyntaxKind.MethodSignature,
  SyntaxKind.MethodDeclaration,
  SyntaxKind.Constructor,
  SyntaxKind.GetAccessor,
])
/** Values that a type may refer to by `typeof` although they are not exported: the type has a name. */
const VALUES = new Set([SyntaxKind.VariableStatement, SyntaxKind.FunctionDeclaration])
/** A range, a unit, or what is counted. */
const UNIT = /\d|milliseconds|seconds|days|tokens|characters|how many|number of|whole number/i

/** The module has the types of the CommonJS build, as it has its values: a program may use both. */
export function writeDeclarations(folder) {
  const declarations = readDeclarations()
  const { unexported } = declarations
  if (unexported.length > 0) throw new Error(`src/index.ts does not export ${unexported.join(', ')}`)
  fs.writeFileSync(path.join(folder, 'index.d.cts'), declarations.text)
  fs.writeFileSync(path.join(folder, 'index.d.ts'), "export * from './index.cjs'\n")
  return declarations
}

/**
 * `text` has each declaration once. `unexported` are types that a caller can reach but not import, `undocumented`
 * exported names and members without a doc comment, `withoutUnit` numbers whose comment gives no unit and no range.
 */
export function readDeclarations() {
  const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'memctl-types-'))
  try {
    const tsc = path.join(ROOT, 'node_modules/typescript/bin/tsc')
    execFileSync(process.execPath, [tsc, '-p', path.join(ROOT, 'src'), '--outDir', folder], { stdio: 'inherit' })
    const config = path.join(folder, 'tsconfig.json')
    const compilerOptions = { noEmit: true, typeRoots: [path.join(ROOT, 'node_modules/@types')] }
    const project = { extends: path.join(ROOT, 'tsconfig.json'), compilerOptions, files: ['index.d.ts'], include: [] }
    fs.writeFileSync(config, JSON.stringify(project))
    const api = new API({ cwd: folder })
    try {
      return collect(api.updateSnapshot({ openProjects: [config] }).getProjects()[0], folder)
    } finally {
      api.close()
    }
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

function collect({ program, checker }, folder) {
  const entry = program.getSourceFile(path.join(folder, 'index.d.ts'))
  const original = (symbol) => (symbol.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol)
  const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(entry)).map(original)
  const exportedIds = new Set(exported.map(({ id }) => id))
  const queue = exported.map((symbol) => ({ symbol, user: 'index.ts' }))
  const seen = new Set(exportedIds)
  const names = new Set()
  const found = { texts: [], unexported: [], undocumented: [], withoutUnit: [] }
  for (const { symbol, user } of queue) {
    const { name, id } = symbol
    if (names.has(name)) throw new Error(`two declarations of the library are named ${name}`)
    names.add(name)
    const isExported = exportedIds.has(id)
    for (const statement of symbol.declarations.map((declaration) => statementOf(declaration.resolve()))) {
      if (isExported) checkComments(name, statement, found)
      else if (!VALUES.has(statement.kind)) found.unexported.push(`${name} (used by ${user})`)
      found.texts.push(textOf(statement, isExported))
      for (const used of listUsed(statement)) {
        if (seen.has(used.id)) continue
        seen.add(used.id)
        queue.push({ symbol: used, user: name })
      }
    }
  }
  const { texts, ...problems } = found
  return { text: `/// <reference lib="esnext.disposable" />\n${texts.join('\n')}\nexport {}\n`, ...problems }

  /** The declarations of the library, but not of the language, that a statement refers to. */
  function listUsed(statement) {
    const identifiers = listIdentifiers(statement)
    return checker.getSymbolAtLocation(identifiers).flatMap((symbol, i) => {
      const used = symbol && original(symbol)
      const declaration = used?.declarations[0]?.resolve()
      const isOwn = declaration?.getSourceFile().fileName.startsWith(`${folder}/`)
      if (!isOwn || statementOf(declaration).parent?.kind !== SyntaxKind.SourceFile) return []
      if (used.name !== identifiers[i].text) throw new Error(`${used.name} is imported as ${identifiers[i].text}`)
      return [used]
    })
  }
}

const statementOf = (node) => (node.kind === SyntaxKind.VariableDeclaration ? node.parent.parent : node)

function textOf(statement, isExported) {
  const text = statement.getSourceFile().text.slice(statement.pos, statement.end).trim()
  // The first line that is no comment begins with `export`, also in a file that exports nothing else.
  const [, comment, code] = /^((?:\/\*\*[\s\S]*?\*\/\s*)?)(?:export )?([\s\S]*)$/.exec(text)
  return `${comment}${isExported ? 'export ' : ''}${code}`
}

function listIdentifiers(node, found = []) {
  if (node.kind === SyntaxKind.Identifier) found.push(node)
  node.forEachChild((child) => void listIdentifiers(child, found))
  return found
}

function checkComments(name, statement, { undocumented, withoutUnit }) {
  if (!statement.jsDoc?.length) undocumented.push(name)
  const visit = (node, place) => {
    let here = place
    // `#private` stands for all private members of a class.
    if (MEMBERS.has(node.kind) && node.name?.kind !== SyntaxKind.PrivateIdentifier) {
      here = `${place}.${node.kind === SyntaxKind.Constructor ? 'constructor' : textOfNode(node.name)}`
      const comment = (node.jsDoc ?? []).map(({ pos, end }) => node.getSourceFile().text.slice(pos, end)).join(' ')
      if (comment === '') undocumented.push(here)
      else if (isNumber(node) && !UNIT.test(comment)) withoutUnit.push(here)
    }
    node.forEachChild((child) => void visit(child, here))
  }
  statement.forEachChild((child) => void visit(child, name))
}

const isNumber = ({ kind, type }) =>
  (kind === SyntaxKind.PropertySignature || kind === SyntaxKind.PropertyDeclaration) &&
  type !== undefined &&
  /^number\b/.test(textOfNode(type))

/** Without the comment before it. */
const textOfNode = (node) =>
  node
    .getSourceFile()
    .text.slice(node.pos, node.end)
    .replace(/^\s*\/\*[\s\S]*?\*\//, '')
    .trim()

if (process.argv[1] === fileURLToPath(import.meta.url)) writeDeclarations(path.join(ROOT, 'dist'))
