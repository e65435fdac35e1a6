// The sessions with work related to a prompt, from the small file that maintenance writes after a session.
import { findRelatedSessions, type SessionFileIndex } from '../../recall/sessionFileIndex.ts'
import { readJson } from '../../store/disk/readJson.ts'
import type { Store } from '../open/openStore.ts'
import type { FindNearestSessions } from './candidates.ts'

/** Finds none if the file is missing or damaged: `doctor` reports that, and recall goes on without it. */
export const relatedIn =
  ({ files, layout }: Store): FindNearestSessions =>
  (query, words, wanted) => {
    if (query.moment !== 'prompt') return undefined
    try {
      const index = readJson<SessionFileIndex>(files, layout.worked)
      return index ? findRelatedSessions(index, query, words, wanted) : undefined
    } catch {
      return undefined
    }
  }
