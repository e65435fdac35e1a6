// Knowledge: one line that a later session can use, with its evidence. What a person wants, what was decided, what is
// true here, what fails and how it works: one kind, one lifecycle.
import type { Conversation, MemoryId } from './id.ts'
import type { TeamMark } from './teamEvent.ts'

/**
 * rule: holds for all work. preference: how a person likes to work. decision: about this product. correction: the
 * assistant was wrong. fact: true of this project, its tools or its people. lesson: what fails, and what works.
 */
export const KNOWLEDGE_TYPES = ['rule', 'preference', 'decision', 'correction', 'fact', 'lesson'] as const
export type KnowledgeType = (typeof KNOWLEDGE_TYPES)[number]

/** Where it holds: in all projects of the person, in the project, on one branch, for some paths. */
export const KNOWLEDGE_SCOPES = ['person', 'project', 'branch', 'path'] as const
export type KnowledgeScope = (typeof KNOWLEDGE_SCOPES)[number]

/**
 * Who wrote its text. person: typed it as a rule, or asked to remember it. model: the model that read a session, or an
 * agent that stored it. rule: derived from calls without a model. teammate: came from a hub.
 */
export const KNOWLEDGE_AUTHORS = ['person', 'model', 'rule', 'teammate'] as const
type KnowledgeAuthor = (typeof KNOWLEDGE_AUTHORS)[number]

/** proposed: not met again yet. standing: met or confirmed in another session. superseded, retired: no longer shown. */
export const KNOWLEDGE_STATES = ['proposed', 'standing', 'superseded', 'retired'] as const
export type KnowledgeState = (typeof KNOWLEDGE_STATES)[number]

/** A line has at most so many words; models are asked for this, longer ones are accepted up to the second number. */
export const KNOWLEDGE_WORDS_MAX = 25
export const KNOWLEDGE_CHARS_MAX = 240

/** Triggers of one entry, and fragments of one trigger, at most. */
export const TRIGGERS_MAX = 6
export const FRAGMENTS_MAX = 6
export const FRAGMENT_CHARS_MAX = 80

export const TRIGGER_MOMENTS = ['start', 'call', 'failure', 'prompt'] as const
export type TriggerMoment = (typeof TRIGGER_MOMENTS)[number]

/**
 * One occasion on which an entry is worth a note. Fragments are plain text, not patterns: see `knowledge/when.ts`.
 *
 *   { at: 'call', tool: 'Bash', has: ['npm install'], unless: ['pnpm'] }
 */
export interface Trigger {
  readonly at: TriggerMoment
  /** Of a call or failure: the tool's name; several are separated by `|`. Absent: any tool. */
  readonly tool?: string | undefined
  /** All of them must be in the call's input (command, path, new text), the error, or the prompt. */
  readonly has?: readonly string[] | undefined
  /** None of them may be there: such a call keeps the rule, or avoids the failure. */
  readonly unless?: readonly string[] | undefined
  /** Of a failure: exactly this error signature. */
  readonly signature?: string | undefined
}

/** How often, over the sessions of the project. All counts from 0 up. */
export interface KnowledgeRecord {
  /**
   * Calls of the log when the triggers were proven, 0 as soon as a later session was counted; and those at which they
   * fired, in all.
   */
  readonly calls: number
  readonly fired: number
  /** Sessions since it was learned with a call at which they fired; absent in earlier stores, until there is one. */
  readonly firedIn?: number | undefined
  /** Of the calls at which they fired, since the beginning: those that failed, or broke the rule. */
  readonly failed: number
  /** Sessions in which what it is about happened: its error, or a call that broke it. Their ids, the latest 8. */
  readonly met: number
  readonly sessions: readonly string[]
  /** When it was last met or said, ISO. */
  readonly lastMet: string
  /** Calls that one meeting cost, on average; 1 where that is not known. */
  readonly cost: number
  /** Sessions that were shown it. */
  readonly shown: number
  /** Of these: the occasion came and the rule was kept, or the failure did not come. */
  readonly obeyed: number
  /** It was broken, or failed, after it was shown. */
  readonly broken: number
  /** Sessions that kept and broke the rule before anyone was shown it. */
  readonly keptBefore: number
  readonly brokenBefore: number
  /** Sessions in a row in which its failure should have come and did not, without being shown. */
  readonly refuted: number
}

/** One way in which a failure was overcome, without a model. */
export interface KnownWay {
  /** The line without the error: the same way in another session has the same text. */
  readonly way: string
  /** What worked, the action first. */
  readonly line: string
  readonly when: readonly Trigger[]
  /** In how many sessions it worked, and from how many on it is shown: 2 if once may have been chance. */
  readonly sessions: number
  readonly sessionsMin: 1 | 2
  /** When it last worked, ISO. */
  readonly last: string
}

