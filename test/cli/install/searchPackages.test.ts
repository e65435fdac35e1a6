// Search by meaning as it is installed: the worker and the server run from memctl's home, and find there the packages
// that are beside the command. Needs dist/ (`npm test` builds it).
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { expect, test } from 'vitest'
import { openStore } from '../../../src/broker/open/openStore.ts'
import { copyCodeCaches } from '../../codeCaches.ts'
import { writeTinyModel } from '../../embed/tinyModel.ts'
import { newWorld, REPOSITORY } from '../testContext.ts'

const { version } = JSON.parse(fs.readFileSync(path.join(REPOSITORY, 'package.json'), 'utf8')) as { version: string }
const isInstalled = fs.existsSync(path.join(REPOSITORY, 'node_modules/@xenova/transformers'))

test.skipIf(!isInstalled)(
  'install: worker and server in the home embed with the package beside the command',
  async () => {
    const world = newWorld()
    const [project, home] = [path.join(world.folder, 'project'), path.join(world.folder, 'home')]
    copyCodeCaches(home)
    const model = path.join(world.folder, 'tiny')
    writeTinyModel(model)
    await world.memctl('init')
    fs.writeFileSync(
      path.join(home, 'config.yaml'),
      `embedder: { kind: transformers, folder: ${JSON.stringify(model)} }\n`,
    )
    await world.memctl('memory', 'store', 'a crash in the parser')
    await world.memctl('memory', 'store', 'the invoice of the harbour')

    const runtime = path.join(home, 'runtime', version)
    const env = { HOME: world.folder, MEMCTL_HOME: home, PATH: process.env['PATH'] ?? '' }
    const { status, stderr } = spawnSync(process.execPath, [path.join(runtime, 'worker.cjs'), project], {
      env,
      encoding: 'utf8',
    })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const { layout } = openStore(project, { MEMCTL_HOME: home })
    const vectors = JSON.parse(fs.readFileSync(path.join(layout.vectors, 'current.json'), 'utf8')) as { model: string }
    expect(vectors.model).toMatch(/^transformers:tiny/)

    const client = new Client({ name: 'test', version: '1' })
    const server = { command: process.execPath, args: [path.join(runtime, 'mcp.mjs')], cwd: project, env }
    await client.connect(new StdioClientTransport(server))
    const { structuredContent } = await client.callTool({ name: 'memory_search', arguments: { query: 'segfault' } })
    const { results } = structuredContent as { results: { content: string }[] }
    expect(results[0]?.content).toBe('a crash in the parser')
    await client.close()
    world.end()
  },
)
