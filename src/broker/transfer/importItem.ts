// An item of a source as a memory: without secrets, of limited length, with its origin and whose words it has.
import { computeImportance } from '../../model/importance.ts'
import { CONTENT_CHARS_MAX } from '../../model/limits.ts'
import {
  type ImportName,
  type ImportSource,
  importOrigin,
  type Memory,
  newMemory,
  type Provenance,
  type TrustLevel,
} from '../../model/memory.ts'
import { deriveMemoryId } from '../../organize/derivedId.ts'
import type { FileFault } from '../../store/disk/untrustedFiles.ts'
import { addressesReader } from '../../text/addressesReader.ts'
import { splitSentences, truncateMiddle } from '../../text/excerpt.ts'
import { hashHex } from '../../text/hash.ts'
import { isEmptyText, sanitize } from '../commands/newMemory.ts'
import { DEFAULT_POLICY } from '../policy/activePolicy.ts'

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
export function isSameItem(memory: Memory, hash: string): boolean {
  const { content, tags, session, files, kind, knowledge, importSource } = memory
  const hashOf = (provenance: Provenance): string =>
    hashHex(JSON.stringify({ content, tags, session, files, ...authorship(provenance), kind, knowledge }))
  return importSource?.hash === hash || (Object.keys(TRUST) as Provenance[]).map(hashOf).includes(hash)
}

const NAME_CHARS_MAX = 200
