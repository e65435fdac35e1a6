// A hub in memory, for tests: the same promises as a database, and the faults that a network and a server have.
import {
  FIRST_EPOCH,
  type Hub,
  type HubBatch,
  type HubDescription,
  type HubFinding,
  type HubQuery,
} from '../../src/team/hub.ts'
import type { Operation } from '../../src/team/operation.ts'

/**
 * Faults, each until it is changed again. `down`: every call fails. `readOnly`: pushes fail. `lostAnswers`: that many
 * of the next pushes are stored, and fail before the answer. `duplicates`: every pull also brings
 * this many operations from before. `delayMs`: every call takes this long.
 */
export interface HubFaults {
  down?: boolean
  readOnly?: boolean
  lostAnswers?: number
  duplicates?: number
  delayMs?: number
  version?: number
}

export interface MemoryHub extends Hub {
  readonly faults: HubFaults
  /** What the hub has stored of a project, in order: a forgotten memory has its `forget` alone. */
  stored(project: string): readonly Operation[]
  /** What `restore` needs: everything that the hub has now. */
  backup(): HubBackup
  /** The hub is what it was then: what was pushed since is gone, and its positions are given again. */
  restore(backup: HubBackup): void
}

type HubBackup = ReadonlyMap<string, Project>

interface Row {
  readonly position: number
  readonly operation: Operation
}

/** `known`: the id of every operation that ever arrived, by replica and `n`, also of what was forgotten. */
interface Project {
  rows: Row[]
  last: number
  epoch: string
  readonly known: Map<string, string>
}

/** An error as a hub gives it. */
export class HubError extends Error {
  readonly code: string
  readonly hint = 'a test'
  constructor(code: string) {
    super(code)
    this.code = code
  }
}

const HUB = '4f1d5f1e-0000-4000-8000-000000000001'

export function createMemoryHub(faults: HubFaults = {}): MemoryHub {
  const projects = new Map<string, Project>()
  const projectOf = (project: string): Project => {
    const found = projects.get(project) ?? { rows: [], last: 0, epoch: FIRST_EPOCH, known: new Map() }
    projects.set(project, found)
    return found
  }
  const enter = async (): Promise<void> => {
    if (faults.delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, faults.delayMs))
    if (faults.down === true) throw new HubError('DATABASE_UNREACHABLE')
  }
  return {
    faults,
    stored: (project) => projectOf(project).rows.map(({ operation }) => operation),
    backup: () => structuredClone(projects),
    restore: (backup) => {
      projects.clear()
      for (const [name, project] of structuredClone(backup)) projects.set(name, project)
    },
    describe: async (): Promise<HubDescription> => {
      await enter()
      return { hub: HUB, version: faults.version ?? 1, canWrite: faults.readOnly !== true }
    },
    lastPushed: async (project, replica) => {
      await enter()
      const own = [...projectOf(project).known.keys()].filter((key) => key.startsWith(`${replica} `))
      return Math.max(0, ...own.map((key) => Number(key.split(' ')[1])))
    },
    push: async (project, operations, newEpoch) => {
      await enter()
      if (faults.readOnly === true) throw new HubError('DATABASE_READ_ONLY')
      const given = projectOf(project)
      const answer = store(given, operations)
      given.epoch = newEpoch ?? given.epoch
      if (faults.lostAnswers !== undefined && faults.lostAnswers > 0) {
        faults.lostAnswers -= 1
        throw new HubError('DATABASE_UNREACHABLE')
      }
      return { ...answer, epoch: given.epoch }
    },
    pull: async (project, after, limit): Promise<HubBatch> => {
      await enter()
      const { rows, epoch, last } = projectOf(project)
      const later = rows.filter(({ position }) => position > after)
      const fresh = later.slice(0, limit)
      const earlier = rows.filter(({ position }) => position <= after && position > after - (faults.duplicates ?? 0))
      const batch = [...earlier, ...fresh]
      const through = fresh.at(-1)?.position ?? after
      const operations = batch.map(({ operation }) => operation)
      return { operations, through, more: later.length > fresh.length, epoch, last }
    },
    search: async (_project: string, _query: HubQuery): Promise<readonly HubFinding[]> => [],
    close: async () => {},
  }
}

/** As a database: checked first, so that all are stored or none. */
function store(project: Project, operations: readonly Operation[]): { stored: number; skipped: number } {
  const { known } = project
  for (const { replica, n, id } of operations) {
    const before = known.get(`${replica} ${n}`)
    if (before !== undefined && before !== id) throw new HubError('HUB_CONFLICT')
  }
  let stored = 0
  for (const operation of operations) {
    const key = `${operation.replica} ${operation.n}`
    if (known.has(key)) continue
    known.set(key, operation.id)
    project.last += 1
    stored += 1
    project.rows.push({ position: project.last, operation })
  }
  const forgotten = new Set(
    project.rows.flatMap(({ operation }) => (operation.kind === 'forget' ? [operation.memory] : [])),
  )
  project.rows = project.rows.filter(({ operation }) => operation.kind === 'forget' || !forgotten.has(operation.memory))
  return { stored, skipped: operations.length - stored }
}
