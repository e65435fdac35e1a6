// The MCP server's place in .mcp.json: put in by init, taken out by uninstall, with nothing else in the file changed.
import fs from 'node:fs'
import path from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addMcpServer, mcpServerCommand, removeMcpServer } from '../../../src/cli/install/ourSettings.ts'
import type { JsonObject } from '../../../src/cli/install/settingsFile.ts'
import { copyCodeCaches } from '../../codeCaches.ts'
import { newWorld, REPOSITORY, type World } from '../testContext.ts'

const { version } = JSON.parse(fs.readFileSync(path.join(REPOSITORY, 'package.json'), 'utf8')) as { version: string }

const ours = { command: 'node', args: ['/data/runtime/0.1.0/mcp.mjs'] }
const theirs = fc.record({
  command: fc.constantFrom('npx', 'memctl', 'node'),
  args: fc.array(fc.string(), { maxLength: 2 }),
})
const others = fc.dictionary(fc.string(), theirs, { minKeys: 1, maxKeys: 3 })

function newWorldWithCaches(): World {
  const world = newWorld()
  copyCodeCaches(path.join(world.folder, 'home'))
  return world
}

test('cli: adding and removing the server leaves a file unchanged', () => {
  fc.assert(
    fc.property(others, fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 2 }), (servers, rest) => {
      fc.pre(!Object.hasOwn(servers, 'memctl') && !Object.hasOwn(rest, 'mcpServers'))
      const file = JSON.parse(JSON.stringify({ ...rest, mcpServers: servers })) as JsonObject
      const wired = addMcpServer(file, ours)
      expect(wired).toEqual({ ...file, mcpServers: { ...servers, memctl: ours } })
      expect(addMcpServer(wired, ours)).toBe(wired)
      expect(JSON.stringify(removeMcpServer(wired))).toBe(JSON.stringify(file))
    }),
  )
  expect(removeMcpServer(addMcpServer(undefined, ours))).toBe(undefined)
})

test('cli: another server with the name memctl is neither changed nor removed', () => {
  const file = { mcpServers: { memctl: { command: 'memctl', args: ['mcp', '--tools', 'all'] } } }
  expect(addMcpServer(file, ours)).toBe(file)
  expect(removeMcpServer(file)).toBe(file)
})

test('cli: init --mcp adds a server that starts, and uninstall removes it', async () => {
  const world = newWorldWithCaches()
  const file = path.join(world.folder, 'project/.mcp.json')
  expect((await world.memctl('init')).status).toBe(0)
  expect(fs.existsSync(file)).toBe(false)
  expect(await world.json('init', '--mcp', '--dry-run')).toMatchObject({ server: { changed: true } })
  expect(fs.existsSync(file)).toBe(false)
  expect(await world.json('init', '--mcp')).toMatchObject({ server: { changed: true } })
  expect(await world.json('init', '--mcp')).toMatchObject({ server: { changed: false } })
  const { memctl } = (JSON.parse(fs.readFileSync(file, 'utf8')) as { mcpServers: Record<string, never> }).mcpServers
  const { command, args } = memctl as unknown as { command: string; args: string[] }
  // The file is shared, so it names no folder of this machine; the client expands the variable.
  expect(args).toEqual([`\${HOME}/home/runtime/${version}/mcp.mjs`])
  const transport = new StdioClientTransport({
    ...{ command, args: args.map((word) => word.replace(`\${HOME}`, world.folder)), cwd: path.dirname(file) },
    // It uses the home that it lies in.
    env: { HOME: path.join(world.folder, 'elsewhere'), PATH: process.env['PATH'] ?? '' },
  })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  expect((await client.listTools()).tools.map((tool) => tool.name)).toContain('memory_search')
  await client.close()
  expect(await world.json('uninstall')).toMatchObject({ removed: true })
  expect(fs.existsSync(file)).toBe(false)
  world.end()
})

test('cli: for user settings init prints how to add the server to the client', async () => {
  const world = newWorldWithCaches()
  const { notes } = await world.json<{ notes: string[] }>('init', '--user', '--mcp')
  expect(notes.join('\n')).toMatch(/claude mcp add --scope user memctl -- node "\S+mcp\.mjs"/)
  world.end()
})

test('cli: init --mcp gives the server the tools and the role that are asked for, also one that is there', async () => {
  const world = newWorldWithCaches()
  const file = path.join(world.folder, 'project/.mcp.json')
  const argumentsNow = () => {
    const { mcpServers } = JSON.parse(fs.readFileSync(file, 'utf8')) as { mcpServers: { memctl: { args: string[] } } }
    return mcpServers.memctl.args.slice(1)
  }
  await world.memctl('init', '--mcp')
  expect(argumentsNow()).toEqual([])
  await world.memctl('init', '--tools', 'all', '--role', 'owner')
  expect(argumentsNow()).toEqual(['--tools', 'all', '--role', 'owner'])
  await world.memctl('init', '--mcp')
  expect(argumentsNow()).toEqual(['--tools', 'all', '--role', 'owner'])
  const { notes } = await world.json<{ notes: string[] }>('init', '--user', '--mcp', '--tools', 'entries')
  expect(notes.join('\n')).toMatch(/not added yet.*mcp\.mjs" --tools entries/)
  expect((await world.memctl('init', '--mcp', '--tools', 'none')).status).toBe(2)
  world.end()
})

test('cli: a home elsewhere is found by sessions in which MEMCTL_HOME is not set', () => {
  const home = '/data/memctl'
  const { args } = mcpServerCommand({ folder: `${home}/runtime/0.1.0/hooks` }, { home, userHome: '/home/aki' })
  expect(args).toEqual([`\${MEMCTL_HOME:-/data/memctl}/runtime/0.1.0/mcp.mjs`])
})

test('cli: init links the packages that search by meaning, for the worker in the home', async () => {
  const world = newWorldWithCaches()
  await world.memctl('init')
  for (const name of ['@xenova/transformers', 'hnswlib-node']) {
    const isInstalled = fs.existsSync(path.resolve(import.meta.dirname, '../../../node_modules', name))
    expect([name, fs.existsSync(path.join(world.folder, 'home/node_modules', name))]).toEqual([name, isInstalled])
  }
  world.end()
})
