// The hub of a team: memories with the revision of their last change, and who may read and write which project.
//
//   hub_projects  the last revision of each project, and its epoch, which changes when the hub was restored
//   hub_rows      a memory: text and fields, state, who learned it first (person), which role has written it
//   hub_counts    what one copy of a project's store has counted of a memory: the hub adds it up
//   hub_copies    the last revision that the hub has taken from a copy: a restored hub knows an earlier one
//   hub_people    which role a name belongs to: that which has used it first
//   hub_access    which role has which project
//   hub_waiting   texts that somebody has to accept before they are a row, where a project's policy wants that
//
// Row-level security checks every statement of every client, forced for the owner of the tables too. A role is allowed
// what its roles are: a team is one role, and its people are members of it. The owner may grant, and has every project.
import { COUNT_NAMES } from '../../team/teamRow.ts'
import {
  createFunction,
  createPolicies,
  IS_OWNER,
  MAY_READ,
  MAY_REVIEW,
  MAY_WRITE,
  type Migration,
  WRITTEN_BY_OWNER,
} from './agentMemory.ts'

/** Bytes of a memory's fields as PostgreSQL writes JSON, with spaces; and rows of a project with its counts. */
const FIELDS_BYTES_MAX = 81_920
const PROJECT_ROWS_MAX = 5_000_000

/** Names of a role in a project: of one person with several machines, or of a small team with one role. */
const NAMES_MAX = 20

/** A role writes rows as itself; a reviewer who accepts a text writes it as its author. */
const AS_ONESELF = `role = current_user and ${MAY_WRITE}`
const AS_AUTHOR = `(role = current_user or ${MAY_REVIEW}) and ${MAY_WRITE}`

/**
 * They run with a fixed search path: nobody can put a table or a function of the same name before ours. `%I` becomes
 * the schema of the tables.
 */
