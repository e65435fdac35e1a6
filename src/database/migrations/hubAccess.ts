// Step 3: who may read and write which project. PostgreSQL itself checks it, for every statement of every client:
// row-level security, forced for the owner of the tables too.
import type { Migration } from './migration.ts'

// hub_access names a database role per project. Whoever is a member of that role has the access: a team is one role,
// and its people are members of it. The owner of the tables may grant, and has every project; nobody else may grant.
//
// The functions run as the caller (current_user, so SET ROLE counts) with a fixed search path: nobody can put a table
// or a function of the same name before ours. The policies call them in a subquery, which runs once per statement
// and not once per row.
const MAY_READ = '(select hub_is_owner()) or project_id = any ((select hub_allowed_projects(false))::text[])'
const MAY_WRITE = '(select hub_is_owner()) or project_id = any ((select hub_allowed_projects(true))::text[])'

/** Bodies are SQL. `%I` becomes the schema of the tables. */
const FUNCTIONS = [
  `hub_is_owner() returns boolean language sql stable set search_path = %I, pg_temp as $sql$
    select pg_has_role(c.relowner, 'member') from pg_class c where c.oid = 'hub_access'::regclass $sql$`,
  `hub_roles() returns text[] language sql stable set search_path = %I, pg_temp as $sql$
    select array_agg(r.rolname::text) from pg_roles r where pg_has_role(r.oid, 'member') $sql$`,
  `hub_allowed_projects(writing boolean) returns text[] language sql stable set search_path = %I, pg_temp as $sql$
    select coalesce(array_agg(a.project_id), '{}') from hub_access a
    where a.role_name = any ((select hub_roles())::text[]) and (a.can_write or not writing) $sql$`,
  // The same for one project. Nothing uses it any more; the statements of a step never change.
  `hub_may(project text, writing boolean) returns boolean language sql stable set search_path = %I, pg_temp as $sql$
    select hub_is_owner() or exists (select 1 from hub_access a
      where a.project_id = project and a.role_name = any (hub_roles()) and (a.can_write or not writing)) $sql$`,
]

export const HUB_ACCESS: Migration = {
  version: 3,
  name: 'hub-access',
  statements: [
    `create table hub_access (
      project_id text not null,
      role_name text not null,
      can_write boolean not null default false,
      granted_by text not null default current_user,
      granted_at timestamptz not null default now(),
      primary key (project_id, role_name)
    )`,
    // Every statement asks which projects a role has.
    'create index hub_access_role on hub_access (role_name, project_id)',
    ...FUNCTIONS.map((sql) => `do $do$ begin execute format($f$create function ${sql}$f$, current_schema()); end $do$`),
    ...secureTable('hub_access'),
    `create policy hub_access_read on hub_access for select
      using ((select hub_is_owner()) or role_name = any ((select hub_roles())::text[]))`,
    'create policy hub_access_add on hub_access for insert with check ((select hub_is_owner()))',
    'create policy hub_access_change on hub_access for update using ((select hub_is_owner()))',
    'create policy hub_access_remove on hub_access for delete using ((select hub_is_owner()))',
    ...secureProjectTable('hub_projects'),
    ...secureProjectTable('hub_memories'),
    ...secureProjectTable('hub_operations'),
    // What was pushed can be erased, and never be rewritten. The owner may delete what is merged.
    'drop policy hub_operations_change on hub_operations',
    'drop policy hub_operations_remove on hub_operations',
    `create policy hub_operations_erase on hub_operations for update
      using (${MAY_WRITE}) with check (payload is null and (${MAY_WRITE}))`,
    'create policy hub_operations_compact on hub_operations for delete using ((select hub_is_owner()))',
  ],
}

/** Row-level security by project: rows of a project one may read, and changes where one may write. */
export function secureProjectTable(table: string): readonly string[] {
  return [
    ...secureTable(table),
    `create policy ${table}_read on ${table} for select using (${MAY_READ})`,
    `create policy ${table}_add on ${table} for insert with check (${MAY_WRITE})`,
    `create policy ${table}_change on ${table} for update using (${MAY_WRITE})`,
    `create policy ${table}_remove on ${table} for delete using (${MAY_WRITE})`,
  ]
}

function secureTable(table: string): readonly string[] {
  return [
    `revoke all on ${table} from public`,
    `alter table ${table} enable row level security`,
    `alter table ${table} force row level security`,
  ]
}
