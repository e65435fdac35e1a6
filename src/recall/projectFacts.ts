// Which project facts are shown: the worthiest at a start, elsewhere those that are about what is happening. Pure.
import { EDIT_TOOLS } from '../model/event.ts'
import type { FactNote } from '../model/factNote.ts'
import { newMemory } from '../model/memory.ts'
import type { FactNumbers } from '../model/policy.ts'
import { type RecalledMemory, UNRANKED_FEATURE } from '../model/recallQuery.ts'
import type { TeamMark } from '../model/teamMark.ts'
import { canComeNear, type FactSituation, isNearTrigger, matchesTrigger } from '../text/factTrigger.ts'
import { teamText } from '../text/teamText.ts'
import { estimateTokens } from '../text/tokenCount.ts'

/** The worthiest facts, `tokensMax` long at most, without outdated ones: for the start of a conversation. */
export function selectFactBlock(
  facts: readonly FactNote[],
  tokensMax: number,
  isOutdated: (fact: FactNote) => boolean = () => false,
): FactNote[] {
  const selected: FactNote[] = []
  const remedies = new Set<string>()
  let tokens = 0
  for (const fact of facts) {
    const cost = estimateTokens(renderBlockFact(fact)) + 1
    // What was met once takes only a place that is left.
    const limit = fact.state === 'standing' ? tokensMax : tokensMax * PROPOSED_SHARE
    if (tokens + cost > limit || isOutdated(fact)) continue
    // Two facts with the same remedy are one piece of advice.
    const [remedy = ''] = (fact.short ?? fact.line).split(': ')
    if (remedies.has(remedy)) continue
    remedies.add(remedy)
    selected.push(fact)
    tokens += cost
    if (tokensMax - tokens < SHORTEST_TOKENS) break
  }
  return selected
}

/**
 * The rules for the first edit of a file of this kind, once in a conversation. `isFirst` says whether no rule
 * was shown before; it is called only if there are rules.
 */
export function selectEditRules(
  facts: readonly FactNote[],
  { tool, files }: FactSituation,
  { editTokens }: Pick<FactNumbers, 'editTokens'>,
  isFirst: (rules: readonly FactNote[]) => boolean,
): FactNote[] {
  const file = files[0]
  if (editTokens === 0 || file === undefined || tool === undefined || !EDIT_TOOLS.has(tool)) return []
  const rules = facts.filter(
    ({ state, hasRemedy, extensions }) =>
      state === 'standing' && hasRemedy && extensions?.some((extension) => file.endsWith(extension)) === true,
  )
  return rules.length > 0 && isFirst(rules)
    ? selectFactBlock(rules, editTokens).map((fact) => ({ ...shortenFact(fact), isListed: true }))
    : []
}

/**
 * The facts with a remedy for a start, those that stand first. Rules of linters come with the first edit of a file of
 * their kind, if they may.
 */
export function listStartFacts(
  facts: readonly FactNote[],
  { editTokens, startRate, startNearRate }: Pick<FactNumbers, 'editTokens' | 'startRate' | 'startNearRate'>,
): readonly FactNote[] {
  const own = facts.filter(
    ({ rate, hasRemedy, extensions = [] }) =>
      rate >= startRate && hasRemedy && (editTokens === 0 || extensions.length === 0),
  )
  // What a call comes near to is shown there (see findNearFact), unless many sessions meet it.
  const isForStart = ({ triggers, rate, state }: FactNote): boolean =>
    !triggers.some(canComeNear) || (state === 'standing' && rate >= startNearRate)
  const isStanding = ({ state }: FactNote): boolean => state === 'standing'
  const shown = own.filter(isForStart)
  return [...shown.filter(isStanding), ...shown.filter((fact) => !isStanding(fact))]
}

/** The share of the tokens that may be used when a fact that was met once is added. */
const PROPOSED_SHARE = 0.9

/** No fact is shorter. */
const SHORTEST_TOKENS = 10

/** The worthiest fact with a remedy that the call comes close to, except the excluded ones. */
export const findNearFact = (
  facts: readonly FactNote[],
  situation: FactSituation,
  isExcluded: (fact: FactNote) => boolean,
): FactNote | undefined =>
  facts.find(
    (fact) =>
      fact.hasRemedy &&
      (fact.state === 'standing' || isAboutSameName(fact, situation)) &&
      fact.triggers.some((trigger) => isNearTrigger(trigger, situation)) &&
      !isExcluded(fact),
  )

/** The call's file has a name like the missing one: `cart.ts` and `cart.test.ts`. */
function isAboutSameName({ triggers }: FactNote, { files }: FactSituation): boolean {
  const names = files.map(stemOf).filter((stem) => stem.length >= 3)
  return triggers.some(({ paths = [] }) => paths.some((path) => names.includes(stemOf(path))))
}

/** `src/cart.test.ts`, `src/cart_test.go` and `src/cart.ts` are all `cart`. */
const stemOf = (path: string): string =>
  path
    .slice(path.lastIndexOf('/') + 1)
    .replace(/\..*$/, '')
    .replace(/[_-](?:test|spec)$/, '')

/** The facts that are about this call or failure, the worthiest first; `noteMax` at most. */
export function matchFacts(
  facts: readonly FactNote[],
  situation: FactSituation,
  { noteMax }: Pick<FactNumbers, 'noteMax'>,
): FactNote[] {
  const matching: FactNote[] = []
  for (const fact of facts) {
    if (matching.length === noteMax) break
    if (fact.triggers.some((trigger) => matchesTrigger(trigger, situation))) matching.push(fact)
  }
  return matching
}

/** One line: `Use X: Y does not exist (3 sessions, last 2026-01-12)`. */
export function renderFact({
  line,
  sessions,
  lastMet,
  team,
}: Pick<FactNote, 'line' | 'sessions' | 'lastMet' | 'team'>): string {
  const day = lastMet.slice(0, 10)
  return `- ${line} (${sessions > 1 ? `${sessions} sessions, last ${day}` : `once, ${day}`}${teamText({ team }, '; ')})`
}

interface ListedFact {
  readonly content: string
  readonly sessionCount: number
  readonly team?: TeamMark | undefined
}

/** Several facts as one note: the rules at an edit. */
export const renderFactList = (facts: readonly ListedFact[]): string =>
  `- Linter rules that have cost calls here (sessions): ${facts.map(formatListed).join('; ')}.`

const formatListed = ({ content, sessionCount, team }: ListedFact): string =>
  `${content} (${sessionCount}${teamText({ team }, '; ')})`

/** The tag of a recalled fact that is rendered together with others. */
export const LISTED_TAG = 'listed'

/** The line of a list whose heading says what the numbers are: `Use X: Y does not exist (3, last 2026-01-12)`. */
export const renderBlockFact = ({ short, line, sessions, lastMet, team }: FactNote): string =>
  `- ${short ?? line} (${sessions}, last ${lastMet.slice(0, 10)}${teamText({ team }, '; ')})`

/** The fact as it stands in a list of facts. */
export const shortenFact = (fact: FactNote): FactNote => ({ ...fact, line: fact.short ?? fact.line })

/** The fact as a memory that was recalled. */
export function toRecalledFact(fact: FactNote): RecalledMemory {
  const memory = newMemory({
    id: fact.id,
    kind: 'fact',
    content: fact.line,
    created: fact.lastMet,
    sessionCount: fact.sessions,
    tags: fact.isListed ? [LISTED_TAG] : [],
    team: fact.team,
  })
  return { memory, score: fact.worth, features: { [UNRANKED_FEATURE]: 1 }, breakdown: {} }
}
