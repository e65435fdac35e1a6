// Resources: memories by their address, for a client that attaches one to a prompt.
//
//   memctl://memory/550e8400-e29b-41d4-a716-446655440000
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import { seenBy, seenNamed } from '../broker/eyes.ts'
import { firstLine } from '../text/excerpt.ts'
import type { World } from '../tools/world.ts'

const MEMORY = 'memctl://memory/'

/** Listed at most, the latest: a client shows them in a menu. */
const LISTED_MAX = 50

export const RESOURCE_TEMPLATES = [
  {
    uriTemplate: `${MEMORY}{id}`,
    name: 'memory',
    title: 'A memory',
    description: 'One memory whole',
    mimeType: 'text/plain',
  },
]

/** What somebody wrote down, the latest first. */
export function resourcesOf(world: World) {
  const written = seenBy(world.desk, eyesOf(world)).filter((memory) => memory.kind === 'entry')
  return written
    .toReversed()
    .slice(0, LISTED_MAX)
    .map((memory) => ({ uri: MEMORY + memory.id, name: firstLine(memory.content, 80), mimeType: 'text/plain' }))
}

/** A resource's content. Throws McpError for an address of nothing that the caller may see. */
export function resourceAt(uri: string, world: World) {
  const id = uri.startsWith(MEMORY) ? uri.slice(MEMORY.length) : ''
  const memory = id === '' ? undefined : seenNamed(world.desk, id, eyesOf(world))
  if (!memory) throw new McpError(ErrorCode.InvalidParams, `There is no resource ${uri}`)
  return { uri, mimeType: 'text/plain', text: memory.content }
}

const eyesOf = (world: World) => ({ session: world.session, now: world.now() })
