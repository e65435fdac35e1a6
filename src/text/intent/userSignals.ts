// User signals: what a prompt says beyond its task, in English and Japanese. Precision before recall: a wrong
// preference is worse than a missed one.
import type { PromptSignal } from '../../model/event.ts'
import { isClientPrompt } from '../clientPrompt.ts'
import { splitSentences } from '../excerpt.ts'
import { selectEnglishRules, skipFillers } from './englishSignalRules.ts'
import { selectJapaneseRules } from './japaneseSignalRules.ts'

/** The text of a signal. */
const TEXT_CHARS_MAX = 400
/** A longer sentence is pasted text or a line of a log. */
const SENTENCE_CHARS_MAX = 600
/** Of a longer prompt both ends are read, this much each; the middle is pasted text. */
const END_CHARS = 4000
/** Of many sentences only this many at both ends are the user's own words. */
const TYPED_SENTENCES = 6

/** The signals of a prompt, in order, at most one per sentence. Questions, code, quotes and pasted text give none. */
export function detectUserSignals(prompt: string): readonly PromptSignal[] {
  if (isClientPrompt(prompt) || COMMAND_OR_PLAN.test(prompt)) return []
  const sentences = splitTypedSentences(prompt)
  const signals: PromptSignal[] = []
  sentences.forEach((sentence, i) => {
    if (sentence.length > SENTENCE_CHARS_MAX || /[?？]["')」）]?$|^["'“‘「『`([]/.test(sentence)) return
    // A reaction is at the beginning or the end of a prompt; a heading is none.
    const canBeReaction = (i < 2 || i === sentences.length - 1) && !/[:：]$/.test(sentence)
    const kind = classifySentence(sentence.toLowerCase().replaceAll('’', "'"), canBeReaction)
    if (kind) signals.push({ kind, text: sentence.slice(0, TEXT_CHARS_MAX) })
  })
  return signals
}

const REACTIONS: readonly PromptSignal['kind'][] = ['correction', 'thanks', 'complaint']

function classifySentence(sentence: string, canBeReaction: boolean): PromptSignal['kind'] | undefined {
  const isJapanese = /[\u3040-\u30ff\u4e00-\u9fff]/.test(sentence)
  const opening = isJapanese ? sentence : skipFillers(sentence)
  const rules = isJapanese ? selectJapaneseRules(sentence) : selectEnglishRules(opening)
  return rules.find(([kind, pattern]) => (canBeReaction || !REACTIONS.includes(kind)) && pattern.test(opening))?.[0]
}

/** Commands of memctl, and an approved plan: their sentences are no reactions. */
const COMMAND_OR_PLAN = /^\s*(?:\/memctl:|Implement the following plan)/
/** Lines of quotes, logs, tables, code or diffs. */
const PASTED_LINE =
  /^\s*(?:[>$|<{}[+#]|at |\d+\s*[|:]|[A-Z]{2,}:|\/\/|\/?\*|-{2,}|@@|\d{4}[-/]\d\d|\w+[:(]\d+|(?:import|const|let|func|def|class|return|var) )/
const BARE_NO = /^(?:no|nope|wrong|that'?s wrong|違います|違う|いいえ|いや)[.!。！]$/i

/** The sentences that the user typed: without code, quotes, tags and the middle of a long prompt. */
function splitTypedSentences(prompt: string): readonly string[] {
  const ends = prompt.length > 2 * END_CHARS ? `${prompt.slice(0, END_CHARS)}\n\n${prompt.slice(-END_CHARS)}` : prompt
  const typed = (ends.includes('</') ? ends.replace(/<([a-z][\w-]*)[^<>]*>[^<]*<\/\1>/g, '\n') : ends)
    .split('\n')
    .filter((line) => line.startsWith('```') || !PASTED_LINE.test(line))
    .join('\n')
  const sentences: string[] = []
  for (const sentence of splitSentences(typed)) {
    const before = sentences.at(-1)
    // "No. Use X instead." is one reaction.
    if (before !== undefined && BARE_NO.test(before)) sentences[sentences.length - 1] = `${before} ${sentence}`
    else sentences.push(sentence)
  }
  return sentences.length <= 2 * TYPED_SENTENCES
    ? sentences
    : [...sentences.slice(0, TYPED_SENTENCES), ...sentences.slice(-TYPED_SENTENCES)]
}
