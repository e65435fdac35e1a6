// The ranges that a hook checks before it uses a policy. Separate from the schema, which hooks do not load.

/** Least and greatest value; both are allowed. */
type PolicyRange = readonly [min: number, max: number]

export const WEIGHT_RANGE: PolicyRange = [-1, 2]

export const MOMENT_RANGES = {
  topK: [1, 50],
  scoreMin: [-1, 4],
  relevanceMin: [0, 1],
  budgetTokens: [50, 2400],
} as const satisfies Readonly<Record<string, PolicyRange>>

export const isInPolicyRange = (value: unknown, [min, max]: PolicyRange): boolean =>
  typeof value === 'number' && value >= min && value <= max
