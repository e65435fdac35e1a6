// What a note and a list say of a memory that a team shares: who learned it, and how many people have met it.
import type { Memory } from '../model/memory.ts'

/**
 * `learned by Aki; 3 people met it`, between `before` and `after`. Empty, without these, for a memory that no team
 * shares, or that only this machine has.
 */
export function teamText(
  memory: Pick<Memory, 'team' | 'knowledge'> & { readonly isSaid?: boolean },
  before = '',
  after = '',
): string {
  const { team, knowledge, isSaid = knowledge && knowledge.type !== 'fact' && knowledge.type !== 'lesson' } = memory
  if (!team || (team.own && team.people < 2 && !team.isTheirs)) return ''
  const said = isSaid ? 'said' : undefined
  const met = team.people > 1 ? `; ${team.people} people ${said ?? 'met'} it` : ''
  return `${before}${said ?? 'learned'} by ${team.by}${met}${after}`
}

/** Whether the words are those of a teammate. */
export const isFromTeam = ({ team }: Pick<Memory, 'team'>): boolean => team?.own === false || team?.isTheirs === true