export interface Knowledge {
  readonly type: KnowledgeType
  readonly scope: KnowledgeScope
  readonly author: KnowledgeAuthor
  readonly state: KnowledgeState
  /** One line, the action first. The memory's content is this line; `quote` is added for search. */
  readonly line: string
  /** The person's own words, exactly; only such text may be presented as theirs. */
  readonly quote?: string | undefined
  /** Said with a command (`remember`, `/memctl:remember`) or pinned: always shown where its scope is. */
  readonly asked?: true | undefined
  readonly reason?: string | undefined
  readonly when: readonly Trigger[]
  /** How often the author expects it to be met: 0 (never again) to 1 (in every session). */
  readonly expected?: number | undefined
  readonly record: KnowledgeRecord
  /** Of a failure that was overcome: every way that worked, the best first. `line` and `when` are the first one's. */
  readonly ways?: readonly KnownWay[] | undefined
}

/** What an entry says, who wrote it, and when it is shown: on disk these fields precede its record. */
export type KnowledgeLine = Pick<Knowledge, 'author' | 'line' | 'when'>

/** The record of an entry that was learned or said at this time, in this session. */
export const newKnowledgeRecord = (at: string, session: string | undefined): KnowledgeRecord => ({
  calls: 0,
  fired: 0,
  firedIn: 0,
  failed: 0,
  met: 0,
  sessions: session === undefined ? [] : [session],
  lastMet: at,
  cost: 1,
  shown: 0,
  obeyed: 0,
  broken: 0,
  keptBefore: 0,
  brokenBefore: 0,
  refuted: 0,
})

/** Whether an entry may be shown unasked, as far as its state says. */
export const isCurrent = ({ state }: Pick<Knowledge, 'state'>): boolean => state === 'proposed' || state === 'standing'

/** Whether it is what a person wants, in their own words or asked for by them. */
export const isOfPerson = ({ author, quote, asked }: Knowledge): boolean =>
  author === 'person' || asked === true || (quote !== undefined && author !== 'rule')

/** Whether its text may be presented as what a person said; their correction of a lesson or fact may not. */
export const isPersonsText = (knowledge: Knowledge): boolean =>
  knowledge.author === 'person' && (knowledge.quote !== undefined || !isAboutFailures(knowledge))

/** Whether the entry is about failures; else a call at which it fires is one that breaks it. */
export const isAboutFailures = ({ type }: Pick<Knowledge, 'type'>): boolean => type === 'fact' || type === 'lesson'

/** Stands for the later memory where somebody said only that something no longer holds, and not what does. */
export const NO_SUCCESSOR = 'outdated'

// An entry of knowledge as hooks read it: its line, and when it is worth a note.

/** The worth of what a person asks for, in calls a session: more than that of anything that was only derived. */
export const REQUEST_WORTH = 100
/** The worth of what is pinned, and of what a person wants at every start: it comes before all others. */
export const FIRST_WORTH = 200

export interface KnowledgeNote {
  readonly id: MemoryId
  readonly type: KnowledgeType
  /** What is shown: one line without a full stop. Of what a person typed, their words. */
  readonly line: string
  /**
   * said: the person's exact words. wanted: what they want, in the words of a model. team: what a teammate wants.
   * known: anything else.
   */
  readonly voice: 'said' | 'wanted' | 'team' | 'known'
  /** The role that may see it; absent: everyone. */
  readonly role?: string | undefined
  /** Of an entry about one branch: only there. */
  readonly branch?: string | undefined
  /** Sessions that met it. */
  readonly met: number
  /** When it was last met or said, ISO. */
  readonly lastMet: string
  /** The conversation that it was said or learned in; of what was learned only while its session is open. */
  readonly metBy?: Conversation | undefined
  /** What showing it at a start is expected to save, in calls a session; 0: not for starts. */
  readonly worth: number
  /** Hashes of the latest sessions that met it, of what was learned: an edit of files like theirs may meet it too. */
  readonly metIn?: readonly number[] | undefined
  /** Without `start`. */
  readonly when: readonly Trigger[]
  /** Of what a person wants: the triggers at commands that break it. There it is shown although a start has shown it. */
  readonly breach?: readonly Trigger[] | undefined
  readonly team?: TeamMark | undefined
}

/** knowledge.json: what hooks may show, in the order of a start: what a person wants first, then by worth. */
export type KnowledgeFile = Readonly<{ generation: number; notes: readonly KnowledgeNote[] }>
