// Finds the lasting rules in what a person types, without a model: instructions, bans, preferences, project facts that
// outlast the task. A few forms of language that hold in every project; where in doubt, nothing is found.
import type { KnowledgeScope, KnowledgeType, Trigger } from '../model/knowledge.ts'
import { pattern } from '../text/pattern.ts'
import { splitTypedClauses } from '../text/typedClauses.ts'
import { triggersOfRule } from './ruleTriggers.ts'
import { findEnglishRule, isOfProduct, isQuestion, isTemporary, shortenEnglish } from './typedRulesEnglish.ts'
import { findJapaneseRule, isJapanese, isTaskOrProduct, shortenJapanese } from './typedRulesJapanese.ts'

export interface TypedRule {
  /** What is shown later: the person's words without politeness, at most 25 words. */
  readonly line: string
  /** The clause exactly as typed. */
  readonly quote: string
  readonly type: KnowledgeType
  readonly scope: Extract<KnowledgeScope, 'person' | 'project'>
  readonly when: readonly Trigger[]
}

export interface TypedContext {
  /** It is the reason of a rejection or an answer: talk about the work at hand, where only the plainest forms count. */
  readonly reply?: boolean
  /** The prompt or the assistant's message just before it, which may announce a pasted text. */
  readonly before?: string | undefined
}

/** Rules of one prompt, at most: who gives more has pasted a document. */
const RULES_MAX = 6

/** A longer prompt, or one of several lines, is a task with details or a pasted text: only the plainest forms count. */
const TALK_CHARS_MAX = 300

/** The rules in a typed prompt, or in the reason of a rejection, in order. Usually none. */
export function findTypedRules(prompt: string, { before, reply = false }: TypedContext = {}): TypedRule[] {
  const clauses = splitTypedClauses(prompt, before)
  const isTalk = !reply && prompt.length <= TALK_CHARS_MAX && !prompt.trim().includes('\n')
  const isPersonal = clauses.some((clause) => IN_ALL_WORK.test(clause))
  const rules = clauses.flatMap((clause) => {
    if (TASK.test(clause) || (isJapanese(clause) ? isTaskOrProduct(clause) : isOfProduct(clause))) return []
    for (const quote of [clause, ...listParts(clause)]) {
      const isOfJapan = isJapanese(quote)
      const type = isOfJapan ? findJapaneseRule(quote, isTalk) : findEnglishRule(quote, isTalk)
      const line = type === undefined ? undefined : isOfJapan ? shortenJapanese(quote) : shortenEnglish(quote)
      if (type === undefined || line === undefined) continue
      const scope = isPersonal || OF_SELF.test(quote) ? 'person' : 'project'
      return [{ line, quote, type, scope, when: triggersOfRule(line) } as const]
    }
    return []
  })
  return rules.length > RULES_MAX ? [] : rules
}

/** The parts of a sentence in which a rule may stand beside something else, the longest first. */
function listParts(clause: string): string[] {
  if (isQuestion(clause.toLowerCase()) || isTemporary(clause) || HYPOTHETICAL.test(clause)) return []
  const ends = [...clause.matchAll(/,\s+(?:but |and |so |though )?|\s(?:but|so)\s|:\s|、/g)]
  const tails = ends.map(({ index, 0: gap }) => clause.slice(index + gap.length))
  const heads = isJapanese(clause) ? ends.map(({ index }) => clause.slice(0, index)).reverse() : []
  return [...tails, ...heads].filter((part) => part.length >= 8)
}

/** A task about one file, to look at something, or asked for politely: it ends with its session. */
const TASK = pattern(
  String.raw`^(?:please )?(?:(?:go|look) (?:through|over|at)\b(?!.*\b(?:always|never|every)\b)|(?:write|create|
      implement) (?:a |the )?\`?[\w./-]*\w\.[a-z]{1,4}\b|(?:can|could|would) you (?:please )?(?:also )?(?:review|check|
      look|add|fix|create|write|implement|explain|change|move|update|remove|run|find|rename|refactor|split|test|verify|
      compare)\b(?!.*\b(?:always|never|every|from now on)\b))`,
  'i',
)

/** What follows in such a sentence holds only under its condition, or is a thought. */
const HYPOTHETICAL = pattern(
  String.raw`^(?:and |so |but |then )*(?:if|when|where|because|becuase|while|unlike|let's(?! \w+ (?:this|on)\b)|
      i(?! (?:read|use|work|only|am on)\b)|i've|i'd)\b(?!'m)`,
  'i',
)

/** The speaker means all their work. */
const IN_ALL_WORK = pattern(
  String.raw`\b(?:in|for|across|on|goes for|with) (?:all|any|every|each)(?: of)?(?: my| the)? (?:other )?(?:projects?|
      repos?|repositories|codebases?)\b|\b(?:everywhere|wherever|whatever (?:project|repo)) (?:i|you)\b|(?:全|
      すべての|全ての|どの)(?:プロジェクト|リポジトリ|レポジトリ)|プロジェクト(?:を問わず|に関係なく|に限らず)`,
  'i',
)

/** How the assistant should speak with the speaker. */
const OF_SELF = pattern(
  String.raw`\bi (?:always|generally|personally)[, ]+(?:want|prefer|like|expect|need|work|use|write)\b|\b(?:answer|
      reply|respond|talk|speak|write) (?:to )?me\b|\b(?:answer|reply|respond|talk) (?:only )?in (?:plain|simple|
      short|brief|full|one|bullets?|english|japanese|chinese|korean|
      german|french|spanish|italian|portuguese|russian)\b|\bi (?:prefer|like|want) (?:\w+ ){0,2}(?:answers|replies|
      responses|explanations|summaries)\b|^(?:私|僕|
      俺|自分)(?:に|は|への|としては)|(?:私|僕|俺|自分)への?(?:回答|返事|返信|説明|報告)|(?:回答|返答|返事|返信|説明|
      やり取り|やりとり|会話)は.{0,12}(?:語|敬語|簡潔|短|手短|丁寧|箇条書き)`,
  'i',
)
