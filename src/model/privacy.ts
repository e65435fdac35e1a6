// Who may see a memory. The first promise: no one is shown what they may not see.

export const PRIVACY_LEVELS = ['private', 'agent-only', 'public'] as const

/** Seed 003: private is for its own agent, agent-only for agents of the same kind (role), public for every agent. */
export type Privacy = (typeof PRIVACY_LEVELS)[number]

/** Whose eyes: an agent of a role. The main conversation is role `main` with no agent id. */
export interface Viewer {
  readonly role: string
  readonly agentId?: string | undefined
  readonly session?: string | undefined
}

/** What of a memory decides who may see it. */
export interface VisibilityFields {
  readonly privacy: Privacy
  readonly role: string
  readonly agentId?: string | undefined
  readonly session?: string | undefined
}

/** Days after which a level opens to the next one; null or none: it never opens. */
export interface PrivacyReleaseDays {
  readonly privateToAgentOnly?: number | null | undefined
  readonly agentOnlyToPublic?: number | null | undefined
}

/**
 * Whether `reader` may see it. Private means the very same agent; the main conversation has no id, so for it
 * private means the same session.
 */
export function canSee(viewer: Viewer, guarded: VisibilityFields): boolean {
  switch (guarded.privacy) {
    case 'public':
      return true
    case 'agent-only':
      return viewer.role === guarded.role
    case 'private':
      if (viewer.role !== guarded.role) return false
      return guarded.agentId === undefined ? viewer.session === guarded.session : viewer.agentId === guarded.agentId
  }
}
