// The sessions whose work is near a prompt, from the small file that a session's end has written.
import { findRelatedSessions, type SessionFileIndex } from '../../recall/sessionFileIndex.ts'
import { readJson } from '../../store/disk/readJson.ts'
import type { Store } from '../open/openStore.ts'
import type { FindNearestSessions } from './candidates.ts'

/** None where nothing has been written, or it is damaged: `doctor` reports that, and words find what they find. */
export const relatedIn =
  ({ files, layout }: Store): FindNearestSessions =>
  (query, words, wanted) => {
    if (query.moment !== 'prompt') return undefined
    try {
      const worked = readJson<SessionFileIndex>(files, layout.worked)
      return worked ? findRelatedSessions(worked, query, words, wanted) : undefined
    } catch {
      return undefined
    }
  }
