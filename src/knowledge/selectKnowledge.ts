// Which entries are shown: at a start what a person wants and what is expected to save most; elsewhere what a trigger
// matches. Pure.
import { EDIT_TOOLS } from '../model/event.ts'
import type { KnowledgeNote, Trigger } from '../model/knowledge.ts'
import type { KnowledgePolicy } from '../model/policy.ts'
import { withoutHeredocs } from '../text/command.ts'
import { estimateTokens } from '../text/excerpt.ts'
import { sanitizeInline, teamText } from '../text/sanitizeText.ts'
import { contains, fires, type Occasion, onlyReads, prepareText } from './when.ts'

/** The entries for the start of a conversation on this branch, in the order of the file. */
export function selectForStart(
  notes: readonly KnowledgeNote[],
  branch: string | undefined,
  { startTokens, personTokens, startWorthMin }: Pick<KnowledgePolicy, 'startTokens' | 'personTokens' | 'startWorthMin'>,
): KnowledgeNote[] {
  const selected: KnowledgeNote[] = []
  let tokensLeft = startTokens
  let personLeft = personTokens
  for (const note of notes) {
    if (note.branch !== undefined && note.branch !== branch) continue
    const isPersonal = note.voice !== 'known'
    if (note.worth <= 0 || (!isPersonal && note.worth < startWorthMin)) continue
    const cost = estimateTokens(renderKnowledge(note)) + 1
    if (cost > (isPersonal ? personLeft : tokensLeft)) continue
    selected.push(note)
    tokensLeft -= cost
    if (isPersonal) personLeft -= cost
  }
  return selected
}

/** The entries with a trigger that fires, in the order of the file; `noteMax` at most. */
export function matchKnowledge(
  notes: readonly KnowledgeNote[],
  occasion: Occasion,
  isShown: (note: KnowledgeNote) => boolean,
  { noteMax }: Pick<KnowledgePolicy, 'noteMax'>,
): KnowledgeNote[] {
  const matching: KnowledgeNote[] = []
  // Beside a command it is a rule that the call breaks.
  const isLimited = ({ voice }: KnowledgeNote): boolean =>
    voice === 'wanted' && (occasion.at === 'prompt' || EDIT_TOOLS.has(occasion.tool ?? ''))
  let left: number | undefined
  for (const note of notes) {
    if (matching.length === noteMax) break
    if (!fires(note.when, occasion) || isShown(note)) continue
    if (isLimited(note)) {
      left ??= UNDERSTOOD_MAX - notes.filter((each) => each.voice === 'wanted' && isShown(each)).length
      if (left-- <= 0) continue
    }
    matching.push(note)
  }
  return matching
}

/**
 * The entries that the two sessions nearest to a file have met, for an edit of it: what is expected to save most first.
 * What one session alone met must name the file or its folder. `sessions` are the hashes of those that edited it or
 * files like it, the nearest first.
 */
export function selectForFile(
  notes: readonly KnowledgeNote[],
  { file, sessions }: { readonly file: string; readonly sessions: readonly number[] },
  isShown: (note: KnowledgeNote) => boolean,
  { noteMax }: Pick<KnowledgePolicy, 'noteMax'>,
): KnowledgeNote[] {
  const names = namesIn(file)
  const own = listLearned(notes)
  const scored = own.flatMap((note) => {
    const isMet = (session: number): boolean => note.metIn?.includes(session) ?? false
    const nearness = sessions.slice(0, NEAREST_MAX).reduce((sum, each, i) => sum + (isMet(each) ? 1 / (1 + i) : 0), 0)
    const isLikely = nearness > 0 && (note.met > 1 || names.some((name) => contains(prepareText(note.line), name)))
    return isLikely ? [{ note, score: nearness * (WORTH_BASE + note.worth) }] : []
  })
  // What was shown is read from the log, so it is asked last.
  const fresh = scored.filter(({ note }) => !isShown(note)).sort((a, b) => b.score - a.score)
  if (fresh.length === 0) return []
  const left = Math.min(noteMax, LEARNED_MAX - own.filter(isShown).length)
  return fresh.slice(0, Math.max(0, left)).map(({ note }) => note)
}

/**
 * The first entry about a program that the command runs, and that does more than look. Its own trigger would come after
 * the call that it is about; a call of the same program often comes before that.
 */
export function selectForCommand(
  notes: readonly KnowledgeNote[],
  command: string,
  isShown: (note: KnowledgeNote) => boolean,
): KnowledgeNote[] {
  const programs = withoutHeredocs(command)
    .split(/[;&|(\n]/)
    .map(programOf)
    .filter((program) => !onlyReads(program))
  const text = prepareText(command)
  const isAbout = ({ at, has = [], unless = [] }: Trigger): boolean =>
    at === 'call' &&
    has.some((part) => programs.includes(programOf(part))) &&
    !unless.some((part) => contains(text, part))
  const own = listLearned(notes)
  const found = own.find((note) => note.when.some(isAbout) && !isShown(note))
  return found && own.filter(isShown).length < LEARNED_MAX ? [found] : []
}

/** The words in the name of a file and of its folder. Shorter ones, such as `src` or `ts`, are in too many lines. */
const namesIn = (file: string): readonly string[] =>
  /(?:[^/]*\/)?[^/]*$/.exec(file)?.[0].match(/[\p{L}\p{N}]{4,}/gu) ?? []

const listLearned = (notes: readonly KnowledgeNote[]): readonly KnowledgeNote[] =>
  notes.filter(({ voice, branch }) => voice === 'known' && branch === undefined)

/** The first word of a command, without its folder and variables. */
const programOf = (command: string): string =>
  /^\s*(?:\w+=\S*\s+)*(?:\S*\/)?(\S+)/.exec(command.toLowerCase())?.[1] ?? ''

/** Sessions that count as near. The second one counts half. */
const NEAREST_MAX = 2
/** Added to the worth at a start: among near sessions, nearness decides more. */
const WORTH_BASE = 0.4
/** Learned entries in one conversation, its start and later notes together. What is only near adds no more then. */
const LEARNED_MAX = 12

/** Of what a model understood of a person's wishes, so many in one conversation: a long one would be full of them. */
const UNDERSTOOD_MAX = 6

/** One line: `- Run X before Y (3×)`, met in three sessions; what a person said has its day. Once has no mark. */
export function renderKnowledge({ line, met, lastMet, voice, team }: KnowledgeNote): string {
  const sessions = met > 1 ? `${met}×` : ''
  const evidence = voice === 'known' ? sessions : voice === 'wanted' ? '' : lastMet.slice(0, 10)
  const mark = evidence + sanitizeInline(teamText({ team, isSaid: voice !== 'known' }, evidence && '; '))
  return mark === '' ? `- ${line}` : `- ${line} (${mark})`
}
