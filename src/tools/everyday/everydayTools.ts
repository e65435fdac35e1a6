// The everyday tools besides search: get, save, delete and restore, for memories and entries alike.
import { archiveEntries } from '../../broker/entries/entryArchive.ts'
import { listVisible } from '../../broker/live/liveStore.ts'
import type { EntryLayer } from '../../entries/entry.ts'
import { contradicts } from '../../knowledge/compareRules.ts'
import { triggersOfRule } from '../../knowledge/ruleTriggers.ts'
import type { MemoryId } from '../../model/id.ts'
import { isCurrent, isOfPerson, KNOWLEDGE_CHARS_MAX, NO_SUCCESSOR } from '../../model/knowledge.ts'
import type { Memory } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { assertMayChange, isInPersonsWords, memoryProvenance } from '../../model/provenance.ts'
import { shellWord } from '../../text/command.ts'
import { firstLine } from '../../text/excerpt.ts'
import { DONE } from '../../text/taskSentences.ts'
import { flag, type InputOf, invalidInput, list, optional, text } from '../definition/field.ts'
import { callTool } from '../definition/invokeTool.ts'
import { defineModelTool, type ModelTool, SHORT_CHARS, type Tool, type ToolOutput } from '../definition/tool.ts'
import { type ToolContext, viewingSession } from '../definition/toolContext.ts'
import {
  deleteEntryTools,
  finishWrite,
  getMemoryEntry,
  restoreArchiveTools,
  saveEntryTools,
} from '../entries/entryTools.ts'
import {
  contentField,
  findByBeginning,
  findMemory,
  memoryIdField,
  requireMemory,
  tagsField,
} from '../memory/memoryFields.ts'
import { memoryGet } from '../memory/memoryTools.ts'
import { memoryStore, memoryUpdate } from '../memory/storeTools.ts'
import {
  beginningOf,
  closeTasks,
  describeArchived,
  entryAddress,
  idField,
  keyField,
  kindOf,
  listReplaced,
  noteKindField,
  noteScopeField,
  RETIRED,
  type Scope,
  scopeField,
  scopeOf,
  serializeEveryday,
  tagsOfNote,
  textOf,
} from './everydayFields.ts'
import { everydaySearch, listArchivedMemories, withReplaced } from './everydaySearch.ts'
import { describeLater, findAlike, laterFinder, listKnown } from './sameSubject.ts'
import { listSources } from './sources.ts'

const everydayGet = defineModelTool({
  name: 'memory_get',
  title: 'Get a memory',
  description: 'Get one memory in full, by id (8 characters do) or key.',
  group: 'memory',
  searchHint: 'read a memctl memory in full',
  effect: 'counts',
  input: { id: idField, key: keyField },
  async handle({ id, key = '' }, context) {
    if (id === undefined && key === '') throw nothingNamed()
    const active = id === undefined ? undefined : findMemory(context, id)
    const archived = active || id === undefined ? undefined : findArchivedMemory(context, id)
    if (archived) return { ...serializeEveryday(archived, context.now()), ...describeArchived(archived, context) }
    // They count the use, and fail with a hint if there is none.
    await (id === undefined ? callTool(getMemoryEntry, { key }, context) : callTool(memoryGet, { id }, context))
    const memory = active ?? listNotes(context, key)[0]
    if (!memory) throw nothingNamed()
    const { editedFiles, knowledge } = memory
    const { [RETIRED]: _, [DONE]: __, ...metadata } = memory.metadata
    const replaced = listReplaced(context, new Set([memory.id])).get(memory.id)
    return {
      ...serializeEveryday(memory, context.now(), listSources([memory], context, true).get(memory)),
      ...(replaced && { replaces: replaced }),
      ...describeLater(laterFinder(listKnown(context))(memory)),
      ...(!isInPersonsWords(memory) && { provenance: memoryProvenance(memory) }),
      ...(knowledge && { last_met: knowledge.record.lastMet }),
      ...(Object.keys(metadata).length > 0 && { metadata }),
      ...(editedFiles && { edited_files: editedFiles }),
    }
  },
})

