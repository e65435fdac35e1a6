// What a statement is about: its terms without the words that only say how it is meant.
import { extractTerms } from '../terms/extractTerms.ts'
import { stem } from '../terms/stem.ts'

const TERMS_MAX = 12

/** Words of modality, thinking and politeness: they do not say what a statement is about. */
const EMPTY_WORDS = new Set(
  (
    'always never should must need want prefer please make sure use using used instead rather like would think guess ' +
    'feel actually really only also now let lets let’s get go going know see keep put still just even every time ' +
    'yes ok okay sure right wrong correct idea thing way bit lot maybe remember note mind future forward default ' +
    'sorry said say mean meant don doesn didn isn aren won wouldn shouldn can could may might better best ' +
    'good great nice one two first second able possible probably sense ones anymore already yeah hmm wonder ' +
    'forget about longer allowed avoid stop again immer nie niemals bitte nicht kein keine wir ich muss soll sollte ' +
    'verwende verwenden toujours jamais utilise utiliser utilisez nous faut pas siempre nunca usa usar hay que'
  )
    .split(' ')
    .map((word) => stem(word)),
)
/** Runs of kanji, of katakana, and of Latin letters inside Japanese. */
const JAPANESE_RUN = /[\u3005\u4e00-\u9fff]{2,}|[\u30a1-\u30f6\u30fc]{2,}|[A-Za-z][\w.+#-]*/g
const EMPTY_RUNS = new Set(
  '今後 常 必ず 毎回 絶対 決 原則 基本 使用 利用 今回 全部 全 場合 時 お願 必要 禁止 方 以後 二度 今 次回 件'.split(
    ' ',
  ),
)

/** The distinct terms, in order, at most 12: stems of Latin words, runs of kanji or katakana, pairs of Chinese. */
export function listSubjectTerms(text: string): readonly string[] {
  const terms = /[\u3040-\u30ff]/.test(text)
    ? (text.match(JAPANESE_RUN) ?? []).map((run) => run.toLowerCase()).filter((run) => !EMPTY_RUNS.has(run))
    : extractTerms(text).filter((term) => term.length > 1 && !/^\d$/.test(term) && !EMPTY_WORDS.has(term))
  return [...new Set(terms)].slice(0, TERMS_MAX)
}
