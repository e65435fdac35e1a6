// memctl mcp: the tools over MCP, on stdin and stdout, until the client closes stdin.
import { type Command, Option } from 'commander'
import { ROLES, type Role } from '../../tools/definition/role.ts'
import { TOOLSETS, type Toolset } from '../../tools/toolRegistry.ts'
import type { CliContext } from '../context/cliContext.ts'
import { readPackageInfo } from '../context/packageInfo.ts'
import { openSelectedStore, type StoreOptions, withStoreFolderOptions } from '../context/storeOption.ts'

interface McpOptions extends StoreOptions {
  readonly tools: Toolset
  readonly role: Role
}

export function registerMcp(program: Command, io: CliContext): void {
  const command = program.command('mcp').description('serve the memory tools over MCP until the client disconnects')
  withStoreFolderOptions(command)
    .addOption(new Option('--tools <set>', 'the set of tools').choices(TOOLSETS).default('core'))
    .addOption(new Option('--role <role>', 'rights of the caller').choices(ROLES).default('worker'))
    .action(async (options: McpOptions) => {
      const { serveSession } = await import('../../mcp/serveSession.ts')
      await serveSession({
        toolset: options.tools,
        role: options.role,
        version: readPackageInfo().version,
        store: await openSelectedStore(options, io),
        env: io.env,
        now: Date.now,
      })
    })
}