const FUNCTIONS = [
  `hub_is_owner() returns boolean language sql stable set search_path = %I, pg_temp as $sql$
    select pg_has_role(c.relowner, 'member') from pg_class c where c.oid = 'hub_access'::regclass $sql$`,
  `hub_roles() returns text[] language sql stable set search_path = %I, pg_temp as $sql$
    select array_agg(r.rolname::text) from pg_roles r where pg_has_role(r.oid, 'member') $sql$`,
  `hub_allowed_projects(writing boolean) returns text[] language sql stable set search_path = %I, pg_temp as $sql$
    select coalesce(array_agg(a.project_id), '{}') from hub_access a
    where a.role_name = any ((select hub_roles())::text[]) and (a.can_write or not writing) $sql$`,
  `hub_reviewed_projects() returns text[] language sql stable set search_path = %I, pg_temp as $sql$
    select coalesce(array_agg(a.project_id), '{}') from hub_access a
    where a.role_name = any ((select hub_roles())::text[]) and a.can_write and a.can_review $sql$`,
  `hub_words(fields jsonb) returns jsonb language sql immutable set search_path = %I, pg_temp as $sql$
    select jsonb_build_array(fields -> 'content', fields -> 'lessons', fields -> 'learnings',
      fields #> '{knowledge,quote}', fields #> '{knowledge,reason}',
      jsonb_path_query_array(fields, '$.knowledge.**.line'), jsonb_path_query_array(fields, '$.knowledge.**.way')) $sql$`,
  // All that a text is for others. How often a way has worked is no text, nor are times.
  `hub_shared(fields jsonb) returns jsonb language sql immutable set search_path = %I, pg_temp as $sql$
    select jsonb_set(fields - '{importance,created,updated}'::text[], '{knowledge,ways}', coalesce((
      select jsonb_agg(way - '{last,sessions}'::text[])
      from jsonb_path_query(fields, '$.knowledge.ways[*] ? (@.type() == "object")') way), '[]'), false) $sql$`,
  // What the team's policy says of a change, before hub_stamp. Runs as the writer: only a reviewer may pin and accept.
  `hub_divert() returns trigger language plpgsql set search_path = %I, pg_temp as $sql$
    declare
      policy hub_projects;
      known hub_rows;
    begin
      select * into policy from hub_projects p where p.project_id = new.project_id;
      if policy.is_removed or new.fields ->> 'kind' <> all (policy.kinds) then return null; end if;
      if hub_is_owner() or new.project_id = any (hub_reviewed_projects()) then
        -- Nobody writes as somebody else, except what that role has sent to be accepted.
        if new.role <> current_user and (tg_op = 'INSERT' or new.role <> old.role
          or new.fields is distinct from old.fields) then
          perform 1 from hub_waiting w where w.project_id = new.project_id and w.memory = new.memory
            and w.role = new.role and w.person = new.person and w.fields = new.fields;
          if not found then raise 'only a text that waits can be accepted' using errcode = '42501'; end if;
          new.accepted_by := current_user;
        end if;
        return new;
      end if;
      -- Other words are no longer what was pinned.
      new.pinned := coalesce(tg_op = 'UPDATE' and old.pinned and hub_words(new.fields) = hub_words(old.fields), false);
      new.accepted_by := null;
      select * into known from hub_rows r where r.project_id = new.project_id and r.memory = new.memory;
      if policy.needs_review is not true or new.fields is null or known.successor is not distinct from new.successor
        and hub_shared(known.fields) = hub_shared(new.fields) then return new; end if;
      insert into hub_waiting (project_id, memory, successor, fields, person, role)
        values (new.project_id, new.memory, new.successor, new.fields, new.person, new.role)
        on conflict (project_id, memory, role) do update set successor = excluded.successor, fields = excluded.fields,
          person = excluded.person;
      return null;
    end $sql$`,
  // Runs as the owner. The lock of the project's row gives revisions in the order of the commits: who has read up to
  // one has missed nothing. What the writer gives as revision, time or somebody else's name does not count.
  `hub_stamp() returns trigger language plpgsql security definer set search_path = %I, pg_temp as $sql$
    declare
      owner_of_name text;
      is_kept boolean := false;
    begin
      if tg_table_name = 'hub_rows' then
        if new.fields is null then
          delete from hub_waiting w where w.project_id = new.project_id and w.memory = new.memory
            and (new.state = 'forgotten' or w.role = new.role);
        end if;
        if tg_op = 'UPDATE' and old.state = 'forgotten' then return null; end if;
      end if;
      if tg_op = 'UPDATE' and tg_table_name = 'hub_rows' then
        -- The first who has learned a lesson, or has said these words, stays named; not for words of another role.
        is_kept := old.fields is not null and (new.fields is null or hub_words(new.fields) = hub_words(old.fields)
          or new.fields #>> '{knowledge,type}' = 'lesson' and not exists (select 1 from hub_people p
            where p.project_id = old.project_id and p.name = old.person and p.role <> new.role));
      end if;
      if is_kept then
        new.person := old.person;
      else
        for attempt in 1..2 loop
          select p.role into owner_of_name from hub_people p
            where p.project_id = new.project_id and p.name = new.person;
          exit when found;
          exit when (select count(*) from hub_people p
            where p.project_id = new.project_id and p.role = new.role) >= ${NAMES_MAX};
          insert into hub_people (project_id, name, role) values (new.project_id, new.person, new.role)
            on conflict (project_id, name) do nothing;
        end loop;
        if owner_of_name is distinct from new.role then new.person := left(new.role, 40); end if;
      end if;
      perform 1 from hub_projects p where p.project_id = new.project_id for update;
      if not found then raise 'the hub has no such project'; end if;
      new.revision := nextval('hub_revisions');
      new.changed_at := now();
      return new;
    end $sql$`,
  // Once for a statement: many versions of one row in one transaction would make it slow.
  `hub_note() returns trigger language plpgsql security definer set search_path = %I, pg_temp as $sql$
    begin
      -- What waits, and what a copy says that it has sent, is no change of the project.
      update hub_projects p set
        last_revision = greatest(p.last_revision,
          case when tg_table_name in ('hub_rows', 'hub_counts') then c.last else 0 end),
        row_count = p.row_count + case tg_op when 'INSERT' then c.count else 0 end
      from (select project_id, max(revision) as last, count(*) as count from changed group by project_id) c
      where p.project_id = c.project_id;
      return null;
    end $sql$`,
]

/** A role could make them the triggers of a table of its own, and so write to any project. */
const OWN_FUNCTIONS = 'revoke execute on function hub_stamp(), hub_note() from public'

/** Also in step 7: its functions read it. */
const CAN_REVIEW = 'alter table hub_access add column if not exists can_review boolean not null default false'

