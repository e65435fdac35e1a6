// Imports a source: makes its items memories, compares them with those of earlier imports, stores the difference.
//
//   source ─▶ items ─▶ memories ─┬▶ unknown:            stored
//                                ├▶ changed at source:  stored again, with their counts
//                                ├▶ as before:          nothing
//   earlier import ──────────────┴▶ gone from source:   archived
//
// For an agent, what a person has said is neither stored again nor archived.
//
// Ids are hashes of what identifies an item, so a second run stores nothing. All events are written before any is
// applied; after a crash, another run stores what is missing.
import { contradicts, isSameStatement } from '../../knowledge/compareRules.ts'
import { computeImportance } from '../../model/importance.ts'
import { isAboutFailures, isCurrent, isOfPerson, type Knowledge } from '../../model/knowledge.ts'
import { CONTENT_CHARS_MAX, IMPORT_ITEMS_MAX } from '../../model/limits.ts'
import {
  type ImportMark,
  type ImportName,
  type ImportSource,
  importOrigin,
  type Memory,
  type MemoryChange,
  type MemoryMap,
  newMemory,
  type Provenance,
  type TrustLevel,
} from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { isInPersonsWords } from '../../model/provenance.ts'
import { deriveMemoryId } from '../../organize/derivedId.ts'
import type { FileFault } from '../../store/disk/untrustedFiles.ts'
import { addressesReader } from '../../text/addressesReader.ts'
import { splitSentences, truncateMiddle } from '../../text/excerpt.ts'
import { hashHex } from '../../text/hash.ts'
import { isEmptyText, sanitize } from '../commands/newMemory.ts'
import { commitEvents, inBatches, systemEvent } from '../commit/commitEvents.ts'
import { openLiveStore } from '../live/liveStore.ts'
import type { Store } from '../open/openStore.ts'
import { DEFAULT_POLICY } from '../policy/activePolicy.ts'

export interface ImportPlan {
  /** Of the items only their number is used. */
  readonly source: Omit<ReadSource, 'items'> & { readonly items: readonly unknown[] }
  readonly added: readonly Memory[]
  readonly changed: readonly Memory[]
  /** Items that the source does not have any more. */
  readonly gone: readonly Memory[]
  /** Known statements of the person that an imported later one supersedes. */
  readonly superseding: readonly MemoryChange[]
  /** Memories that stay as they are, because an agent imports and a person has said them. */
  readonly kept: number
  readonly unchanged: number
  /** Items of which nothing is left without private parts and secrets. */
  readonly empty: number
}

/** What an import would store; for an agent less. Throws INPUT_INVALID for too many items. */
export function planImport(store: Store, source: ReadSource, isForAgent = false): ImportPlan {
  const { items, location, faults } = source
  if (items.length > IMPORT_ITEMS_MAX) {
    throw new MemoryError('INPUT_INVALID', `${location} has ${items.length} items`, {
      hint: `Import at most ${IMPORT_ITEMS_MAX} at once, such as one folder of it.`,
    })
  }
  const known = openLiveStore(store).memories()
  const fresh = new Map<string, Memory>()
  let empty = 0
  for (const item of items) {
    const memory = memoryOfItem(item, source)
    if (memory) fresh.set(memory.id, memory)
    else empty++
  }
  const placed = placeStatements([...fresh.values()], known)
  const compared = placed.memories.map((memory) => compare(memory, known))
  const listKind = (wanted: Compared['kind']): Memory[] =>
    compared.flatMap(({ kind, memory }) => (kind === wanted ? [memory] : []))
  const mayChange = ({ id }: Memory): boolean => {
    const before = known.get(id)
    return !isForAgent || !before || !isInPersonsWords(before)
  }
  const changing = listKind('changed')
  const changed = changing.filter(mayChange)
  const missing = faults.length > 0 ? [] : listMissing(source, known, fresh)
  const gone = missing.filter(mayChange)
  return {
    source,
    added: listKind('added'),
    changed,
    gone: gone.map(archive),
    superseding: placed.changes.filter(({ supersededBy }) => !known.has(supersededBy as Memory['id'])),
    kept: changing.length - changed.length + missing.length - gone.length,
    unchanged: listKind('same').length + placed.repeated,
    empty,
  }
}

function listMissing({ name, location }: ReadSource, known: MemoryMap, fresh: ReadonlyMap<string, Memory>): Memory[] {
  const isOfSource = ({ importSource }: Memory): boolean =>
    importSource?.origin === importOrigin(name) && importSource.location === location
  return [...known.values()].filter(
    (memory) => isOfSource(memory) && memory.status === 'active' && !isMetHere(memory) && !fresh.has(memory.id),
  )
}

