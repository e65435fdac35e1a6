-- The tables of a hub as versions 2 to 6 of its schema left them: what step 7 takes over.
-- step 2 hub-tables
create table hub_meta (
  only_row boolean primary key default true check (only_row),
  hub uuid not null default gen_random_uuid(),
  created_at timestamptz not null default now()
  );
insert into hub_meta default values;
create table hub_projects (
  project_id text primary key check (length(project_id) between 1 and 512),
  last_position bigint not null default 0 check (last_position >= 0),
  memory_count bigint not null default 0 check (memory_count >= 0)
  ) with (fillfactor = 50);
create table hub_operations (
  project_id text not null,
  position bigint not null check (position > 0),
  id uuid not null,
  replica uuid not null,
  n bigint not null check (n > 0),
  at text not null check (length(at) between 19 and 56),
  kind text not null check (kind in ('put', 'count', 'supersede', 'withdraw', 'delete', 'forget')),
  memory uuid not null,
  payload json,
  primary key (project_id, position),
  unique (project_id, replica, n)
  );
create index hub_operations_memory on hub_operations (project_id, memory);
create table hub_memories (
  project_id text not null,
  memory uuid not null,
  state json not null,
  kind text,
  text_version integer not null default 1,
  terms text[],
  vector_model text,
  updated_at timestamptz not null default now(),
  primary key (project_id, memory)
  ) with (fillfactor = 80);
create index hub_memories_without_vector on hub_memories (project_id, memory)
  where kind is not null and vector_model is null;
-- step 3 hub-access
create table hub_access (
  project_id text not null,
  role_name text not null,
  can_write boolean not null default false,
  granted_by text not null default current_user,
  granted_at timestamptz not null default now(),
  primary key (project_id, role_name)
  );
create index hub_access_role on hub_access (role_name, project_id);
do $do$ begin execute format($f$create function hub_is_owner() returns boolean language sql stable set search_path = %I, pg_temp as $sql$
  select pg_has_role(c.relowner, 'member') from pg_class c where c.oid = 'hub_access'::regclass $sql$$f$, current_schema()); end $do$;
do $do$ begin execute format($f$create function hub_roles() returns text[] language sql stable set search_path = %I, pg_temp as $sql$
  select array_agg(r.rolname::text) from pg_roles r where pg_has_role(r.oid, 'member') $sql$$f$, current_schema()); end $do$;
do $do$ begin execute format($f$create function hub_allowed_projects(writing boolean) returns text[] language sql stable set search_path = %I, pg_temp as $sql$
  select coalesce(array_agg(a.project_id), '{}') from hub_access a
  where a.role_name = any ((select hub_roles())::text[]) and (a.can_write or not writing) $sql$$f$, current_schema()); end $do$;
do $do$ begin execute format($f$create function hub_may(project text, writing boolean) returns boolean language sql stable set search_path = %I, pg_temp as $sql$
  select hub_is_owner() or exists (select 1 from hub_access a
  where a.project_id = project and a.role_name = any (hub_roles()) and (a.can_write or not writing)) $sql$$f$, current_schema()); end $do$;
revoke all on hub_access from public;
alter table hub_access enable row level security;
alter table hub_access force row level security;
create policy hub_access_read on hub_access for select
  using ((select hub_is_owner()) or role_name = any ((select hub_roles())::text[]));
create policy hub_access_add on hub_access for insert with check ((select hub_is_owner()));
create policy hub_access_change on hub_access for update using ((select hub_is_owner()));
create policy hub_access_remove on hub_access for delete using ((select hub_is_owner()));
revoke all on hub_projects from public;
alter table hub_projects enable row level security;
alter table hub_projects force row level security;
create policy hub_projects_read on hub_projects for select using ((select hub_is_owner()) or project_id = any ((select hub_allowed_projects(false))::text[]));
create policy hub_projects_add on hub_projects for insert with check ((select hub_is_owner()) or project_id = any ((select hub_allowed_projects(true))::text[]));
create policy hub_projects_change on hub_projects for update using ((select hub_is_owner()) or project_id = any ((select hub_allowed_projects(true))::text[]));
create policy hub_projects_remove on hub_projects for delete using ((select hub_is_owner()) or project_id = any ((select hub_allowed_projects(true))::text[]));
revoke all on hub_memories from public;
alter table hub_memories enable row level security;
alter table hub_memories force row level security;
create policy hub_memories_read on hub_memories for select using ((select hub_is_owner()) or project_id = any ((select hub_allowed_projects(false))::text[]));
create policy hub_memories_add on hub_memories for insert with check ((select hub_is_owner()) or project_id = any ((select hub_allowed_projects(true))::text[]));
create policy hub_memories_change on hub_memories for update using ((select hub_is_owner()) or project_id = any ((select hub_allowed_projects(true))::text[]));
create policy hub_memories_remove on hub_memories for delete using ((select hub_is_owner()) or project_id = any ((select hub_allowed_projects(true))::text[]));
revoke all on hub_operations from public;
alter table hub_operations enable row level security;
alter table hub_operations force row level security;
create policy hub_operations_read on hub_operations for select using ((select hub_is_owner()) or project_id = any ((select hub_allowed_projects(false))::text[]));
create policy hub_operations_add on hub_operations for insert with check ((select hub_is_owner()) or project_id = any ((select hub_allowed_projects(true))::text[]));
create policy hub_operations_change on hub_operations for update using ((select hub_is_owner()) or project_id = any ((select hub_allowed_projects(true))::text[]));
create policy hub_operations_remove on hub_operations for delete using ((select hub_is_owner()) or project_id = any ((select hub_allowed_projects(true))::text[]));
drop policy hub_operations_change on hub_operations;
drop policy hub_operations_remove on hub_operations;
create policy hub_operations_erase on hub_operations for update
  using ((select hub_is_owner()) or project_id = any ((select hub_allowed_projects(true))::text[])) with check (payload is null and ((select hub_is_owner()) or project_id = any ((select hub_allowed_projects(true))::text[])));
