// The hub on PostgreSQL. It keeps no state of its own between two calls: each is one statement or one transaction, so
// it also works behind a pooler that gives every transaction another connection.
//
// $1 is the project in each statement, so that row-level security and an index find it. Whoever may write a project may
// put anything into its rows, without this code: constraints and triggers (migrations/hubRows.ts) keep limits, give
// revisions and say who wrote, and the reader checks the rest (src/team/checkRow.ts).

import type { MemoryId } from '../model/id.ts'
import { MemoryError } from '../model/memoryError.ts'
import {
  COUNT_NAMES,
  type Hub,
  type HubAnswer,
  type HubDescription,
  type HubMember,
  type HubPage,
  type RowChange,
  type TeamChanges,
} from '../team/teamRow.ts'
import { wellFormedJson } from '../text/excerpt.ts'
import type { Queryable } from './connectionPool.ts'
import type { Database } from './database.ts'
import { CAN_READ, noAccessTo } from './hubAccess.ts'

/** Changes of a page, and the bytes of texts after which a page ends: half of what an answer may have. */
const PAGE_CHANGES = 2_000
const PAGE_BYTES = 8 * 2 ** 20

/** Versions of the tables that it can use: steps of migrate.ts, which a background process does not load. */
export const HUB_VERSIONS = { min: 11, max: 11 }

/** The hub of this database. `close` closes the database. */
export const createPostgresHub = (database: Database): Hub => ({
  describe: () => describeHub(database),
  push: (member, changes) => push(database, member, changes),
  pull: pull(database),
  leave: (member) => database.transaction((connection) => withdraw(connection, member, null)),
  async setEpoch(project, epoch) {
    await database.query(SET_EPOCH, [project, epoch])
  },
  close: () => database.close(),
})

async function describeHub(database: Database): Promise<HubDescription> {
  const [row] = (await database.query<HubDescription>(DESCRIBE)).rows
  if (row !== undefined) return row
  throw new MemoryError('DATABASE_VERSION', 'the database has no hub', {
    hint: 'Run `memctl hub migrate`, or ask the owner of the database to.',
  })
}

async function push(
  database: Database,
  { project, replica, name }: HubMember,
  { rows, counts, withdrawn }: TeamChanges,
): Promise<HubAnswer> {
  return database.transaction(async (connection) => {
    const read = async <Row>(
      sql: string,
      parameters: readonly unknown[],
      isNeeded: boolean,
    ): Promise<readonly Row[]> => (isNeeded ? (await connection.query<Row>(sql, parameters)).rows : [])
    await connection.query(ADD_PROJECT, [project])
    const given = toDatabaseText(JSON.stringify(rows.map(toJsonRow)))
    const sent = await read<HubAnswer['rows'][number]>(WRITE_ROWS, [project, given, name], rows.length > 0)
    const left = rows.map(({ memory }) => memory).filter((memory) => !sent.some((row) => row.memory === memory))
    const waiting = await read<{ memory: MemoryId }>(READ_WAITING, [project, left], left.length > 0)
    const sums = JSON.stringify(counts.map(({ memory, own, counts: of }) => ({ memory, is_own: own, ...of })))
    const last = Math.max(...sent.map(({ revision }) => revision))
    await read(NOTE_SENT, [project, replica, last], sent.length > 0)
    await read(WRITE_COUNTS, [project, replica, sums, name], counts.length > 0)
    const ids = counts.map(({ memory }) => memory)
    const counted = await read<HubAnswer['counted'][number]>(READ_PEOPLE, [project, ids], counts.length > 0)
    if (withdrawn.length > 0) await withdraw(connection, { project, replica }, withdrawn)
    return { rows: sent, waiting: waiting.map(({ memory }) => memory), counted }
  })
}

/** Of two copies that withdraw at the same time, the second sees that it is the last one: it waits for the first. */
async function withdraw(
  connection: Queryable,
  { project, replica }: Pick<HubMember, 'project' | 'replica'>,
  memories: TeamChanges['withdrawn'] | null,
): Promise<void> {
  await connection.query(LOCK_PROJECT, [project])
  await connection.query(WITHDRAW, [project, replica, memories])
  await connection.query(WITHDRAW_WAITING, [project, memories])
}

const toJsonRow = ({ memory, base, state, successor, fields }: RowChange) => ({
  memory,
  base,
  successor,
  fields: fields ?? null,
  state: state === 'active' && successor !== null ? 'superseded' : state,
})

