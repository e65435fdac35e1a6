// memctl init and memctl uninstall: their words. What they do stands in init.ts and uninstall.ts.
import path from 'node:path'
import type { Command } from 'commander'
import { memctlHome, projectOf } from '../store/project.ts'
import type { Io } from './io.ts'
import { ownPackage } from './packageRoot.ts'
import type { WiringOptions } from './wiring/change.ts'

interface Words {
  readonly project?: string
  readonly user?: boolean
  readonly local?: boolean
  readonly mcp?: boolean
  readonly dryRun?: boolean
  readonly json?: boolean
}

export function registerWiring(program: Command, io: Io): void {
  const options = (command: Command): Command =>
    command
      .option('--project <dir>', 'a folder of the project (default: where you are)')
      .option('--user', 'your settings for all projects instead of the project’s')
      .option('--local', 'the project’s settings for you alone (settings.local.json)')
      .option('--dry-run', 'show what would change, and change nothing')
      .option('--json', 'answer as one line of JSON')
  options(program.command('init').description('wire the hooks into Claude Code’s settings'))
    .option('--mcp', 'the memory tools too: an MCP server in the project’s .mcp.json')
    .action(async (words: Words) => {
      const { init } = await import('./init.ts')
      init(wiringOptions(words, io), (text) => void io.out.write(text))
    })
  options(program.command('uninstall').description('take the hooks out again; memories stay')).action(
    async (words: Words) => {
      const { uninstall } = await import('./uninstall.ts')
      uninstall(wiringOptions(words, io), (text) => void io.out.write(text))
    },
  )
}

function wiringOptions(words: Words, io: Io): WiringOptions {
  const { root, version } = ownPackage()
  const home = memctlHome(io.env)
  const { user = false, local = false, mcp = false, dryRun = false, json = false } = words
  return {
    project: projectOf(path.resolve(io.cwd, words.project ?? '.'), home).root,
    ...{ user, local, mcp, dryRun, json, version },
    home,
    packageRoot: root,
    ...(io.env['CLAUDE_CONFIG_DIR'] ? { claudeFolder: io.env['CLAUDE_CONFIG_DIR'] } : {}),
  }
}
