// Whether a fact is about what is happening: its triggers against a call, a failure or a prompt.
import { type CallFields, callCommand } from '../model/event.ts'
import type { FactTrigger } from '../model/fact.ts'

/** What is happening. Texts are as they are in the payload; `command` has its words separated by one space. */
export interface FactSituation {
  readonly tool?: string | undefined
  /** Paths inside the repository. */
  readonly files: readonly string[]
  readonly command?: string | undefined
  /** The whole input as one text; of a prompt its text. */
  readonly input: string
  /** In lower case. */
  readonly error?: string | undefined
  /** The new text of an edit. */
  readonly code?: string | undefined
}

/** A call as a situation. The `whole` input has the command and the code: an event of a start has only a part. */
export function callSituation(
  { tool, files, input }: CallFields,
  whole: CallFields['input'],
  error: string | undefined,
): FactSituation {
  const command = callCommand({ input: whole }).replace(/\s+/g, ' ').trim()
  const code = [whole['new_string'], whole['content']].find((text) => typeof text === 'string')
  return {
    tool,
    files,
    command: command === '' ? undefined : command,
    input: command === '' ? JSON.stringify(input) : command,
    error: error?.toLowerCase(),
    code: typeof code === 'string' ? code : undefined,
  }
}

/** Whether every field of the trigger that is present matches. */
export function matchesTrigger(trigger: FactTrigger, situation: FactSituation): boolean {
  const { tools, paths, command, parts, errors, code } = trigger
  return (
    (tools === undefined || (situation.tool !== undefined && tools.includes(situation.tool))) &&
    (paths === undefined || paths.some((path) => mentionsPath(situation, path))) &&
    (command === undefined || runsCommand(situation.command, command)) &&
    (parts === undefined || parts.every((part) => hasPart(situation.input, part))) &&
    (errors === undefined || errors.some((part) => situation.error?.includes(part.toLowerCase()) === true)) &&
    (code === undefined || code.some((part) => situation.code?.includes(part) === true))
  )
}

/**
 * Whether a call comes close to what the trigger is about, so that the failure may follow: another file in the folder
 * of a missing path, the same command without the wrong option, another tool of the same MCP server.
 */
export function isNearTrigger({ tools, paths, command, parts }: FactTrigger, situation: FactSituation): boolean {
  if (paths !== undefined) {
    const folders = paths.map(folderOf).filter((folder) => folder !== '')
    // An edit is of a file that is known, and a command names files for many reasons.
    return LOOKUP_TOOLS.has(situation.tool ?? '') && situation.files.some((file) => folders.includes(folderOf(file)))
  }
  if (command !== undefined) return parts !== undefined && runsCommand(situation.command, command)
  const server = tools?.map((tool) => /^mcp__.+?__/.exec(tool)?.[0]) ?? []
  return server.some((prefix) => prefix !== undefined && situation.tool?.startsWith(prefix) === true)
}

const LOOKUP_TOOLS: ReadonlySet<string> = new Set(['Read', 'Grep', 'Glob', 'LS'])

/** Whether some call can come close to the trigger without matching it. */
export const canComeNear = ({ tools, paths, command, parts }: FactTrigger): boolean =>
  paths !== undefined
    ? paths.some((path) => folderOf(path) !== '')
    : command !== undefined
      ? parts !== undefined
      : tools?.some((tool) => tool.startsWith('mcp__')) === true

const folderOf = (path: string): string => path.replace(/\/$/, '').replace(/\/?[^/]*$/, '')

/** A path of the situation is this path or below it, or the input names it. */
function mentionsPath({ files, input }: FactSituation, path: string): boolean {
  const folder = path.endsWith('/') ? path : `${path}/`
  return files.some((file) => file === path || file.startsWith(folder)) || hasPart(input, path, isPathChar)
}

/** One of the simple commands begins with these words. `cd x && gh pr diff 5` runs `gh pr diff`. */
function runsCommand(command: string | undefined, beginning: string): boolean {
  if (command === undefined) return false
  return command.split(/\s*(?:&&|\|\||[;|\n])\s*/).some((part) => {
    const words = part.replace(/^(?:[A-Za-z_]\w*=\S*\s+)+/, '')
    return words === beginning || words.startsWith(`${beginning} `)
  })
}

/** The text has the part, and no word character or `-` continues it: `--stat` is not in `--status`. */
function hasPart(text: string, part: string, continues: (rest: string) => boolean = isWordChar): boolean {
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) {
    const startsInside = isWordChar(text[at - 1]) && isWordChar(part[0])
    const endsInside = continues(text.slice(at + part.length, at + part.length + 2)) && isWordChar(part.at(-1))
    if (!startsInside && !endsInside) return true
  }
  return false
}

const isWordChar = (text: string | undefined): boolean => text !== undefined && /^[\w-]/.test(text)

/** `a/b.go` continues the path `a/b`; the full stop of a sentence does not. */
const isPathChar = (text: string): boolean => /^(?:[\w-]|\.\w)/.test(text)