const SAVE_FIELDS = {
  content: optional(contentField),
  said: optional(flag('content is a sentence the person typed, word for word')),
  kind: noteKindField,
  id: idField,
  done: optional(list('A summary’s tasks that are done', text('Text'))),
  key: keyField,
  scope: scopeField,
  tags: optional(tagsField),
}

type SaveInput = InputOf<typeof SAVE_FIELDS>

const everydaySave = defineModelTool({
  name: 'memory_save',
  title: 'Save a memory',
  description:
    'Save what later sessions should know: a wish of the person, a decision with its reason, a solution. No ' +
    'progress, no secrets. With an id it replaces that text; if said_by_person, save their new sentence with said ' +
    'instead. A key names a note in a file.',
  group: 'memory',
  alwaysLoad: true,
  effect: 'changes',
  isIdempotent: false,
  input: SAVE_FIELDS,
  async handle(input, context) {
    const { content, kind, id, key, done, scope = key === undefined ? 'project' : 'file' } = input
    if (done !== undefined) return closeTasks(done, id, context)
    if (content === undefined) return shareMemory(input, context)
    if (input.said) return saveTyped(content, input, context)
    if (key !== undefined && scope !== 'file' && scope !== 'person')
      throw invalidInput('Only notes in files have keys', 'Leave out the key, or give scope file or person.')
    const known = id === undefined ? undefined : requireMemory(context, id)
    const tags = tagsOfNote(kind, input.tags, known)
    if (known && input.scope !== undefined && input.scope !== scopeOf(known)) {
      throw invalidInput(
        `${known.id} has the scope ${scopeOf(known)}, which stays`,
        input.scope === 'file' && scopeOf(known) === 'project'
          ? 'Leave out content to share it as it is.'
          : `Save it without id, with scope ${input.scope}${isInPersonsWords(known) ? '' : ', then delete this'}.`,
      )
    }
    if (known && !known.entrySource) {
      await callTool(memoryUpdate, { id: known.id, content, tags }, context)
      const about = describeSaved(content, known.id, context)
      return { saved: true, id: known.id, replaced: beginningOf(known).content, scope: scopeOf(known), ...about }
    }
    if (known) {
      const save = saveEntryTools[layerOf(known)]
      const saved = await saveEntry(save, { ...entryAddress(known), content, tags }, scopeOf(known), context)
      return { ...saved, replaced: beginningOf(known).content }
    }
    if (scope === 'person' || scope === 'file' || key !== undefined) {
      const save = saveEntryTools[scope === 'person' ? 'global' : 'project']
      return saveEntry(save, { key: key ?? newKey(content, scope, context), content, tags }, scope, context)
    }
    const tier = scope === 'session' ? 'working' : 'long_term'
    const stored = await callTool(memoryStore, { content, tags, memory_tier: tier }, context)
    return { saved: true, id: stored['id'], scope, ...describeSaved(content, stored['id'], context) }
  },
})

async function saveTyped(content: string, { kind, scope, id, key, tags }: SaveInput, context: ToolContext) {
  if (id !== undefined) assertMayChange(requireMemory(context, id), context.isForAgent)
  if ((scope ?? 'project') !== 'project' || (id ?? key ?? tags) !== undefined) {
    throw invalidInput(
      id === undefined ? 'What the person said has the scope project' : `What the person said does not replace ${id}`,
      'Leave out id, key and tags, and retire what it replaces; or leave out said, and an id replaces that text in ' +
        'your words. For all projects the person types `/memctl:remember`.',
    )
  }
  const { rememberTyped } = await import('../../broker/commands/statements.ts')
  const remembered = rememberTyped(context, { text: content, type: kind })
  if (!remembered) {
    throw invalidInput(
      'The person has not typed this in this session',
      'Give a whole sentence of a prompt, word for word, or save it as your own words.',
    )
  }
  const { memory, superseded, forgotten } = remembered
  return {
    saved: true,
    id: memory.id,
    scope: scopeOf(memory),
    said_by_person: true,
    ...(superseded.length > 0 && { replaced: superseded.map(beginningOf) }),
    ...(forgotten && { hint: 'It stays on this machine: `memctl forget` has erased it for the whole team.' }),
    ...describeSaved(content, memory.id, context),
  }
}

