// Provenance: whose words a text is. It decides what may be injected where, and how a note names it.

/**
 * person: typed by the person, outside of pasted parts. assistant: written by the model. tool: memctl or the client
 * made it, without words of others. outside: output, errors, files, pages, what was pasted, and what repeats these.
 */
export const PROVENANCES = ['person', 'assistant', 'tool', 'outside'] as const
export type Provenance = (typeof PROVENANCES)[number]
