// memctl facts: what is true of this project and keeps costing calls, as a list or as a change of CLAUDE.md.
import fs from 'node:fs'
import path from 'node:path'
import type { Command } from 'commander'
import type { FactEntry } from '../../broker/queries/factList.ts'
import { FACT_TOPICS, type FactTopic, type ProjectFact } from '../../model/fact.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { sanitizeForTerminal } from '../../report/fitText.ts'
import { formatCount } from '../../report/formatNumber.ts'
import { formatTable } from '../../report/formatTable.ts'
import { isFileFault, readUntrusted } from '../../store/disk/untrustedFiles.ts'
import { formatFactLine } from '../../text/factLine.ts'
import { type CliContext, printResult, type Terminal, withKnownIds } from '../context/cliContext.ts'
import { collectChoices, openSyncedStore, type StoreOptions, withStoreOptions } from '../context/storeOption.ts'
import { updateFactSection } from '../format/claudeMdSection.ts'
import { numberColumns } from '../format/fieldTable.ts'
import { formatNothing } from '../format/nothingText.ts'
import { unifiedDiff } from '../install/settingsChange.ts'

interface FactOptions extends StoreOptions {
  readonly topic?: readonly FactTopic[]
  readonly all?: boolean
  readonly claudeMd?: string | true
  readonly write?: boolean
}

export function registerFacts(program: Command, io: CliContext): void {
  withStoreOptions(
    program
      .command('facts')
      .description('list what is true of this project and keeps costing calls, the worthiest facts first'),
  )
    .option(
      '--topic <topic>',
      `only this topic (repeatable): ${FACT_TOPICS.join(', ')}`,
      collectChoices<FactTopic>(FACT_TOPICS),
    )
    .option('--all', 'also facts that are no longer true')
    .option('--claude-md [file]', 'print the change that adds the standing facts to CLAUDE.md (or to this file)')
    .option('--write', 'with --claude-md: change the file')
    .action(async (options: FactOptions) => {
      const { listFacts } = await import('../../broker/queries/factList.ts')
      const store = await openSyncedStore(options, io)
      const facts = listFacts(store, Date.now(), { topics: options.topic, includesRetired: options.all })
      if (options.claudeMd === undefined) {
        const known = withKnownIds(
          io,
          facts.map(({ memory }) => memory),
        )
        return printResult(known, options.json, { total: facts.length, facts }, (shown, terminal) =>
          facts.length === 0
            ? formatNothing('facts', listFacts(store, Date.now(), {}).length === 0, { topic: options.topic })
            : formatFacts(shown, terminal),
        )
      }
      const file = path.resolve(
        io.cwd,
        options.claudeMd === true ? `${store.project.root}/CLAUDE.md` : options.claudeMd,
      )
      // The file is for everyone, and what a subagent has met is not.
      const open = facts.filter(({ memory }) => memory.privacy === 'public')
      proposeChange(file, open, options, io)
    })
}

/** Prints the change of the file, and makes it with `--write`. */
function proposeChange(file: string, facts: readonly FactEntry[], options: FactOptions, io: CliContext): void {
  const before = readText(file)
  const standing = facts.filter(({ fact, memory }) => isAdvice(fact, memory.sessionCount)).map(({ fact }) => fact)
  const after = updateFactSection(before, standing)
  const patch = unifiedDiff(before, after, path.basename(file))
  if (options.write && patch !== '') writeText(file, after)
  const result = { file, changed: patch !== '', written: options.write === true && patch !== '', patch }
  printResult(io, options.json, result, () => [
    ...(patch === '' ? [`${file} has every standing fact already.`] : patch.trimEnd().split('\n')),
    ...(patch === ''
      ? []
      : [options.write ? `Changed ${file}.` : 'Nothing was changed. Add --write to change the file.']),
  ])
}

/** A standing command of several sessions, or another standing fact with a remedy. */
const isAdvice = ({ topic, state, remedies }: ProjectFact, sessions: number): boolean =>
  state === 'standing' && (topic === 'routine' ? sessions >= ROUTINE_SESSIONS_MIN : remedies.length > 0)

const ROUTINE_SESSIONS_MIN = 5

function readText(file: string): string {
  const read = readUntrusted(undefined, file, FILE_BYTES_MAX)
  if (!isFileFault(read)) return read?.toString('utf8') ?? ''
  throw new MemoryError('INPUT_INVALID', `Cannot read ${file}: ${read.what}`, { hint: 'Name a readable file.' })
}

/** The size up to which the changed file is read. */
const FILE_BYTES_MAX = 4_194_304

function writeText(file: string, text: string): void {
  try {
    fs.writeFileSync(file, text)
  } catch (cause) {
    throw new MemoryError('INPUT_INVALID', `Cannot write ${file}`, {
      hint: 'Name a file in an existing folder.',
      cause,
    })
  }
}

function formatFacts(
  { facts }: { readonly facts: readonly FactEntry[] },
  { columns, palette, shortId }: Terminal,
): string[] {
  const layout = [
    { head: 'id' },
    { head: 'topic' },
    { head: 'state' },
    ...numberColumns('sessions'),
    { head: 'last' },
    { head: 'fact', canShrink: true },
  ]
  const rows = facts.map(({ memory, fact }) => [
    shortId(memory.id),
    fact.topic,
    fact.state,
    String(memory.sessionCount),
    fact.lastMet.slice(0, 10),
    sanitizeForTerminal(formatFactLine(fact)),
  ])
  const standing = facts.filter(({ fact }) => fact.state === 'standing').length
  return [
    ...formatTable(layout, rows, columns, palette.dim),
    `${formatCount(facts.length, 'fact')}, ${standing} standing (met in two sessions or more). ` +
      '`memctl show ID` has the evidence.',
  ]
}
