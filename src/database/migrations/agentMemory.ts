// One step from a schema to the next one: it is written once, and after it was released, its statements never change.
// Here: the steps for the memories of agents, and the rules of row-level security that they share with the hub.

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

/** Step 1: the columns of the agent-memory specification, and the log of sleep phases. */
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

/** Rows that the role may read. The functions are called in a subquery, which runs once per statement, not per row. */
export const MAY_READ = '((select hub_is_owner()) or project_id = any ((select hub_allowed_projects(false))::text[]))'
/** Rows that it may write. */
export const MAY_WRITE = '((select hub_is_owner()) or project_id = any ((select hub_allowed_projects(true))::text[]))'
/** Rows that others have written, and that it may accept. */
export const MAY_REVIEW = '((select hub_is_owner()) or project_id = any ((select hub_reviewed_projects())::text[]))'

/** A statement that creates a function in the schema of the tables: `%I` in its text becomes this schema. */
export const createFunction = (sql: string): string =>
  `do $do$ begin execute format($f$create or replace function ${sql}$f$, current_schema()); end $do$`

/** Row-level security of a table: a rule for each of read, add, change and remove. */
export function createPolicies(table: string, rules: Readonly<Record<string, string>>): readonly string[] {
  return [
    `revoke all on ${table} from public`,
    `alter table ${table} enable row level security`,
    `alter table ${table} force row level security`,
    ...['read', 'add', 'change', 'remove'].map((name) => `drop policy if exists ${table}_${name} on ${table}`),
    ...Object.entries(rules).map(([name, rule]) => `create policy ${table}_${name} on ${table} for ${rule}`),
  ]
}

export const IS_OWNER = '(select hub_is_owner())'

/** Only the owner writes a table: for others, functions do it that run as the owner. */
export const WRITTEN_BY_OWNER = {
  add: `insert with check (${IS_OWNER})`,
  change: `update using (${IS_OWNER})`,
  remove: `delete using (${IS_OWNER})`,
}

/** Step 8, where the server offers pgvector: row-level security for the tables of step 1. */
export const AGENT_ACCESS: Migration = {
  version: 8,
  name: 'agent-access',
  needs: 'vector',
  statements: ['agent_memory', 'agent_sleep_log'].flatMap((table) =>
    createPolicies(table, {
      read: `select using (${MAY_READ})`,
      add: `insert with check (${MAY_WRITE})`,
      change: `update using (${MAY_WRITE})`,
      remove: `delete using (${MAY_WRITE})`,
    }),
  ),
}

// Step 10: the words of these memories, for searches without an embedder (library/agentMemory/postgresSearch.ts).
//
//   agent_memory       terms        {"term": weight, …}; null: the next search has to compute them
//   agent_term_groups  one row for all memories that the same agents may use; its id is a multiple of 16
//   agent_terms        bucket       │ term │ weight │ memory      one row for each word of an active memory, and one
//                      id + 0 … 15  │      │        │             with the empty word: they count the memories
//
// A btree, because under row-level security no index of lists is used. A memory is in the bucket that the last bits of
// its id give, so that one bucket is a sample of them. Triggers keep the rows, also for SQL that a person writes.

/** Buckets of a group, a power of two. */
export const TERM_BUCKETS = 16

