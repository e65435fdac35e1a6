// memctl hub: the database of a team. Each subcommand is a file of its own, and a line here.
import type { Command } from 'commander'
import type { CliContext } from '../context/cliContext.ts'
import { registerHubAccess, registerHubGrant, registerHubRevoke } from './hubAccess.ts'
import { registerHubConnect, registerHubDisconnect } from './hubConnect.ts'
import { registerHubJoin, registerHubLeave } from './hubJoin.ts'
import { registerHubMigrate } from './hubMigrate.ts'
import { registerHubStatus } from './hubStatus.ts'
import { registerSync } from './sync.ts'

/** In the order of the help. */
const SUBCOMMANDS: readonly ((hub: Command, io: CliContext) => void)[] = [
  registerHubConnect,
  registerHubJoin,
  registerSync,
  registerHubLeave,
  registerHubDisconnect,
  registerHubStatus,
  registerHubMigrate,
  registerHubGrant,
  registerHubRevoke,
  registerHubAccess,
]

export function registerHub(program: Command, io: CliContext): void {
  const hub = program.command('hub').description('share memories with a team through a PostgreSQL database')
  for (const register of SUBCOMMANDS) register(hub, io)
}
