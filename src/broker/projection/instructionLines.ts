// The statements in the instructions that the client loads at every start: what they say, a start does not say again.
import { statementKey } from '../../knowledge/compareRules.ts'
import { isFileFault, listUntrusted, readUntrusted } from '../../store/disk/untrustedFiles.ts'

const FILES = ['CLAUDE.md', 'CLAUDE.local.md', '.claude/CLAUDE.md']
const RULES = '.claude/rules'

/** Rules of a project that are read, and bytes of each file. */
const RULES_MAX = 200
const FILE_BYTES_MAX = 262_144

/** A rule with paths is loaded only with a file of these paths. */
const HAS_PATHS = /^---\r?\n(?:(?!---)[^\n]*\n)*?paths:/

/** The lines of the CLAUDE.md files and rules by their key for comparing; without list marks and full stops. */
export function readInstructionLines(root: string): ReadonlyMap<string, string> {
  const { names } = listUntrusted(root, `${root}/${RULES}`, RULES_MAX)
  const rules = names.flatMap((name) => (name.endsWith('.md') ? [`${RULES}/${name}`] : []))
  const lines = [...FILES, ...rules].flatMap((file) => {
    const read = readUntrusted(root, `${root}/${file}`, FILE_BYTES_MAX)
    const text = read === undefined || isFileFault(read) ? '' : read.toString('utf8')
    return HAS_PATHS.test(text) ? [] : text.split('\n')
  })
  const statements = lines.map((line) => line.replace(/^\s*(?:[-*+]|\d+[.)])\s+|[.。]?\s*$/g, ''))
  return new Map(statements.flatMap((line) => (line === '' ? [] : [[statementKey(line), line]])))
}
