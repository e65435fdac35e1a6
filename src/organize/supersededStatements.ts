// Which earlier statement is said again, and which one a later statement supersedes.
import type { Memory } from '../model/memory.ts'
import { jaccard } from '../text/similarity.ts'
import type { FoundStatement, StatementSubject } from '../text/statement/findStatements.ts'

/** Share of common terms from which two statements are about the same. */
const SAME_FROM = 0.75
const SAME_SUBJECT_FROM = 0.6

/** Things of which a project uses one: naming another one later replaces it. */
const ALTERNATIVES = [
  'npm pnpm yarn bun deno',
  'pip poetry uv pipenv conda',
  'jest vitest mocha ava',
  'eslint biome',
  'prettier biome',
  'black ruff',
  'tab space',
  'rebas merg squash',
  'us uk british american',
  'singl doubl',
  'english japanes german french spanish chines',
  '英語 日本語 中国語',
  'タブ スペース',
  'camelcas snake_cas kebab-cas pascalcas',
  'mysql postgr postgresql sqlite',
  'make just mise',
  'gradle maven',
].map((line) => new Set(line.split(' ')))

/** The earlier statement that says the same, if there is one. */
export function findSame(found: StatementSubject, statements: Iterable<Memory>): Memory | undefined {
  for (const memory of statements) {
    const statement = memory.statement
    if (!statement || isBan(memory) !== found.isBan) continue
    if (jaccard(statement.subject, found.subject) >= SAME_FROM && !hasOtherValue(statement.subject, found.subject))
      return memory
  }
  return undefined
}

/** Whether the later statement withdraws, replaces or contradicts the earlier one. */
export function isSuperseded(memory: Memory, found: StatementSubject & Pick<FoundStatement, 'strength'>): boolean {
  const statement = memory.statement
  if (!statement || statement.supersededBy !== undefined || statement.scope === 'file') return false
  const { subject } = statement
  if (found.withdraws) return covers(found.retired, subject, 0.5)
  if (found.strength === 1) return false
  // "Use X, not Y" replaces "use Y".
  if (found.retired.length > 0 && !isBan(memory) && covers(subject, found.retired, 0.5)) return true
  if (hasOtherValue(subject, found.subject)) return !isBan(memory) && !found.isBan
  return isBan(memory) !== found.isBan && jaccard(subject, found.subject) >= SAME_SUBJECT_FROM
}

/** Whether a later statement is about the same as this one, or gives another value: then the later one holds. */
export function isReplacedBy(memory: Memory, later: Memory): boolean {
  const [before, after] = [memory.statement?.subject ?? [], later.statement?.subject ?? []]
  if (hasOtherValue(before, after)) return !isBan(memory) && !isBan(later)
  return jaccard(before, after) >= SAME_FROM
}

/** Whether at least this share of `inner` is in `outer`, and something is. */
function covers(inner: readonly string[], outer: readonly string[], share: number): boolean {
  const common = inner.filter((term) => outer.includes(term)).length
  return common > 0 && common >= share * inner.length
}

/** Whether both are about the same with another value: another alternative, another number. */
function hasOtherValue(before: readonly string[], after: readonly string[]): boolean {
  const onlyBefore = before.filter((term) => !after.includes(term))
  const onlyAfter = after.filter((term) => !before.includes(term))
  const isAlternative = ALTERNATIVES.some(
    (names) => onlyBefore.some((term) => names.has(term)) && onlyAfter.some((term) => names.has(term)),
  )
  const rest = (terms: readonly string[]) => terms.filter((term) => !ALTERNATIVES.some((names) => names.has(term)))
  if (isAlternative)
    return rest(before).length === 0 || rest(after).length === 0 || jaccard(rest(before), rest(after)) >= 0.3
  const areNumbers = [onlyBefore, onlyAfter].every(
    (terms) => terms.length > 0 && terms.every((term) => /^\d/.test(term)),
  )
  return areNumbers && jaccard(before, after) >= 0.5
}

const isBan = (memory: Memory): boolean => memory.tags.includes('ban')
