// The completion script for fish: a line for each word that may come at a place.
import { type CommandNode, listValueOptions, quoteForShell } from './commandTree.ts'

export function generateFishCompletion(places: readonly CommandNode[]): string {
  const paths = places.flatMap(({ path }) => (path === '' ? [] : [quotedFish(path)]))
  const lines = places.flatMap((place) => {
    const at = `complete -c memctl -n ${quotedFish(`__memctl_at ${quoteForShell(place.path)}`)}`
    const commands = place.commands.map(
      ({ word, description }) => `${at} -f -a ${quotedFish(word)} -d ${quotedFish(description)}`,
    )
    const choices = place.choices.map((word) => `${at} -f -a ${quotedFish(word)}`)
    const options = place.options.map(({ word, description, takesValue, choices: values }) => {
      const value = values.length > 0 ? ` -x -a ${quotedFish(values.join(' '))}` : takesValue ? ' -r' : ''
      return `${at} -l ${word.slice(2)}${value} -d ${quotedFish(description)}`
    })
    return [...commands, ...choices, ...options]
  })
  return `# memctl completion for fish. Made by: memctl completion fish
function __memctl_place
    set -l place
    set -l skip 0
    for word in (commandline -opc)[2..]
        if test $skip = 1
            set skip 0
        else if contains -- $word ${listValueOptions(places).join(' ')}
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

/** Inside single quotes fish knows two escapes: of the quote and of the backslash. */
const quotedFish = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
