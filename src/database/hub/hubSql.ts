// Every statement that the hub sends to PostgreSQL. $1 is the project in each, so that row-level security, an index
// and a cluster's router find it; a test parses them. None joins two projects, and none needs two nodes.
//
// Whoever may write a project may put anything into its rows, without this code. So numbers stay in their ranges here,
// and a value that nobody could read comes as null.

/** Bytes of one change or state, and of all changes of a page. The longest change that is valid is shorter. */
const VALUE_BYTES_MAX = 8 * 2 ** 20
const PAGE_BYTES_MAX = 2 * VALUE_BYTES_MAX
/** Positions that JavaScript has no number for are no positions. */
const POSITION_MAX = Number.MAX_SAFE_INTEGER - 2 ** 32
const COUNT_MAX = 10 ** 15
const READABLE_STATE = `case when octet_length(m.state::text) <= ${VALUE_BYTES_MAX} then m.state end as state`

/** The only statement about no project. A copy of a server, and a role that may only read, cannot write. */
export const DESCRIBE = `
  select m.hub::text as hub, (select max(s.version) from memctl_migrations s) as version,
    has_table_privilege('hub_operations', 'insert') and current_setting('transaction_read_only') = 'off' as "canWrite"
  from hub_meta m`

export const LAST_PUSHED = `
  select coalesce(max(o.n), 0) as n from hub_operations o where o.project_id = $1 and o.replica = $2::uuid`

const LAST_POSITION = `
  greatest(case when p.last_position <= ${POSITION_MAX} then p.last_position end, 0, (
    select max(o.position) from hub_operations o where o.project_id = $1 and o.position <= ${POSITION_MAX}
  ))`

/** Which positions are valid. */
export const READ_PROJECT = `
  select p.epoch::text as epoch, ${LAST_POSITION} as "lastPosition" from hub_projects p where p.project_id = $1`

/** The lock of the project's row makes positions gapless in the order of the commits. None is given twice. */
export const LOCK_PROJECT = `
  select p.epoch::text as epoch, ${LAST_POSITION} as "lastPosition" from hub_projects p
  where p.project_id = $1 for update`

/** The hub was restored: the positions that machines have read are no longer those of the same operations. */
export const SET_EPOCH = `
  update hub_projects p set epoch = $2::uuid where p.project_id = $1`

export const ADD_PROJECT = `
  insert into hub_projects (project_id) values ($1) on conflict (project_id) do nothing`

export const ADVANCE_PROJECT = `
  update hub_projects p set last_position = $2::bigint, memory_count = least(p.memory_count, ${COUNT_MAX}) + $3::bigint
  where p.project_id = $1`

export const COUNT_MEMORIES = `
  select p.memory_count as "memoryCount" from hub_projects p where p.project_id = $1`

/** Which operations of a batch are there: replicas and their lowest and highest n. */
export const FIND_STORED = `
  select o.replica::text as replica, o.n, o.id::text as id
  from unnest($2::uuid[], $3::bigint[], $4::bigint[]) as r(replica, low, high)
  join hub_operations o on o.project_id = $1 and o.replica = r.replica and o.n between r.low and r.high`

export const ADD_OPERATIONS = `
  insert into hub_operations (project_id, position, id, replica, n, at, kind, memory, payload)
  select $1, o.position, o.id, o.replica, o.n, o.at, o.kind, o.memory, o.payload
  from unnest($2::bigint[], $3::uuid[], $4::uuid[], $5::bigint[], $6::text[], $7::text[], $8::uuid[], $9::json[])
    as o(position, id, replica, n, at, kind, memory, payload)`

/** A forgotten memory's operations keep their place, but nothing of what they said. */
export const ERASE_PAYLOADS = `
  update hub_operations o set payload = null
  where o.project_id = $1 and o.memory = any($2::uuid[]) and o.payload is not null`

export const ERASE_VECTORS = `
  delete from hub_vectors v where v.project_id = $1 and v.memory = any($2::uuid[])`

/** Of one that nobody can read, the state is null. */
export const FIND_STATES = `
  select m.memory::text as memory, ${READABLE_STATE}
  from hub_memories m where m.project_id = $1 and m.memory = any($2::uuid[])`

/** Their text is as before, and so are its terms and its vector. */
export const CHANGE_STATES = `
  update hub_memories m set state = s.state, updated_at = now()
  from unnest($2::uuid[], $3::json[]) as s(memory, state)
  where m.project_id = $1 and m.memory = s.memory`

