// How the project is laid out: where the tests of a file are, which files change most and which change together.
import { type CallResult, EDIT_TOOLS } from '../../model/event.ts'
import type { FactDetector, FactSighting } from './factSighting.ts'
import { baseName, folderOf, isTestFile } from './findRightPath.ts'

export const detectLayoutFacts: FactDetector = ({ calls }) => {
  const last = calls.at(-1)
  if (last === undefined) return []
  const common = { topic: 'routine' as const, failures: 0, at: last.at, events: [last.id], triggers: [] }
  return [
    ...listTestPlaces(calls).map((place) => ({ ...common, key: `tests ${place}`, claim: place })),
    ...changedFiles(calls, common),
  ]
}

type Common = Pick<FactSighting, 'topic' | 'failures' | 'at' | 'events' | 'triggers'>

/** Files of a session whose pairs are counted; a session that changes more is a sweep over the project. */
const PAIRED_FILES_MAX = 10

function changedFiles(calls: readonly CallResult[], common: Common): readonly FactSighting[] {
  const edits = calls.filter((call) => call.kind === 'call.succeeded' && EDIT_TOOLS.has(call.tool))
  const files = [...new Set(edits.flatMap((call) => call.files))].sort()
  if (files.length === 0) return []
  const paired = files.length > PAIRED_FILES_MAX ? [] : files
  const pairs = paired.flatMap((file, i) => paired.slice(i + 1).map((other) => pairKey(file, other)))
  return [{ ...common, key: 'changes', claim: '', countedNames: [...files, ...pairs], toClaim: changesClaim }]
}

const SEPARATOR = ' + '
const pairKey = (file: string, other: string): string => `${file}${SEPARATOR}${other}`

const SHOWN_FILES = 5
const SHOWN_PAIRS = 2

function changesClaim(_: unknown, counts: Readonly<Record<string, number>>, sessions: number): string {
  const files = Object.entries(counts).filter(([name]) => !name.includes(SEPARATOR))
  const top = files.sort(([, a], [, b]) => b - a).slice(0, SHOWN_FILES)
  const together = listPairs(counts, sessions).slice(0, SHOWN_PAIRS)
  const most = `files that change most: ${top.map(([name]) => `\`${name}\``).join(', ')}`
  return together.length === 0 ? most : `${most}; together: ${together.join(', ')}`
}

const PAIR_SESSIONS_MIN = 3
/** Of the sessions that changed one of the two files, the share that changed both; and how much above chance. */
const PAIR_SHARE_MIN = 0.6
const PAIR_LIFT_MIN = 2

/** Pairs that change together more often than chance explains, the most frequent first; not a file and its test. */
function listPairs(counts: Readonly<Record<string, number>>, sessions: number): readonly string[] {
  const pairs = Object.entries(counts).flatMap(([name, both]) => {
    const [file = '', other] = name.split(SEPARATOR)
    if (other === undefined || both < PAIR_SESSIONS_MIN || stemOf(file) === stemOf(other)) return []
    const [a, b] = [counts[file] ?? both, counts[other] ?? both]
    const isClose = both / Math.min(a, b) >= PAIR_SHARE_MIN && (both * sessions) / (a * b) >= PAIR_LIFT_MIN
    return isClose ? [{ text: `\`${file}\` and \`${other}\``, both }] : []
  })
  return pairs.sort((a, b) => b.both - a.both).map(({ text }) => text)
}

/** `src/a.ts` and `test/a.test.ts` in one session: "tests of `src/x.ts` are in `test/x.test.ts`", once each. */
function listTestPlaces(calls: readonly CallResult[]): readonly string[] {
  const touched = [...new Set(calls.flatMap((call) => (call.kind === 'call.succeeded' ? call.files : [])))]
  const sources = new Map<string, string[]>()
  for (const file of touched)
    if (!isTestFile(file)) sources.set(stemOf(file), [...(sources.get(stemOf(file)) ?? []), file])
  const places = touched.filter(isTestFile).flatMap((test) => {
    const sameKind = (sources.get(stemOf(test)) ?? []).filter((file) => extensionOf(file) === extensionOf(test))
    const source = sameKind.find((file) => folderOf(file) === folderOf(test)) ?? sameKind[0]
    return source === undefined ? [] : (placeOf(source, test) ?? [])
  })
  return [...new Set(places)]
}

function placeOf(source: string, test: string): string | undefined {
  const name = (file: string) => baseName(file).replace(stemOf(file), 'x')
  const [from, to] = [folderOf(source), folderOf(test)]
  if (from === to) return `tests of \`${name(source)}\` are in \`${name(test)}\` beside it`
  if (to.startsWith(`${from}/`))
    return `tests of \`${name(source)}\` are in \`${to.slice(from.length + 1)}/${name(test)}\``
  const [top, testTop] = [from.split('/')[0] ?? '', to.split('/')[0] ?? '']
  const isMirror = from.slice(top.length) === to.slice(testTop.length)
  return isMirror ? `tests of \`${top}/…/${name(source)}\` are in \`${testTop}/…/${name(test)}\`` : undefined
}

/** The name without its extension and without what marks a test. */
const stemOf = (file: string): string =>
  baseName(file)
    .replace(/\.\w+$/, '')
    .replace(/[._-](?:test|spec)s?$|(?<=[a-z])(?:Test|Tests|Spec)$|^test_/, '')

const extensionOf = (file: string): string => /\.\w+$/.exec(file)?.[0] ?? ''