/** Writes what a memory of the project says into a file; a tag has who said it, and when. */
async function shareMemory({ id, key, scope, kind, tags }: SaveInput, context: ToolContext): Promise<ToolOutput> {
  if (id === undefined || scope !== 'file')
    throw invalidInput('Nothing is saved', 'Give content, an id and what is done, or an id and scope file.')
  const memory = requireMemory(context, id)
  const { created, privacy, knowledge } = memory
  if (scopeOf(memory) !== 'project' || (knowledge?.scope ?? 'project') !== 'project' || privacy !== 'public')
    throw invalidInput(`${id} cannot be shared in a file`, 'Only what the whole project may see can be in its files.')
  const origin = `by ${isInPersonsWords(memory) ? 'person' : memoryProvenance(memory)} on ${created.slice(0, 10)}`
  const allTags = tagsOfNote(kind ?? kindOf(memory), [origin, ...(tags ?? memory.tags)])
  const content = knowledge?.line ?? memory.content
  const note = { key: key ?? newKey(content, scope, context), content, tags: allTags }
  const { similar: _, similar_hint: __, ...saved } = await saveEntry(saveEntryTools.project, note, scope, context)
  return saved
}

async function saveEntry(save: Tool, input: object, scope: Scope, context: ToolContext): Promise<ToolOutput> {
  const { entry, archived } = await callTool(save, input, context)
  const { key } = entry as { readonly key: string }
  const team = scope === 'file' ? 'The team has it when the person commits this file. ' : ''
  const note = listNotes(context, key).find((each) => scopeOf(each) === scope)
  const command = note ? `: ${deleteCommand(note)}` : ''
  const hint = `${team}Only the person can delete it${command}; saving it again by its id or key replaces the text.`
  const { id, entrySource } = note ?? {}
  const { content } = input as { readonly content: string }
  const about = describeSaved(content, id, context)
  const { file } = entrySource ?? {}
  return { saved: true, id, key, scope, file, hint, ...(archived !== undefined && { archived }), ...about }
}

/** What is kept, its kind, and what is known already about the same: the new text may repeat or contradict it. */
function describeSaved(content: string, own: unknown, context: ToolContext): ToolOutput {
  // What a rule derived from calls says which command failed: nothing is decided there.
  const isOther = ({ id, knowledge }: Memory): boolean => id !== own && knowledge?.author !== 'rule'
  const similar = findAlike(content, listKnown(context).filter(isOther))
  const against = listAgainst(content, context).filter(({ id }) => id !== own)
  const opposite = against.length > 0 && {
    contradicts: against.map(beginningOf),
    contradicts_hint:
      'The person wants the opposite: ask which holds. Undo what you saved, or they type `/memctl:outdated ID`.',
  }
  const memory = typeof own === 'string' && requireMemory(context, own)
  const text = memory ? textOf(memory) : ''
  const start = firstLine(text, SHORT_CHARS)
  const saved = memory && { content: start, ...(start !== text && { whole: false }), kind: kindOf(memory) }
  const alike = similar.length > 0 && {
    similar: similar.map(beginningOf),
    similar_hint:
      'They may say the same, or not hold any more: change those that you saved, tell the person of others.',
  }
  return { ...saved, ...opposite, ...alike }
}

