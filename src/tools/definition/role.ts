// The role of a tool's caller. It is set when a server or command starts; a call cannot change it.

export const ROLES = ['worker', 'admin', 'owner'] as const

/** The role of a tool's caller, from the fewest rights to the most. */
export type Role = (typeof ROLES)[number]
