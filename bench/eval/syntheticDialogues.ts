// Made-up talks: what two people tell one another over some months, and questions about it whose answers are known. Of our own
// making, so that weights fitted on them may be shipped; the words are drawn anew by each seed.

import { type Chance, seeded } from '../../src/cli/bench/seededRandom.ts'
import { ENGLISH, type Fillings, filled, JAPANESE, type Language, type Matter } from './dialogueVocabulary.ts'
import type { CorpusLine } from './importCorpus.ts'
import type { QueryLine } from './labelledFiles.ts'
import { notebook } from './syntheticNotes.ts'

export interface Labelled {
  readonly corpus: readonly CorpusLine[]
  readonly queries: readonly QueryLine[]
}

const SESSIONS = 16
const THREADS_A_SESSION = 6
const DAY_MS = 86_400_000
const BEGIN_MS = Date.UTC(2024, 1, 3, 18)

/** `count` talks, every third of them in Japanese, and half as many notebooks; the same seed gives the same. */
export function madeUpTalks(count: number, seed: number): Labelled {
  const corpus: CorpusLine[] = []
  const queries: QueryLine[] = []
  for (let i = 0; i < count; i++) {
    const talk = new Talk(`talk-${seed}-${i}`, seeded(seed * 1_000 + i), i % 3 === 2 ? JAPANESE : ENGLISH)
    corpus.push(...talk.corpus)
    queries.push(...talk.queries)
    if (i % 2 === 0)
      notebook(`notes-${seed}-${i}`, seeded(seed * 2_000 + i), i % 4 === 2 ? JAPANESE : undefined, corpus, queries)
  }
  return { corpus, queries }
}

/** One talk as it is being made up. */
class Talk {
  readonly corpus: CorpusLine[] = []
  readonly queries: QueryLine[] = []
  readonly #conv: string
  readonly #chance: Chance
  readonly #words: Language
  readonly #speakers: readonly [string, string]
  readonly #told: {
    readonly who: 0 | 1
    readonly matter: Matter
    readonly thing: string
    readonly id: string
    readonly month: string
  }[] = []
  #session = 0
  #at = BEGIN_MS

  constructor(conv: string, chance: Chance, words: Language) {
    this.#conv = conv
    this.#chance = chance
    this.#words = words
    const first = chance.below(words.names.length)
    const second = (first + 1 + chance.below(words.names.length - 1)) % words.names.length
    this.#speakers = [words.names[first]!, words.names[second]!]
    for (this.#session = 1; this.#session <= SESSIONS; this.#session++) {
      this.#at += (4 + chance.below(16)) * DAY_MS
      this.#say(0, chance.one(words.hellos))
      this.#say(1, chance.one(words.hellos))
      for (let thread = 0; thread < THREADS_A_SESSION; thread++) this.#thread(chance.below(2) as 0 | 1)
    }
    this.#askOfMonths()
  }

  #say(who: 0 | 1, text: string): string {
    const id = `${this.#conv}/${this.#session}:${this.corpus.length}`
    this.corpus.push({
      ...{ id, conv: this.#conv, session: `${this.#conv}/${this.#session}`, at: this.#at },
      speaker: this.#speakers[who],
      text,
    })
    return id
  }

  /** A question about what somebody told. Whoever asks may have the wrong one of the two in mind: one in eight does. */
  #ask(asked: string, who: 0 | 1, thing: string, ...relevant: readonly string[]): void {
    const named = this.#chance.isOnce(8) ? 1 - who : who
    const query = filled(asked, { thing, name: this.#speakers[named]! })
    const id = `${this.#conv}/q${this.queries.length}`
    this.queries.push({ id, conv: this.#conv, query, at: undefined, relevant })
  }

  /** Somebody tells of something; the other asks after it, or says something of his own; questions are asked of some of it. */
  #thread(who: 0 | 1): void {
    const [chance, words] = [this.#chance, this.#words]
    const other = who === 0 ? 1 : 0
    const matter = chance.one(words.matters)
    const thing = chance.one(matter.things)
    // Told twice, a question about it would have two answers.
    if (this.#told.some((one) => one.who === who && one.thing === thing)) return
    const when = chance.one(words.times)
    const told = this.#say(who, filled(chance.one(matter.tells), { thing, when, lead: chance.one(words.leads) }))
    if (chance.isOnce(3)) this.#ask(matter.whenAsked, who, thing, told)
    this.#told.push({ who, matter, thing, id: told, month: words.monthOf(new Date(this.#at)) })
    if (chance.isOnce(4)) this.#say(other, filled(chance.one(words.echoes), { thing }))
    const detail = chance.one(matter.details)
    if (chance.isOnce(2)) {
      this.#say(other, filled(detail.ask, { thing }))
      const answer = this.#say(who, filled(chance.one(detail.answers), this.#fillings()))
      if (chance.isOnce(2)) this.#ask(detail.asked, who, thing, answer)
    } else {
      const more = this.#say(
        who,
        `${filled(chance.one(detail.answers), this.#fillings())} ${chance.one(words.remarks)}`,
      )
      if (chance.isOnce(3)) this.#ask(detail.asked, who, thing, more)
    }
    if (chance.isOnce(2)) this.#say(other, filled(chance.one(words.remarks), {}))
    // The other has the same, and nobody asks about it: what a name in a question is for.
    if (chance.isOnce(3)) this.#say(other, filled(chance.one(words.likewise), { thing, ...this.#fillings() }))
  }

  /** What somebody did in a month: everything of that kind answers it. */
  #askOfMonths(): void {
    for (const one of this.#told) {
      if (!this.#chance.isOnce(6)) continue
      const { who, matter, month } = one
      const all = this.#told.filter((other) => other.who === who && other.matter === matter && other.month === month)
      this.#ask(filled(matter.whatAsked, { date: month }), who, '', ...all.map(({ id }) => id))
    }
  }

  #fillings(): Fillings {
    const [chance, words] = [this.#chance, this.#words]
    return {
      ...{ place: chance.one(words.places), friend: chance.one(words.friends), count: String(2 + chance.below(30)) },
      reason: chance.one(words.reasons),
    }
  }
}
