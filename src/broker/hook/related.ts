// Related: the sessions whose work stands near a prompt, from the small file that a session's end has written.
import type { Cue } from '../../model/cue.ts'
import { type Related, relatedSessions, type Worked } from '../../recall/worked.ts'
import { readJson } from '../../store/jsonRead.ts'
import type { Store } from '../store.ts'

/** Which sessions stand near a cue of these words, nearest first. */
export type RelatedTo = (cue: Cue, words: Iterable<string>) => readonly Related[]

/** None where nothing has been written, or it is damaged: `doctor` tells, and words find what they find. */
export const relatedIn =
  ({ files, layout }: Store): RelatedTo =>
  (cue, words) => {
    if (cue.moment !== 'prompt') return []
    try {
      const worked = readJson<Worked>(files, layout.worked)
      return worked ? relatedSessions(worked, cue, words) : []
    } catch {
      return []
    }
  }
