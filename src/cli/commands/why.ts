// memctl why: why a file is as it is, from decisions, changes, rules, facts and lessons.
import path from 'node:path'
import type { Command } from 'commander'
import type { FileChange, FileHistory } from '../../broker/queries/fileHistory.ts'
import { shortId } from '../../model/id.ts'
import type { Memory } from '../../model/memory.ts'
import { memoryProvenance, withProvenance } from '../../model/provenance.ts'
import { sanitizeForTerminal } from '../../report/fitText.ts'
import { formatCount } from '../../report/formatNumber.ts'
import { firstLine } from '../../text/excerpt.ts'
import { teamText } from '../../text/sanitizeText.ts'
import { type CliContext, printResult, type Terminal } from '../context/cliContext.ts'
import { integerOption, openSyncedStore, type StoreOptions, withStoreOptions } from '../context/storeOption.ts'

const LINE_CHARS_MAX = 240

export function registerWhy(program: Command, io: CliContext): void {
  const about = 'show why a file is as it is: the prompts and commits that changed it, decisions and other knowledge'
  withStoreOptions(program.command('why').description(about))
    .argument('<file>', 'a path, or the end of one')
    .option('--limit <n>', 'maximum number in each list', integerOption(1), 8)
    .action(async (file: string, options: StoreOptions & { readonly limit: number }) => {
      const { explainFile } = await import('../../broker/queries/fileHistory.ts')
      const store = await openSyncedStore(options, io)
      const cwd = path.resolve(io.cwd, options.project ?? '.')
      const { limit } = options
      const history = explainFile(store, { file, cwd, limit })
      const shown = {
        ...history,
        decisions: history.decisions.slice(0, limit).map(withProvenance),
        statements: history.statements.slice(0, limit).map(withProvenance),
        lessons: history.lessons.slice(0, limit).map(withProvenance),
      }
      printResult(io, options.json, shown, formatHistory)
    })
}

function formatHistory(history: FileHistory, { palette }: Terminal): string[] {
  const { file, decisions, statements, changes, lessons } = history
  const section = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : ['', palette.bold(title), ...lines.map((line) => `  ${line}`)]
  const sections = [
    ...section('Decisions', decisions.map(formatDecision)),
    ...section('Rules', statements.map(formatMemory)),
    ...section('Changes', changes.map(formatChange)),
    ...section('Facts and lessons', lessons.map(formatLesson)),
  ]
  if (sections.length === 0) return [`Nothing is known about ${file}.`]
  return [palette.bold(file), ...sections]
}

function formatDecision(memory: Memory): string {
  const { line, reason } = memory.knowledge ?? { line: memory.content }
  return formatLine(memory, memory.created, reason ? `${line}. Reason: ${reason}` : line)
}

const formatMemory = (memory: Memory): string =>
  formatLine(memory, memory.updated, memory.knowledge?.line ?? memory.content)

function formatLine(memory: Memory, at: string, text: string): string {
  // Who said it: `person`, and of what a team shares the name.
  const team = teamText(memory)
  const said = [memoryProvenance(memory), ...(team === '' ? [] : [sanitizeForTerminal(team)]), shortId(memory.id)]
  return `${day(at)}  ${excerpt(text)} (${said.join(', ')})`
}

/** Of a lesson that a tool stored the text with what was learned. */
const formatLesson = (memory: Memory): string => {
  const { content, lessons } = memory
  const [lesson = ''] = lessons
  return formatMemory(
    content.includes(lesson) ? memory : { ...memory, content: `${firstLine(content, 140)} ${lesson}` },
  )
}

function formatChange({ at, session, prompt, edits, commit }: FileChange): string {
  const request = prompt === null ? 'a continued conversation' : `"${excerpt(firstLine(prompt, 120))}"`
  const committed = commit ? `, commit ${commit.hash.slice(0, 7)} ${excerpt(commit.subject)}` : ''
  return `${day(at)}  ${request}, ${formatCount(edits, 'edit')} (session ${shortId(session)}${committed})`
}

const day = (at: string): string => at.slice(0, 10)

const excerpt = (text: string): string => sanitizeForTerminal(firstLine(text, LINE_CHARS_MAX))
