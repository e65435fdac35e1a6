// Synthetic notebooks: longer notes, several of which have one topic and share its words, and questions with some
// words of a note.
import type { Random } from '../fixture/seededRandom.ts'
import { randomSentence, randomWord } from '../fixture/syntheticText.ts'
import { fillTemplate, type Language } from './dialogueVocabulary.ts'
import type { CorpusDocument } from './importCorpus.ts'
import type { LabelledQuery } from './labelledFiles.ts'

const TOPICS = 30
const NOTES_PER_TOPIC = 5
const SENTENCES_MIN = 4
const DAY_MS = 86_400_000
const BEGIN_MS = Date.UTC(2024, 1, 3, 18)

/** Adds a notebook and its questions to a corpus; about programming if `language` is undefined. */
export function generateNotebook(
  conv: string,
  chance: Random,
  language: Language | undefined,
  { corpus, queries }: { corpus: CorpusDocument[]; queries: LabelledQuery[] },
): void {
  for (let topic = 0; topic < TOPICS; topic++) {
    const style = language ? languageStyle(language, chance) : programmingStyle(chance)
    for (let note = 0; note < NOTES_PER_TOPIC; note++) {
      const id = `${conv}/${topic}:${note}`
      const sentences = Array.from({ length: SENTENCES_MIN + chance.below(6) }, style.sentence)
      const at = BEGIN_MS + topic * DAY_MS
      corpus.push({ id, conv, session: `${conv}/${topic}`, at, speaker: undefined, text: sentences.join(style.gap) })
      if (!chance.isOneIn(3)) continue
      const query = style.ask(chance.pick(sentences))
      queries.push({ id: `${conv}/q${queries.length}`, conv, query, at: undefined, relevant: [id] })
    }
  }
}

interface NoteStyle {
  readonly gap: string
  sentence(): string
  /** A question with some words of the sentence and of the topic. */
  ask(sentence: string): string
}

function programmingStyle(chance: Random): NoteStyle {
  const own = Array.from({ length: 4 }, () => randomWord(chance))
  return {
    gap: ' ',
    sentence: () =>
      `${randomSentence(chance, 5 + chance.below(8)).slice(0, -1)} ${chance.pick(own)} ${chance.pick(own)}.`,
    ask: (sentence) => {
      const words = sentence.split(/\W+/).filter((part) => part.length > 3)
      return `What about ${chance.pick(own)} and ${Array.from({ length: 3 }, () => chance.pick(words)).join(' ')}?`
    },
  }
}

const JAPANESE_SENTENCES = [
  '{thing}は{place}で{count}年前から使われている',
  '{friend}が{place}に{thing}を残したのは{reason}ためである',
  '{place}では{other}と{thing}が並んで売られ、{count}人が集まる',
  '{thing}の作り方は{friend}の家に伝わり、{other}にも似ている',
  '{reason}ので、{place}の人々は{thing}を好む',
]

function languageStyle(language: Language, chance: Random): NoteStyle {
  const things = language.topics.flatMap((topic) => topic.things)
  const thing = chance.pick(things)
  return {
    gap: '。',
    sentence: () =>
      fillTemplate(chance.pick(JAPANESE_SENTENCES), {
        thing,
        other: chance.pick(things),
        place: chance.pick(language.places),
        friend: chance.pick(language.friends),
        reason: chance.pick(language.reasons),
        count: String(2 + chance.below(400)),
      }),
    ask: (sentence) => `${sentence.slice(0, 6 + chance.below(Math.max(1, sentence.length - 6)))}のはどうしてですか？`,
  }
}
