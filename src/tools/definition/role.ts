// The role of a tool's caller. It is set when a server or command starts; a call cannot change it.

/** From the fewest rights to the most. */
export const ROLES = ['worker', 'admin', 'owner'] as const
export type Role = (typeof ROLES)[number]