const TABLES = [
  `create table if not exists hub_meta (
    only_row boolean primary key default true check (only_row),
    hub uuid not null default gen_random_uuid(),
    created_at timestamptz not null default now()
  )`,
  'insert into hub_meta default values on conflict do nothing',
  `create table if not exists hub_access (
    project_id text not null,
    role_name text not null,
    can_write boolean not null default false,
    granted_by text not null default current_user,
    granted_at timestamptz not null default now(),
    primary key (project_id, role_name)
  )`,
  CAN_REVIEW,
  'create index if not exists hub_access_role on hub_access (role_name, project_id)',
  `create table if not exists hub_projects (
    project_id text primary key check (length(project_id) between 1 and 512)
  ) with (fillfactor = 50)`,
  'alter table hub_projects add column if not exists epoch uuid not null default gen_random_uuid()',
  `alter table hub_projects alter column epoch set default gen_random_uuid(),
    add column last_revision bigint not null default 0,
    add column row_count bigint not null default 0 check (row_count <= ${PROJECT_ROWS_MAX})`,
  'create sequence hub_revisions',
  `create table hub_people (
    project_id text not null, name text not null, role text not null, primary key (project_id, name)
  )`,
  `create table hub_rows (
    project_id text not null,
    memory uuid not null,
    revision bigint not null default 0,
    state text not null check (state in ('active', 'superseded', 'deleted', 'forgotten')),
    successor text check (length(successor) <= 50),
    fields jsonb check (octet_length(fields::text) <= ${FIELDS_BYTES_MAX}),
    person text not null check (length(person) between 1 and 60),
    role text,
    changed_at timestamptz not null default now(),
    primary key (project_id, memory),
    check ((fields is null) = (state in ('deleted', 'forgotten')))
  )`,
  'create index hub_rows_revision on hub_rows (project_id, revision)',
  `create table hub_counts (
    project_id text not null,
    memory uuid not null,
    copy uuid not null,
    revision bigint not null default 0,
    person text not null check (length(person) between 1 and 60),
    role text,
    is_own boolean not null,
    ${COUNT_NAMES.map((name) => `${name} float8 not null default 0 check (${name} between 0 and 1e9)`).join(', ')},
    changed_at timestamptz not null default now(),
    primary key (project_id, memory, copy),
    foreign key (project_id, memory) references hub_rows on delete cascade
  )`,
  'create index hub_counts_revision on hub_counts (project_id, revision)',
]

// Of each memory the latest text that was neither withdrawn nor deleted. A row that cannot be read is left out: the
// machines that have it send it again. The names belong to whoever uses them first from now on.
const TAKE_OVER = `do $do$
  declare former record; merged jsonb; latest jsonb; place bigint := 0; replaced_by text;
  begin
    if to_regclass('hub_memories') is null then return; end if;
    for former in select m.project_id, m.memory as id, m.state::text as state from hub_memories m order by 1, 2 loop
    begin
      merged := replace(former.state, '\\u0000', '')::jsonb;
      latest := null;
      select p.value into latest from jsonb_each(merged -> 'puts') p
        where (p.value ->> 'n')::bigint > coalesce((merged -> 'withdrawn' ->> p.key)::bigint, 0)
          and coalesce(merged ->> 'deleted', '') <= coalesce(p.value ->> 'after', '')
        order by p.value ->> 'at' desc limit 1;
      replaced_by := merged #>> '{superseded,by}';
      place := place + 1;
      if merged ? 'forgotten' or latest is null then
        insert into hub_rows (project_id, memory, revision, state, person) values (former.project_id, former.id, place,
          case when merged ? 'forgotten' then 'forgotten' else 'deleted' end, 'someone');
        continue;
      end if;
      insert into hub_rows (project_id, memory, revision, state, successor, fields, person)
        select former.project_id, former.id, place, case when replaced_by is null then 'active' else 'superseded' end,
          replaced_by, latest -> 'fields', left(p.value ->> 'by', 60)
        from jsonb_each(merged -> 'puts') p where p.value -> 'fields' ->> 'content' = latest -> 'fields' ->> 'content'
        order by p.value ->> 'at' limit 1;
      insert into hub_counts (project_id, memory, copy, revision, person, is_own, ${COUNT_NAMES.join(', ')})
        select former.project_id, former.id, c.key::uuid, place,
          left(coalesce(merged -> 'puts' -> c.key ->> 'by', 'someone'), 60), merged -> 'puts' ? c.key,
          ${COUNT_NAMES.map((name) => `coalesce((c.value ->> '${name}')::float8, 0)`).join(', ')}
        from jsonb_each(merged -> 'counts') c;
    exception when others then null;
    end;
    end loop;
    perform setval('hub_revisions', place + 1);
    update hub_projects p set last_revision = place,
      row_count = (select count(*) from hub_rows r where r.project_id = p.project_id)
        + (select count(*) from hub_counts k where k.project_id = p.project_id);
  end $do$`

const ROW_POLICIES = createPolicies('hub_rows', {
  read: `select using (${MAY_READ})`,
  add: `insert with check (${AS_AUTHOR})`,
  change: `update using (${MAY_WRITE}) with check (${AS_AUTHOR})`,
  remove: `delete using (${IS_OWNER})`,
})

