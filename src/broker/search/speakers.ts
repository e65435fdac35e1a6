// Speakers: whose names a question says. The store knows the names: they are the agents of its memories.
import { namesMaybeIn, speakerTerm } from '../../recall/terms.ts'
import type { Shelf } from '../../store/shelf.ts'

/** The names in the text that some memory's agent has, in lower case. */
export function speakersIn(text: string, shelf: Shelf): string[] {
  const names = namesMaybeIn(text)
  const known = shelf.knows(names.map(speakerTerm))
  return names.filter((_, i) => known[i])
}
