// Synthetic dialogues: two people talk over some months, and there are questions about it with known answers. We wrote
// the words ourselves, so weights fitted on them may be shipped. Each seed gives other dialogues.
import { type Random, seededRandom } from '../../src/cli/bench/seededRandom.ts'
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

/** `count` dialogues, every third in Japanese, and half as many notebooks. The same seed gives the same. */
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
    readonly matter: Topic
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

  /** A question about what somebody said. One in eight names the wrong speaker. */
  #ask(asked: string, who: 0 | 1, thing: string, ...relevant: readonly string[]): void {
    const named = this.#chance.isOneIn(8) ? 1 - who : who
    const query = fillTemplate(asked, { thing, name: this.#speakers[named]! })
    const id = `${this.#conv}/q${this.queries.length}`
    this.queries.push({ id, conv: this.#conv, query, at: undefined, relevant })
  }

  /** One speaker tells something; the other asks about it or says something else; some of it gets a question. */
  #thread(who: 0 | 1): void {
    const [chance, words] = [this.#chance, this.#words]
    const other = who === 0 ? 1 : 0
    const matter = chance.pick(words.topics)
    const thing = chance.pick(matter.things)
    // Said twice, a question about it would have two answers.
    if (this.#statements.some((known) => known.who === who && known.thing === thing)) return
    const when = chance.pick(words.times)
    const statement = this.#say(
      who,
      fillTemplate(chance.pick(matter.statements), { thing, when, lead: chance.pick(words.openings) }),
    )
    if (chance.isOneIn(3)) this.#ask(matter.whenQuestion, who, thing, statement)
    this.#statements.push({ who, matter, thing, id: statement, month: words.monthOf(new Date(this.#at)) })
    if (chance.isOneIn(4)) this.#say(other, fillTemplate(chance.pick(words.echoes), { thing }))
    const detail = chance.pick(matter.details)
    if (chance.isOneIn(2)) {
      this.#say(other, fillTemplate(detail.followUp, { thing }))
      const answer = this.#say(who, fillTemplate(chance.pick(detail.answers), this.#fillings()))
      if (chance.isOneIn(2)) this.#ask(detail.question, who, thing, answer)
    } else {
      const more = this.#say(
        who,
        `${fillTemplate(chance.pick(detail.answers), this.#fillings())} ${chance.pick(words.remarks)}`,
      )
      if (chance.isOneIn(3)) this.#ask(detail.question, who, thing, more)
    }
    if (chance.isOneIn(2)) this.#say(other, fillTemplate(chance.pick(words.remarks), {}))
    // The other speaker has the same, and no question is about it: so the name in a question matters.
    if (chance.isOneIn(3)) this.#say(other, fillTemplate(chance.pick(words.sameHere), { thing, ...this.#fillings() }))
  }

  /** What somebody did in a month: everything of that kind is an answer. */
  #askOfMonths(): void {
    for (const { who, matter, month } of this.#statements) {
      if (!this.#chance.isOneIn(6)) continue
      const all = this.#statements.filter(
        (other) => other.who === who && other.matter === matter && other.month === month,
      )
      this.#ask(fillTemplate(matter.whatQuestion, { date: month }), who, '', ...all.map(({ id }) => id))
    }
  }

  #fillings(): TemplateValues {
    const [chance, words] = [this.#chance, this.#words]
    return {
      place: chance.pick(words.places),
      friend: chance.pick(words.friends),
      count: String(2 + chance.below(30)),
      reason: chance.pick(words.reasons),
    }
  }
}