const POLICIES = [
  ...createPolicies('hub_access', {
    read: `select using (${IS_OWNER} or role_name = any ((select hub_roles())::text[]))`,
    ...WRITTEN_BY_OWNER,
  }),
  ...createPolicies('hub_projects', {
    read: `select using (${MAY_READ})`,
    add: `insert with check (${MAY_WRITE})`,
    change: `update using (${MAY_WRITE})`,
    remove: `delete using (${IS_OWNER})`,
  }),
  ...createPolicies('hub_people', { read: `select using (${MAY_READ})`, ...WRITTEN_BY_OWNER }),
  ...ROW_POLICIES,
  // Counts of others cannot be changed. Those of an earlier version belong to nobody yet.
  ...createPolicies('hub_counts', {
    read: `select using (${MAY_READ})`,
    add: `insert with check (${AS_ONESELF})`,
    change: `update using ((role is null or role = current_user) and ${MAY_WRITE}) with check (${AS_ONESELF})`,
    remove: `delete using (${IS_OWNER} or (role is null or role = current_user) and ${MAY_WRITE})`,
  }),
]

const TRIGGERS = ['hub_rows', 'hub_counts'].flatMap((table) => [
  `create trigger ${table}_stamp before insert or update on ${table} for each row execute function hub_stamp()`,
  ...['insert', 'update'].map(
    (event) => `create trigger ${table}_${event} after ${event} on ${table} referencing new table as changed
      for each statement execute function hub_note()`,
  ),
])

/** Step 7; earlier ones made other tables, which it replaces. */
export const HUB_ROWS: Migration = {
  version: 7,
  name: 'hub-rows',
  statements: [
    ...TABLES,
    TAKE_OVER,
    'drop table if exists hub_operations, hub_memories, hub_vectors',
    'alter table hub_projects drop column if exists last_position, drop column if exists memory_count',
    ...FUNCTIONS.map(createFunction),
    OWN_FUNCTIONS,
    ...POLICIES,
    'drop function if exists hub_may(text, boolean)',
    ...TRIGGERS,
  ],
}

/** Step 9: what the owner of a hub decides for all. Its functions are those of step 7, as they are now. */
export const HUB_TEAMWORK: Migration = {
  version: 9,
  name: 'hub-teamwork',
  statements: [
    `alter table hub_projects add column kinds text[], add column needs_review boolean not null default false,
      add column is_removed boolean not null default false`,
    CAN_REVIEW,
    'alter table hub_rows add column pinned boolean not null default false, add column accepted_by text',
    `create table hub_waiting (
      project_id text not null,
      memory uuid not null,
      role text not null,
      revision bigint not null default 0,
      successor text check (length(successor) <= 50),
      fields jsonb not null check (octet_length(fields::text) <= ${FIELDS_BYTES_MAX}),
      person text not null check (length(person) between 1 and 60),
      changed_at timestamptz not null default now(),
      primary key (project_id, memory, role)
    )`,
    ...FUNCTIONS.map(createFunction),
    OWN_FUNCTIONS,
    ...ROW_POLICIES,
    ...createPolicies('hub_waiting', {
      read: `select using (role = current_user or ${MAY_REVIEW})`,
      add: `insert with check (${AS_ONESELF})`,
      change: `update using (role = current_user) with check (${AS_ONESELF})`,
      remove: `delete using (role = current_user or ${MAY_REVIEW})`,
    }),
    'create trigger hub_rows_divert before insert or update on hub_rows for each row execute function hub_divert()',
    `create trigger hub_waiting_insert after insert on hub_waiting referencing new table as changed
      for each statement execute function hub_note()`,
  ],
}

/** Step 11: what an outsider could do with SQL. The functions are those of step 7, as they are now. */
export const HUB_GUARDS: Migration = {
  version: 11,
  name: 'hub-guards',
  statements: [
    `create table hub_copies (
      project_id text not null, copy uuid not null, role text not null, revision bigint not null,
      primary key (project_id, copy, role)
    )`,
    ...createPolicies('hub_copies', {
      read: `select using (role = current_user and ${MAY_READ})`,
      add: `insert with check (${AS_ONESELF})`,
      change: `update using (${AS_ONESELF}) with check (${AS_ONESELF})`,
    }),
    `create trigger hub_copies_insert after insert on hub_copies referencing new table as changed
      for each statement execute function hub_note()`,
    ...FUNCTIONS.map(createFunction),
    OWN_FUNCTIONS,
    `update hub_projects p set last_revision = greatest(
        (select coalesce(max(r.revision), 0) from hub_rows r where r.project_id = p.project_id),
        (select coalesce(max(k.revision), 0) from hub_counts k where k.project_id = p.project_id))
      where not p.is_removed`,
    // The number of a text that waits. To accept a text is to accept this version of it.
    "alter table hub_waiting alter column revision type bigint using nextval('hub_revisions')",
    'create trigger hub_waiting_stamp before insert or update on hub_waiting for each row execute function hub_stamp()',
  ],
}
