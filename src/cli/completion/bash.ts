// The completion script for bash. Walks the words before the cursor to the place where it stands, then offers what that place has.
import { type CommandNode, listValueOptions } from './commandTree.ts'

export function generateBashCompletion(places: readonly CommandNode[]): string {
  return `# memctl completion for bash. Made by: memctl completion bash
_memctl() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} path= word i commands options choices
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    case $word in
      ${listValueOptions(places).join('|')}) ((i++)) ;;
      -*) ;;
      *) case "\${path:+$path }$word" in
${rows(places, ({ path }) => (path === '' ? undefined : `        ${pattern(path)}) path="\${path:+$path }$word" ;;`))}
      esac ;;
    esac
  done
  case "$path:$prev" in
${rows(places, ({ path, options }) =>
  options
    .filter((option) => option.choices.length > 0)
    .map((option) => `    ${pattern(`${path}:${option.word}`)}) choices="${option.choices.join(' ')}" ;;`)
    .join('\n'),
)}
    *:${listValueOptions(places).join('|*:')}) return ;;
  esac
  if [[ $choices ]]; then
    COMPREPLY=($(compgen -W "$choices" -- "$cur"))
    return
  fi
  case "$path" in
${rows(
  places,
  ({ path, commands, options, choices }) =>
    `    ${pattern(path)}) commands="${[...commands.map((one) => one.word), ...choices].join(' ')}" options="${options.map((one) => one.word).join(' ')}" ;;`,
)}
  esac
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$cur"))
  else
    COMPREPLY=($(compgen -W "$commands" -- "$cur"))
  fi
}
complete -o bashdefault -o default -F _memctl memctl
`
}

/** A line for each place that has one. */
const rows = (places: readonly CommandNode[], row: (place: CommandNode) => string | undefined): string =>
  places
    .map(row)
    .filter((line) => line !== undefined && line !== '')
    .join('\n')

const pattern = (text: string): string => `"${text}"`
