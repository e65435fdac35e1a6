// The completion script for zsh: what bash's does, with what each word is for beside it.
import { type Place, quoted, takingValue, type Word } from './places.ts'

export function zshScript(places: readonly Place[]): string {
  return `#compdef memctl
# memctl completion for zsh. Made by: memctl completion zsh
_memctl() {
  local place= word i
  local -a commands options choices
  for ((i = 2; i < CURRENT; i++)); do
    word=$words[i]
    case $word in
      (${takingValue(places).join('|')}) ((i++)) ;;
      (-*) ;;
      (*) case "\${place:+$place }$word" in
${rows(places, ({ path }) => (path === '' ? undefined : `        (${quoted(path)}) place="\${place:+$place }$word" ;;`))}
      esac ;;
    esac
  done
  case "$place:$words[CURRENT-1]" in
${rows(places, ({ path, options }) =>
  options
    .filter((option) => option.choices.length > 0)
    .map((option) => `    (${quoted(`${path}:${option.word}`)}) choices=(${option.choices.map(quoted).join(' ')}) ;;`)
    .join('\n'),
)}
    (*:${takingValue(places).join('|*:')}) _files; return ;;
  esac
  if (( $#choices )); then
    compadd -- $choices
    return
  fi
  case "$place" in
${rows(
  places,
  ({ path, commands, options, choices }) => `    (${quoted(path)})
      commands=(${[...commands, ...choices.map((word) => ({ word, about: '' }))].map(described).join(' ')})
      options=(${options.map(described).join(' ')}) ;;`,
)}
  esac
  if [[ $PREFIX == -* ]]; then
    _describe -o option options
  elif (( $#commands )); then
    _describe command commands
  else
    _files
  fi
}
if [[ $funcstack[1] == _memctl ]]; then _memctl "$@"; else compdef _memctl memctl; fi
`
}

/** `word:what it is for`, as _describe reads it. */
const described = ({ word, about }: Word): string =>
  quoted(about === '' ? word : `${word.replaceAll(':', '\\:')}:${about}`)

const rows = (places: readonly Place[], row: (place: Place) => string | undefined): string =>
  places
    .map(row)
    .filter((line) => line !== undefined && line !== '')
    .join('\n')
