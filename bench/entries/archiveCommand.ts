// bench archive: the time of a save in a project with many archived entries.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { performance } from 'node:perf_hooks'
import type { Command } from 'commander'
import { syncEntries } from '../../src/broker/entries/syncEntries.ts'
import { openStore } from '../../src/broker/open/openStore.ts'
import { type CliContext, printResult } from '../../src/cli/context/cliContext.ts'
import { integerOption } from '../../src/cli/context/storeOption.ts'
import { invokeTool } from '../../src/tools/definition/invokeTool.ts'
import { createToolContext, type ToolContext } from '../../src/tools/definition/toolContext.ts'
import { findTool } from '../../src/tools/toolRegistry.ts'
import { median } from '../hooks/pairedTiming.ts'

interface ArchiveOptions {
  readonly archived: string
  readonly runs: number
  readonly json?: boolean
}

interface ArchiveResult {
  /** Archived entries. */
  readonly archived: number
  /** Medians, in milliseconds. */
  readonly saveMs: number
  readonly evictMs: number
}

export function registerArchive(program: Command, io: CliContext): void {
  program
    .command('archive')
    .description('a save with many archived entries, without and with an eviction')
    .option('--archived <numbers>', 'archived entries, separated by commas', '0,500,2000,8000')
    .option('--runs <n>', 'saves of each kind', integerOption(1), 11)
    .option('--json', 'print one line of JSON')
    .action(async (options: ArchiveOptions) => {
      const results: ArchiveResult[] = []
      for (const archived of options.archived.split(',').map(Number))
        results.push(await measure(archived, options.runs))
      printResult(io, options.json, { results }, () => [
        '| archived entries | save, ms | save that evicts one, ms |',
        '|---:|---:|---:|',
        ...results.map(
          (result) => `| ${result.archived} | ${result.saveMs.toFixed(1)} | ${result.evictMs.toFixed(1)} |`,
        ),
      ])
    })
}

async function measure(archived: number, runs: number): Promise<ArchiveResult> {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'memctl-archive-'))
  try {
    const project = path.join(home, 'project')
    const createContext = (entriesMax: number): ToolContext => {
      const env = { HOME: home, MEMCTL_HOME: path.join(home, '.memctl'), MCP_MEMORY_MAX_ENTRIES: String(entriesMax) }
      return createToolContext({ store: openStore(project, env), role: 'owner', env, now: Date.now })
    }
    fs.mkdirSync(path.join(project, '.memctl/memory/archive'), { recursive: true })
    const all = createContext(100_000)
    // The first save is that of a project that brings nothing of its own.
    await save(all, 'first')
    writeArchived(all, project, archived)
    const saveMs = await measureSaves(all, 'new', runs)
    return { archived, saveMs, evictMs: await measureSaves(createContext(runs), 'evicting', runs) }
  } finally {
    fs.rmSync(home, { recursive: true, force: true })
  }
}

/** Writes entries by hand, reads them once, and moves them to the archive by hand. */
function writeArchived(context: ToolContext, project: string, count: number): void {
  const folder = path.join(project, '.memctl/memory')
  const names = Array.from({ length: count }, (_, i) => `archived-${i}.md`)
  const body = 'A decision of some length, as people write them down. '.repeat(8)
  for (const [i, name] of names.entries())
    fs.writeFileSync(path.join(folder, name), `---\nkey: archived-${i}\n---\n\n${i} ${body}\n`)
  syncEntries(context.entryWriter('project'))
  for (const name of names) fs.renameSync(path.join(folder, name), path.join(folder, 'archive', name))
  syncEntries(context.entryWriter('project'))
}

async function measureSaves(context: ToolContext, prefix: string, runs: number): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < runs; i++) {
    const began = performance.now()
    await save(context, `${prefix}-${i}`)
    times.push(performance.now() - began)
  }
  return median(times)
}

async function save(context: ToolContext, key: string): Promise<void> {
  const { kind } = await invokeTool(findTool('save_to_memory')!, { key, content: `The text of ${key}` }, context)
  if (kind !== 'answer') throw new Error(`${key} was not saved`)
}
