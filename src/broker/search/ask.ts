// Ask: a person or a tool asks the memory, outside any hook. Looking changes no counters and writes nothing.
import type { Cue, Features, Recall } from '../../model/cue.ts'
import type { MemoryId } from '../../model/id.ts'
import type { Memory } from '../../model/memory.ts'
import type { Policy } from '../../model/policy.ts'
import { askedFeatures } from '../../recall/features/asked.ts'
import { type MoreFeatures, ranked } from '../../recall/rank.ts'
import { recall } from '../../recall/recall.ts'
import type { Shelf } from '../../store/shelf.ts'
import { commandShape } from '../../text/command.ts'
import { filesIn } from '../../text/files.ts'
import { errorSignature } from '../../text/signature.ts'
import { candidatesFor, type Shelved } from '../hook/find.ts'
import { disposeShelf, shelfFor } from '../hook/shelves.ts'
import { servingPolicy } from '../policy/served.ts'
import type { Store } from '../store.ts'
import { answersFor } from './answers.ts'

export interface Question {
  readonly text: string
  readonly files?: readonly string[]
  /** A command that is about to be run. */
  readonly command?: string
  /** An error met. */
  readonly error?: string
  readonly branch?: string
  readonly role?: string
  /** Which moment's thresholds and budget hold; `ask` shows more. */
  readonly moment?: Cue['moment']
  readonly topK?: number
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Where a candidate stands, and by what. */
export interface Standing {
  readonly id: MemoryId
  readonly score: number
  readonly features: Features
  readonly memory: () => Memory
}

/** What the memory answers, every candidate ranked; the same code as the hooks'. */
export function ask(store: Store, question: Question): Recall {
  const { policy } = servingPolicy(store)
  const moment = question.moment ?? 'ask'
  const limits = { ...policy.recall.moments[moment], ...(question.topK ? { topK: question.topK } : {}) }
  const asked = { ...policy, recall: { ...policy.recall, moments: { ...policy.recall.moments, [moment]: limits } } }
  const shelf = shelfFor(store)
  try {
    const cue = cueOf(question, moment)
    return recall(cue, foundFor(cue, shelf, asked), asked, () => new Set(), moreFor(cue))
  } finally {
    disposeShelf(shelf)
  }
}

/**
 * Every candidate as ranking has it, best first, before any threshold and budget: what evaluation judges. `candidatesMax`
 * is the policy's unless more are asked for.
 */
export function standings(store: Store, question: Question, candidatesMax = 0): Standing[] {
  const { policy } = servingPolicy(store)
  const { recall } = policy
  const asked = { ...policy, recall: { ...recall, candidatesMax: Math.max(candidatesMax, recall.candidatesMax) } }
  const shelf = shelfFor(store)
  try {
    const cue = cueOf(question, question.moment ?? 'ask')
    return ranked(foundFor(cue, shelf, asked), cue, asked, moreFor(cue)).map((one) => ({
      id: one.memory.id,
      score: one.score,
      features: one.features,
      memory: one.whole,
    }))
  } finally {
    disposeShelf(shelf)
  }
}

// What only questions in words need is loaded here and not by the hooks.
const foundFor = (cue: Cue, shelf: Shelf, policy: Policy): Shelved[] =>
  cue.moment === 'ask' ? answersFor(cue, shelf, policy) : candidatesFor(cue, shelf, policy)
const moreFor = (cue: Cue): MoreFeatures | undefined => (cue.moment === 'ask' ? askedFeatures(cue) : undefined)

function cueOf(question: Question, moment: Cue['moment']): Cue {
  const { text, files, command, error, branch, role, now } = question
  return {
    moment,
    text: [text, command, error].filter(Boolean).join('\n'),
    files: files ?? filesIn(text),
    tool: question.command === undefined ? undefined : 'Bash',
    commandShape: command ? commandShape(command) : undefined,
    errorSignature: error ? errorSignature('Bash', error) : undefined,
    branch,
    reader: { role: role ?? 'main' },
    now,
  }
}
