// The sleep phase (seed 000): what one task takes of strength, for who counts by tasks and not by days.
import type { Memory } from '../model/memory.ts'
import type { StrengthPolicy } from '../model/strength.ts'
import { applyStrengthChange, taskDecayChange } from '../model/strengthReducer.ts'
import { toMemoryTable } from './memoryTable.ts'
import type { MemoryMap } from './sessionSlice.ts'

/**
 * The experiences after one task: weaker by its rate, at the level of their uses, archived where they are too weak. Days begin to
 * count anew at `at`, ISO: a time is never taken off twice. What a person took back from the archive is not sent there again.
 */
export function applyTaskDecay(known: MemoryMap, policy: StrengthPolicy, at: string): Memory[] {
  return toMemoryTable(known)
    .listDecayingExperiences()
    .filter((memory) => memory.status === 'active')
    .map((memory) => {
      const later = applyStrengthChange(memory, taskDecayChange(memory, policy), at)
      const tooWeak = later.strength <= policy.archiveAt && !memory.archiveExempt
      return tooWeak ? applyStrengthChange(later, { status: 'archived' }, at) : later
    })
}
