// memctl list --claude-md: the standing entries of knowledge as a section of CLAUDE.md, between two marks, so that a
// later run replaces it.
import fs from 'node:fs'
import path from 'node:path'
import type { Store } from '../../broker/open/openStore.ts'
import { readInstructionLines } from '../../broker/projection/instructionLines.ts'
import { contradicts } from '../../knowledge/compareRules.ts'
import { triggersOfRule } from '../../knowledge/ruleTriggers.ts'
import { isCurrent, isOfPerson } from '../../model/knowledge.ts'
import type { Memory } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { sanitizeForTerminal } from '../../report/fitText.ts'
import { isFileFault, readUntrusted } from '../../store/disk/untrustedFiles.ts'
import { firstLine } from '../../text/excerpt.ts'
import { sanitizeText } from '../../text/sanitizeText.ts'
import { type CliContext, printResult } from '../context/cliContext.ts'
import type { StoreOptions } from '../context/storeOption.ts'
import { assertNoLinkOut, unifiedDiff } from '../install/settingsFile.ts'

interface ClaudeMdOptions extends StoreOptions {
  /** The file; true for CLAUDE.md of the project. */
  readonly claudeMd: string | true
  readonly write?: boolean
}

/** Prints the change of the file, and makes it with `--write`. */
export function proposeClaudeMd(
  store: Store,
  memories: readonly Memory[],
  options: ClaudeMdOptions,
  io: CliContext,
): void {
  const { claudeMd, write = false } = options
  const file = path.resolve(io.cwd, claudeMd === true ? `${store.project.root}/CLAUDE.md` : claudeMd)
  // Before it is read: the change shows lines of the file.
  assertNoLinkOut(file, store.project.root)
  const before = readText(file)
  const after = updateKnowledgeSection(before, listStandingLines(memories))
  const patch = unifiedDiff(before, after, path.basename(file))
  const isChanged = patch !== ''
  if (write && isChanged) writeText(file, after)
  const contradictions = listContradictions(store.project.root, memories)
  const result = { file, changed: isChanged, written: write && isChanged, patch, contradictions }
  printResult(io, options.json, result, () => [
    ...contradictions.map(({ instruction, entry }) => `"${instruction}" in the instructions contradicts: ${entry}`),
    ...(isChanged
      ? [
          ...patch.trimEnd().split('\n').map(sanitizeForTerminal),
          write ? `Changed ${file}.` : 'Nothing was changed. Add --write to change the file.',
        ]
      : [`${file} has every standing entry already.`]),
  ])
}

/** Lines of the project's instructions and entries of the person that contradict each other. */
function listContradictions(root: string, memories: readonly Memory[]) {
  const instructions = [...readInstructionLines(root).values()]
  return memories.flatMap(({ knowledge, status }) => {
    if (!knowledge || status !== 'active' || !isCurrent(knowledge) || !isOfPerson(knowledge)) return []
    const found = instructions.find((line) => contradicts(knowledge, { line, when: triggersOfRule(line) }))
    return found === undefined ? [] : [{ instruction: firstLine(found, 120), entry: knowledge.line }]
  })
}

/** What the person wants first, then what sessions met most often. */
function listStandingLines(memories: readonly Memory[]): string[] {
  const standing = memories.flatMap((memory) => {
    const { knowledge } = memory
    return knowledge && isProposed(memory) ? [{ knowledge, files: memory.files }] : []
  })
  standing.sort(
    (a, b) =>
      Number(isOfPerson(b.knowledge)) - Number(isOfPerson(a.knowledge)) ||
      b.knowledge.record.met - a.knowledge.record.met,
  )
  return standing.map(({ knowledge: { line, scope }, files: [file] }) =>
    scope === 'path' && file !== undefined ? `In \`${file}\`: ${line}` : line,
  )
}

/**
 * Standing, and true of the whole project or of a path. The file is for everyone: what only agents of one role may see
 * is not in it, nor what a person wants in all their projects.
 */
const isProposed = ({ knowledge, status, supersededBy, searchOnly, privacy }: Memory): boolean =>
  knowledge?.state === 'standing' &&
  (knowledge.scope === 'project' || knowledge.scope === 'path') &&
  status === 'active' &&
  supersededBy === undefined &&
  !searchOnly &&
  privacy === 'public'

/** The size up to which the changed file is read. */
const FILE_BYTES_MAX = 4_194_304

function readText(file: string): string {
  const read = readUntrusted(undefined, file, FILE_BYTES_MAX)
  if (!isFileFault(read)) return read?.toString('utf8') ?? ''
  throw new MemoryError('INPUT_INVALID', `Cannot read ${file}: ${read.what}`, { hint: 'Name a readable file.' })
}

function writeText(file: string, text: string): void {
  try {
    fs.writeFileSync(file, text)
  } catch (cause) {
    throw new MemoryError('INPUT_INVALID', `Cannot write ${file}`, {
      hint: 'Name a file in an existing folder.',
      cause,
    })
  }
}

const BEGIN = '<!-- memctl knowledge: `memctl list --claude-md` proposes changes between these marks -->'
const END = '<!-- end of memctl knowledge -->'

/** The marks of earlier versions, too. */
const SECTION = /<!-- memctl (?:facts|knowledge): [^\n]*-->[\s\S]*?<!-- end of memctl (?:facts|knowledge) -->\n?/

/** Lines in the section at most: a longer file is read less carefully. */
const LINES_MAX = 20

/** `text` with a section of these lines, the first ones; those that the rest of the text has already are left out. */
export function updateKnowledgeSection(text: string, known: readonly string[]): string {
  const rest = text.replace(SECTION, '')
  const lines = known
    .filter((line) => !isMentioned(line, rest))
    .slice(0, LINES_MAX)
    .map((line) => `- ${withFullStop(sanitizeText(firstLine(line, 300)))}`)
  if (lines.length === 0) return rest
  const section = `${[BEGIN, '## What is known here', '', ...lines, END].join('\n')}\n`
  if (SECTION.test(text)) return text.replace(SECTION, () => section)
  return text === '' ? section : `${text.replace(/\n*$/, '\n\n')}${section}`
}

/** Japanese and Chinese have a full stop of their own, or do without one. */
const withFullStop = (line: string): string => (/[ -~]$/.test(line) && !/[.!?]$/.test(line) ? `${line}.` : line)

/** The line itself is in the text, or every command or path that it quotes. */
function isMentioned(line: string, text: string): boolean {
  if (text.includes(line.replace(/[.。]$/, ''))) return true
  const quoted = [...line.matchAll(/`([^`]+)`/g)].flatMap(([, part]) => part ?? [])
  return quoted.length > 0 && quoted.every((part) => text.includes(part))
}
