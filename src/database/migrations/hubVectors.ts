// Step 4, where the server offers pgvector: the vectors of the hub's texts, and row-level security for the tables of
// step 1, which need pgvector too.
import { secureProjectTable } from './hubAccess.ts'
import type { Migration } from './migration.ts'

const TABLES = 'hub_vectors, agent_memory, agent_sleep_log'

/** Roles that got their rights before these tables were there (src/database/hub/hubAccess.ts grants all later ones). */
const GRANT_AGAIN = `do $$ declare given record; begin
  for given in select a.role_name, bool_or(a.can_write) as can_write from hub_access a
    join pg_roles r on r.rolname = a.role_name group by a.role_name
  loop
    execute format('grant select on ${TABLES} to %I', given.role_name);
    if given.can_write then execute format('grant insert, update, delete on ${TABLES} to %I', given.role_name); end if;
  end loop;
end $$`

// A table of its own: a count changes hub_memories only, and writes no vector and no vector index.
export const HUB_VECTORS: Migration = {
  version: 4,
  name: 'hub-vectors',
  needs: 'vector',
  statements: ({ dimension }) => [
    `create table hub_vectors (
      project_id text not null,
      memory uuid not null,
      model text not null,
      embedding vector(${dimension}) not null,
      primary key (project_id, memory)
    )`,
    `create index hub_vectors_nearest on hub_vectors using hnsw (embedding vector_cosine_ops)
      with (m = 16, ef_construction = 64)`,
    ...TABLES.split(', ').flatMap(secureProjectTable),
    GRANT_AGAIN,
  ],
}
