// Step 2: the tables through which a team's machines share memories. Each key begins with the project, so that a
// cluster can distribute every table by project, and every constraint can be checked on the project's node alone.
import type { Migration } from './migration.ts'

// hub_operations   what each machine changed, in the order of the commits: position 1, 2 … per project without gaps.
//                  (replica, n) is unique. The id is a hash of the operation, so it is unique too, without an index.
//                  The payload is json and not jsonb: it comes back as it was, and \u0000 is allowed in it.
// hub_memories     the operations of a memory, merged: for search, and to know what is forgotten. Its text is in the
//                  state alone; text_version grows with each change of it. A kind of null: there is nothing to see.
const KINDS = ['put', 'count', 'supersede', 'withdraw', 'delete', 'forget'].map((kind) => `'${kind}'`)

export const HUB_TABLES: Migration = {
  version: 2,
  name: 'hub-tables',
  statements: [
    `create table hub_meta (
      only_row boolean primary key default true check (only_row),
      hub uuid not null default gen_random_uuid(),
      created_at timestamptz not null default now()
    )`,
    'insert into hub_meta default values',
    `create table hub_projects (
      project_id text primary key check (length(project_id) between 1 and 512),
      last_position bigint not null default 0 check (last_position >= 0),
      memory_count bigint not null default 0 check (memory_count >= 0)
    ) with (fillfactor = 50)`,
    `create table hub_operations (
      project_id text not null,
      position bigint not null check (position > 0),
      id uuid not null,
      replica uuid not null,
      n bigint not null check (n > 0),
      at text not null check (length(at) between 19 and 56),
      kind text not null check (kind in (${KINDS.join(', ')})),
      memory uuid not null,
      payload json,
      primary key (project_id, position),
      unique (project_id, replica, n)
    )`,
    'create index hub_operations_memory on hub_operations (project_id, memory)',
    `create table hub_memories (
      project_id text not null,
      memory uuid not null,
      state json not null,
      kind text,
      text_version integer not null default 1,
      terms text[],
      vector_model text,
      updated_at timestamptz not null default now(),
      primary key (project_id, memory)
    ) with (fillfactor = 80)`,
    // Texts that have no vector yet. Once a text has its vector, the index does not hold it any longer.
    `create index hub_memories_without_vector on hub_memories (project_id, memory)
      where kind is not null and vector_model is null`,
  ],
}
