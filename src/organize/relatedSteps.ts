// Which steps between a failure and its success made the difference: those that the error is about.
import { type CallResult, callCommand, type EventOf } from '../model/event.ts'
import type { LessonStep } from '../model/lesson.ts'
import { isCheckCommand } from '../text/command.ts'
import { salientLine } from '../text/errorSignature.ts'
import { findFilePaths } from '../text/filePaths.ts'
import { extractTerms } from '../text/terms/extractTerms.ts'

/** Something done between two runs, with the files it names. */
export interface EpisodeStep extends LessonStep {
  readonly files: readonly string[]
  /** The command, or the new text of an edit. */
  readonly text: string
}

/** What an error is about. */
interface ErrorSubject {
  readonly line: string
  readonly command: string
  readonly files: readonly string[]
  readonly terms: ReadonlySet<string>
}

/** Terms that errors and commands of every kind share. */
const GENERAL_TERMS = new Set(
  extractTerms(
    'error fail failed failure test tests run file files exit code status command line found unknown undefined ' +
      'main src bin dev tmp head tail grep echo expected unexpected invalid missing type types name function string ' +
      'cannot module package path directory import value use used unused',
  ),
)

/** An error that a tool of this kind settles. */
const REMEDIES = [
  {
    error: /formatt(?:ed|er|ing)\b|reformat|prettier|gofmt|goimports|isort|code style|(?:im|ex)ports.* sort|insert `/i,
    command: /(?:^|[\s:/])(?:fmt|format|prettier|gofmt|goimports|rustfmt|black|isort|\w+-format)\b|fix\b|--write\b/,
  },
  {
    error: new RegExp(
      "(?:cannot|can't|could not|unable to) (?:find|resolve)|no module|not found|not installed|missing|ENOENT|" +
        'go\\.(?:mod|sum)|lockfile|out of (?:date|sync)',
      'i',
    ),
    command: /\b(?:install|ci|sync|tidy|download|restore|bundle|generate|codegen|build|compile|vendor|update|up)\b/,
  },
] as const

/** The error is about how the command was written. */
export const USAGE_ERROR = new RegExp(
  '(?:unknown|unrecognized|invalid|illegal|no such|bad|unexpected|ambiguous) (?:shorthand )?' +
    '(?:flag|option|argument|command|subcommand|usage)|flag provided but not defined|command not found|' +
    'accepts \\S+ arg|requires? .*\\bargument|not a .*command|missing script|script not found|syntax error|parse error',
  'i',
)

/** A fixer of lint findings, which also settles what it does not name. */
const FIXER = /(?:^|\s)--fix\b|[:-]fix\b/

/** The steps that made the difference; `isGuess` if nothing in the error says so. */
interface SelectedSteps {
  readonly steps: readonly EpisodeStep[]
  readonly isGuess: boolean
}

/**
 * The steps that the failure is about, best evidence only: a tool made for such an error, else an edit of the file that
 * the error names or a step that shares its words. Without any, one command alone is a guess, and edits are history.
 */
export function selectRelatedSteps(steps: readonly EpisodeStep[], failed: EventOf<'call.failed'>): SelectedSteps {
  const subject = subjectOf(failed)
  const scores = steps.map((step) => scoreStep(step, subject))
  const best = Math.max(0, ...scores)
  if (best > 0)
    return { steps: steps.filter((_, i) => (best === REMEDY ? scores[i] === REMEDY : scores[i] !== 0)), isGuess: false }
  const edits = steps.filter(({ kind }) => kind === 'edit')
  return { steps: edits.length > 0 || steps.length > 1 ? edits : steps, isGuess: true }
}

const REMEDY = 4

function subjectOf(failed: EventOf<'call.failed'>): ErrorSubject {
  const line = salientLine(failed.error)
  return {
    line,
    command: callCommand(failed),
    files: [...findFilePaths(failed.error.slice(0, 4_000)), ...failed.files],
    terms: specificTerms(line),
  }
}

/** How surely a step is about the error: 4 for a tool made for it, 3 for its file, 1 for common words, 0 for none. */
function scoreStep(step: EpisodeStep, { line, command, files, terms }: ErrorSubject): number {
  if (step.kind === 'edit') {
    if (files.some((file) => isSamePath(file, step.what))) return 3
    return sharesTerm(specificTerms(`${step.what}\n${step.text}`), terms) ? 1 : 0
  }
  if (REMEDIES.some((remedy) => remedy.error.test(line) && remedy.command.test(step.text))) return REMEDY
  if (FIXER.test(step.text) && isCheckCommand(command) && !USAGE_ERROR.test(line)) return REMEDY
  if (step.files.some((file) => files.some((other) => isSamePath(other, file)))) return 3
  return sharesTerm(specificTerms(step.text), terms) ? 1 : 0
}

const isSamePath = (a: string, b: string): boolean => a === b || a.endsWith(`/${b}`) || b.endsWith(`/${a}`)

const sharesTerm = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean => [...a].some((term) => b.has(term))

/** Terms without folders, which half of a repository's files share. */
const specificTerms = (text: string): ReadonlySet<string> =>
  new Set(
    extractTerms(text.slice(0, 2_000).replace(/[\w@.+~-]*(?:\/[\w@.+-]+)*\//g, ' ')).filter(
      (term) => term.length > 2 && !/^\d/.test(term) && !GENERAL_TERMS.has(term),
    ),
  )

/** A call that shows what it changes, to compare what happened between two runs. */
export const callText = (call: CallResult): string => {
  const text = callCommand(call) || call.input['new_string'] || call.input['content']
  return typeof text === 'string' ? text : ''
}
