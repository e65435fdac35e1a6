// Builders of knowledge for tests.

import {
  type Knowledge,
  type KnowledgeNote,
  type KnowledgeRecord,
  newKnowledgeRecord,
} from '../../src/model/knowledge.ts'
import { kindOfKnowledge, type Memory } from '../../src/model/memory.ts'
import { BEGIN, buildMemory, iso } from '../testData.ts'

type Fields = Partial<Omit<Knowledge, 'record'>> & { readonly record?: Partial<KnowledgeRecord> }

export const buildKnowledge = ({ record, ...fields }: Fields = {}): Knowledge => ({
  type: 'fact',
  scope: 'project',
  author: 'model',
  state: 'proposed',
  line: 'Run `make prices` before `make test`: it fails without',
  when: [],
  ...fields,
  record: { ...newKnowledgeRecord(iso(BEGIN), 'first'), ...record },
})

/** The n-th memory, which holds it. */
export function buildEntry(n: number, fields: Fields = {}, more: Partial<Memory> = {}): Memory {
  const knowledge = buildKnowledge(fields)
  return buildMemory(n, { kind: kindOfKnowledge(knowledge.type), content: knowledge.line, ...more, knowledge })
}

export const buildNote = (n: number, fields: Partial<KnowledgeNote> = {}): KnowledgeNote => ({
  id: buildMemory(n).id,
  type: 'fact',
  line: 'a line',
  voice: 'known',
  met: 1,
  lastMet: iso(BEGIN),
  worth: 1,
  when: [],
  ...fields,
})