/** Terms come as one text per memory, with spaces between: PostgreSQL has no arrays of arrays of different lengths. */
export const WRITE_MEMORIES = `
  insert into hub_memories as m (project_id, memory, state, kind, terms, updated_at)
  select $1, s.memory, s.state, s.kind, string_to_array(s.terms, ' '), now()
  from unnest($2::uuid[], $3::json[], $4::text[], $5::text[]) as s(memory, state, kind, terms)
  on conflict (project_id, memory) do update set state = excluded.state, kind = excluded.kind,
    text_version = m.text_version % 2000000000 + 1, terms = excluded.terms, vector_model = null, updated_at = now()`

/** At most $3 operations after position $2, and fewer if they are long; `found` says how many there were. */
const readPage = (condition: string): string => `
  with page as (
    select o.*, coalesce(octet_length(o.payload::text), 0) as bytes from hub_operations o
    where o.project_id = $1 and o.position > $2::bigint and o.position <= ${POSITION_MAX} and ${condition}
    order by o.position limit $3::bigint
  ), measured as (
    select page.*, count(*) over () as found,
      sum(least(page.bytes, ${VALUE_BYTES_MAX})) over (order by page.position) as total
    from page
  )
  select p.position, p.id::text as id, p.replica::text as replica, p.n, p.at, p.kind, p.memory::text as memory,
    case when p.bytes <= ${VALUE_BYTES_MAX} then p.payload end as payload, p.found
  from measured p where p.total <= ${PAGE_BYTES_MAX} order by p.position`

/** Of a forgotten memory only the forget is left. */
const IS_LEFT = `(o.payload is not null or o.kind = 'forget')`
export const PULL = readPage(IS_LEFT)

/** What a state was merged from. */
export const PULL_MEMORIES = readPage(`${IS_LEFT} and o.memory = any($4::uuid[])`)

export const FIND_WITHOUT_VECTOR = `
  select m.memory::text as memory, ${READABLE_STATE}, m.text_version as "textVersion" from hub_memories m
  where m.project_id = $1 and m.kind is not null and m.vector_model is null
  order by m.memory limit $2::bigint`

/** Only for a text that is still the same: it may have changed, or have been forgotten, in the meantime. */
export const MARK_VECTORS = `
  update hub_memories m set vector_model = $4
  from unnest($2::uuid[], $3::integer[]) as s(memory, text_version)
  where m.project_id = $1 and m.memory = s.memory and m.text_version = s.text_version and m.kind is not null
  returning m.memory::text as memory`

export const WRITE_VECTORS = `
  insert into hub_vectors (project_id, memory, model, embedding)
  select $1, s.memory, $4, s.embedding::vector
  from unnest($2::uuid[], $3::text[]) as s(memory, embedding)
  on conflict (project_id, memory) do update set model = excluded.model, embedding = excluded.embedding`

/** Every vector of the project is compared: for few, and the answer is exact. */
export const SEARCH_ALL_VECTORS = `
  with own as materialized (
    select v.memory, v.embedding from hub_vectors v where v.project_id = $1 and v.model = $2
  )
  select own.memory::text as memory, 1 - (own.embedding <=> $3::vector) as score
  from own order by own.embedding <=> $3::vector limit $4::bigint`

/**
 * Until the end of the transaction: how many neighbours the index looks at, that it goes on until enough of them are
 * of this project (pgvector 0.8 and later), and that the planner does not compare all vectors instead.
 */
export const SET_INDEX_SEARCH = `
  select set_config('hnsw.ef_search', $1, true), set_config('enable_sort', 'off', true), (
    select set_config('hnsw.iterative_scan', 'relaxed_order', true) from pg_extension e
    where e.extname = 'vector' and string_to_array(e.extversion, '.')::int[] >= array[0, 8]
  )`

/** By the HNSW index. Its order is approximate, and ef_search says how many neighbours it looks at. */
export const SEARCH_VECTOR_INDEX = `
  select v.memory::text as memory, 1 - (v.embedding <=> $3::vector) as score
  from hub_vectors v where v.project_id = $1 and v.model = $2
  order by v.embedding <=> $3::vector limit $4::bigint`

/** The rarer a term is in the project's memories, the more it counts. */
export const SEARCH_TERMS = `
  with hits as materialized (
    select m.memory, t.term from hub_memories m
    cross join lateral unnest(m.terms) as t(term)
    where m.project_id = $1 and m.terms && $2::text[] and t.term = any($2::text[])
  ), weights as (
    select hits.term, ln(1 + $3::float8 / count(*)) as weight from hits group by hits.term
  )
  select hits.memory::text as memory, sum(weights.weight)::float8 as score
  from hits join weights on weights.term = hits.term
  group by hits.memory order by score desc, hits.memory limit $4::bigint`
