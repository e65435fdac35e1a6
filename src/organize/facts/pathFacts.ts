// Paths that do not exist, and the one that was opened instead.
import type { CallResult } from '../../model/event.ts'
import type { FactDetector, FactSighting } from './factSighting.ts'

export const detectPathFacts: FactDetector = ({ calls }) =>
  calls.flatMap((call, index) => {
    const path = missingPath(call)
    return path === undefined ? [] : [toSighting(path, call, calls.slice(index + 1))]
  })

const MISSING = /no such file|does not exist|enoent|not found|cannot find the (?:path|file)/i

/** The path inside the repository that a failed call of a file tool named. */
function missingPath(call: CallResult): string | undefined {
  if (call.kind !== 'call.failed' || !MISSING.test(call.error)) return undefined
  return ['Read', 'Grep', 'Glob', 'LS'].includes(call.tool) ? call.files[0] : undefined
}

function toSighting(path: string, call: CallResult, later: readonly CallResult[]): FactSighting {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const found = later
    .slice(0, 15)
    .find((other) => other.kind === 'call.succeeded' && other.files.some((file) => file.endsWith(`/${name}`)))
  const right = found?.files.find((file) => file.endsWith(`/${name}`))
  return {
    topic: 'path',
    key: path,
    claim: `\`${path}\` does not exist`,
    remedy: right === undefined ? undefined : `use \`${right}\``,
    triggers: [{ paths: [path] }],
    files: [path],
    failures: 1,
    at: call.at,
    events: [call.id],
  }
}
