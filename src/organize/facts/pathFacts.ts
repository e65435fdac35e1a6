// Paths that do not exist, and the one that was found instead. Several wrong guesses for one file are one fact.
import { type CallResult, callCommand, EDIT_TOOLS } from '../../model/event.ts'
import type { FactTrigger } from '../../model/fact.ts'
import type { FactDetector, FactSighting, SessionEvidence } from './factSighting.ts'
import { baseName, type FoundPath, findRightPath, folderOf } from './findRightPath.ts'
import { isOwnPath } from './mergeTriggers.ts'
import { findMissingPaths, type MissingPath } from './missingPaths.ts'
import { nextCalls } from './sessionCalls.ts'

/** How many calls later the right path may be found. */
const SEARCHED_CALLS = 12

export const detectPathFacts: FactDetector = (evidence) => {
  const { calls } = evidence
  const root = sessionRoot(evidence)
  const existing = listExistingPaths(calls)
  const sightings: FactSighting[] = []
  calls.forEach((call, index) => {
    for (const missing of findMissingPaths(call, root)) {
      if (existing.has(missing.path) || isMadeOrRemoved(missing.path, calls)) continue
      const opened = openedBefore(calls, index)
      const right = findRightPath(missing, nextCalls(calls, index, SEARCHED_CALLS), opened)
      if (right !== 'elsewhere') sightings.push(toSighting(missing, right, call))
    }
  })
  return sightings
}

/** The folder that the session works in, absolute. */
export const sessionRoot = ({ events }: SessionEvidence): string =>
  events.flatMap((event) => (event.kind === 'session.started' ? [event.cwd] : []))[0] ?? ''

/** The files that a call of the session read or wrote, and their folders. */
function listExistingPaths(calls: readonly CallResult[]): ReadonlySet<string> {
  const paths = new Set<string>()
  for (const call of calls) {
    if (call.kind !== 'call.succeeded' || !(call.tool === 'Read' || EDIT_TOOLS.has(call.tool))) continue
    for (const file of call.files) {
      for (let path = file; path !== ''; path = folderOf(path)) paths.add(path)
    }
  }
  return paths
}

/** A command of the session makes, moves or removes it: whether it exists changes. */
function isMadeOrRemoved(path: string, calls: readonly CallResult[]): boolean {
  const name = baseName(path)
  return calls.some((call) => {
    const command = callCommand(call)
    return command.includes(name) && MAKES_OR_REMOVES.test(command.slice(0, command.lastIndexOf(name)))
  })
}

const MAKES_OR_REMOVES =
  /(?:^|[\s;&|(])(?:rm|mv|mkdir|touch|cp|ln|rmdir|unlink|tee|install|rsync|git (?:rm|mv))\s[^;&|\n]*$|>\s*\S*$/

const openedBefore = (calls: readonly CallResult[], index: number): ReadonlySet<string> =>
  new Set(calls.slice(0, index).flatMap((call) => (call.kind === 'call.succeeded' ? call.files : [])))

function toSighting(missing: MissingPath, right: FoundPath | undefined, call: CallResult): FactSighting {
  const { isFolder } = missing
  const path = withFullFolder(missing.path, right)
  return {
    topic: 'path',
    key: right?.path ?? path,
    claim: '',
    toClaim: (triggers) => claimOf(triggers, right?.path, isFolder),
    remedy: right?.remedy,
    triggers: [{ paths: [path] }],
    files: right === undefined ? [path] : [right.path, path],
    failures: 1,
    at: call.at,
    events: [call.id],
  }
}

/** A path relative to another working directory, with the folder of the file that was found there. */
function withFullFolder(path: string, right: FoundPath | undefined): string {
  const folder = folderOf(path)
  if (right === undefined || folder === '' || !folderOf(right.path).endsWith(`/${folder}`)) return path
  return `${folderOf(right.path)}/${baseName(path)}`
}

const SHOWN_PATHS = 3

/** "there is no `helpers.go`, `env.go` beside it"; the folder is named if it is another one. */
function claimOf(triggers: readonly FactTrigger[], right: string | undefined, isFolder: boolean): string {
  const wrong = triggers
    .filter(isOwnPath)
    .flatMap(({ paths }) => paths ?? [])
    .slice(-SHOWN_PATHS)
  if (isFolder) return `there is no folder ${wrong.map((path) => `\`${path}/\``).join(', ')}`
  const isBeside = right !== undefined && wrong.every((path) => folderOf(path) === folderOf(right))
  const names = wrong.map((path) => `\`${isBeside ? baseName(path) : path}\``)
  return `there is no ${names.join(', ')}${isBeside && folderOf(right) !== '' ? ' beside it' : ''}`
}
