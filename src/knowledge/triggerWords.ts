// What the triggers of rules are made of, and the words that forbid or ask for consent.
import { FRAGMENTS_MAX, type Trigger } from '../model/knowledge.ts'
import { pattern } from '../text/pattern.ts'

export const EDITS = 'Edit|Write|MultiEdit'
/** A command with these fragments, and without those. */
export const bash = (has: readonly string[], unless: readonly string[] = []): Trigger => make('Bash', has, unless)
/** A call of these tools. */
export const make = (tool: string, has: readonly string[], unless: readonly string[]): Trigger => ({
  at: 'call',
  tool,
  has: has.slice(0, FRAGMENTS_MAX),
  ...(unless.length > 0 && { unless: unless.slice(0, FRAGMENTS_MAX) }),
})

/** A command that must have one of these parts, or, if they are banned, none of them. */
export const demand = (has: readonly string[], parts: readonly string[], isBan: boolean): Trigger[] =>
  isBan && parts.length > 0 ? parts.map((part) => bash([...has, part])) : [bash(has, parts)]

/** Words that forbid what follows them; in Japanese they stand after it. */
export const FORBIDS = pattern(
  String.raw`\b(?:not|never|don't|dont|do not|no|no more|avoid|stop|without|nobody|instead of|rather than|over|isn't|
      aren't|forbidden|off[- ]limits|banned|not allowed|won't|quit|hands off|read[- ]only|frozen|protected|drop|hate|
      dislike)\b|ない(?!と)|ません(?!か)|禁止|NG|やめ|避け|控え|厳禁|ではなく|じゃなく|より|嫌い|不可|なし|ダメ|
      だめ`,
  'i',
)

/** What stands in nearly every Japanese message. */
export const KANA = ['の', 'を', 'に', '追加', '修正', '対応']

/** Something that only happens with the person's consent. */
export const ASKS_FIRST = pattern(
  String.raw`\b(?:ask|check with|confirm|approval|permission|tell me|myself|i (?:do|handle) the|to me|(?:my|
      an?) (?:ok|okay|review|go-ahead))\b|(?:俺|私|僕|自分|こっち|こちら)(?:が|で)|声(?:を)?かけ|確認|一声|許可|承認|
      聞いて|勝手に|相談`,
  'i',
)

/** Programs, as alternatives of a pattern. */
export const PROGRAMS =
  'npm|pnpm|yarn|bun|npx|pip3?|uv|poetry|make|go|cargo|docker[ -]compose|docker|kubectl|helm|terraform|rails|rake|' +
  'bundle|gradlew?|mvn|python3?|node|deno|tsc|pytest|php|composer|aws|gcloud|psql|prisma|alembic|rm|sudo|sed|curl|' +
  'git|gh|just|turbo|nx|bazel|dotnet|flutter|mix'

/** Whether code is a command. */
export const PROGRAM_START = pattern(String.raw`^(?:(?:${PROGRAMS})(?![\w.(/-])|\./)`)

/**
 * Whether the line forbids this part of it: by a word before it, or after it as Japanese and "X is off limits" do.
 * "Never commit without X", "don't forget X" and "no PR that is not X" demand it.
 */
export function isBanned(text: string, part: string): boolean {
  const at = text.toLowerCase().indexOf(part.toLowerCase())
  if (at === -1) return false
  const before =
    text
      .slice(Math.max(0, at - 60), at)
      .split(
        /[,.;:、。]|\b(?:but|except|other than|unless|forget)\b|(?:\b(?:never|not|no)|n['’]t) .*\b(?:without|not)\b/i,
      )
      .at(-1) ?? ''
  const after = text.slice(at + part.length, at + part.length + 50).split(/[,.;、。]/)[0] ?? ''
  if (/[\u3040-\u30ff]/.test(text)) return FORBIDS.test(after) && !/以外|なしで|忘れ|ないと/.test(after)
  return (
    FORBIDS.test(before) ||
    pattern(
      String.raw`^\`?\s*(?:is|are|s)?\s*(?:\w+ ){0,2}(?:off[- ]limits|forbidden|banned|not allowed|read[- ]only|
      frozen|protected|never|deprecated|mine\b|my (?:job|call)|gone|dead|doesn't (?:survive|belong|exist|pass)|(?:not|
      isn't|aren't) (?:available|installed|welcome|used|wanted|allowed|for us))`,
      'i',
    ).test(after)
  )
}

export const matches = (text: string, source: string): string[][] =>
  [...text.matchAll(pattern(source, 'gi'))].map(([, ...groups]) => groups)

export const hasWord = (text: string, name: string): boolean =>
  // Compiling an expression takes longer than most searches.
  text.toLowerCase().includes(name.toLowerCase()) &&
  new RegExp(String.raw`(?<![\w./@-])${name.replace(/[.+]/g, String.raw`\$&`)}(?![\w/-]|\.\w)`, 'i').test(text)
