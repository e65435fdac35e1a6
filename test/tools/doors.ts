// The three doors to the tools, each with a project of its own: what the library is called with, `memctl`'s words, and an MCP server.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { call, type Role, storeAt, TOOLS, toolNamed, worldOf } from '../../src/index.ts'
import { newWorld, REPOSITORY } from '../cli/world.ts'

export type Json = Record<string, unknown>

export interface Door {
  /** The tool's answer, or its failure; both as JSON gave them. */
  call(tool: string, input?: Json): Promise<Json>
  end(): Promise<void>
}

export const DOORS: Readonly<Record<string, () => Promise<Door>>> = {
  library: async () => libraryDoor(),
  command: async () => commandDoor(),
  MCP: () => mcpDoor(),
}

export interface Caller {
  readonly role?: Role
  readonly session?: string
  readonly now?: () => number
  /** A store that is there already. */
  readonly folder?: string
}

export const newFolder = (): string => fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memctl-tools-')))

export function libraryDoor({ role = 'owner', session, now = Date.now, folder = newFolder() }: Caller = {}): Door {
  const world = worldOf({ store: storeAt(folder, folder), role, session, env: {}, now })
  return {
    async call(name, input = {}) {
      const called = await call(toolNamed(name)!, input, world)
      const said = called.kind === 'answer' ? called.answer : called.failure
      return JSON.parse(JSON.stringify(said)) as Json
    },
    end: async () => fs.rmSync(folder, { recursive: true, force: true }),
  }
}

export function commandDoor(): Door {
  const world = newWorld()
  return {
    async call(name, input = {}) {
      const { words, flag } = TOOLS.find((tool) => tool.name === name)!.command
      const called = [...words.split(' '), ...(flag === undefined ? [] : [`--${flag}`])]
      const { out, err, status } = await world.memctl(...called, '--input', JSON.stringify(input), '--json')
      const answer = JSON.parse(out || `{"nothing on stdout": ${JSON.stringify(err)}}`) as Json
      if (status !== (answer['error'] === true ? 2 : 0)) throw new Error(`Exit status ${status} for ${out}${err}`)
      return answer
    },
    end: async () => world.end(),
  }
}

export async function mcpDoor(
  { role = 'owner', folder = newFolder() }: Caller = {},
  ...words: string[]
): Promise<Door> {
  const { client } = await mcpClient(folder, '--role', role, ...(words.length > 0 ? words : ['--tools', 'all']))
  return {
    async call(name, input = {}) {
      const { structuredContent, content, isError } = await client.callTool({ name, arguments: input })
      const [said] = content as { text: string }[]
      const answer = structuredContent as Json
      if (said!.text !== JSON.stringify(answer)) throw new Error(`Text and data differ: ${said!.text}`)
      if ((isError === true) !== (answer['error'] === true)) throw new Error(`isError does not fit ${said!.text}`)
      return answer
    },
    async end() {
      await client.close()
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** An MCP client of the official SDK, connected to a server of its own for the project at `folder`. */
export async function mcpClient(folder: string, ...words: readonly string[]) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [path.join(REPOSITORY, 'dist/cli.js'), 'mcp', ...words],
    cwd: folder,
    env: { HOME: folder, MEMCTL_HOME: path.join(folder, 'home'), PATH: process.env['PATH'] ?? '' },
  })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  return { client, transport }
}
