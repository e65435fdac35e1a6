// Vectors of the hub's texts: for search by meaning, where the server has pgvector.
import { checkState } from '../../team/checkState.ts'
import type { Database, Queryable } from '../database.ts'
import { FIND_WITHOUT_VECTOR, MARK_VECTORS, WRITE_VECTORS } from './hubSql.ts'
import { type StateRow, visibleText } from './mergedMemories.ts'

/** Makes vectors of the dimension that the hub was migrated with. */
export interface HubEmbedder {
  /** The model's id. Vectors of two models are never compared. */
  readonly model: string
  /** One vector per text, in their order. */
  embed(texts: readonly string[]): Promise<readonly (readonly number[] | Float32Array)[]>
}

/** Texts per request to the embedder and per transaction. */
const TEXTS_MAX = 200

/** Whether the hub has a table for vectors. */
export const checkVectors = async (connection: Queryable): Promise<boolean> =>
  (await connection.query<{ has: boolean }>(HAS_VECTORS)).rows[0]?.has === true

const HAS_VECTORS = `select to_regclass('hub_vectors') is not null as has`

/** Makes the vectors that are missing, also those that another machine without an embedder left out. */
export async function writeMissingVectors(
  database: Database,
  project: string,
  { model, embed }: HubEmbedder,
): Promise<number> {
  let written = 0
  for (;;) {
    const missing = await database.query<MissingRow>(FIND_WITHOUT_VECTOR, [project, TEXTS_MAX])
    if (missing.rows.length === 0) return written
    const texts = missing.rows.map(({ state }) => visibleText(checkState(state, undefined)))
    const vectors = await embed(texts.map((text) => text ?? ''))
    const [marked, added] = await database.transaction(async (connection) => {
      const { rows } = await connection.query<{ memory: string }>(MARK_VECTORS, [
        project,
        missing.rows.map(({ memory }) => memory),
        missing.rows.map(({ textVersion }) => textVersion),
        model,
      ])
      const same = new Set(rows.map(({ memory }) => memory))
      // A state that cannot be read is marked like the others, so that the next ones get their turn.
      const kept = missing.rows.flatMap(({ memory }, i) =>
        same.has(memory) && texts[i] !== undefined ? [{ memory, vector: vectors[i] }] : [],
      )
      await connection.query(WRITE_VECTORS, [
        project,
        kept.map(({ memory }) => memory),
        kept.map(({ vector }) => toVectorText(vector ?? [])),
        model,
      ])
      return [same.size, kept.length] as const
    })
    written += added
    if (missing.rows.length < TEXTS_MAX || marked === 0) return written
  }
}

interface MissingRow extends StateRow {
  readonly textVersion: number
}

/** The form in which pgvector reads a vector: `[0.1,0.2]`. */
export const toVectorText = (vector: readonly number[] | Float32Array): string => `[${vector.join(',')}]`
