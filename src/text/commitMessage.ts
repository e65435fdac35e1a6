// The messages of the commits that a shell line makes: from the option -m, or from a heredoc.
import { splitSimpleCommands } from './shellCommands.ts'

const COMMIT = /\bgit\b[^\n;&|]*?\scommit\b/
const HEREDOC = /<<-?[ \t]*(["']?)([A-Za-z_]\w*)\1[^\n]*\n([\s\S]*?)\n[ \t]*\2(?=[\s)"'`;]|$)/

/** Subjects and bodies, one text for each commit, empty if it commits nothing. Wrapped sentences are joined. */
export function findCommitMessages(command: string): string[] {
  if (!COMMIT.test(command)) return []
  const heredoc = HEREDOC.exec(command)?.[3]
  if (heredoc !== undefined) return [joinLines(heredoc)]
  return splitSimpleCommands(command).flatMap(({ words }) => {
    if (!words.includes('git') || !words.includes('commit')) return []
    const texts = words.filter((_, i) => /^(?:-[a-zA-Z]*m|--message)$/.test(words[i - 1] ?? ''))
    return texts.length > 0 ? [joinLines(texts.join('\n\n'))] : []
  })
}

/** A line that begins in lower case continues the sentence before it. */
const joinLines = (message: string): string => message.trim().replace(/([^\n])\n[ \t]*(?=[a-z(`])/g, '$1 ')