/** What the person wants, and a text forbids, or the other way round. */
function listAgainst(content: string, { liveStore }: ToolContext): readonly Memory[] {
  const line = firstLine(content, KNOWLEDGE_CHARS_MAX)
  const rule = { line, when: triggersOfRule(line) }
  return liveStore
    .memories()
    .select(({ hasKnowledge, status, privacy }) => hasKnowledge && status === 'active' && privacy === 'public')
    .filter(
      ({ knowledge }) => knowledge && isCurrent(knowledge) && isOfPerson(knowledge) && contradicts(rule, knowledge),
    )
}

/** Characters of a key that is made from a text without spaces. */
const NEW_KEY_CHARS = 40

/** The key of the note with this text, or its first words as a new one; a shell takes the name of its file as it is. */
function newKey(content: string, scope: Scope, context: ToolContext): string {
  const [line = ''] = content.trim().split('\n')
  const words = line
    .replace(/\w+:\/\/\S+/g, ' ')
    .replace(/[^\p{L}\p{M}\p{N}._-]+|\.(?=\s|$)/gu, ' ')
    .trim()
  // Whole words; a Japanese line is one word.
  const start = (/^.{1,40}(?=\s|$)/u.exec(words)?.[0] ?? words.slice(0, NEW_KEY_CHARS)).trim()
  const notes = listVisible(context.liveStore, viewingSession(context)).filter(({ entrySource }) => entrySource)
  const same = notes.find((note) => scopeOf(note) === scope && textOf(note).trim() === content.trim())
  if (same?.entrySource) return same.entrySource.key
  const taken = new Set(notes.map(({ entrySource }) => entrySource?.key))
  let key = start || 'note'
  for (let n = 2; taken.has(key.normalize('NFC')); n++) key = `${start || 'note'} ${n}`
  return key
}

const everydayDelete = defineModelTool({
  name: 'memory_delete',
  title: 'Delete memories',
  description:
    'Delete memories for good, or with retire until memory_restore: if the person asks or you saved them by ' +
    'mistake. Only the person deletes notes with a key and what has said_by_person.',
  group: 'memory',
  searchHint: 'delete, remove, forget or retire a memctl memory, or stop using it',
  effect: 'changes',
  isIdempotent: true,
  input: {
    ids: optional(list('IDs', memoryIdField)),
    id: idField,
    key: keyField,
    scope: noteScopeField,
    retire: optional(text('Why not used any more', { charsMax: 500 })),
  },
  async handle({ ids = [], id, key, scope = 'file', retire }, context) {
    const names = [ids, id ?? [], key ?? []].flat()
    if (names.length === 0) throw nothingNamed()
    const findNamed = (name: string): readonly Memory[] => {
      if (name === key) return listNotes(context, key).filter((note) => scopeOf(note) === scope)
      const found = findMemory(context, name) ?? (retire === undefined ? findArchivedMemory(context, name) : undefined)
      return found ? [found] : []
    }
    const named = names.flatMap(findNamed)
    const known = retire === undefined ? withReplaced(named, context) : named
    const unknown = names.filter((name) => findNamed(name).length === 0)
    const notes = known.filter(({ entrySource }) => entrySource)
    const others = known.filter(({ entrySource }) => !entrySource)
    // Checked before anything is deleted.
    assertMayChange(known, context.isForAgent)
    assertMayDelete(notes, context)
    for (const note of notes) await deleteNote(note, retire !== undefined, context)
    if (retire !== undefined) retireAll(others, retire, context)
    else if (others.length > 0) context.commit({ kind: 'memory.deleted', memories: others.map(({ id }) => id) })
    return {
      [retire === undefined ? 'deleted' : 'retired']: known.map((memory) => memory.id),
      texts: known.map((memory) => beginningOf(memory).content),
      ...(unknown.length > 0 && { unknown }),
      hint:
        known.length === 0
          ? 'memory_search finds the ids.'
          : retire === undefined
            ? 'The log keeps the text. If it must be gone from there too, the person runs `memctl forget ID`.'
            : 'memory_search with archived finds them, and memory_restore makes them active again.',
    }
  },
})