const FUNCTIONS = [
  `agent_term_bucket(memory agent_memory) returns integer language plpgsql set search_path = %I, pg_temp as $sql$
    declare
      agent text := case when memory.scope_level = 'universal' then '' else memory.agent_id end;
      domain_name text := case when memory.scope_level = 'domain' then memory.scope_domain end;
      project text := case when memory.scope_level = 'project' then memory.scope_project end;
      group_id integer;
    begin
      loop
        select g.id into group_id from agent_term_groups g where g.project_id = memory.project_id
          and g.agent_id = agent and g.scope_level = memory.scope_level
          and g.scope_domain is not distinct from domain_name and g.scope_project is not distinct from project;
        if found then return group_id + (get_byte(uuid_send(memory.id), 15) & ${TERM_BUCKETS - 1}); end if;
        insert into agent_term_groups (project_id, agent_id, scope_level, scope_domain, scope_project)
          values (memory.project_id, agent, memory.scope_level, domain_name, project) on conflict do nothing;
      end loop;
    end $sql$`,
  // Runs as the owner, so that nobody can write words that a memory does not have.
  `agent_terms_follow() returns trigger language plpgsql security definer set search_path = %I, pg_temp as $sql$
    declare
      place integer;
    begin
      if tg_op = 'TRUNCATE' then truncate agent_terms; return null; end if;
      if tg_op = 'UPDATE' and tg_when = 'BEFORE' then
        if new.terms = old.terms then new.terms := null; end if;
        return new;
      end if;
      if tg_op <> 'INSERT' and old.status = 'active' and old.terms is not null then
        place := agent_term_bucket(old);
        -- The weights first: row-level security does not let the index compare with a text that becomes a number.
        delete from agent_terms t
          using (select key, value::real as weight from jsonb_each_text(old.terms || '{"": 0}') offset 0) e
          where t.bucket = place and t.term = e.key and t.weight = e.weight and t.memory = old.id;
      end if;
      if tg_op <> 'DELETE' and new.status = 'active' and new.terms is not null then
        place := agent_term_bucket(new);
        insert into agent_terms select place, e.key, e.value::real, new.id
          from jsonb_each_text(new.terms || '{"": 0}') e;
      end if;
      return null;
    end $sql$`,
]

/** Changes of a text, after which its words are others; and of what decides who may use it. */
const TERM_TRIGGERS = [
  `agent_memory_stale before update of content, tags, learnings on agent_memory for each row when
    ((old.content, old.tags, old.learnings) is distinct from (new.content, new.tags, new.learnings))`,
  'agent_memory_written after insert or delete on agent_memory for each row',
  `agent_memory_changed after update on agent_memory for each row when ((old.terms, old.status, old.project_id, old.id,
    old.agent_id, old.scope_level, old.scope_domain, old.scope_project) is distinct from (new.terms, new.status,
    new.project_id, new.id, new.agent_id, new.scope_level, new.scope_domain, new.scope_project))`,
  'agent_memory_truncated after truncate on agent_memory for each statement',
]

export const AGENT_TERMS: Migration = {
  version: 10,
  name: 'agent-terms',
  needs: 'vector',
  statements: [
    `alter table agent_memory add column terms jsonb check (jsonb_typeof(terms) = 'object')`,
    // Every search by words first looks for memories without their words; usually there are none.
    `create index agent_memory_without_terms on agent_memory (project_id) where terms is null and status = 'active'`,
    `create table agent_term_groups (
      id integer primary key generated always as identity (start ${TERM_BUCKETS} increment ${TERM_BUCKETS}),
      project_id text not null, agent_id text not null, scope_level text not null, scope_domain text, scope_project text,
      unique nulls not distinct (project_id, agent_id, scope_level, scope_domain, scope_project)
    )`,
    `create table agent_terms (
      bucket integer, term text collate "C", weight real, memory uuid, primary key (bucket, term, weight, memory)
    )`,
    ...createPolicies('agent_term_groups', { read: `select using (${MAY_READ})`, ...WRITTEN_BY_OWNER }),
    ...createPolicies('agent_terms', {
      read: `select using (${IS_OWNER} or bucket & ${-TERM_BUCKETS} in (select g.id from agent_term_groups g))`,
      ...WRITTEN_BY_OWNER,
    }),
    ...FUNCTIONS.map(createFunction),
    'revoke execute on function agent_terms_follow() from public',
    ...TERM_TRIGGERS.map((trigger) => `create trigger ${trigger} execute function agent_terms_follow()`),
  ],
}
