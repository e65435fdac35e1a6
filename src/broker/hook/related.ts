// Related: the sessions whose work stands near a prompt, from the small file that a session's end has written.
import type { Cue } from '../../model/cue.ts'
import { type Related, relatedSessions, type Worked } from '../../recall/worked.ts'
import { readJson } from '../../store/jsonRead.ts'
import { queryTermsOf } from '../../text/words.ts'
import type { Store } from '../store.ts'

/** Nearest first; none where nothing has been written, or it is damaged: `doctor` tells, and words find what they find. */
export function relatedFor({ files, layout }: Store, cue: Cue): readonly Related[] {
  if (cue.moment !== 'prompt') return []
  try {
    const worked = readJson<Worked>(files, layout.worked)
    return worked ? relatedSessions(worked, cue, queryTermsOf(cue.text).keys()) : []
  } catch {
    return []
  }
}
