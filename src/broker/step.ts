// Step: the policy's next one, as the event that takes it. The same from a session's end and from labelled lessons.
import { nextStep } from '../improve/learn.ts'
import type { EventOf } from '../model/event.ts'
import type { SessionId } from '../model/id.ts'
import { ownEvent } from './ownEvent.ts'
import { SHIPPED } from './policy/served.ts'
import { chosenIn } from './view/foldPolicy.ts'
import type { View } from './view/view.ts'

/** The step due by what the view has judged; undefined where nothing should move, or a person has frozen it. */
export function stepOf(view: View, now: number, session?: SessionId): EventOf<'policy.changed'> | undefined {
  const { judged, learned, frozen } = view
  const step = frozen ? undefined : nextStep(judged, chosenIn(view, SHIPPED), learned)
  if (!step) return undefined
  const version = learned.version + 1
  return {
    ...ownEvent(['policy.changed', String(version)], now, session),
    ...{ kind: 'policy.changed', version, by: 'improve', ...step },
  }
}
