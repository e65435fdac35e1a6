// What sightings of several sessions add up to: their triggers, and how often names occurred.
import type { FactTrigger, NameCounts } from '../../model/fact.ts'
import type { FactSighting } from './factSighting.ts'
import { folderOf } from './findRightPath.ts'

const TRIGGERS_MAX = 8
const PARTS_MAX = 12
const COUNTED_NAMES_MAX = 300

/** The latest triggers, or those of all sessions if their facts add up. */
export function mergeTriggers(known: readonly FactTrigger[], sighting: FactSighting): readonly FactTrigger[] {
  const { topic, triggers, toClaim } = sighting
  // Each session shows other code that leads to a rule.
  if (topic === 'rule') return joinTriggers([...triggers, ...known])
  if (toClaim === undefined) return triggers
  const all = unionTriggers(known.filter(isOwnPath), triggers)
  return topic === 'path' ? [...all, ...folderTrigger(all)] : all
}

/** What a file tool or a program says about a missing path. */
const MISSING_WORDINGS = ['does not exist', 'No such file or directory']

/** Several wrong guesses in one folder: at the next missing path there, the fact is about it as well. */
function folderTrigger(triggers: readonly FactTrigger[]): readonly FactTrigger[] {
  const folders = triggers.flatMap(({ paths }) => paths?.map(folderOf) ?? [])
  const [folder = ''] = folders
  const isOne = folders.length > 1 && folder.includes('/') && folders.every((other) => other === folder)
  return isOne ? [{ paths: [folder], errors: MISSING_WORDINGS }] : []
}

/** The paths that do not exist; a trigger with an error only says where to look. */
export const isOwnPath = ({ errors }: FactTrigger): boolean => errors === undefined

/** One trigger with the errors of all, and one with their code; the first ones if they are too many. */
const joinTriggers = (triggers: readonly FactTrigger[]): readonly FactTrigger[] =>
  (['errors', 'code'] as const).flatMap((field) => {
    const parts = [...new Set(triggers.flatMap((trigger) => trigger[field] ?? []))].slice(0, PARTS_MAX)
    return parts.length > 0 ? [{ [field]: parts }] : []
  })

/** Both lists, without equal triggers; the newest ones if they are too many. */
function unionTriggers(known: readonly FactTrigger[], added: readonly FactTrigger[]): readonly FactTrigger[] {
  const byText = new Map([...known, ...added].map((trigger) => [JSON.stringify(trigger), trigger]))
  return [...byText.values()].slice(-TRIGGERS_MAX)
}

/** Each name once more; of too many the rare ones go, of equal ones the oldest. */
export function countNames(known: NameCounts, names: readonly string[]): NameCounts {
  const counts = new Map(Object.entries(known))
  for (const name of names) {
    const count = counts.get(name) ?? 0
    counts.delete(name)
    counts.set(name, count + 1)
  }
  const newestFirst = [...counts].reverse()
  const kept = newestFirst.sort((a, b) => b[1] - a[1]).slice(0, COUNTED_NAMES_MAX)
  return Object.fromEntries(kept.reverse())
}
