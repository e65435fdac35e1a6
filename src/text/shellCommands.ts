// Splits shell lines into simple commands. Drops quotes, redirections, comments and the bodies of heredocs.

interface SimpleCommand {
  readonly words: readonly string[]
  /** It is behind a pipe or inside `$(…)`: its work is a part of another command's. */
  readonly isAuxiliary: boolean
}

/** A longer line contains data; only its beginning is read. */
const COMMAND_CHARS_MAX = 8192

//            1 redirection                                                        2 comment   3 operator
const TOKEN =
  /(&>>?\s*\S+|\d*(?:>[>|]?|<)&?[ \t]*(?:"[^"]*"|'[^']*'|[^\s;|&()<>]+))|(#[^\n]*)|(&&|\|[|&]?|[;&\n()])|(?:[^\s|;&()<>"'\\]|\\[\s\S]|"(?:\\[\s\S]|[^"\\])*"|'[^']*')+/g
//                       4 a word with its quotes

/** The simple commands of a shell line; those inside `$(…)` come before the command that uses them. */
export function splitSimpleCommands(command: string): readonly SimpleCommand[] {
  const commands: SimpleCommand[] = []
  const outer: { words: string[]; isAuxiliary: boolean; tail: boolean }[] = []
  let words: string[] = []
  let isAuxiliary = false
  let tailAt = -1
  const close = (next: boolean) => {
    if (words.length > 0) commands.push({ words, isAuxiliary })
    words = []
    isAuxiliary = next || outer.at(-1)?.tail === true
  }
  for (const match of withoutHeredocs(command).matchAll(TOKEN)) {
    const [token, redirection, comment, operator] = match
    if (operator === '(') {
      // `$(…)` is a part of a word of the command around it, `(…)` is a command of its own.
      const inside = words.at(-1)?.endsWith('$') === true
      if (!inside) close(false)
      outer.push({ words, isAuxiliary, tail: inside })
      words = []
      isAuxiliary = inside
    } else if (operator === ')') {
      close(false)
      const around = outer.pop()
      if (around?.tail) {
        words = around.words
        isAuxiliary = around.isAuxiliary
        tailAt = match.index + 1
      }
    } else if (operator !== undefined) close(operator === '|' || operator === '|&')
    else if (redirection === undefined && comment === undefined && match.index !== tailAt) words.push(unquote(token))
  }
  close(false)
  for (const around of outer.reverse()) if (around.words.length > 0) commands.push(around)
  return commands
}

/** The command with continued lines joined and without the bodies of heredocs; the rest of a `<<EOF` line stays. */
export function withoutHeredocs(command: string): string {
  const joined = command.slice(0, COMMAND_CHARS_MAX).replace(/\\\r?\n/g, ' ')
  if (!joined.includes('<<')) return joined
  return joined.replace(
    /(?<!<)<<-?[ \t]*(["']?)([A-Za-z_]\w*)\1([^\n]*)\n(?:[\s\S]*?\n)?[ \t]*\2(?=[\s)"'`;]|$)/g,
    '$3',
  )
}

const unquote = (word: string): string => (/["'\\]/.test(word) ? word.replace(/\\([\s\S])|["']/g, '$1') : word)
