// What the owner and the reviewers of a hub decide for all people who share a project: which kinds leave a machine, which
// texts count, what stays pinned, what is removed. And what the server has recorded of who changed what.
// The rights are PostgreSQL's (migrations/hubRows.ts).
import { MemoryError } from '../model/memoryError.ts'
import { readIfValid } from '../team/fieldReaders.ts'
import { readSharedFields } from '../team/sharedFields.ts'
import type { SharedFields } from '../team/teamRow.ts'
import type { Queryable } from './connectionPool.ts'
import type { Database } from './database.ts'
import { renewRights } from './hubAccess.ts'

export interface TeamPolicy {
  /** The kinds of memory that everybody shares; null if the policy of each machine says it. */
  readonly kinds: readonly string[] | null
  /** Texts of roles without the right to review wait until somebody accepts them. */
  readonly needsReview: boolean
}

/** The policy of a project after this change of it. Only the owner may change it. */
export async function changePolicy(database: Database, project: string, change: Partial<TeamPolicy>) {
  return database.transaction(async (connection) => {
    if (Object.values(change).some((value) => value !== undefined)) {
      await connection.query('insert into hub_projects (project_id) values ($1) on conflict do nothing', [project])
      const { kinds, needsReview = null } = change
      await connection.query(CHANGE_POLICY, [project, kinds !== undefined, kinds ?? null, needsReview])
    }
    const { rows } = await connection.query<TeamPolicy>(READ_POLICY, [project])
    return rows[0] ?? { kinds: null, needsReview: false }
  })
}

const CHANGE_POLICY = `
  update hub_projects p set kinds = case when $2 then $3::text[] else p.kinds end,
    needs_review = coalesce($4::boolean, p.needs_review) where p.project_id = $1`

const READ_POLICY = 'select p.kinds, p.needs_review as "needsReview" from hub_projects p where p.project_id = $1'

/** A text that waits until somebody accepts it. */
export interface WaitingText {
  /** The server gives a new one with each change of the text. */
  readonly number: number
  /** Of the memory. */
  readonly id: string
  /** The name that the author gives, and the database role, which the server knows. */
  readonly by: string
  readonly role: string
  /** ISO 8601 in UTC. */
  readonly at: string
  readonly text: string
  /** What the team has now; null for a new memory. */
  readonly before: string | null
  /** All that the team would get, and what it has now; undefined if no machine takes it. */
  readonly fields: SharedFields | undefined
  readonly fieldsBefore: SharedFields | undefined
  /** What would replace it. */
  readonly successor: string | null
}

/** The texts that wait, the oldest first: of this role, or all if it may accept them. */
export async function listWaiting(database: Queryable, project: string): Promise<readonly WaitingText[]> {
  const { rows } = await database.query<WaitingText>(LIST_WAITING, [project])
  return rows.map((row) => ({ ...row, fields: readFields(row.fields), fieldsBefore: readFields(row.fieldsBefore) }))
}

/** As a machine reads them. */
const readFields = (fields: unknown): SharedFields | undefined =>
  readIfValid(readSharedFields, fields, { clips: false, cleanText: (text) => text })

