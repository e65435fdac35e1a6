// Visibility: who may see a memory. The first promise is that nobody sees what they may not see.

export const PRIVACY_LEVELS = ['private', 'agent-only', 'public'] as const

/** private: its own agent. agent-only: agents of the same role. public: every agent (self-improving-cycle spec). */
export type Privacy = (typeof PRIVACY_LEVELS)[number]

/** What only its own agent sees: no list, no count and no report has it. */
export const isPrivate = ({ privacy }: Pick<VisibilityFields, 'privacy'>): boolean => privacy === 'private'

/**
 * For whom something is that is not private: '' for everyone, else the role whose agents see it. What is derived has
 * the audience of its sources, so sources of two audiences give two memories.
 */
export const audienceOf = ({ privacy, role }: Pick<VisibilityFields, 'privacy' | 'role'>): string =>
  privacy === 'public' ? '' : role

export const isMorePrivate = (a: Privacy, b: Privacy): boolean => PRIVACY_LEVELS.indexOf(a) < PRIVACY_LEVELS.indexOf(b)

/** The agent for which something is recalled. The main conversation has role `main` and no agent id. */
export interface Viewer extends Omit<VisibilityFields, 'privacy'> {
  /** The person at the command line, who asked for private memories: sees everything. */
  readonly isPerson?: true | undefined
}

/** The fields of a memory that decide who may see it. */
export interface VisibilityFields {
  readonly privacy: Privacy
  readonly role: string
  readonly agentId?: string | undefined
  readonly session?: string | undefined
}

/** Days after which a level opens to the next one; null or absent: never. */
export interface PrivacyReleaseDays {
  readonly privateToAgentOnly?: number | null | undefined
  readonly agentOnlyToPublic?: number | null | undefined
}

/**
 * Whether `viewer` may see it. Private means the same agent; the main conversation has no agent id, so for it
 * private means the same session. What has neither is visible to nobody.
 */
export function canSee(viewer: Viewer, fields: VisibilityFields): boolean {
  if (viewer.isPerson) return true
  switch (fields.privacy) {
    case 'public':
      return true
    case 'agent-only':
      return viewer.role === fields.role
    case 'private':
      if (viewer.role !== fields.role) return false
      if (fields.agentId !== undefined) return viewer.agentId?.toLowerCase() === fields.agentId.toLowerCase()
      return fields.session !== undefined && viewer.agentId === undefined && viewer.session === fields.session
  }
}
