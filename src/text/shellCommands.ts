// Shell lines cut into simple commands. Quotes hold words together; redirections, comments and heredocs' bodies are left out.

interface SimpleCommand {
  readonly words: readonly string[]
  /** It stands behind a pipe or inside `$(…)`: what it does is a part of what another command does. */
  readonly isAuxiliary: boolean
}

/** What is longer carries data inside; its commands are found in the part before. */
const COMMAND_CHARS_MAX = 8192

//            1 redirection                                                        2 comment   3 operator
const TOKEN =
  /(&>>?\s*\S+|\d*(?:>[>|]?|<)&?[ \t]*(?:"[^"]*"|'[^']*'|[^\s;|&()<>]+))|(#[^\n]*)|(&&|\|[|&]?|[;&\n()])|(?:[^\s|;&()<>"'\\]|\\[\s\S]|"(?:\\[\s\S]|[^"\\])*"|'[^']*')+/g
//                       4 a word, its quotes with it

/** The simple commands of a shell line: those inside `$(…)` stand before the command they serve. */
export function splitSimpleCommands(command: string): readonly SimpleCommand[] {
  const found: SimpleCommand[] = []
  const outer: { words: string[]; isAuxiliary: boolean; tail: boolean }[] = []
  let words: string[] = []
  let isAuxiliary = false
  let tailAt = -1
  const close = (next: boolean) => {
    if (words.length > 0) found.push({ words, isAuxiliary: isAuxiliary })
    words = []
    isAuxiliary = next || outer.at(-1)?.tail === true
  }
  for (const match of plain(command).matchAll(TOKEN)) {
    const [token, redirection, comment, operator] = match
    if (operator === '(') {
      // `$(…)` is a part of a word of the command around it, `(…)` a command of its own.
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
    else if (redirection === undefined && comment === undefined && match.index !== tailAt) words.push(unquoted(token))
  }
  close(false)
  for (const around of outer.reverse()) if (around.words.length > 0) found.push(around)
  return found
}

/** One line a command line, without the bodies of heredocs; what follows `<<EOF` on its own line stays. */
function plain(command: string): string {
  const joined = command.slice(0, COMMAND_CHARS_MAX).replace(/\\\r?\n/g, ' ')
  if (!joined.includes('<<')) return joined
  return joined.replace(
    /(?<!<)<<-?[ \t]*(["']?)([A-Za-z_]\w*)\1([^\n]*)\n(?:[\s\S]*?\n)?[ \t]*\2(?=[\s)"'`;]|$)/g,
    '$3',
  )
}

const unquoted = (word: string): string => (/["'\\]/.test(word) ? word.replace(/\\([\s\S])|["']/g, '$1') : word)