/** They stay, with the reason, and are archived: nothing replaces them. */
function retireAll(memories: readonly Memory[], reason: string, context: ToolContext): void {
  const outdated = { supersededBy: NO_SUCCESSOR as MemoryId, metadata: { [RETIRED]: reason } }
  const changes = memories.map(({ id }) => ({ memory: id, ...outdated }))
  if (changes.length > 0) context.commit({ kind: 'memory.batch', stored: [], changes })
}

function assertMayDelete(notes: readonly Memory[], { role }: ToolContext): void {
  const refused = notes.filter((note) => deleteEntryTools[layerOf(note)].roles?.includes(role) === false)
  if (refused.length === 0) return
  throw new MemoryError('NOT_ALLOWED', 'Notes are files, which the person deletes', {
    hint:
      `They run ${refused.map(deleteCommand).join(', ')}, and \`memctl forget ID\` ` +
      'if the text must be gone from the log too, where a replaced text stays as well.',
  })
}

const deleteCommand = (note: Memory): string =>
  `\`memctl entry delete ${shellWord(note.entrySource?.key ?? '')}${layerOf(note) === 'global' ? ' --global' : ''}\``

async function deleteNote(note: Memory, isRetired: boolean, context: ToolContext): Promise<void> {
  const layer = layerOf(note)
  if (!isRetired) return void (await callTool(deleteEntryTools[layer], entryAddress(note), context))
  const writer = context.entryWriter(layer)
  archiveEntries(writer, [note])
  finishWrite(context, layer, writer)
}

const everydayRestore = defineModelTool({
  name: 'memory_restore',
  title: 'Restore from the archive',
  description: 'Use again what memory_search returned as archived.',
  group: 'memory',
  searchHint: 'restore an archived memctl memory',
  effect: 'changes',
  isIdempotent: true,
  input: { id: idField, key: keyField, scope: noteScopeField },
  async handle({ id, key, scope }, context) {
    if (key !== undefined) {
      await callTool(restoreArchiveTools[scope === 'person' ? 'global' : 'project'], { key }, context)
      return { restored: true, key }
    }
    if (id === undefined) throw nothingNamed()
    if (findMemory(context, id)) return { restored: false, id, hint: 'It is active already.' }
    const memory = findArchivedMemory(context, id)
    if (!memory)
      throw new MemoryError('NOT_FOUND', `No archived memory has the id ${id}`, {
        hint: 'Search with archived true; a note is named by its key. A deleted one is gone: save its text again.',
      })
    assertMayChange(memory, context.isForAgent)
    context.commit({ kind: 'memory.restored', memories: [memory.id] })
    return { restored: true, id: memory.id }
  },
})

const findArchivedMemory = (context: ToolContext, id: string): Memory | undefined =>
  findByBeginning(listArchivedMemories(context.liveStore, viewingSession(context)), id)

/** The notes of this key, the project's before that of all projects. */
function listNotes(context: ToolContext, key: string): readonly Memory[] {
  const all = listVisible(context.liveStore, viewingSession(context))
  const notes = all.filter(({ entrySource }) => entrySource?.key === key.normalize('NFC'))
  return notes.sort((a, b) => Number(layerOf(a) === 'global') - Number(layerOf(b) === 'global'))
}

const layerOf = ({ entrySource }: Memory): EntryLayer => entrySource?.layer ?? 'project'

const nothingNamed = (): MemoryError =>
  invalidInput('No memory is named', 'Give an id or a key that memory_search returned.')

export const EVERYDAY_TOOLS: readonly ModelTool[] = [
  everydaySearch,
  everydayGet,
  everydaySave,
  everydayDelete,
  everydayRestore,
]
