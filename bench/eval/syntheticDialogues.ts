// Synthetic dialogues of two people over some months, and questions about them with known answers. The vocabulary is
// part of this project, so weights fitted on it may be shipped. Different seeds give different dialogues.
import { type Random, seededRandom } from '../fixture/seededRandom.ts'
import {
  ENGLISH,
  fillTemplate,
  JAPANESE,
  type Language,
  type TemplateValues,
  type Topic,
} from './dialogueVocabulary.ts'
import type { CorpusDocument } from './importCorpus.ts'
import type { LabelledQuery, LabelledSet } from './labelledFiles.ts'
import { generateNotebook } from './syntheticNotes.ts'

const SESSIONS = 16
const THREADS_A_SESSION = 6
const DAY_MS = 86_400_000
const BEGIN_MS = Date.UTC(2024, 1, 3, 18)

/**
 * `count` dialogues, every third in Japanese, and half as many notebooks. The result depends only on count and seed.
 */
export function generateDialogues(count: number, seed: number): LabelledSet {
  const corpus: CorpusDocument[] = []
  const queries: LabelledQuery[] = []
  for (let i = 0; i < count; i++) {
    const dialogue = new Dialogue(`talk-${seed}-${i}`, seededRandom(seed * 1_000 + i), i % 3 === 2 ? JAPANESE : ENGLISH)
    corpus.push(...dialogue.corpus)
    queries.push(...dialogue.queries)
    if (i % 2 === 0)
      generateNotebook(`notes-${seed}-${i}`, seededRandom(seed * 2_000 + i), i % 4 === 2 ? JAPANESE : undefined, {
        corpus,
        queries,
      })
  }
  return { corpus, queries }
}

/** One dialogue while it is generated. */
class Dialogue {
  readonly corpus: CorpusDocument[] = []
  readonly queries: LabelledQuery[] = []
  readonly #conv: string
  readonly #chance: Random
  readonly #words: Language
  readonly #speakers: readonly [string, string]
  readonly #statements: {
    readonly who: 0 | 1
    readonly topic: Topic
    readonly thing: string
    readonly id: string
    readonly month: string
  }[] = []
  #session = 0
  #at = BEGIN_MS

  constructor(conv: string, chance: Random, words: Language) {
    this.#conv = conv
    this.#chance = chance
    this.#words = words
    const first = chance.below(words.names.length)
    const second = (first + 1 + chance.below(words.names.length - 1)) % words.names.length
    this.#speakers = [words.names[first]!, words.names[second]!]
    for (this.#session = 1; this.#session <= SESSIONS; this.#session++) {
      this.#at += (4 + chance.below(16)) * DAY_MS
      this.#say(0, chance.pick(words.greetings))
      this.#say(1, chance.pick(words.greetings))
      for (let thread = 0; thread < THREADS_A_SESSION; thread++) this.#thread(chance.below(2) as 0 | 1)
    }
    this.#askOfMonths()
  }

  #say(who: 0 | 1, text: string): string {
    const id = `${this.#conv}/${this.#session}:${this.corpus.length}`
    this.corpus.push({
      id,
      conv: this.#conv,
      session: `${this.#conv}/${this.#session}`,
      at: this.#at,
      speaker: this.#speakers[who],
      text,
    })
    return id
  }

  /** Adds a question about a statement. One in eight names the wrong speaker. */
  #ask(template: string, who: 0 | 1, thing: string, ...relevant: readonly string[]): void {
    const named = this.#chance.isOneIn(8) ? 1 - who : who
    const query = fillTemplate(template, { thing, name: this.#speakers[named]! })
    const id = `${this.#conv}/q${this.queries.length}`
    this.queries.push({ id, conv: this.#conv, query, at: undefined, relevant })
  }

  /** One speaker makes a statement, the other asks about it or makes a remark; some statements get a question. */
  #thread(who: 0 | 1): void {
    const [chance, words] = [this.#chance, this.#words]
    const other = who === 0 ? 1 : 0
    const topic = chance.pick(words.topics)
    const thing = chance.pick(topic.things)
    // If the speaker said it twice, a question about it would have two answers.
    if (this.#statements.some((known) => known.who === who && known.thing === thing)) return
    const when = chance.pick(words.times)
    const statement = this.#say(
      who,
      fillTemplate(chance.pick(topic.statements), { thing, when, lead: chance.pick(words.openings) }),
    )
    if (chance.isOneIn(3)) this.#ask(topic.whenQuestion, who, thing, statement)
    this.#statements.push({ who, topic, thing, id: statement, month: words.monthOf(new Date(this.#at)) })
    if (chance.isOneIn(4)) this.#say(other, fillTemplate(chance.pick(words.echoes), { thing }))
    const detail = chance.pick(topic.details)
    if (chance.isOneIn(2)) {
      this.#say(other, fillTemplate(detail.followUp, { thing }))
      const answer = this.#say(who, fillTemplate(chance.pick(detail.answers), this.#templateValues()))
      if (chance.isOneIn(2)) this.#ask(detail.question, who, thing, answer)
    } else {
      const more = this.#say(
        who,
        `${fillTemplate(chance.pick(detail.answers), this.#templateValues())} ${chance.pick(words.remarks)}`,
      )
      if (chance.isOneIn(3)) this.#ask(detail.question, who, thing, more)
    }
    if (chance.isOneIn(2)) this.#say(other, fillTemplate(chance.pick(words.remarks), {}))
    // The other speaker has the same thing, and no question is about that. So the name in a question matters.
    if (chance.isOneIn(3))
      this.#say(other, fillTemplate(chance.pick(words.sameHere), { thing, ...this.#templateValues() }))
  }

  /** Adds questions for what a speaker did in a month; all statements on the topic answer them. */
  #askOfMonths(): void {
    for (const { who, topic, month } of this.#statements) {
      if (!this.#chance.isOneIn(6)) continue
      const all = this.#statements.filter(
        (other) => other.who === who && other.topic === topic && other.month === month,
      )
      this.#ask(fillTemplate(topic.whatQuestion, { date: month }), who, '', ...all.map(({ id }) => id))
    }
  }

  #templateValues(): TemplateValues {
    const [chance, words] = [this.#chance, this.#words]
    return {
      place: chance.pick(words.places),
      friend: chance.pick(words.friends),
      count: String(2 + chance.below(30)),
      reason: chance.pick(words.reasons),
    }
  }
}
