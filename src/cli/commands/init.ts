// memctl init and memctl uninstall: their options. src/cli/install does the work.
import { type Command, Option } from 'commander'
import { layOutLine } from '../../report/textOutput.ts'
import type { Role } from '../../tools/definition/toolContext.ts'
import type { Toolset } from '../../tools/toolRegistry.ts'
import { type CliContext, printResult } from '../context/cliContext.ts'
import { confirmDeletion } from '../context/forPerson.ts'
import { linkPackages, SEARCH_PACKAGES } from '../context/packageInfo.ts'
import { withJsonOption, withProjectOption } from '../context/storeOption.ts'
import { type CommandOptions, readInstallation } from '../install/installation.ts'

// Not those of the tools themselves, which the help of this command would load.
const SETS: readonly Toolset[] = ['core', 'memory', 'entries', 'all']
const CALLERS: readonly Role[] = ['worker', 'admin', 'owner']

interface InitOptions extends CommandOptions {
  readonly readSessions?: 'yes' | 'no'
  readonly upgrade?: true
}

export function registerInit(program: Command, io: CliContext): void {
  const withOptions = (command: Command): Command =>
    withJsonOption(
      withProjectOption(command)
        .option('--user', 'use your user settings, for all projects')
        .option('--local', 'use settings.local.json, for you only')
        .option('--shared', "use the project's settings.json, which git shares")
        .option('--dry-run', 'show the changes, but write nothing'),
    )
  // The lines of a diff stay.
  const toLines = (line: string): string[] => (/^[ +@-]/.test(line) ? [line] : layOutLine(line, io.out))
  const print = (text: string): void => void io.out.write(text.split('\n').flatMap(toLines).join('\n'))
  withOptions(program.command('init').description("install the hooks in Claude Code's settings"))
    .option('--mcp', "also add the MCP server to the project's .mcp.json; with --user, show the command that adds it")
    .addOption(new Option('--tools <set>', '--mcp with this set of tools').choices(SETS).implies({ mcp: true }))
    .addOption(new Option('--role <role>', '--mcp with these rights').choices(CALLERS).implies({ mcp: true }))
    .addOption(
      new Option(
        '--hooks <where>',
        'scripts (default), or server: --mcp, and it runs most hooks, so calls do not wait',
      ).choices(['scripts', 'server']),
    )
    .addOption(
      new Option('--read-sessions <answer>', 'whether Claude may read each finished session').choices(['yes', 'no']),
    )
    .option('--statusline', "also set the client's status line, unless you have one")
    .option('--upgrade', 'bring all that init has installed on this machine to the version of this command')
    .action(async (options: InitOptions) => {
      if (options.upgrade) return upgrade(options, io)
      const { installHooks } = await import('../install/installHooks.ts')
      const install = readInstallation(options, io)
      installHooks(install, print)
      if (!options.dryRun) linkPackages(install.home, SEARCH_PACKAGES)
      const { chooseSessionReading } = await import('./distill.ts')
      const { readSessions: given, dryRun, json } = options
      const lines = await chooseSessionReading(io, { home: install.home, given, dryRun, json })
      if (json) return
      for (const line of lines) print(`${line}\n`)
      const { describeTranscripts } = await import('./importTranscripts.ts')
      for (const line of await describeTranscripts(install.project, io)) print(`${line}\n`)
    })
  withOptions(program.command('uninstall').description('remove the hooks, but keep the memories'))
    .option('--purge', "delete memctl's home too, with the memories of all projects")
    .option('-y, --yes', 'with --purge: do not ask')
    .action(async (options: CommandOptions & { readonly purge?: boolean; readonly yes?: boolean }) => {
      const { uninstallHooks } = await import('../install/installHooks.ts')
      const install = readInstallation(options, io)
      if (!options.purge) return void uninstallHooks(install, print)
      const { checkHome, deleteHome, formatPurge, previewPurge } = await import('../install/purgeHome.ts')
      const { home } = install
      const preview = () => previewPurge(install)
      checkHome(install)
      // With --yes nobody is asked, but it is said all the same.
      if (options.yes && !options.dryRun && !options.json) print(`${formatPurge(preview()).join('\n')}\n`)
      const question = `Delete ${home} with all memories?`
      if (!(await confirmDeletion(io, options, { preview, format: formatPurge, question }))) return
      uninstallHooks({ ...install, purged: true }, print, () => deleteHome(install))
    })
}

async function upgrade(options: InitOptions, io: CliContext): Promise<void> {
  const { upgradeInstallation, formatUpgrade } = await import('../install/upgrade.ts')
  const install = readInstallation(options, io)
  if (!options.dryRun) linkPackages(install.home, SEARCH_PACKAGES)
  printResult(io, options.json, upgradeInstallation(install), formatUpgrade)
}
