// The sections of a policy: what each part of the numbers is for.

/** The comments above the sections of a policy file. */
export const POLICY_SECTIONS: Readonly<Record<string, string>> = {
  importance: 'Importance: how much a memory is worth keeping. Weights of its six terms, which add up to 1.',
  recall: 'Recall: what is shown, and when nothing is shown.',
  'recall.weights': 'Ranking at work: score = sum of weight × feature; features are 0 to 1.',
  'recall.prompted': 'Ranking at a prompt: the same features, and the work of a memory’s session.',
  'recall.asked': 'Ranking for a question in words: the same features, and those that only questions have.',
  'recall.boosts': 'Boosts: added if they apply.',
  'recall.moments':
    'What each moment may show: session start, prompt, tool call, failure, subagent start, request (ask).',
  knowledge: 'Knowledge: which entries are shown unasked, and when one retires.',
  silence: 'Silence: when nothing is injected, or less.',
  expansion: 'Expansion: what a query finds beside the words it says.',
  strength: 'Strength: how well a memory is consolidated by use.',
  tiers: 'Tiers: hot, warm, cold.',
  improve: 'Improve: what is learned, and on which evidence.',
  'improve.contribution': 'Contribution: weights of its four parts.',
  privacy: 'Privacy: timed release, private → agent-only → public.',
  team: 'Team: what the machines of a team share through a hub, if one is configured.',
}
