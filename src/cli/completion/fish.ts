// The completion script for fish: one line for each word of each command.
import { type CommandNode, listValueOptions, OFFER_IDS, quoteForShell } from './commandTree.ts'

export function generateFishCompletion(nodes: readonly CommandNode[]): string {
  const paths = nodes.flatMap(({ path }) => (path === '' ? [] : [quotedFish(path)]))
  const lines = nodes.flatMap((node) => {
    const at = `complete -c memctl -n ${quotedFish(`__memctl_at ${quoteForShell(node.path)}`)}`
    const commands = node.commands.map(
      ({ word, description }) => `${at} -f -a ${quotedFish(word)} -d ${quotedFish(description)}`,
    )
    const ids = node.takesIds ? [`${at} -f -a '(memctl ${OFFER_IDS} (commandline -ct) 2>/dev/null)'`] : []
    const choices = node.choices.map((word) => `${at} -f -a ${quotedFish(word)}`)
    const options = node.options.map(({ word, description, takesValue, choices: values }) => {
      const value = values.length > 0 ? ` -x -a ${quotedFish(values.join(' '))}` : takesValue ? ' -r' : ''
      return `${at} -l ${word.slice(2)}${value} -d ${quotedFish(description)}`
    })
    return [...commands, ...choices, ...ids, ...options]
  })
  return `# memctl completion for fish. Made by: memctl completion fish
function __memctl_place
    set -l place
    set -l skip 0
    for word in (commandline -opc)[2..]
        if test $skip = 1
            set skip 0
        else if contains -- $word ${listValueOptions(nodes).join(' ')}
            set skip 1
        else if contains -- (string join ' ' $place $word) ${paths.join(' ')}
            set place $place $word
        end
    end
    string join ' ' $place
end
function __memctl_at
    test "$(__memctl_place)" = "$argv[1]"
end
${lines.join('\n')}
`
}

/** Inside single quotes fish has two escapes: for the quote and for the backslash. */
const quotedFish = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
