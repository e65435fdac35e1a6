// The sleep phase (seed 000): what one task takes of strength, for who counts by tasks and not by days.
import type { Memory } from '../model/memory.ts'
import type { StrengthPolicy } from '../model/strength.ts'
import { applyStrengthChange, taskDecayChange } from '../model/strengthReducer.ts'
import type { Known } from './part.ts'
import { rememberedIn } from './remembered.ts'

/**
 * The experiences after one task: weaker by its rate, at the level of their uses, archived where they are too weak. Days begin to
 * count anew at `at`, ISO: a time is never taken off twice. What a person took back from the archive is not sent there again.
 */
export function slept(known: Known, policy: StrengthPolicy, at: string): Memory[] {
  return rememberedIn(known)
    .experiences()
    .filter((memory) => memory.status === 'active')
    .map((memory) => {
      const later = applyStrengthChange(memory, taskDecayChange(memory, policy), at)
      const tooWeak = later.strength <= policy.archiveAt && !memory.archiveExempt
      return tooWeak ? applyStrengthChange(later, { status: 'archived' }, at) : later
    })
}