/** Stores what a plan found. Returns the id of the import; undefined if there was nothing to store. */
export function commitImport(store: Store, plan: ImportPlan, now: number): string | undefined {
  const { added, changed, gone, superseding, source } = plan
  if (added.length + changed.length + gone.length === 0) return undefined
  const { location } = source
  const origin = importOrigin(source.name)
  const id = hashHex([origin, location, String(now)].join('\0')).slice(0, 8)
  const mark: ImportMark = { id, origin, location }
  const known: ImportMark = { ...mark, known: true }
  const batches = [
    ...inBatches(added).map((stored) => ({ stored, changes: [], import: mark })),
    // They replace what was known.
    ...inBatches([...changed, ...gone]).map((stored) => ({ stored, changes: [], import: known })),
    ...(superseding.length > 0 ? [{ stored: [], changes: superseding, import: known }] : []),
  ]
  const events = batches.map((batch, i) =>
    systemEvent({ kind: 'memory.batch', ...batch } as const, { now, key: [id, String(i)] }),
  )
  commitEvents(store, events)
  return id
}

interface Compared {
  readonly kind: 'added' | 'changed' | 'same'
  readonly memory: Memory
}

function compare(fresh: Memory, known: MemoryMap): Compared {
  const before = known.get(fresh.id)
  if (!before) return { kind: 'added', memory: fresh }
  const isSame = before.importSource?.hash === fresh.importSource?.hash && before.importSource?.gone !== true
  if (isSame && before.importSource?.location === fresh.importSource?.location) return { kind: 'same', memory: before }
  const { content, tags, files, provenance, trust, searchOnly, updated, importSource, kind, knowledge } = fresh
  const isEdited = before.content !== content || before.tags.join('\0') !== tags.join('\0')
  if (isEdited && isSameItem(fresh, before.importSource?.hash ?? '')) {
    return { kind: 'changed', memory: { ...before, importSource, status: revive(before) } }
  }
  const texts = { content, tags, files, provenance, trust, searchOnly, updated, importSource, kind }
  const isSuperseded = before.supersededBy !== undefined
  const record = before.knowledge?.record ?? knowledge?.record
  const said = knowledge && record && !isSuperseded && { knowledge: { ...knowledge, record } }
  return { kind: 'changed', memory: { ...before, ...texts, status: revive(before), ...said } }
}

/** A session has said or learned the same since: it is a memory of this project now, whatever becomes of the source. */
export const isMetHere = ({ importSource, events }: Memory): boolean => importSource !== undefined && events.length > 0

/** What the last import archived is active again; what was archived for another reason stays so. */
const revive = ({ status, importSource }: Memory): Memory['status'] => (importSource?.gone === true ? 'active' : status)

const archive = (memory: Memory): Memory => ({
  ...memory,
  status: 'archived',
  ...(memory.importSource && { importSource: { ...memory.importSource, gone: true } }),
})

/** Imported statements of the person among those that are known: of two that contradict, the later one stands. */
function placeStatements(imported: readonly Memory[], known: MemoryMap) {
  const standing = [...known.values()].filter(isStanding)
  const memories: Memory[] = []
  const changes: MemoryChange[] = []
  let repeated = 0
  for (const memory of imported) {
    const { knowledge } = memory
    if (!knowledge) {
      memories.push(memory)
      continue
    }
    const others = standing.filter(({ id, knowledge: { scope } }) => id !== memory.id && scope === knowledge.scope)
    if (others.some((other) => isSameStatement(knowledge, other.knowledge))) {
      repeated++
      continue
    }
    const against = others.filter((other) => contradicts(knowledge, other.knowledge))
    const later = against.find(({ updated }) => updated >= memory.created)
    memories.push(later ? supersede(memory, later) : memory)
    if (!later) changes.push(...against.map(({ id }) => ({ memory: id, supersededBy: memory.id })))
  }
  return { memories, repeated, changes }
}

type Standing = Memory & { readonly knowledge: Knowledge }

/** What the person said and holds now, without what other programs recorded of it. */
const isStanding = (memory: Memory): memory is Standing => {
  const { knowledge, status, importSource } = memory
  if (status !== 'active' || importSource !== undefined || knowledge === undefined) return false
  return isCurrent(knowledge) && isOfPerson(knowledge) && !isAboutFailures(knowledge)
}

