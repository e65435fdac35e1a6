// Related: the sessions whose work stands near a prompt, from the small file that a session's end has written.
import { relatedSessions, type Worked } from '../../recall/worked.ts'
import { readJson } from '../../store/jsonRead.ts'
import type { RelatedTo } from '../search/candidates.ts'
import type { Store } from '../store.ts'

/** None where nothing has been written, or it is damaged: `doctor` tells, and words find what they find. */
export const relatedIn =
  ({ files, layout }: Store): RelatedTo =>
  (cue, words, wanted) => {
    if (cue.moment !== 'prompt') return undefined
    try {
      const worked = readJson<Worked>(files, layout.worked)
      return worked ? relatedSessions(worked, cue, words, wanted) : undefined
    } catch {
      return undefined
    }
  }
