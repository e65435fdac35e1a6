// memctl upgrade: its options. src/cli/install does the work.
import type { Command } from 'commander'
import { type CliContext, printResult } from '../context/cliContext.ts'
import { withJsonOption, withProjectOption } from '../context/storeOption.ts'
import { readInstallation } from '../install/installationOptions.ts'

interface UpgradeOptions {
  readonly project?: string
  readonly dryRun?: boolean
  readonly json?: boolean
}

export function registerUpgrade(program: Command, io: CliContext): void {
  withJsonOption(withProjectOption(program.command('upgrade')))
    .description('bring what init has installed on this machine to the version of this command')
    .option('--dry-run', 'show the changes, but write nothing')
    .action(async (options: UpgradeOptions) => {
      const { upgradeInstallation } = await import('../install/upgradeInstallation.ts')
      const { formatUpgrade } = await import('../install/upgradeText.ts')
      printResult(io, options.json, upgradeInstallation(readInstallation(options, io)), formatUpgrade)
    })
}
