// CLAUDE.md and the files beside it: what the client itself shows to the model in every session. Each rule becomes an
// entry that only recall and search find; hooks never inject what the client injects already.
import { CONTENT_CHARS_MAX, IMPORT_FILES_MAX } from '../../../model/limits.ts'
import type { Provenance } from '../../../model/memory.ts'
import type { FileFault } from '../../../store/disk/untrustedFiles.ts'
import { hashHex } from '../../../text/hash.ts'
import type { ImportItem, ReadSource } from '../importItem.ts'
import { markCode, splitFrontMatter, splitSections, splitToFit } from './markdown.ts'
import {
  describePath,
  faultError,
  isFolder,
  isOfProject,
  readMarkdownFiles,
  readNamedFile,
  readSourceFile,
  type SourceContext,
  type SourceFile,
} from './sourceFiles.ts'

/** As in the client: an import may import, five times. */
const IMPORT_DEPTH_MAX = 5

/** Reads the person's and the project's files, or the named one. Throws NOT_FOUND and INPUT_INVALID for a named one. */
export function readClaudeMd(context: SourceContext): ReadSource {
  const { store, path, claudeFolder } = context
  const { root } = store.project
  const { files, faults } = path === undefined ? readUsualFiles(context) : readNamed(path, context)
  const items = files.flatMap((file) =>
    rulesOf(file, describePath(file.path, context), isOfProject(file.path, context) ? 'outside' : 'person'),
  )
  const location = path === undefined ? 'CLAUDE.md' : describePath(path, context)
  const notes =
    files.length === 0
      ? [`There is no CLAUDE.md in ${root} or ${claudeFolder}.`]
      : [`Read: ${files.map((file) => describePath(file.path, context)).join(', ')}`]
  return { name: 'claude-md', location, items, faults, notes }
}

interface FoundFiles {
  readonly files: readonly SourceFile[]
  readonly faults: readonly FileFault[]
}

function readNamed(path: string, context: SourceContext): FoundFiles {
  if (isFolder(path, context)) return collect([], [path], context)
  const file = readNamedFile(path, context)
  const { files, faults } = collect([file.path], [], context)
  if (files.length === 0 && faults[0]) throw faultError(faults[0])
  return { files, faults }
}

/** In the order in which the client reads them. */
function readUsualFiles(context: SourceContext): FoundFiles {
  const { root } = context.store.project
  const { claudeFolder } = context
  const own = ['CLAUDE.md', '.claude/CLAUDE.md', 'CLAUDE.local.md'].map((name) => `${root}/${name}`)
  return collect([`${claudeFolder}/CLAUDE.md`, ...own], [`${claudeFolder}/rules`, `${root}/.claude/rules`], context)
}

/** The files, those of the folders, and what they import. Nothing is read twice. */
function collect(paths: readonly string[], folders: readonly string[], context: SourceContext): FoundFiles {
  const files = new Map<string, SourceFile>()
  const faults: FileFault[] = []
  const add = (file: SourceFile, depth: number): void => {
    if (files.has(file.path) || files.size >= IMPORT_FILES_MAX) return
    files.set(file.path, file)
    if (depth < IMPORT_DEPTH_MAX) for (const path of listImports(file, context)) read(path, depth + 1)
  }
  const read = (path: string, depth: number): void => {
    const file = readSourceFile(path, context)
    if (file !== undefined && 'what' in file) faults.push(file)
    else if (file) add(file, depth)
  }
  for (const path of paths) read(path, 0)
  for (const folder of folders) {
    const found = readMarkdownFiles(folder, context)
    faults.push(...found.faults)
    for (const file of found.files) add(file, 0)
  }
  return { files: [...files.values()], faults }
}

/** `@path` outside of code, relative to the file. A file of the project imports only files of the project. */
function listImports(file: SourceFile, context: SourceContext): string[] {
  const folder = file.path.slice(0, file.path.lastIndexOf('/'))
  const found = markCode(file.text)
    .filter(({ isCode }) => !isCode)
    .flatMap(({ line }) => [...line.replace(/`[^`]*`/g, '').matchAll(IMPORT)].map(([, path = '']) => path))
  return found.flatMap((path) => {
    const full = path.startsWith('~/') ? `${context.userHome}${path.slice(1)}` : resolvePath(folder, path)
    return isOfProject(file.path, context) && !isOfProject(full, context) ? [] : [full]
  })
}

const IMPORT = /(?:^|\s)@((?:~\/|\.{0,2}\/)?[\w.\-/ぁ-んァ-ヶ一-龠]*\.(?:md|markdown|txt))(?=$|[\s,;)])/g

function resolvePath(folder: string, path: string): string {
  if (path.startsWith('/')) return path
  const parts = folder.split('/')
  for (const part of path.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}

/** Each item of a list, and each paragraph, with the heading above it. */
function rulesOf(file: SourceFile, name: string, provenance: Provenance): ImportItem[] {
  const { front, body } = splitFrontMatter(file.text)
  const scopes = Array.isArray(front['paths']) ? front['paths'].filter((path) => typeof path === 'string') : []
  const texts = splitSections(body).flatMap(({ headings, text }) =>
    splitRules(text).map((rule) => ({ heading: headings.at(-1) ?? '', rule })),
  )
  const seen = new Set<string>()
  return texts.flatMap(({ heading, rule }) => {
    const key = `${name}\0${hashHex(`${heading}\0${rule}`)}`
    if (seen.has(key)) return []
    seen.add(key)
    const scope = scopes.length > 0 ? ` (for ${scopes.join(', ')})` : ''
    const content = `${heading === '' ? '' : `${heading}: `}${rule}${scope}`
    const tags = ['claude-md']
    const item = heading === '' ? name : `${name}#${heading}`
    return [{ key, item, content, tags, created: file.modified, provenance, searchOnly: true }]
  })
}

/** Items of the outermost list with what belongs to them, and paragraphs. Code belongs to what it follows. */
function splitRules(text: string): string[] {
  const rules: string[] = []
  let isOpen = false
  let wasBlank = true
  for (const { line, isCode } of markCode(text)) {
    const item = isCode ? null : /^(?:[-*+]|\d+[.)])\s+(.*)$/.exec(line)
    const isBlank = line.trim() === '' && !isCode
    const continues = isOpen && !isBlank && (isCode || /^\s{2,}\S/.test(line) || !wasBlank)
    const last = rules.length - 1
    if (item) rules.push(item[1] ?? '')
    else if (continues) rules[last] = `${rules[last] ?? ''}\n${isCode ? line : line.trim()}`
    else if (!isBlank && !/^\s*(?:-{3,}|<!--.*-->)\s*$/.test(line)) rules.push(line.trim())
    isOpen = isOpen || !isBlank
    wasBlank = isBlank
  }
  return rules
    .map((rule) => rule.trim())
    .filter((rule) => rule.length > 2)
    .flatMap((rule) => splitToFit(rule, RULE_CHARS_MAX))
}

/** Leaves room for the heading. */
const RULE_CHARS_MAX = CONTENT_CHARS_MAX - 300
