// memctl init and memctl uninstall: their words. What they do stands in init.ts and uninstall.ts.
import path from 'node:path'
import type { Command } from 'commander'
import { resolveMemctlHome, resolveProject } from '../../store/project/project.ts'
import type { CliContext } from '../context/cliContext.ts'
import { readPackageInfo } from '../context/packageInfo.ts'
import type { InstallOptions } from '../install/settingsChange.ts'

interface Words {
  readonly project?: string
  readonly user?: boolean
  readonly local?: boolean
  readonly mcp?: boolean
  readonly dryRun?: boolean
  readonly json?: boolean
}

export function registerInit(program: Command, io: CliContext): void {
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
      const { installHooks } = await import('../install/installHooks.ts')
      installHooks(wiringOptions(words, io), (text) => void io.out.write(text))
    })
  options(program.command('uninstall').description('take the hooks out again; memories stay')).action(
    async (words: Words) => {
      const { uninstallHooks } = await import('../install/uninstallHooks.ts')
      uninstallHooks(wiringOptions(words, io), (text) => void io.out.write(text))
    },
  )
}

function wiringOptions(options: Words, io: CliContext): InstallOptions {
  const { root, version } = readPackageInfo()
  const home = resolveMemctlHome(io.env)
  const { user = false, local = false, mcp = false, dryRun = false, json = false } = options
  return {
    project: resolveProject(path.resolve(io.cwd, options.project ?? '.'), home).root,
    ...{ user, local, mcp, dryRun, json, version },
    home,
    packageRoot: root,
    ...(io.env['CLAUDE_CONFIG_DIR'] ? { claudeFolder: io.env['CLAUDE_CONFIG_DIR'] } : {}),
  }
}
