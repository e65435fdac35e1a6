// Foresight: how surely a call will fail as a call of an earlier session did, and which of the earlier failures it would be.
//
// Likeness to a failed call tells which failure it would be, but not whether: of 100 calls that look like one that failed, 97 succeed. Whether
// is told by what there is: a file that nobody ever saw, a folder nobody knows, a command that fails each third time.
import { type CallBook, type EarlierFailure, rateKeys } from '../model/callBook.ts'
import { jaccard } from '../text/similarity.ts'

/** A call before it is made. */
export interface CallAhead {
  readonly tool: string
  readonly command: string
  readonly family: string
  readonly shape: string
  readonly isCheck: boolean
  /** The file or folder it is about, as its path inside the repository; undefined outside, or where it names none. */
  readonly file?: string | undefined
  /** It names a place, inside the repository or not. */
  readonly names: boolean
  readonly words: readonly string[]
}

/** What this session has done so far. */
export interface SoFar {
  /** How the same family of command ended last here; undefined where it did not run. */
  readonly lastOfFamily?: { readonly failed: boolean; readonly editsSince: number } | undefined
  readonly lastFailed: boolean
  /** The name of the call's file has come up in this session. */
  readonly isMentioned: boolean
}

export interface Foresight {
  /** Half at the confidence from which it is worth a word; 0 to 1. */
  readonly warn: number
  /** The earlier failures it could be, likeliest first. */
  readonly failures: readonly { readonly failure: EarlierFailure; readonly score: number }[]
}

/** Evidence that a rate's broader neighbour counts for, in calls, from the tool to the command itself. */
const PRIORS = [50, 10, 5, 5, 3]

/** How often any call fails in a known way, before anything is known. */
const BASE_RATE = 0.012

/** Logistic regression on the first 60 % of the recorded sessions; docs/recall.md has what it gave on the others. */
const WEIGHTS = {
  bias: -3.9,
  rate: 0.37,
  passedBefore: -0.7,
  unseen: 2.3,
  unmentioned: 0.95,
  both: 0.65,
  outside: 1.6,
  folderUnknown: 1,
  check: 1.85,
  elsewhere: 0.9,
  placeUnknown: 1,
  lastFailed: 1.2,
} as const

/** `warnAt` is the policy's: where `warn` is .5. */
export function foresee(book: CallBook, ahead: CallAhead, soFar: SoFar, warnAt: number, now: number): Foresight {
  const features = featuresOf(book, ahead, soFar)
  let sum = 0
  for (const [name, value] of Object.entries(features)) sum += WEIGHTS[name as keyof typeof WEIGHTS] * value
  const probability = 1 / (1 + Math.exp(-sum))
  const odds = (probability / (1 - probability)) * ((1 - warnAt) / warnAt)
  return { warn: odds / (1 + odds), failures: likeliest(book.failures, ahead, now) }
}

function featuresOf(
  book: CallBook,
  ahead: CallAhead,
  soFar: SoFar,
): { readonly [Name in keyof typeof WEIGHTS]: number } {
  const { tool, file } = ahead
  const reads = tool === 'Read'
  const unseen = reads && file !== undefined && !book.seen.has(file)
  const unmentioned = reads && !soFar.isMentioned
  const name = file?.slice(file.lastIndexOf('/') + 1)
  const folder = file === undefined ? '' : file.slice(0, file.lastIndexOf('/') + 1)
  const seeks = tool === 'Grep' || tool === 'Glob'
  const bit = (holds: boolean) => (holds ? 1 : 0)
  return {
    bias: 1,
    rate: logit(rateOf(book, ahead)),
    passedBefore: bit(tool === 'Bash' && soFar.lastOfFamily?.failed === false),
    unseen: bit(unseen),
    unmentioned: bit(unmentioned),
    both: bit(unseen && unmentioned),
    outside: bit(reads && file === undefined && ahead.names),
    folderUnknown: bit(reads && folder !== '' && !book.seen.has(folder)),
    check: bit(tool === 'Bash' && ahead.isCheck),
    elsewhere: bit(unseen && book.seen.has(`*${name}`)),
    placeUnknown: bit(seeks && file !== undefined && !book.seen.has(`${file}/`) && !book.seen.has(file)),
    lastFailed: bit(soFar.lastFailed),
  }
}

/** How often its like failed in a known way, each narrower rate shrunk to the broader one. */
function rateOf({ rates }: CallBook, { tool, family, shape, command }: CallAhead): number {
  let rate = BASE_RATE
  rateKeys(tool, family, shape, command).forEach((key, i) => {
    const [calls, failed] = Object.hasOwn(rates, key) ? rates[key]! : [0, 0]
    const prior = PRIORS[Math.max(0, i - 1)]!
    rate = (failed + prior * rate) / (calls + prior)
  })
  return rate
}

const logit = (share: number): number => Math.log(share / (1 - share))

/** What of a failure's likeness is left after so many days: half. */
const FADES_DAYS = 10

/**
 * Failures of one signature stand together: the one met most and most like this call first, and in each its likest first. The likeness is raised
 * to the third power, so that one that is very like counts more than many that are a little.
 */
function likeliest(failures: readonly EarlierFailure[], ahead: CallAhead, now: number): Foresight['failures'] {
  const groups = new Map<string, { sum: number; members: { failure: EarlierFailure; like: number }[] }>()
  const words = new Set(ahead.words)
  for (const failure of failures) {
    const like = likeness(failure, ahead, words)
    if (like === 0) continue
    const group = groups.get(failure.signature) ?? { sum: 0, members: [] }
    group.sum += (like * 0.5 ** ((now - failure.at) / 86_400_000 / FADES_DAYS)) ** 3
    group.members.push({ failure, like })
    groups.set(failure.signature, group)
  }
  const order = [...groups.values()].sort((a, b) => b.sum - a.sum)
  const ranked = order.flatMap(({ members }) => members.sort((a, b) => b.like - a.like || b.failure.at - a.failure.at))
  return ranked.map(({ failure }, place) => ({ failure, score: 1 / (1 + place) }))
}

function likeness(failure: EarlierFailure, ahead: CallAhead, words: ReadonlySet<string>): number {
  if (failure.tool !== ahead.tool) return 0
  let like = 0.2 + 0.5 * jaccard(words, failure.words)
  if (ahead.tool !== 'Bash') return ahead.file !== undefined && failure.about === ahead.file ? like + 0.3 : like
  if (failure.family === ahead.family) like += 2
  if (failure.shape === ahead.shape) like += 0.5
  if (failure.about === ahead.command) like += 0.3
  else if (failure.family.split(' ')[0] === ahead.family.split(' ')[0]) like += 0.3
  return like
}
