// The knowledge graph of the MCP server `@modelcontextprotocol/server-memory`: one line of JSON per entity and per
// relation, in `memory.jsonl` (earlier `memory.json`) beside the server's program, or where MEMORY_FILE_PATH says.
//
// The file has no times: a memory is as old as the file was when it was first imported.
import { CONTENT_CHARS_MAX } from '../../../model/limits.ts'
import { MemoryError } from '../../../model/memoryError.ts'
import { IS_WINDOWS, toSystemPath } from '../../../store/disk/systemPath.ts'
import { type FileFault, isFileFault, listUntrusted, readUntrusted } from '../../../store/disk/untrustedFiles.ts'
import type { ImportItem, ReadSource } from '../importItem.ts'
import { splitToFit } from './markdownText.ts'
import { describePath, isFolder, isOfProject, readNamedFile, type SourceContext } from './sourceFiles.ts'

interface Graph {
  readonly entities: Map<string, { readonly type: string; readonly observations: string[] }>
  readonly relations: { readonly from: string; readonly to: string; readonly type: string }[]
}

/** Reads the graph. Throws NOT_FOUND without a file, and INPUT_INVALID for a line that is not of the format. */
export function readMcpMemory(context: SourceContext): ReadSource {
  const path = context.path ?? findGraphFile(context)
  if (path === undefined) {
    throw new MemoryError('NOT_FOUND', 'No memory file of server-memory was found', {
      hint: 'Name it: `memctl import mcp-memory FILE`. The path is MEMORY_FILE_PATH in the settings of that server.',
    })
  }
  const file = readNamedFile(isFolder(path, context) ? `${path}/memory.jsonl` : path, context)
  const graph = parseGraph(file.text, file.path)
  const location = describePath(file.path, context)
  const provenance = isOfProject(file.path, context) ? ('outside' as const) : ('assistant' as const)
  const items = [...graph.entities].flatMap(([name, { type, observations }]): ImportItem[] => {
    const own = graph.relations.filter(({ from }) => from === name).map((relation) => `${relation.type} ${relation.to}`)
    const lines = [...observations, ...own].map((line) => `- ${line}`)
    const head = type === '' ? name : `${name} (${type})`
    const pieces = splitToFit(lines.join('\n'), CONTENT_CHARS_MAX - head.length - 1)
    return pieces.map((piece, i) => ({
      key: [location, name, ...(i === 0 ? [] : [String(i)])].join('\0'),
      item: i === 0 ? name : `${name} (part ${i + 1})`,
      content: piece === '' ? head : `${head}\n${piece}`,
      tags: type === '' ? [] : [type],
      created: file.modified,
      provenance,
    }))
  })
  return { name: 'mcp-memory', location, items, faults: [], notes: [] }
}

function parseGraph(text: string, file: string): Graph {
  const graph: Graph = { entities: new Map(), relations: [] }
  const lines = text.split('\n')
  for (const [i, line] of lines.entries()) {
    if (line.trim() === '') continue
    const item = parseObject(line)
    const { name, entityType, observations, from, to, relationType, type } = item ?? {}
    const isEntity = type === 'entity' && typeof name === 'string' && Array.isArray(observations)
    if (isEntity) {
      const texts = observations.filter((text) => typeof text === 'string')
      const known = graph.entities.get(name)
      if (known) known.observations.push(...texts)
      else graph.entities.set(name, { type: typeof entityType === 'string' ? entityType : '', observations: texts })
    } else if (type === 'relation' && typeof from === 'string' && typeof to === 'string') {
      graph.relations.push({ from, to, type: typeof relationType === 'string' ? relationType : '' })
    } else {
      throw new MemoryError('INPUT_INVALID', `${file}, line ${i + 1}, is neither an entity nor a relation`, {
        hint: 'Name the memory file of @modelcontextprotocol/server-memory, which has one JSON object per line.',
      })
    }
  }
  return graph
}

function parseObject(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined // Reported with its line.
  }
}

const SERVER = 'node_modules/@modelcontextprotocol/server-memory/dist'
const CONFIG_BYTES_MAX = 16_777_216

/**
 * Where the server keeps its file: MEMORY_FILE_PATH of the environment or of the person's settings of the client, else
 * beside the program that npx has installed. The settings of the project are not read: a repository may bring them.
 */
function findGraphFile(context: SourceContext): string | undefined {
  const { userHome, claudeFolder, env } = context
  const settings = [`${claudeFolder}/.claude.json`, `${userHome}/.claude.json`]
  const [configured] = [
    env['MEMORY_FILE_PATH'] ?? [],
    settings.flatMap((file) => findConfigured(file, context) ?? []),
  ].flat()
  if (configured !== undefined && /^(?:\/|[A-Za-z]:[\\/])/.test(configured)) return toSystemPath(configured)
  const localData = IS_WINDOWS ? env['LOCALAPPDATA'] : undefined
  const cache = localData ? toSystemPath(`${localData}/npm-cache/_npx`) : `${userHome}/.npm/_npx`
  const { names } = listUntrusted(undefined, cache, 1_000)
  const candidates = names.flatMap((name) =>
    ['memory.jsonl', 'memory.json', ...(configured ? [configured] : [])].map(
      (file) => `${cache}/${name}/${SERVER}/${file}`,
    ),
  )
  return candidates.find((file) => isReadable(readUntrusted(undefined, file, CONFIG_BYTES_MAX)))
}

const isReadable = (read: Buffer | FileFault | undefined): boolean => read !== undefined && !isFileFault(read)

/** MEMORY_FILE_PATH of a server in the client's own settings, of every project or of this one. */
function findConfigured(file: string, { store }: SourceContext): string | undefined {
  const bytes = readUntrusted(undefined, file, CONFIG_BYTES_MAX)
  if (bytes === undefined || isFileFault(bytes)) return undefined
  const settings = parseObject(bytes.toString('utf8'))
  const project = (settings?.['projects'] as Record<string, unknown> | undefined)?.[store.project.root]
  for (const part of [project, settings]) {
    const servers = (part as { mcpServers?: unknown } | undefined)?.mcpServers
    for (const server of Object.values(typeof servers === 'object' && servers !== null ? servers : {})) {
      const path = (server as { env?: Record<string, unknown> } | null)?.env?.['MEMORY_FILE_PATH']
      if (typeof path === 'string') return path
    }
  }
  return undefined
}