/** JSON as PostgreSQL can store it: half a surrogate pair and the character 0 are no text there. */
const toDatabaseText = (json: string): string =>
  wellFormedJson(json).replace(/(\\\\)|\\u0000/g, (_, slashes?: string) => slashes ?? '')

type ProjectRow = Omit<HubPage, 'rows' | 'through' | 'more'> & { readonly canRead: boolean }

interface PageRow {
  readonly position: number
  /** There are later changes. */
  readonly more: boolean
}

const pull =
  (database: Database): Hub['pull'] =>
  async ({ project, replica, name }, after, known, { latest, sent } = {}) => {
    // Before the page: what is changed while it is read comes with the next one.
    const seen = [latest?.memory, latest?.revision, replica, sent, name]
    const [found] = (await database.query<ProjectRow>(READ_PROJECT, [project, ...seen])).rows
    if (!found?.canRead) throw noAccessTo(project)
    const parameters = [project, after, PAGE_CHANGES, known, replica, PAGE_BYTES]
    const { rows } = await database.query<PageRow>(READ_PAGE, parameters)
    const last = Math.max(found.last, ...rows.map(({ position }) => position))
    const more = rows[0]?.more === true
    return { ...found, rows, through: more ? Math.max(...rows.map(({ position }) => position)) : last, more, last }
  }

/** The only statement about no project. A copy of a server, and a role that may only read, cannot write. */
const DESCRIBE = `
  select m.hub::text as hub, (select max(s.version) from memctl_migrations s) as version,
    has_any_column_privilege('hub_rows', 'insert') and current_setting('transaction_read_only') = 'off' as "canWrite"
  from hub_meta m`

const ADD_PROJECT = `
  insert into hub_projects (project_id) values ($1) on conflict (project_id) do nothing`

const LOCK_PROJECT = `
  select 1 from hub_projects p where p.project_id = $1 for update`

/**
 * A row is never removed, and its revision only rises: one that was seen and is not there is lost.
 * And what this copy has sent, if the hub knows only of earlier changes of it: others may have changed the row again.
 */
const READ_PROJECT = `
  select coalesce(p.epoch::text, '') as epoch, coalesce(p.last_revision, 0)::float8 as last, p.kinds,
    coalesce(p.is_removed, false) as "isRemoved",
    ${CAN_READ} as "canRead",
    hub_is_owner() or $1 = any (hub_allowed_projects(true)) as "canWrite",
    exists (
      select 1 from hub_people n where n.project_id = $1 and n.name = $6 and n.role <> current_user
    ) as "isNameTaken",
    (select count(*)::int from hub_waiting w where w.project_id = $1) as reviews, $2::uuid is not null and not exists (
    select 1 from hub_rows r where r.project_id = $1 and r.memory = $2::uuid and r.revision >= $3::bigint
  ) or exists (
    select 1 from hub_copies c
    where c.project_id = $1 and c.copy = $4::uuid and c.role = current_user and c.revision < $5::bigint
  ) as "isRestored"
  from (values (1)) one left join hub_projects p on p.project_id = $1`

/** The hub was restored: the revisions that machines have read are no longer those of the same changes. */
const SET_EPOCH = `
  update hub_projects p set epoch = $2::uuid where p.project_id = $1`

/** A row that has another revision than the change was made of stays as it is. */
const WRITE_ROWS = `
  with change as (
    select * from jsonb_to_recordset($2::jsonb) as c(memory uuid, base bigint, state text, successor text, fields jsonb)
  )
  insert into hub_rows as r (project_id, memory, state, successor, fields, person, role)
  select $1, c.memory, c.state, c.successor, nullif(c.fields, 'null'::jsonb), $3, current_user from change c
  on conflict (project_id, memory) do update
    set state = excluded.state, successor = excluded.successor, fields = excluded.fields, person = excluded.person,
      role = excluded.role
    where excluded.state = 'forgotten' or r.revision = (select c.base from change c where c.memory = r.memory)
  returning r.memory::text as memory, r.revision::float8 as revision, r.person as by`

/** Nobody else writes this: a hub that was restored has an earlier revision here, whatever was changed since. */
const NOTE_SENT = `
  insert into hub_copies as c (project_id, copy, role, revision) values ($1, $2, current_user, $3)
  on conflict (project_id, copy, role) do update set revision = greatest(c.revision, excluded.revision)`

const list = (text: (name: string) => string): string => COUNT_NAMES.map(text).join(', ')

