// Step 5, where the server offers Citus: the tables of a project go to the project's node. It is a function, since
// Citus may be added to the database later: then the owner runs `select hub_distribute()`.
import type { Migration } from './migration.ts'

/** Their rows belong to one project. */
const BY_PROJECT = ['hub_projects', 'hub_operations', 'hub_memories', 'hub_vectors', 'agent_memory', 'agent_sleep_log']

/** Small, and needed by every node: which hub this is, and who has access. */
const ON_EVERY_NODE = ['hub_meta', 'hub_access']

/** Citus allows no subquery in a policy. Without it, the functions run once per row. */
const POLICIES = [
  'alter policy hub_access_read on hub_access using (hub_is_owner() or role_name = any (hub_roles()))',
  'alter policy hub_access_add on hub_access with check (hub_is_owner())',
  'alter policy hub_access_change on hub_access using (hub_is_owner())',
  'alter policy hub_access_remove on hub_access using (hub_is_owner())',
  `alter policy hub_operations_erase on hub_operations
    using (hub_may(project_id, true)) with check (payload is null and hub_may(project_id, true))`,
  'alter policy hub_operations_compact on hub_operations using (hub_is_owner())',
  ...BY_PROJECT.flatMap((table) => [
    `alter policy ${table}_read on ${table} using (hub_may(project_id, false))`,
    `alter policy ${table}_add on ${table} with check (hub_may(project_id, true))`,
    ...(table === 'hub_operations'
      ? []
      : [
          `alter policy ${table}_change on ${table} using (hub_may(project_id, true))`,
          `alter policy ${table}_remove on ${table} using (hub_may(project_id, true))`,
        ]),
  ]),
]

const FUNCTIONS = ['hub_is_owner()', 'hub_roles()', 'hub_allowed_projects(boolean)', 'hub_may(text, boolean)']

const ifThere = (table: string, statement: string): string =>
  `if to_regclass('${table}') is not null then ${statement}; end if;`

const tableOf = (policy: string): string => / on (\w+)/.exec(policy)?.[1] ?? ''

const BODY = [
  `if not exists (select 1 from pg_extension where extname = 'citus') then return; end if;`,
  ...POLICIES.map((policy) => ifThere(tableOf(policy), policy)),
  ...FUNCTIONS.map((name) => `perform create_distributed_function('${name}');`),
  ...ON_EVERY_NODE.map((table) => `perform create_reference_table('${table}');`),
  ...BY_PROJECT.map((table) => {
    const together = table === BY_PROJECT[0] ? '' : `, colocate_with => '${BY_PROJECT[0]}'`
    return ifThere(table, `perform create_distributed_table('${table}', 'project_id'${together})`)
  }),
].join('\n')

export const CITUS: Migration = {
  version: 5,
  name: 'citus',
  needs: 'citus',
  statements: [
    `do $do$ begin execute format($f$create function hub_distribute() returns void language plpgsql
      set search_path = %I, public, pg_temp as $sql$ begin
${BODY}
end $sql$$f$, current_schema()); end $do$`,
    'select hub_distribute()',
  ],
}