const supersede = (memory: Memory, later: Memory): Memory => ({
  ...memory,
  status: 'archived',
  supersededBy: later.id,
  ...(memory.knowledge && { knowledge: { ...memory.knowledge, state: 'superseded' as const } }),
})

/** What a source has to say, as it stands there. */
export interface ImportItem {
  /** Identifies it among all items of its kind of source, whatever its text is. */
  readonly key: string
  /** For a person: a row, an entity, a heading. */
  readonly item: string
  readonly content: string
  readonly tags?: readonly string[]
  /** ISO times. */
  readonly created: string
  readonly updated?: string | undefined
  readonly session?: string | undefined
  /** Paths inside the repository. */
  readonly files?: readonly string[]
  readonly provenance: Provenance
  /** Of what the person said. */
  readonly said?: Pick<Memory, 'kind' | 'knowledge'>
}

/** A source that was read. */
export interface ReadSource {
  readonly name: ImportName
  readonly location: string
  readonly items: readonly ImportItem[]
  /** What was not read, and why. Then nothing counts as removed from the source. */
  readonly faults: readonly FileFault[]
  /** Lines for the person. */
  readonly notes: readonly string[]
}

/** Tags that have a meaning of their own here; a source must not set them. */
const RESERVED_TAGS: ReadonlySet<string> = new Set(['remember', 'correction', 'ban', 'model', 'month', 'listed'])

const TAGS_MAX = 20
const FILES_MAX = 8

const TRUST: { readonly [Name in Provenance]: TrustLevel } = {
  person: 'user',
  assistant: 'tools',
  tool: 'tools',
  outside: 'outside',
  team: 'outside',
}

/** The memory of an item; undefined if nothing is left of it without its private parts. */
export function memoryOfItem(item: ImportItem, source: Pick<ReadSource, 'name' | 'location'>): Memory | undefined {
  const texts = sanitize({ content: item.content.trim(), tags: item.tags ?? [], name: item.item })
  if (isEmptyText(texts.content)) return undefined
  const content = truncateMiddle(texts.content, CONTENT_CHARS_MAX)
  const isFree = (tag: string): boolean => tag !== '' && (item.said !== undefined || !RESERVED_TAGS.has(tag))
  const tags = [...new Set(texts.tags.map((tag) => tag.trim()).filter(isFree))]
  // What a program wrote down may repeat a text that was meant to steer an assistant.
  const isSteering = item.provenance === 'assistant' && splitSentences(content).some(addressesReader)
  const provenance = isSteering ? 'outside' : item.provenance
  const { created, updated = created, session, files = [], said } = item
  const userSignal = provenance === 'person' ? 1 : 0
  const terms = { outcome: 0.1, reuse: 0, crossImpact: 0, novelty: 0.5, userSignal, costSaved: 0 }
  const fields = {
    content,
    tags: tags.slice(0, TAGS_MAX),
    ...(session !== undefined && { session: session as NonNullable<Memory['session']> }),
    files: files.slice(0, FILES_MAX),
    ...authorship(provenance),
    kind: said?.kind ?? ('entry' as const),
    ...(said?.knowledge && { knowledge: said.knowledge }),
  }
  const hash = hashHex(JSON.stringify(fields))
  const importSource: ImportSource = {
    origin: importOrigin(source.name),
    location: source.location,
    item: truncateMiddle(texts.name, NAME_CHARS_MAX),
    hash,
  }
  return newMemory(
    {
      id: deriveMemoryId('import', source.name, item.key),
      ...fields,
      source: 'import',
      created,
      updated: updated < created ? created : updated,
      importance: computeImportance(terms),
      importanceTerms: terms,
      importSource,
    },
    DEFAULT_POLICY.strength.initial,
  )
}

/** What a memory has of the author of its text. */
const authorship = (provenance: Provenance) => ({
  provenance,
  trust: TRUST[provenance],
  ...(provenance === 'outside' && { searchOnly: true as const }),
})

/** Whether an item had the same text, by any author, when an import stored this hash of it. */
function isSameItem(memory: Memory, hash: string): boolean {
  const { content, tags, session, files, kind, knowledge, importSource } = memory
  const hashOf = (provenance: Provenance): string =>
    hashHex(JSON.stringify({ content, tags, session, files, ...authorship(provenance), kind, knowledge }))
  return importSource?.hash === hash || (Object.keys(TRUST) as Provenance[]).map(hashOf).includes(hash)
}

const NAME_CHARS_MAX = 200