const timeOf = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`

const LIST_WAITING = `
  select w.revision::float8 as number, w.memory::text as id, w.person as by, w.role, ${timeOf('w.changed_at')} as at,
    w.fields ->> 'content' as text, r.fields ->> 'content' as before, w.fields, r.fields as "fieldsBefore", w.successor
  from hub_waiting w left join hub_rows r on r.project_id = w.project_id and r.memory = w.memory
  where w.project_id = $1 order by w.changed_at, w.memory limit 200`

/** What is decided about a memory that the team has. */
export interface Decision {
  readonly project: string
  /** The id of a memory, or a prefix of it. */
  readonly id: string
}

/**
 * Accepts or rejects the text with this number; returns the id of its memory, and the numbers of other texts that wait
 * for it. Throws NOT_FOUND, also if its author has changed it since, and DATABASE_ACCESS.
 */
export async function review(
  database: Database,
  { project, number }: Pick<Decision, 'project'> & Pick<WaitingText, 'number'>,
  isAccepted: boolean,
) {
  return database.transaction(async (connection) => {
    const [waiting] = (await connection.query<{ memory: string }>(FIND_WAITING, [project, number])).rows
    if (waiting === undefined) {
      throw new MemoryError('NOT_FOUND', `No text waits with the number ${number}`, {
        hint: 'It is decided, or its author has changed it. `memctl hub review` lists what waits now.',
      })
    }
    const { memory } = waiting
    const accepted = isAccepted ? await connection.query(ACCEPT, [project, number]) : undefined
    if (accepted?.rowCount === 0) throw refused('accept texts')
    await connection.query(TAKE_OFF, [project, number])
    const others = await connection.query<{ number: number }>(OTHER_WAITING, [project, memory])
    return { memory, others: others.rows.map((other) => other.number) }
  })
}

const FIND_WAITING = `
  select w.memory::text as memory from hub_waiting w where w.project_id = $1 and w.revision = $2::bigint`

const TAKE_OFF = 'delete from hub_waiting w where w.project_id = $1 and w.revision = $2::bigint'

const OTHER_WAITING = `
  select w.revision::float8 as number from hub_waiting w where w.project_id = $1 and w.memory = $2 order by w.revision`

const ACCEPT = `
  insert into hub_rows as r (project_id, memory, state, successor, fields, person, role, accepted_by)
  select w.project_id, w.memory, case when w.successor is null then 'active' else 'superseded' end, w.successor,
    w.fields, w.person, w.role, current_user
  from hub_waiting w where w.project_id = $1 and w.revision = $2::bigint
  on conflict (project_id, memory) do update set state = excluded.state, successor = excluded.successor,
    fields = excluded.fields, person = excluded.person, role = excluded.role, accepted_by = excluded.accepted_by`

/** Pins a memory on all machines, or no longer; returns its id. Throws NOT_FOUND and DATABASE_ACCESS. */
export async function pinForTeam(database: Database, { project, id }: Decision, isPinned: boolean): Promise<string> {
  return database.transaction(async (connection) => {
    const memory = await findOne(connection, { project, id })
    const { rows } = await connection.query<{ pinned: boolean }>(PIN, [project, memory, isPinned])
    if (rows[0]?.pinned !== isPinned) throw refused('pin')
    return memory
  })
}

const PIN = `
  update hub_rows r set pinned = $3, accepted_by = current_user
  where r.project_id = $1 and r.memory = $2 and r.fields is not null returning r.pinned`

async function findOne(connection: Queryable, { project, id }: Decision): Promise<string> {
  const sql = `select r.memory::text as memory from hub_rows r
    where r.project_id = $1 and starts_with(r.memory::text, $2) limit 2`
  const [found, other] = (await connection.query<{ memory: string }>(sql, [project, id.toLowerCase()])).rows
  if (found && !other) return found.memory
  throw notFound(other ? 'Several memories begin' : 'No memory there begins', id)
}

const notFound = (what: string, id: string): MemoryError =>
  new MemoryError('NOT_FOUND', `${what} with ${id}`, { hint: 'See `memctl hub log` for the ids.' })

const FOR_REVIEWERS = 'Ask the owner of the hub for `memctl hub grant ROLE --project NAME --review`.'
const refused = (what: string, hint = FOR_REVIEWERS): MemoryError =>
  new MemoryError('DATABASE_ACCESS', `This role may not ${what} here`, { hint })

export interface Removal {
  /** Memories that are gone for all. */
  readonly removed: number
  /** Memories of the person that others have met too: they stay. `memctl forget` erases one of them. */
  readonly kept: number
}

/** Removes what a person or role has shared, or the project. Throws DATABASE_ACCESS: only the owner may. */
export async function removeFromHub(database: Database, project: string, person: string | undefined): Promise<Removal> {
  return database.transaction(async (connection) => {
    const { rows } = await connection.query<{ isOwner: boolean }>('select hub_is_owner() as "isOwner"')
    if (!rows[0]?.isOwner) throw refused('remove anything', 'Only the owner of the hub may: ask them to remove it.')
    await connection.query('select 1 from hub_projects p where p.project_id = $1 for update', [project])
    return person === undefined ? removeProject(connection, project) : removePerson(connection, project, person)
  })
}

/** The name stays, and who had access may read it: so machines that have joined see that it was removed. */
async function removeProject(connection: Queryable, project: string): Promise<Removal> {
  const { rowCount: removed } = await connection.query('delete from hub_rows r where r.project_id = $1', [project])
  for (const table of ['hub_waiting', 'hub_people'])
    await connection.query(`delete from ${table} t where t.project_id = $1`, [project])
  await connection.query('update hub_projects p set is_removed = true where p.project_id = $1', [project])
  await connection.query(END_WRITING, [project])
  await renewRights(connection)
  return { removed, kept: 0 }
}

const END_WRITING = 'update hub_access a set can_write = false, can_review = false where a.project_id = $1'

async function removePerson(connection: Queryable, project: string, person: string): Promise<Removal> {
  const { rows } = await connection.query<{ name: string }>(FREE_NAMES, [project, person])
  const names = [person, ...rows.map(({ name }) => name)]
  await connection.query('delete from hub_waiting w where w.project_id = $1 and w.person = any($2)', [project, names])
  const { rowCount: removed } = await connection.query(REMOVE_PERSON, [project, names])
  const { rowCount: kept } = await connection.query(
    'select 1 from hub_rows r where r.project_id = $1 and r.person = any($2) and r.fields is not null',
    [project, names],
  )
  return { removed, kept }
}

/** A role may have several names: it is one person. Others may have them from now on. */
const FREE_NAMES = `
  delete from hub_people p where p.project_id = $1 and $2 in (p.name, p.role) returning p.name`

const REMOVE_PERSON = `
  with gone as (
    delete from hub_counts k where k.project_id = $1 and k.person = any($2) returning k.memory
  )
  update hub_rows r set state = 'deleted', fields = null, successor = null, pinned = false, role = current_user
  where r.project_id = $1 and r.fields is not null and (r.person = any($2) or r.memory in (select g.memory from gone g))
    and not exists (
      select 1 from hub_counts k
      where k.project_id = $1 and k.memory = r.memory and k.person <> all($2) and k.is_own
    )`

/** The last change of a memory, as the server has recorded it. */
export interface RecordedChange {
  readonly id: string
  /** ISO 8601 in UTC. */
  readonly at: string
  /** The database role that wrote it; null in a hub of an earlier version. */
  readonly role: string | null
  /** The role that accepted the text or pinned it. */
  readonly acceptedBy: string | null
  readonly by: string
  readonly state: string
  readonly pinned: boolean
  /** Null of what is gone. */
  readonly text: string | null
  /** What each person's machines have counted. */
  readonly counts: readonly ({ readonly person: string } & Readonly<
    Record<'met' | 'used' | 'obeyed' | 'broken', number>
  >)[]
}

/** The memories that were changed last, the latest first; with `id`, those with an id that begins so, or NOT_FOUND. */
export async function listChanges(database: Queryable, { project, id }: Decision, limit: number) {
  const { rows } = await database.query<RecordedChange>(LIST_CHANGES, [project, id.toLowerCase(), limit])
  if (id !== '' && rows.length === 0) throw notFound('No memory there begins', id)
  return rows
}

const LIST_CHANGES = `
  select r.memory::text as id, ${timeOf('r.changed_at')} as at, r.role, r.accepted_by as "acceptedBy", r.person as by,
    r.state, r.pinned, r.fields ->> 'content' as text, k.counts
  from hub_rows r cross join lateral (
    select coalesce(jsonb_agg(to_jsonb(p) order by p.met desc, p.person), '[]') as counts from (
      select c.person, sum(c.met) as met, sum(c.uses) as used, sum(c.obeyed) as obeyed, sum(c.broken) as broken
      from hub_counts c where c.project_id = r.project_id and c.memory = r.memory and c.is_own group by c.person
    ) p
  ) k
  where r.project_id = $1 and starts_with(r.memory::text, $2) order by r.revision desc limit $3`
