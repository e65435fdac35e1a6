// The three doors to the tools, each with a project of its own: `openMemory().call`, `memctl`'s words, and an MCP
// server with the official SDK's client. The command is `run`, which is all that `memctl` as a process does; ALL_DOORS
// has that process too, for fewer calls. The server is the plugin's file: it starts in half the time of `memctl mcp`,
// which mcp/server.test.ts compares with it.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { MemoryError, openMemory, type Role } from '../../src/index.ts'
import { writeTrust } from '../../src/store/project/contentTrust.ts'
import { toToolFailure } from '../../src/tools/definition/tool.ts'
import { TOOLS } from '../../src/tools/toolRegistry.ts'
import { newWorld, REPOSITORY, type Said } from '../cli/testContext.ts'
import { newFolder, trustFolder } from '../tempFolders.ts'

export type Json = Record<string, unknown>

export interface Door {
  /** The tool's answer, or its failure; both as JSON gave them. */
  call(tool: string, input?: Json): Promise<Json>
  /** Where its entries are kept: the project's, and those of all projects. */
  readonly project: string
  readonly global: string
  /** The person trusts entries that are put there by hand. */
  trust(): void
  end(): Promise<void>
}

export const DOORS: Readonly<Record<string, () => Promise<Door>>> = {
  library: async () => libraryDoor(),
  command: async () => commandDoor(),
  MCP: () => mcpDoor(),
}

/**
 * The same, and the command as a person types it: by arguments and options, and with every call a process of its own.
 */
export const ALL_DOORS: typeof DOORS = {
  ...DOORS,
  options: async () => commandDoor(optionsFor),
  process: async () => processDoor(),
}

export interface Caller {
  readonly role?: Role
  readonly session?: string | undefined
  readonly now?: () => number
  /** A store that is there already. */
  readonly folder?: string
}

export function libraryDoor({ role, session, now, folder = newFolder('tools') }: Caller = {}): Door {
  const memory = openMemory({ store: folder, project: folder, env: {}, role, session, now })
  return {
    ...{ project: `${folder}/.memctl/memory`, global: `${folder}/global/memory` },
    trust: () => writeTrust(memory.store, 'trusted', Date.now()),
    async call(name, input = {}) {
      const result = await memory.call(name, input).catch((error: unknown) => {
        if (error instanceof MemoryError) return toToolFailure(error)
        throw error
      })
      return JSON.parse(JSON.stringify(result)) as Json
    },
    async end() {
      await memory.close()
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}

export function commandDoor(wordsOf = wordsFor): Door {
  const world = newWorld()
  return {
    ...{ project: `${world.folder}/project/.memctl/memory`, global: `${world.folder}/home/global/memory` },
    trust: () => trustFolder(`${world.folder}/project`, `${world.folder}/home`),
    call: async (name, input) => answerOf(await world.memctl(...wordsOf(name, input))),
    end: async () => world.end(),
  }
}

function processDoor(): Door {
  const folder = newFolder('tools')
  return {
    ...{ project: `${folder}/.memctl/memory`, global: `${folder}/home/global/memory` },
    trust: () => trustFolder(folder, `${folder}/home`),
    async call(name, input) {
      const words = [path.join(REPOSITORY, 'dist/cli.js'), ...wordsFor(name, input)]
      const env = { HOME: folder, MEMCTL_HOME: path.join(folder, 'home'), PATH: process.env['PATH'] ?? '' }
      const { stdout, stderr, status } = spawnSync(process.execPath, words, { cwd: folder, env, encoding: 'utf8' })
      return answerOf({ out: stdout, err: stderr, status: status ?? -1 })
    },
    end: async () => fs.rmSync(folder, { recursive: true, force: true }),
  }
}

/** What is typed for a call. */
function wordsFor(name: string, input: Json = {}): string[] {
  return [...commandFor(name), '--input', JSON.stringify(input), '--json']
}

/** The same by an argument or option a field. */
function optionsFor(name: string, input: Json = {}): string[] {
  const { command, input: fields } = TOOLS.find((tool) => tool.name === name)!
  const { args = [] } = command
  const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
  const options = Object.entries(input).flatMap(([field, value]) => {
    const option = field === 'role' ? 'agent-role' : field.replaceAll('_', '-')
    if (args.includes(field) || value === null) return []
    if (typeof value === 'boolean') {
      const usual = fields[field]!.schema['default'] === true
      return value === usual ? [] : [usual ? `--no-${option}` : `--${option}`]
    }
    return [value].flat().flatMap((item) => [`--${option}`, asText(item)])
  })
  const given = args.flatMap((field) => [input[field] ?? []].flat().map(asText))
  return [...commandFor(name), ...given, ...options, '--json']
}

function commandFor(name: string): string[] {
  const { command, preview } = TOOLS.find((tool) => tool.name === name)!
  const flags = (command.flags ?? []).map((flag) => `--${flag}`)
  // A command that deletes asks first; a tool does not.
  return [...command.words.split(' '), ...flags, ...(preview ? ['--yes'] : [])]
}

/** One line of JSON on stdout, nothing on stderr, and exit status 2 for a failure alone. */
function answerOf({ out, err, status }: Said): Json {
  if (err !== '' || out.indexOf('\n') !== out.length - 1) throw new Error(`Not one line: ${out}${err}`)
  const answer = JSON.parse(out) as Json
  if (status !== (answer['error'] === true || answer['success'] === false ? 2 : 0))
    throw new Error(`Exit status ${status} for ${out}`)
  return answer
}

export async function mcpDoor(
  { role = 'owner', folder = newFolder('tools'), session }: Caller = {},
  ...words: string[]
): Promise<Door> {
  const { client } = await mcpClient(
    { folder, session },
    '--role',
    role,
    ...(words.length > 0 ? words : ['--tools', 'all']),
  )
  return {
    ...{ project: `${folder}/.memctl/memory`, global: `${folder}/home/global/memory` },
    trust: () => trustFolder(folder, `${folder}/home`),
    async call(name, input = {}) {
      const { structuredContent, content, isError } = await client.callTool({ name, arguments: input })
      const [result] = content as { text: string }[]
      const answer = structuredContent as Json
      if (result!.text !== JSON.stringify(answer)) throw new Error(`Text and data differ: ${result!.text}`)
      if ((isError === true) !== (answer['error'] === true)) throw new Error(`isError does not fit ${result!.text}`)
      return answer
    },
    async end() {
      await client.close()
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** An MCP client of the official SDK, connected to a server of its own for the project at a folder. */
export async function mcpClient(place: string | Pick<Caller, 'folder' | 'session'>, ...words: readonly string[]) {
  const { folder = newFolder('tools'), session } = typeof place === 'string' ? { folder: place } : place
  const sessionEnv = session === undefined ? {} : { CLAUDE_CODE_SESSION_ID: session }
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [path.join(REPOSITORY, 'dist/mcp.mjs'), ...words],
    cwd: folder,
    env: { HOME: folder, MEMCTL_HOME: path.join(folder, 'home'), PATH: process.env['PATH'] ?? '', ...sessionEnv },
  })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  return { client, transport }
}
