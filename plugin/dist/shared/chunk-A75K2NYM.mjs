import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
var a="integer not null default 0 check (%s between 0 and 1000000000)",c="double precision not null default 0 check (%s >= 0 and %s <= 1000000000)",n=(e,p)=>`${e} ${p.replaceAll("%s",e)}`,l={version:1,name:"agent-memory",needs:"vector",statements:({dimension:e})=>["create extension if not exists vector with schema public",`create table agent_memory (
      project_id text not null check (project_id <> ''),
      id uuid not null default gen_random_uuid(),
      agent_id text not null check (agent_id ~ '[^[:space:]]' and char_length(agent_id) <= 200),
      content text not null check (content ~ '[^[:space:]]' and char_length(content) <= 64000),
      embedding vector(${e}),
      tags text[] not null default '{}' check (cardinality(tags) <= 200 and array_position(tags, null) is null),
      scope_level text not null default 'project' check (scope_level in ('project', 'domain', 'universal')),
      scope_domain text,
      scope_project text,
      ${n("strength",c).replace("default 0","default 1")},
      strength_by_perspective jsonb not null default '{}' check (jsonb_typeof(strength_by_perspective) = 'object'),
      ${n("access_count",a)},
      ${n("candidate_count",a)},
      last_accessed_at timestamptz,
      ${n("impact_score",c)},
      consolidation_level integer not null default 0 check (consolidation_level between 0 and 5),
      learnings jsonb not null default '{}' check (jsonb_typeof(learnings) = 'object'),
      status text not null default 'active' check (status in ('active', 'archived')),
      source text default 'manual' check (source in ('education', 'task', 'manual', 'import')),
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      last_decay_at timestamptz,
      primary key (project_id, id)
    ) with (fillfactor = 80)`,"create index agent_memory_agent on agent_memory (project_id, agent_id, status, created_at)",`create index agent_memory_scope on agent_memory (project_id, scope_level, scope_domain)
      where scope_level <> 'project'`,`create index agent_memory_without_vector on agent_memory (project_id)
      where embedding is null and status = 'active'`,`create index agent_memory_embedding on agent_memory using hnsw (embedding vector_cosine_ops)
      where status = 'active'`,`create table agent_sleep_log (
      project_id text not null check (project_id <> ''),
      id uuid not null default gen_random_uuid(),
      agent_id text not null,
      decayed_count integer not null,
      archived_count integer not null,
      consolidated_count integer not null,
      errors jsonb not null default '[]' check (jsonb_typeof(errors) = 'array'),
      processed_at timestamptz not null default now(),
      primary key (project_id, id)
    )`,"create index agent_sleep_log_agent on agent_sleep_log (project_id, agent_id, processed_at)"]};var m="(select hub_is_owner()) or project_id = any ((select hub_allowed_projects(false))::text[])",t="(select hub_is_owner()) or project_id = any ((select hub_allowed_projects(true))::text[])",g=[`hub_is_owner() returns boolean language sql stable set search_path = %I, pg_temp as $sql$
    select pg_has_role(c.relowner, 'member') from pg_class c where c.oid = 'hub_access'::regclass $sql$`,`hub_roles() returns text[] language sql stable set search_path = %I, pg_temp as $sql$
    select array_agg(r.rolname::text) from pg_roles r where pg_has_role(r.oid, 'member') $sql$`,`hub_allowed_projects(writing boolean) returns text[] language sql stable set search_path = %I, pg_temp as $sql$
    select coalesce(array_agg(a.project_id), '{}') from hub_access a
    where a.role_name = any ((select hub_roles())::text[]) and (a.can_write or not writing) $sql$`,`hub_may(project text, writing boolean) returns boolean language sql stable set search_path = %I, pg_temp as $sql$
    select hub_is_owner() or exists (select 1 from hub_access a
      where a.project_id = project and a.role_name = any (hub_roles()) and (a.can_write or not writing)) $sql$`],i={version:3,name:"hub-access",statements:[`create table hub_access (
      project_id text not null,
      role_name text not null,
      can_write boolean not null default false,
      granted_by text not null default current_user,
      granted_at timestamptz not null default now(),
      primary key (project_id, role_name)
    )`,"create index hub_access_role on hub_access (role_name, project_id)",...g.map(e=>`do $do$ begin execute format($f$create function ${e}$f$, current_schema()); end $do$`),...s("hub_access"),`create policy hub_access_read on hub_access for select
      using ((select hub_is_owner()) or role_name = any ((select hub_roles())::text[]))`,"create policy hub_access_add on hub_access for insert with check ((select hub_is_owner()))","create policy hub_access_change on hub_access for update using ((select hub_is_owner()))","create policy hub_access_remove on hub_access for delete using ((select hub_is_owner()))",...o("hub_projects"),...o("hub_memories"),...o("hub_operations"),"drop policy hub_operations_change on hub_operations","drop policy hub_operations_remove on hub_operations",`create policy hub_operations_erase on hub_operations for update
      using (${t}) with check (payload is null and (${t}))`,"create policy hub_operations_compact on hub_operations for delete using ((select hub_is_owner()))"]};function o(e){return[...s(e),`create policy ${e}_read on ${e} for select using (${m})`,`create policy ${e}_add on ${e} for insert with check (${t})`,`create policy ${e}_change on ${e} for update using (${t})`,`create policy ${e}_remove on ${e} for delete using (${t})`]}function s(e){return[`revoke all on ${e} from public`,`alter table ${e} enable row level security`,`alter table ${e} force row level security`]}var h=`do $$ declare given record; begin
  for given in select a.role_name from hub_access a join pg_roles r on r.rolname = a.role_name
    where a.can_write group by a.role_name
  loop execute format('grant update (epoch) on hub_projects to %I', given.role_name); end loop;
end $$`,_={version:6,name:"hub-epoch",statements:["alter table hub_projects add column epoch uuid not null default '00000000-0000-0000-0000-000000000000'",h]};var b=["put","count","supersede","withdraw","delete","forget"].map(e=>`'${e}'`),u={version:2,name:"hub-tables",statements:[`create table hub_meta (
      only_row boolean primary key default true check (only_row),
      hub uuid not null default gen_random_uuid(),
      created_at timestamptz not null default now()
    )`,"insert into hub_meta default values",`create table hub_projects (
      project_id text primary key check (length(project_id) between 1 and 512),
      last_position bigint not null default 0 check (last_position >= 0),
      memory_count bigint not null default 0 check (memory_count >= 0)
    ) with (fillfactor = 50)`,`create table hub_operations (
      project_id text not null,
      position bigint not null check (position > 0),
      id uuid not null,
      replica uuid not null,
      n bigint not null check (n > 0),
      at text not null check (length(at) between 19 and 56),
      kind text not null check (kind in (${b.join(", ")})),
      memory uuid not null,
      payload json,
      primary key (project_id, position),
      unique (project_id, replica, n)
    )`,"create index hub_operations_memory on hub_operations (project_id, memory)",`create table hub_memories (
      project_id text not null,
      memory uuid not null,
      state json not null,
      kind text,
      text_version integer not null default 1,
      terms text[],
      vector_model text,
      updated_at timestamptz not null default now(),
      primary key (project_id, memory)
    ) with (fillfactor = 80)`,`create index hub_memories_without_vector on hub_memories (project_id, memory)
      where kind is not null and vector_model is null`]};var r="hub_vectors, agent_memory, agent_sleep_log",f=`do $$ declare given record; begin
  for given in select a.role_name, bool_or(a.can_write) as can_write from hub_access a
    join pg_roles r on r.rolname = a.role_name group by a.role_name
  loop
    execute format('grant select on ${r} to %I', given.role_name);
    if given.can_write then execute format('grant insert, update, delete on ${r} to %I', given.role_name); end if;
  end loop;
end $$`,d={version:4,name:"hub-vectors",needs:"vector",statements:({dimension:e})=>[`create table hub_vectors (
      project_id text not null,
      memory uuid not null,
      model text not null,
      embedding vector(${e}) not null,
      primary key (project_id, memory)
    )`,`create index hub_vectors_nearest on hub_vectors using hnsw (embedding vector_cosine_ops)
      with (m = 16, ef_construction = 64)`,...r.split(", ").flatMap(o),f]};var I=[l,u,i,d,_];export{I as a};