/** Only of rows that are there. The same totals again change nothing; what another role has counted for it stays. */
const WRITE_COUNTS = `
  insert into hub_counts as k (project_id, memory, copy, person, role, is_own, ${list((name) => name)})
  select $1, c.memory, $2, $4, current_user, c.is_own, ${list((name) => `coalesce(c.${name}, 0)`)}
  from jsonb_to_recordset($3::jsonb) as c(memory uuid, is_own boolean, ${list((name) => `${name} float8`)})
  where exists (select 1 from hub_rows r where r.project_id = $1 and r.memory = c.memory)
  on conflict (project_id, memory, copy) do update
    set person = excluded.person, role = excluded.role, is_own = excluded.is_own,
      ${list((name) => `${name} = greatest(k.${name}, excluded.${name})`)}
    where k.role is null or k.role = current_user`

/** Of the rows that were not written: they wait for somebody who accepts them. */
const READ_WAITING = `
  select w.memory::text as memory from hub_waiting w
  where w.project_id = $1 and w.memory = any($2::uuid[]) and w.role = current_user`

const WITHDRAW_WAITING = `
  delete from hub_waiting w
  where w.project_id = $1 and w.role = current_user and ($2::uuid[] is null or w.memory = any($2))`

const PEOPLE = `count(distinct k.person) filter (where k.is_own)::int as people,
    count(*) filter (where k.is_own)::int as copies`

/** The rows of the counts that were written: a row that is not there has no counts. */
const READ_PEOPLE = `
  select k.memory::text as memory, ${PEOPLE}
  from hub_counts k where k.project_id = $1 and k.memory = any($2::uuid[]) group by k.memory`

/** What a copy shares no longer, or with null all of it; nobody else has met some of it: that is deleted. */
const WITHDRAW = `
  with gone as (
    delete from hub_counts k where k.project_id = $1 and k.copy = $2 and ($3::uuid[] is null or k.memory = any($3))
    returning k.memory
  )
  update hub_rows r set state = 'deleted', fields = null, successor = null, role = current_user
  from gone where r.project_id = $1 and r.memory = gone.memory and r.fields is not null and not exists (
    select 1 from hub_counts k where k.project_id = $1 and k.memory = r.memory and k.copy <> $2 and k.is_own
  )`

/**
 * At most $3 changes of rows and counts after revision $2, without the rows with a revision in $4 and the counts of
 * the copy $5; none after one with which the texts have $6 bytes. The text comes only if it has changed.
 */
const READ_PAGE = `
  with next as (
    (select r.memory, r.revision, coalesce(octet_length(r.fields::text), 0) as bytes from hub_rows r
      where r.project_id = $1 and r.revision > $2::bigint and r.revision <> all ($4::bigint[])
      order by r.revision limit $3)
    union all
    (select k.memory, k.revision, 0 from hub_counts k
      where k.project_id = $1 and k.revision > $2::bigint and k.copy <> $5::uuid
      order by k.revision limit $3)
    order by revision limit $3
  ), changed as (
    select n.*, sum(n.bytes) over (order by n.revision rows unbounded preceding) - n.bytes as before,
      count(*) over () = $3 as is_full from next n
  ), page as (
    select c.memory, max(c.revision) as position from changed c where c.before < $6 group by c.memory
  )
  select p.position::float8 as position, (select bool_or(c.is_full or c.before >= $6) from changed c) as more,
    r.memory::text as memory,
    r.revision::float8 as revision,
    case r.state when 'superseded' then 'active' else r.state end as state,
    case when r.revision > $2::bigint and r.revision <> all ($4::bigint[]) then r.fields end as fields,
    r.successor, nullif(r.pinned, false) as pinned, r.person as by, k.people, k.copies, k.own,
    jsonb_build_object(${list((name) => `'${name}', k.all_${name}`)}) as counts,
    jsonb_build_object(${list((name) => `'${name}', k.own_${name}`)}) as sent
  from page p join hub_rows r on r.project_id = $1 and r.memory = p.memory
  cross join lateral (
    select ${PEOPLE},
      coalesce(bool_or(k.is_own) filter (where k.copy = $5::uuid), false) as own,
      ${list((name) => `sum(k.${name}) as all_${name}`)},
      ${list((name) => `sum(k.${name}) filter (where k.copy = $5::uuid) as own_${name}`)}
    from hub_counts k where k.project_id = $1 and k.memory = p.memory
  ) k
  order by p.position`
