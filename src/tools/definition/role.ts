// Who calls a tool, as the door was opened: never what a call says of itself.

/** From the least rights to the most. */
export const ROLES = ['worker', 'admin', 'owner'] as const
export type Role = (typeof ROLES)[number]
