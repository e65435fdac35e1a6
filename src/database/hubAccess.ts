// Who may use a project on the hub: grant, revoke, list. PostgreSQL checks it (migrations/hubRows.ts).
import { MemoryError } from '../model/memoryError.ts'
import { COUNT_NAMES } from '../team/teamRow.ts'
import type { Queryable } from './connectionPool.ts'
import type { Database } from './database.ts'

/** What one database role may do in one project. */
export interface HubAccess {
  readonly project: string
  /** Its members have the access too: a team can be one role. */
  readonly role: string
  readonly canWrite: boolean
  /** Accepts and pins texts. */
  readonly canReview: boolean
  readonly grantedBy: string
  /** ISO 8601 in UTC. */
  readonly grantedAt: string
}

/** Columns of a text and of what is said of it. */
const TEXT_COLUMNS = 'successor, fields, person'

const COUNT_COLUMNS = COUNT_NAMES.join(', ')

/** No right on revisions and times, which the server gives, nor to change what a row is about. */
function columnRights(key: readonly string[], columns: string): string {
  return `insert (${key.join(', ')}, ${columns}), update (${columns})`
}

/** Rights on tables. Row-level security decides about the rows; without these, a role gets no row at all. */
const RIGHTS: readonly { readonly table: string; readonly write?: string }[] = [
  { table: 'memctl_migrations' },
  { table: 'hub_meta' },
  { table: 'hub_access' },
  { table: 'hub_people' },
  { table: 'hub_projects', write: 'insert (project_id), update (epoch)' },
  {
    table: 'hub_rows',
    write: columnRights(['project_id', 'memory'], `state, ${TEXT_COLUMNS}, pinned, accepted_by, role`),
  },
  {
    table: 'hub_counts',
    write: `${columnRights(['project_id', 'memory', 'copy'], `person, role, is_own, ${COUNT_COLUMNS}`)}, delete`,
  },
  { table: 'hub_waiting', write: `${columnRights(['project_id', 'memory', 'role'], TEXT_COLUMNS)}, delete` },
  { table: 'hub_copies', write: columnRights(['project_id', 'copy', 'role'], 'revision') },
  { table: 'agent_memory', write: 'insert, update, delete' },
  { table: 'agent_term_groups' },
  { table: 'agent_terms' },
  { table: 'agent_sleep_log', write: 'insert, update, delete' },
]

/** Gives a role a project, to read or also to write; again, to change which. Throws NOT_FOUND without such a role. */
export async function grantAccess(
  database: Database,
  access: Pick<HubAccess, 'project' | 'role' | 'canWrite'> & Partial<Pick<HubAccess, 'canReview'>>,
): Promise<void> {
  const { project, role, canWrite, canReview = false } = access
  await database.transaction(async (connection) => {
    await assertRole(connection, role)
    await connection.query(GRANT, [project, role, canWrite, canReview])
    await setRights(connection, role)
  })
}

/** Gives all roles the rights on tables that are new. */
export async function renewRights(connection: Queryable): Promise<void> {
  const { rows } = await connection.query<{ role: string }>(
    'select r.rolname as role from pg_roles r where exists (select 1 from hub_access a where a.role_name = r.rolname)',
  )
  for (const { role } of rows) await setRights(connection, role)
}

/** Takes a project from a role. False if the role did not have it. Throws NOT_FOUND without such a role. */
export async function revokeAccess(database: Database, { project, role }: Pick<HubAccess, 'project' | 'role'>) {
  return database.transaction(async (connection) => {
    const { rowCount } = await connection.query(REVOKE, [project, role])
    // A role that was dropped has no rights any longer; only its row was left.
    if (await hasRole(connection, role)) await setRights(connection, role)
    return rowCount > 0
  })
}

/** Of a project that this role may not even read; for it, the tables have no such project. */
export const noAccessTo = (project: string): MemoryError =>
  new MemoryError('DATABASE_ACCESS', `this role has no access to the project ${project}`, {
    hint: 'Ask the owner of the hub for `memctl hub grant ROLE --project NAME --write`, or correct the name.',
  })

