// Intent: what a person's prompt signals beyond its task, in English and Japanese. Precision before recall: a wrong
// preference is worse than a missed one.
import { splitSentences } from '../excerpt.ts'
import { selectEnglishRules, skipFillers } from './englishSignalRules.ts'
import { selectJapaneseRules } from './japaneseSignalRules.ts'
import type { SignalKind } from './signalRule.ts'

export interface UserSignal {
  readonly kind: SignalKind
  /** The sentence to keep, at most 400 characters. */
  readonly text: string
}

const TEXT_CHARS_MAX = 400
/** A longer sentence was pasted, or is a line of a log. */
const SENTENCE_CHARS_MAX = 600
/** Of a longer prompt both ends are read, this much each; the rest was pasted. */
const END_CHARS = 4000
/** Of many sentences only the first and last this many are the person's own words. */
const OWN_SENTENCES = 6

/** The signals of a prompt, in order; one sentence gives one signal. Questions, code, quotes and pasted text give none. */
export function detectUserSignals(prompt: string): readonly UserSignal[] {
  if (NOT_TYPED.test(prompt)) return []
  const sentences = ownSentences(prompt)
  const found: UserSignal[] = []
  sentences.forEach((sentence, i) => {
    if (sentence.length > SENTENCE_CHARS_MAX || /[?？]["')」）]?$|^["'“‘「『`([]/.test(sentence)) return
    // A person reacts at the beginning of a prompt, or, in thanks, at its end; a heading of what follows is no reaction.
    const reacts = (i < 2 || i === sentences.length - 1) && !/[:：]$/.test(sentence)
    const kind = kindOf(sentence.toLowerCase().replaceAll('’', "'"), reacts)
    if (kind) found.push({ kind, text: sentence.slice(0, TEXT_CHARS_MAX) })
  })
  return found
}

const REACTIONS: readonly SignalKind[] = ['correction', 'thanks', 'complaint']

function kindOf(said: string, reacts: boolean): SignalKind | undefined {
  const japanese = /[\u3040-\u30ff\u4e00-\u9fff]/.test(said)
  const opening = japanese ? said : skipFillers(said)
  const rules = japanese ? selectJapaneseRules(said) : selectEnglishRules(opening)
  return rules.find(([kind, pattern]) => (reacts || !REACTIONS.includes(kind)) && pattern.test(opening))?.[0]
}

/** Prompts nobody typed: a client's own texts, a skill's, a summary of an earlier session. */
const NOT_TYPED =
  /^\s*(?:\[Request interrupted|<(?:task-notification|command-|local-command|system-reminder|bash-)|Caveat: The messages below|This session is being continued|Base directory for this skill|Implement the following plan)/
/** Lines that are quoted, logged, tabular, code or a diff. */
const NOT_SAID =
  /^\s*(?:[>$|<{}[+#]|at |\d+\s*[|:]|[A-Z]{2,}:|\/\/|\/?\*|-{2,}|@@|\d{4}[-/]\d\d|\w+[:(]\d+|(?:import|const|let|func|def|class|return|var) )/
const BARE_NO = /^(?:no|nope|wrong|that'?s wrong|違います|違う|いいえ|いや)[.!。！]$/i

/** What the person wrote, sentence by sentence: without blocks of code, quotes and tags, and the middle of a long prompt. */
function ownSentences(prompt: string): readonly string[] {
  const ends = prompt.length > 2 * END_CHARS ? `${prompt.slice(0, END_CHARS)}\n\n${prompt.slice(-END_CHARS)}` : prompt
  const said = (ends.includes('</') ? ends.replace(/<([a-z][\w-]*)[^<>]*>[^<]*<\/\1>/g, '\n') : ends)
    .split('\n')
    .filter((line) => line.startsWith('```') || !NOT_SAID.test(line))
    .join('\n')
  const sentences: string[] = []
  for (const sentence of splitSentences(said)) {
    const before = sentences.at(-1)
    // "No. Use X instead." is one reaction.
    if (before !== undefined && BARE_NO.test(before)) sentences[sentences.length - 1] = `${before} ${sentence}`
    else sentences.push(sentence)
  }
  return sentences.length <= 2 * OWN_SENTENCES
    ? sentences
    : [...sentences.slice(0, OWN_SENTENCES), ...sentences.slice(-OWN_SENTENCES)]
}
