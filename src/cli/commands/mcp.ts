// memctl mcp: the tools over MCP, on stdin and stdout, until the client closes stdin.
import type { Command } from 'commander'
import { Option } from 'commander'
import { ROLES, type Role } from '../../tools/definition/role.ts'
import { TOOLSETS, type Toolset } from '../../tools/toolRegistry.ts'
import type { CliContext } from '../context/cliContext.ts'
import { readPackageInfo } from '../context/packageInfo.ts'
import { openSelectedStore } from '../context/storeOption.ts'

interface Words {
  readonly project?: string
  readonly store?: string
  readonly tools: Toolset
  readonly role: Role
}

export function registerMcp(program: Command, io: CliContext): void {
  program
    .command('mcp')
    .description('serve the memory tools over MCP, for the length of a client’s session')
    .addOption(new Option('--tools <set>', 'which tools').choices(TOOLSETS).default('core'))
    .addOption(new Option('--role <role>', 'whose rights').choices(ROLES).default('worker'))
    .option('--project <dir>', 'a folder of the project (default: where you are)')
    .option('--store <dir>', 'a store at a folder of its own')
    .action(async (options: Words) => {
      const { serveSession } = await import('../../mcp/serveSession.ts')
      const { tools: toolset, role } = options
      const { version } = readPackageInfo()
      await serveSession({
        toolset,
        role,
        version,
        store: await openSelectedStore(options, io),
        env: io.env,
        now: Date.now,
      })
    })
}