/** Whether this role may read the project $1. */
export const CAN_READ = 'hub_is_owner() or $1 = any (hub_allowed_projects(false))'

/** Whether anybody shares the project, or it is the library's. Throws DATABASE_ACCESS if this role may not read it. */
export async function isShared(database: Queryable, project: string): Promise<boolean> {
  const [found] = (await database.query<Record<'canRead' | 'isShared', boolean>>(FIND_PROJECT, [project])).rows
  if (!found?.canRead) throw noAccessTo(project)
  return found.isShared
}

const FIND_PROJECT = `
  select ${CAN_READ} as "canRead", $1 = '*' or count(*) > 0 as "isShared"
  from hub_projects p where p.project_id = $1 and p.last_revision > 0 and not p.is_removed`

/** The accesses of a project, or of all, that the caller may see: all for the owner, else those of its own roles. */
export async function listAccess(database: Queryable, project?: string): Promise<readonly HubAccess[]> {
  return (await database.query<HubAccess>(LIST, [project ?? null])).rows
}

const GRANT = `
  insert into hub_access (project_id, role_name, can_write, can_review) values ($1, $2, $3, $4)
  on conflict (project_id, role_name) do update set can_write = excluded.can_write, can_review = excluded.can_review,
    granted_by = current_user, granted_at = now()`

const REVOKE = 'delete from hub_access a where a.project_id = $1 and a.role_name = $2'

const LIST = `
  select a.project_id as project, a.role_name as role, a.can_write as "canWrite", a.can_review as "canReview",
    a.granted_by as "grantedBy",
    to_char(a.granted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "grantedAt"
  from hub_access a where $1::text is null or a.project_id = $1 order by a.project_id, a.role_name`

const ROLE_RIGHTS = `
  select count(*) > 0 as "canRead", coalesce(bool_or(a.can_write), false) as "canWrite",
    exists (select 1 from pg_class c join pg_roles r on r.oid = c.relowner
      where c.oid = 'hub_access'::regclass and r.rolname = $1) as "isOwner"
  from hub_access a where a.role_name = $1`

/** The rights on tables follow from what the role has in any project. The owner of the tables keeps all. */
async function setRights(connection: Queryable, role: string): Promise<void> {
  type Rights = Record<'canRead' | 'canWrite' | 'isOwner', boolean>
  const [has] = (await connection.query<Rights>(ROLE_RIGHTS, [role])).rows
  if (has?.isOwner) return
  const there = await connection.query<{ table: string; schema: string }>(
    `select t.name as table, current_schema() as schema from unnest($1::text[]) as t(name)
      where to_regclass(t.name) is not null`,
    [RIGHTS.map(({ table }) => table)],
  )
  const names = new Set(there.rows.map(({ table }) => table))
  const name = quoteIdentifier(role)
  const schema = quoteIdentifier(there.rows[0]?.schema ?? 'public')
  const statements = RIGHTS.filter(({ table }) => names.has(table)).flatMap(({ table, write }) => [
    `revoke all on ${table} from ${name}`,
    ...(has?.canRead ? [`grant select on ${table} to ${name}`] : []),
    ...(has?.canWrite && write !== undefined ? [`grant ${write} on ${table} to ${name}`] : []),
  ])
  if (has?.canRead) statements.push(`grant usage on schema ${schema} to ${name}`)
  await connection.query(statements.join(';\n'))
}

async function assertRole(connection: Queryable, role: string): Promise<void> {
  if (await hasRole(connection, role)) return
  throw new MemoryError('NOT_FOUND', `the database has no role ${role}`, {
    hint: `Create it on the server: \`create role ${quoteIdentifier(role)} login\`. Then grant again.`,
  })
}

const hasRole = async (connection: Queryable, role: string): Promise<boolean> =>
  (await connection.query('select 1 from pg_roles where rolname = $1', [role])).rows.length > 0

const quoteIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`
