// A memory in words: its importance; an entry of knowledge: when it is shown, who wrote it, where it holds, its record.

import { canBreak } from '../knowledge/updateRecords.ts'
import { currentImportanceTerms } from '../model/currentImportance.ts'
import { IMPORTANCE_WEIGHTS, type ImportanceTerms } from '../model/importance.ts'
import { isAboutFailures, type Knowledge, type KnowledgeRecord, type Trigger } from '../model/knowledge.ts'
import type { Memory } from '../model/memory.ts'
import { formatCount, formatInteger } from './formatNumber.ts'

/** Who wrote its text. What calls alone have shown is from the log. */
export const AUTHOR_NAMES: { readonly [Author in Knowledge['author']]: string } = {
  person: 'person',
  model: 'model',
  rule: 'log',
  teammate: 'teammate',
}

export const SCOPE_NAMES: { readonly [Scope in Knowledge['scope']]: string } = {
  person: 'every project of the person',
  project: 'this project',
  branch: 'one branch',
  path: 'some files',
}

/** Such as: before Bash with `npm install`, unless `pnpm`; when a call fails with `ENOENT`; empty without triggers. */
export const describeWhen = (when: readonly Trigger[]): string => when.map(describeTrigger).join('; ')

function describeTrigger({ at, tool, has = [], unless = [], signature }: Trigger): string {
  if (at === 'start') return 'at every start'
  const tools = tool?.split('|').join(' or ')
  const place =
    at === 'call' ? `before ${tools ?? 'a call'}` : at === 'failure' ? `when ${tools ?? 'a call'} fails` : 'at a prompt'
  const texts = has.length > 0 ? ` with ${has.map(quote).join(' and ')}` : ''
  const error = signature === undefined ? '' : ` with the error ${quote(signature)}`
  return `${place}${texts}${error}${unless.length > 0 ? `, unless ${unless.map(quote).join(' or ')}` : ''}`
}

/** The day of which the numbers in a memory are: numbers grow old, but for those that a person wants. */
export function dayOfNumbers({ content, knowledge, updated }: Memory): string | undefined {
  if (knowledge && !isAboutFailures(knowledge)) return undefined
  const text = (knowledge?.line ?? content).replace(/`[^`]*`/g, '`')
  return NUMBER.test(text) ? (knowledge?.record.lastMet ?? updated) : undefined
}

/** Not in a name, and not behind a sign as in `#12`, `$5` or `:80`. */
const NUMBER = /(?<![\w#.$:/@“"'-])v?\d[\d.,]*(?![\w:-]|\/\w)/

const quote = (text: string): string => `\`${text}\``

/**
 * `fires at 3 of 1,204 calls, 3 failed; shown in 5 sessions, obeyed in 4, broken in 1; met in 2 sessions, last
 * 2026-11-20`. What has not happened is left out, and that a rule was kept or broken if no call could break it.
 */
export function describeRecord(knowledge: Pick<Knowledge, 'type' | 'line' | 'when' | 'record'>): string {
  const { type, when, record } = knowledge
  const { met, lastMet } = record
  const isJudged = isAboutFailures({ type }) || canBreak(knowledge)
  const bad = isAboutFailures({ type }) ? `, ${record.failed} failed` : `, ${record.failed} broke it`
  const parts = [
    when.some(({ at }) => at !== 'start') && describeFirings(record, isJudged && bad),
    isJudged && describeBefore(record),
    describeShowings(isJudged ? record : { ...record, obeyed: 0, broken: 0 }),
    met > 0 && `met in ${formatCount(met, 'session')}, last ${lastMet.slice(0, 10)}`,
  ]
  return parts.filter((part) => part !== false && part !== '').join('; ') || 'not met or shown yet'
}

function describeFirings({ calls, fired }: KnowledgeRecord, bad: string | false): string | false {
  if (calls === 0 && fired === 0) return false
  const firings =
    calls === 0 ? `fired at ${formatCount(fired, 'call')}` : `fires at ${fired} of ${formatInteger(calls)} calls`
  return `${firings}${bad || ''}`
}

const describeBefore = ({ keptBefore, brokenBefore }: KnowledgeRecord): string =>
  keptBefore + brokenBefore === 0 ? '' : `before it was shown: kept ${keptBefore} of ${keptBefore + brokenBefore} times`

function describeShowings({ shown, obeyed, broken }: KnowledgeRecord): string {
  if (shown === 0) return ''
  const results = [...(obeyed > 0 ? [`obeyed in ${obeyed}`] : []), ...(broken > 0 ? [`broken in ${broken}`] : [])]
  return [`shown in ${formatCount(shown, 'session')}`, ...results].join(', ')
}

/**
 * The importance that a memory has now, and what each term adds to it, both in thousandths: `0.239 = outcome 0.15 +
 * novelty 0.05 + …`. The stored importance is that of the last session's end.
 */
export function explainImportance(memory: Memory): string {
  if (memory.pinned) return `${memory.importance.toFixed(3)}, pinned`
  const terms = Object.entries(currentImportanceTerms(memory))
  const shares = terms.flatMap(([name, value]): [string, number][] => {
    const share = Math.round(1000 * IMPORTANCE_WEIGHTS[name as keyof ImportanceTerms] * value) / 1000
    return share === 0 ? [] : [[name, share]]
  })
  const sum = shares.reduce((total, [, share]) => total + share, 0)
  const added = shares.map(([name, share]) => `${name} ${share}`).join(' + ')
  return `${Math.min(1, sum).toFixed(3)} = ${added || 'nothing'}`
}
