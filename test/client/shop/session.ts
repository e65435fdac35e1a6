// What one session of the shop's story is made of, and the tool calls it is told in.

import path from 'node:path'
import type { Route, ToolCall, Turn } from '../scriptedApi.ts'

export interface Session {
  /** The recording's name, after its day. */
  readonly name: string
  /** When the story says it began (ISO). */
  readonly at: string
  /** A shell line the person ran before, outside of any session. */
  readonly before?: string
  readonly prompt: readonly string[]
  readonly turns: readonly Turn[]
  readonly routes?: readonly Route[]
  readonly summary?: string
  readonly env?: Readonly<Record<string, string>>
  readonly args?: readonly string[]
  /** It does not come to its end: its last turn hangs, and the client is killed. */
  readonly dies?: boolean
}

export interface ShopTools {
  bash(command: string, description: string): ToolCall
  read(file: string): ToolCall
  write(file: string, content: string): ToolCall
  edit(file: string, before: string, after: string): ToolCall
  grep(pattern: string, folder: string): ToolCall
  explore(description: string, prompt: string): ToolCall
}

/** The tools as the model would call them: files by their whole path inside `project`. */
export function toolsOf(project: string): ShopTools {
  const at = (file: string): string => path.join(project, file)
  return {
    bash: (command, description) => ({ name: 'Bash', input: { command, description } }),
    read: (file) => ({ name: 'Read', input: { file_path: at(file) } }),
    write: (file, content) => ({ name: 'Write', input: { file_path: at(file), content } }),
    edit: (file, before, after) => ({
      name: 'Edit',
      input: { file_path: at(file), old_string: before, new_string: after },
    }),
    grep: (pattern, folder) => ({
      name: 'Grep',
      input: { pattern, path: at(folder), output_mode: 'content', '-n': true },
    }),
    explore: (description, prompt) => ({
      name: 'Agent',
      input: { description, prompt, subagent_type: 'Explore', run_in_background: false },
    }),
  }
}

/** One step of the model: what it says, if anything, and the calls it makes at once. */
export function step(text: string, ...tools: readonly ToolCall[]): Turn {
  return text === '' ? { tools } : { text, tools }
}
