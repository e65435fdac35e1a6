// Provenance: whose words a text is. It decides what may be injected where, and how a note names it.

/**
 * person: typed by the person, outside of pasted parts. assistant: written by the model. tool: memctl or the client
 * made it, without words of others. outside: output, errors, files, pages, what was pasted, and what repeats these.
 * team: typed by a person of the team on a machine of their own; it came through the hub.
 */
export const PROVENANCES = ['person', 'assistant', 'tool', 'outside', 'team'] as const
export type Provenance = (typeof PROVENANCES)[number]
