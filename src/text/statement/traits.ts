// Traits: what a clause says by its grammar, the same names in every language. A rule for each language finds them.

/**
 * Obligation: duty (must, should), ban (do not), always (from now on, every time), rule (begins as a rule does: use,
 * prefer, always), standard (default, convention), onlyOne (only, just), general (about all of a kind).
 * Attitude: wish (I want), opinion (I think), doubt (I wonder), denial (no, not correct), consent (yes), aim (the idea
 * is), proposal (let's), choice (option 2), replacing (instead of), contrast (but), keep (remember that), forget.
 * Work: request (can you), task (a verb that starts one piece of work), report (what just happened), interim (for now),
 * onceOnly (just tell me, this file, the last one).
 * Form: asking, tag (", right?"), rhetorical (why aren't we), why, definition (X is Y), condition (if), reason
 * (because), past, negated, able (can), known (already), vague (begins with it, this).
 * Persons: we, me, you, others (users, someone).
 */
export const TRAITS = [
  'duty',
  'ban',
  'always',
  'wish',
  'proposal',
  'denial',
  'contrast',
  'reason',
  'definition',
  'condition',
  'opinion',
  'aim',
  'request',
  'asking',
  'report',
  'task',
  'consent',
  'vague',
  'interim',
  'keep',
  'forget',
  'onlyOne',
  'standard',
  'we',
  'me',
  'you',
  'others',
  'past',
  'negated',
  'doubt',
  'able',
  'why',
  'known',
  'choice',
  'replacing',
  'tag',
  'rhetorical',
  'rule',
  'onceOnly',
  'general',
] as const
export type Trait = (typeof TRAITS)[number]

/** A pattern for each trait that a language has; tested on lower-case text with straight quotes. */
export type TraitPatterns = { readonly [Name in Trait]?: RegExp }
