// The labels and the scorer of the bench data beside this repository, loaded from where they lie: none of it is ours to ship.
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { MemoryError } from '../../model/errors.ts'

/** A session that is judged: what its prompt should have pointed to, and when it began. */
export interface SessionLabel {
  readonly session_id: string
  readonly start: string
  readonly gain: Readonly<Record<string, number>>
}

/** A mean difference in percent with its 95 % interval. */
export interface Difference {
  readonly delta: number
  readonly lo: number
  readonly hi: number
}

export interface Bench {
  labelsOf(recordings: readonly string[]): readonly SessionLabel[]
  /** gnDCG@10, 0 to 1. */
  graded(ids: readonly string[], gain: SessionLabel['gain']): number
  /** R@5, R@10, nDCG@10 and more, 0 to 1. */
  binary(ids: readonly string[], relevant: readonly string[]): Readonly<Record<string, number>>
  /** Paired bootstrap, second minus first. */
  paired(
    first: readonly Readonly<Record<string, number>>[],
    second: readonly Readonly<Record<string, number>>[],
    key: string,
  ): Difference
}

/** Throws NOT_FOUND where the data are not there. */
export async function benchIn(shared: string): Promise<Bench> {
  const at = (name: string): string => path.join(shared, 'bench', name)
  for (const name of ['labels.mjs', 'score.mjs']) {
    if (fs.existsSync(at(name))) continue
    throw new MemoryError('NOT_FOUND', `There is no ${at(name)}`, {
      mend: 'Put the bench data there, or give their folder with --shared.',
    })
  }
  const load = (name: string): Promise<unknown> => import(pathToFileURL(at(name)).href)
  const labels = (await load('labels.mjs')) as {
    loadRecordings(folders: readonly string[]): unknown
    sessionLabels(projects: unknown): SessionLabel[]
  }
  const score = (await load('score.mjs')) as Pick<Bench, 'graded' | 'binary' | 'paired'>
  return {
    ...{ graded: score.graded, binary: score.binary, paired: score.paired },
    labelsOf: (recordings) => labels.sessionLabels(labels.loadRecordings(recordings)),
  }
}
