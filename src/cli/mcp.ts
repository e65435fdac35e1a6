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
      const { worldOf } = await import('../tools/world.ts')
      const { endWorking } = await import('../tools/working.ts')
      const { serve } = await import('../mcp/serve.ts')
      const told = io.env['CLAUDE_CODE_SESSION_ID'] || undefined
      const now = Date.now
      const world = worldOf({
        store: await storeGiven(words, io),
        role: words.role,
        // A server lives as long as the session of the client that started it.
        session: told ?? `mcp-${process.pid}-${now()}`,
        env: io.env,
        now,
      })
      await serve({ world, tools: words.tools, version: ownPackage().version })
      if (told === undefined) endWorking(world)
      world.end()
    })
}
