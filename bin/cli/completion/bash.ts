/** Completion for bash 3.2 and newer. */
import { ownFlags, type Completable, type CompletableCommand } from './completable.ts'

const dashes = ({ name, short }: Completable): string[] => (short === null ? [`--${name}`] : [`--${name}`, `-${short}`])

/** The branches for the value of a flag. */
function valueCases(command: string, flags: readonly Completable[]): string[] {
  return flags.flatMap(flag => {
    if (flag.value === null) return []
    const pattern = dashes(flag)
      .map(each => `${command}:${each}`)
      .join('|')
    return [`    ${pattern}) ${replyOf(flag.value)} return ;;`]
  })
}

function replyOf(value: Exclude<Completable['value'], null>): string {
  if (value === 'file') return 'COMPREPLY=($(compgen -f -- "$current"));'
  if (value === 'folder') return 'COMPREPLY=($(compgen -d -- "$current"));'
  if (value === 'any') return ''
  return `COMPREPLY=($(compgen -W '${value.join('\n')}' -- "$current"));`
}

export function bashScript(commands: readonly CompletableCommand[]): string {
  const names = commands.map(({ name }) => name)
  const cases = [...valueCases('', ownFlags), ...commands.flatMap(({ name, flags }) => valueCases(name, flags))]
  const words = commands.map(({ name, flags, takes, takesFile }) => {
    const all = flags.flatMap(dashes).concat(takes).join('\n')
    const files = takesFile ? ' COMPREPLY=($(compgen -f -- "$current"));' : ''
    return `    ${name}) words='${all}';${files} ;;`
  })
  return `# Completion of zotui for bash. Add this to ~/.bashrc:  source <(zotui completion bash)
_zotui() {
  local IFS=$'\\n'
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} command= words=
  COMPREPLY=()
  if [ "$COMP_CWORD" -gt 1 ]; then
    case \${COMP_WORDS[1]} in ${names.join('|')}) command=\${COMP_WORDS[1]} ;; esac
  fi
  # bash splits --flag=value into three words.
  if [ "$current" = = ]; then
    current=
  elif [ "$previous" = = ]; then
    previous=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  case $command:$previous in
${cases.join('\n')}
  esac
  case $command in
    '')
      words='${ownFlags.flatMap(dashes).join('\n')}'
      if [ "$COMP_CWORD" -eq 1 ]; then words="$words
${names.join('\n')}"; fi ;;
${words.join('\n')}
  esac
  COMPREPLY+=($(compgen -W "$words" -- "$current"))
}
complete -o filenames -F _zotui zotui
`
}
