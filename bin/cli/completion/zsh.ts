/** Completion for zsh, with descriptions. */
import { ownFlags, type Completable, type CompletableCommand } from './completable.ts'

/** Escapes a text for single quotes within an argument of `_arguments`. */
const quoted = (text: string): string => text.replaceAll(/[\\[\]:]/g, '\\$&').replaceAll("'", `'\\''`)

function argumentOf({ name, short, help, many, value }: Completable): string {
  const says = `[${quoted(help)}]${value === null ? '' : `:value:${actionOf(value)}`}`
  const long = `--${name}${value === null ? '' : '='}`
  if (short === null) return `'${many ? '*' : ''}${long}${says}'`
  return `'(-${short} --${name})'{-${short},${long}}'${says}'`
}

function actionOf(value: Exclude<Completable['value'], null>): string {
  if (value === 'file') return '_files'
  if (value === 'folder') return '_files -/'
  return value === 'any' ? ' ' : `(${value.join(' ')})`
}

export function zshScript(commands: readonly CompletableCommand[]): string {
  const described = commands.map(({ name, help }) => `    '${name}:${quoted(help)}'`)
  const cases = commands.map(({ name, flags, takes, takesFile }) => {
    const rest = takes.length > 0 ? [`'1:what:(${takes.join(' ')})'`] : takesFile ? [`'*:file:_files'`] : []
    return `      ${name}) _arguments -s ${flags.map(argumentOf).concat(rest).join(' ')} ;;`
  })
  return `#compdef zotui
# Completion of zotui for zsh. Add this to ~/.zshrc, after compinit:  source <(zotui completion zsh)
_zotui() {
  local -a commands
  commands=(
${described.join('\n')}
  )
  if (( CURRENT > 2 )) && [[ -n \${commands[(r)$words[2]:*]} ]]; then
    local command=$words[2]
    shift words
    (( CURRENT-- ))
    case $command in
${cases.join('\n')}
    esac
    return
  fi
  _arguments -s \\
    ${ownFlags.map(argumentOf).join(' \\\n    ')} \\
    '1::command:{ _describe command commands }'
}
if [ "$funcstack[1]" = _zotui ]; then _zotui "$@"; else compdef _zotui zotui; fi
`
}
