// One step from a schema to the next one: it is written once, and after it was released, its statements never change.
// Step 1: the memories of agents, with the columns of the agent-memory specification, and the log of sleep phases.

export interface Migration {
  /** From 1, rising. */
  readonly version: number
  /** Letters, digits and `-`: `agent-memory`. */
  readonly name: string
  /** Runs only where the server offers this extension; where it appears later, the next `migrate` runs it. */
  readonly needs?: string
  /** Each is one SQL statement, or several. All of a migration are one transaction. */
  readonly statements: readonly string[] | ((setup: MigrationSetup) => readonly string[])
}

export interface MigrationSetup {
  /** Numbers of a vector, 1 to 2,000: more cannot have an HNSW index. */
  readonly dimension: number
}

/** Columns that are counted up: the domain rejects values outside of this range (src/model/strength.ts). */
const COUNT = 'integer not null default 0 check (%s between 0 and 1000000000)'
/** NaN is greater than every number for PostgreSQL, so the upper bound rejects it. */
const AMOUNT = 'double precision not null default 0 check (%s >= 0 and %s <= 1000000000)'

const column = (name: string, type: string): string => `${name} ${type.replaceAll('%s', name)}`

export const AGENT_MEMORY: Migration = {
  version: 1,
  name: 'agent-memory',
  needs: 'vector',
  statements: ({ dimension }) => [
    // Where the extension is installed by an administrator, this does nothing.
    'create extension if not exists vector with schema public',
    // Memories that all projects share have the project '*'. No index has a column that use or decay changes: such an
    // update is made in place (HOT) and does not touch the index of the vectors.
    `create table agent_memory (
      project_id text not null check (project_id <> ''),
      id uuid not null default gen_random_uuid(),
      agent_id text not null check (agent_id ~ '[^[:space:]]' and char_length(agent_id) <= 200),
      content text not null check (content ~ '[^[:space:]]' and char_length(content) <= 64000),
      embedding vector(${dimension}),
      tags text[] not null default '{}' check (cardinality(tags) <= 200 and array_position(tags, null) is null),
      scope_level text not null default 'project' check (scope_level in ('project', 'domain', 'universal')),
      scope_domain text,
      scope_project text,
      ${column('strength', AMOUNT).replace('default 0', 'default 1')},
      strength_by_perspective jsonb not null default '{}' check (jsonb_typeof(strength_by_perspective) = 'object'),
      ${column('access_count', COUNT)},
      ${column('candidate_count', COUNT)},
      last_accessed_at timestamptz,
      ${column('impact_score', AMOUNT)},
      consolidation_level integer not null default 0 check (consolidation_level between 0 and 5),
      learnings jsonb not null default '{}' check (jsonb_typeof(learnings) = 'object'),
      status text not null default 'active' check (status in ('active', 'archived')),
      source text default 'manual' check (source in ('education', 'task', 'manual', 'import')),
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      last_decay_at timestamptz,
      primary key (project_id, id)
    ) with (fillfactor = 80)`,
    'create index agent_memory_agent on agent_memory (project_id, agent_id, status, created_at)',
    `create index agent_memory_scope on agent_memory (project_id, scope_level, scope_domain)
      where scope_level <> 'project'`,
    // Every search looks for memories whose vector has to be computed first; mostly there are none.
    `create index agent_memory_without_vector on agent_memory (project_id)
      where embedding is null and status = 'active'`,
    `create index agent_memory_embedding on agent_memory using hnsw (embedding vector_cosine_ops)
      where status = 'active'`,
    `create table agent_sleep_log (
      project_id text not null check (project_id <> ''),
      id uuid not null default gen_random_uuid(),
      agent_id text not null,
      decayed_count integer not null,
      archived_count integer not null,
      consolidated_count integer not null,
      errors jsonb not null default '[]' check (jsonb_typeof(errors) = 'array'),
      processed_at timestamptz not null default now(),
      primary key (project_id, id)
    )`,
    'create index agent_sleep_log_agent on agent_sleep_log (project_id, agent_id, processed_at)',
  ],
}
