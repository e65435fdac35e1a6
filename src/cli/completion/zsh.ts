// The completion script for zsh: like the one for bash, with descriptions.
import {
  type CommandNode,
  type CompletionWord,
  formatRows,
  listValueOptions,
  OFFER_IDS,
  quoteForShell,
} from './commandTree.ts'

export function generateZshCompletion(nodes: readonly CommandNode[]): string {
  return `#compdef memctl
# memctl completion for zsh. Made by: memctl completion zsh
_memctl() {
  local place= word i ids=
  local -a commands options choices offered
  for ((i = 2; i < CURRENT; i++)); do
    word=$words[i]
    case $word in
      (${listValueOptions(nodes).join('|')}) ((i++)) ;;
      (-*) ;;
      (*) case "\${place:+$place }$word" in
${formatRows(nodes, ({ path }) => (path === '' ? undefined : `        (${quoteForShell(path)}) place="\${place:+$place }$word" ;;`))}
      esac ;;
    esac
  done
  case "$place:$words[CURRENT-1]" in
${formatRows(nodes, ({ path, options }) =>
  options
    .filter((option) => option.choices.length > 0)
    .map(
      (option) =>
        `    (${quoteForShell(`${path}:${option.word}`)}) choices=(${option.choices.map(quoteForShell).join(' ')}) ;;`,
    )
    .join('\n'),
)}
    (*:${listValueOptions(nodes).join('|*:')}) _files; return ;;
  esac
  if (( $#choices )); then
    compadd -- $choices
    return
  fi
  case "$place" in
${formatRows(
  nodes,
  ({ path, commands, options, choices, takesIds }) => `    (${quoteForShell(path)})${takesIds ? ' ids=1' : ''}
      commands=(${[...commands, ...choices.map((word) => ({ word, description: '' }))].map(described).join(' ')})
      options=(${options.map(described).join(' ')}) ;;`,
)}
  esac
  if [[ $PREFIX == -* ]]; then
    _describe -o option options
  elif [[ -n $ids ]]; then
    offered=(\${\${(f)"$(memctl ${OFFER_IDS} "$PREFIX" 2>/dev/null)"}/$'\\t'/:})
    _describe -V memory offered
  elif (( $#commands )); then
    _describe command commands
  else
    _files
  fi
}
if [[ $funcstack[1] == _memctl ]]; then _memctl "$@"; else compdef _memctl memctl; fi
`
}

/** `word:description`, as _describe reads it. */
const described = ({ word, description }: CompletionWord): string =>
  quoteForShell(description === '' ? word : `${word.replaceAll(':', '\\:')}:${description}`)