create policy hub_operations_compact on hub_operations for delete using ((select hub_is_owner()));
-- step 4 hub-vectors
create table hub_vectors (
  project_id text not null,
  memory uuid not null,
  model text not null,
  embedding vector(256) not null,
  primary key (project_id, memory)
  );
create index hub_vectors_nearest on hub_vectors using hnsw (embedding vector_cosine_ops)
  with (m = 16, ef_construction = 64);
revoke all on hub_vectors from public;
alter table hub_vectors enable row level security;
alter table hub_vectors force row level security;
create policy hub_vectors_read on hub_vectors for select using ((select hub_is_owner()) or project_id = any ((select hub_allowed_projects(false))::text[]));
create policy hub_vectors_add on hub_vectors for insert with check ((select hub_is_owner()) or project_id = any ((select hub_allowed_projects(true))::text[]));
create policy hub_vectors_change on hub_vectors for update using ((select hub_is_owner()) or project_id = any ((select hub_allowed_projects(true))::text[]));
create policy hub_vectors_remove on hub_vectors for delete using ((select hub_is_owner()) or project_id = any ((select hub_allowed_projects(true))::text[]));
revoke all on agent_memory from public;
alter table agent_memory enable row level security;
alter table agent_memory force row level security;
create policy agent_memory_read on agent_memory for select using ((select hub_is_owner()) or project_id = any ((select hub_allowed_projects(false))::text[]));
create policy agent_memory_add on agent_memory for insert with check ((select hub_is_owner()) or project_id = any ((select hub_allowed_projects(true))::text[]));
create policy agent_memory_change on agent_memory for update using ((select hub_is_owner()) or project_id = any ((select hub_allowed_projects(true))::text[]));
create policy agent_memory_remove on agent_memory for delete using ((select hub_is_owner()) or project_id = any ((select hub_allowed_projects(true))::text[]));
revoke all on agent_sleep_log from public;
alter table agent_sleep_log enable row level security;
alter table agent_sleep_log force row level security;
create policy agent_sleep_log_read on agent_sleep_log for select using ((select hub_is_owner()) or project_id = any ((select hub_allowed_projects(false))::text[]));
create policy agent_sleep_log_add on agent_sleep_log for insert with check ((select hub_is_owner()) or project_id = any ((select hub_allowed_projects(true))::text[]));
create policy agent_sleep_log_change on agent_sleep_log for update using ((select hub_is_owner()) or project_id = any ((select hub_allowed_projects(true))::text[]));
create policy agent_sleep_log_remove on agent_sleep_log for delete using ((select hub_is_owner()) or project_id = any ((select hub_allowed_projects(true))::text[]));
do $$ declare given record; begin
  for given in select a.role_name, bool_or(a.can_write) as can_write from hub_access a
  join pg_roles r on r.rolname = a.role_name group by a.role_name
  loop
  execute format('grant select on hub_vectors, agent_memory, agent_sleep_log to %I', given.role_name);
  if given.can_write then execute format('grant insert, update, delete on hub_vectors, agent_memory, agent_sleep_log to %I', given.role_name); end if;
  end loop;
end $$;
-- step 6 hub-epoch
alter table hub_projects add column epoch uuid not null default '00000000-0000-0000-0000-000000000000';
do $$ declare given record; begin
  for given in select a.role_name from hub_access a join pg_roles r on r.rolname = a.role_name
  where a.can_write group by a.role_name
  loop execute format('grant update (epoch) on hub_projects to %I', given.role_name); end loop;
end $$;
