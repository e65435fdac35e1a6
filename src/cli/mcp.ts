// memctl mcp: the tools over MCP, on stdin and stdout, until the client closes stdin.
import type { Command } from 'commander'
import { Option } from 'commander'
import { SETS, type ToolSet } from '../tools/registry.ts'
import { ROLES, type Role } from '../tools/role.ts'
import { storeGiven } from './given.ts'
import type { Io } from './io.ts'
import { ownPackage } from './packageRoot.ts'

interface Words {
  readonly project?: string
  readonly store?: string
  readonly tools: ToolSet
  readonly role: Role
}

export function registerMcp(program: Command, io: Io): void {
  program
    .command('mcp')
    .description('serve the memory tools over MCP, for the length of a client’s session')
    .addOption(new Option('--tools <set>', 'which tools').choices(SETS).default('core'))
    .addOption(new Option('--role <role>', 'whose rights').choices(ROLES).default('worker'))
    .option('--project <dir>', 'a folder of the project (default: where you are)')
    .option('--store <dir>', 'a store at a folder of its own')
    .action(async (words: Words) => {
      const { serveSession } = await import('../mcp/session.ts')
      const { tools, role } = words
      const { version } = ownPackage()
      await serveSession({
        ...{ tools, role, version },
        store: await storeGiven(words, io),
        env: io.env,
        now: Date.now,
      })
    })
}
