// The completion script for bash: finds the command that the words before the cursor name, and offers its words.
import { type CommandNode, formatRows, listValueOptions, OFFER_IDS } from './commandTree.ts'

export function generateBashCompletion(nodes: readonly CommandNode[]): string {
  return `# memctl completion for bash. Made by: memctl completion bash
_memctl() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} path= word i commands options choices ids=
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    case $word in
      ${listValueOptions(nodes).join('|')}) ((i++)) ;;
      -*) ;;
      *) case "\${path:+$path }$word" in
${formatRows(nodes, ({ path }) => (path === '' ? undefined : `        ${pattern(path)}) path="\${path:+$path }$word" ;;`))}
      esac ;;
    esac
  done
  case "$path:$prev" in
${formatRows(nodes, ({ path, options }) =>
  options
    .filter((option) => option.choices.length > 0)
    .map((option) => `    ${pattern(`${path}:${option.word}`)}) choices="${option.choices.join(' ')}" ;;`)
    .join('\n'),
)}
    *:${listValueOptions(nodes).join('|*:')}) return ;;
  esac
  if [[ $choices ]]; then
    COMPREPLY=($(compgen -W "$choices" -- "$cur"))
    return
  fi
  case "$path" in
${formatRows(
  nodes,
  ({ path, commands, options, choices, takesIds }) =>
    `    ${pattern(path)}) ${takesIds ? 'ids=1 ' : ''}commands="${[...commands.map(({ word }) => word), ...choices].join(' ')}" options="${options.map(({ word }) => word).join(' ')}" ;;`,
)}
  esac
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$cur"))
  elif [[ $ids ]]; then
    COMPREPLY=($(memctl ${OFFER_IDS} "$cur" 2>/dev/null | cut -f1))
  else
    COMPREPLY=($(compgen -W "$commands" -- "$cur"))
  fi
}
complete -o bashdefault -o default -F _memctl memctl
`
}

const pattern = (text: string): string => `"${text}"`
