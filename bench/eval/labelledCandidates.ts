// Labelled questions with their candidates and features, as the store's own recall returns them: the data that
// weights are fitted on.
import { askEach, rankFor } from './conversations.ts'
import type { LabelledCandidates } from './fitWeights.ts'
import type { LabelledSet } from './labelledFiles.ts'

/** Ranks the candidates of each question that has an answer; `onStep` is called after each. */
export function collectCandidates(
  { corpus, queries }: LabelledSet,
  now: number,
  onStep: (conv: string) => void = () => {},
): LabelledCandidates[] {
  const collected: LabelledCandidates[] = []
  const answerable = queries.filter(({ relevant }) => relevant.length > 0)
  askEach({ corpus, queries: answerable }, now, (conversation, query) => {
    const { conv, relevant } = query
    const ranking = rankFor(conversation, query, 0)
    const candidates = ranking.map(({ id, features }) => ({
      features,
      relevant: relevant.includes(conversation.ids.get(id)!),
    }))
    collected.push({ conv, candidates, relevantCount: relevant.length })
    onStep(conv)
  })
  return collected
}
