// The sessions whose work is near a prompt, from the small file that a session's end has written.
import { relatedSessions, type Worked } from '../../recall/worked.ts'
import { readJson } from '../../store/jsonRead.ts'
import type { Store } from '../store.ts'
import type { RelatedTo } from './candidates.ts'

/** None where nothing has been written, or it is damaged: `doctor` reports that, and words find what they find. */
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
