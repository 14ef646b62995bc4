/** Completion for fish, with descriptions. */
import { ownFlags, type Completable, type CompletableCommand } from './completable.ts'

const quoted = (text: string): string => `'${text.replaceAll(/[\\']/g, '\\$&')}'`

function line(condition: string, { name, short, help, value }: Completable): string {
  const letter = short === null ? '' : ` -s ${short}`
  return `complete -c zotui -n ${quoted(condition)} -l ${name}${letter}${valueOf(value)} -d ${quoted(help)}`
}

function valueOf(value: Completable['value']): string {
  if (value === null) return ''
  if (value === 'file') return ' -r -F'
  if (value === 'folder') return " -x -a '(__fish_complete_directories)'"
  return value === 'any' ? ' -x' : ` -x -a ${quoted(value.join(' '))}`
}

export function fishScript(commands: readonly CompletableCommand[]): string {
  const names = commands.map(({ name }) => name).join(' ')
  const own = `not __fish_seen_subcommand_from ${names}`
  const lines = [
    ...commands.map(({ name, help }) => `complete -c zotui -n __fish_use_subcommand -a ${name} -d ${quoted(help)}`),
    ...ownFlags.map(flag => line(own, flag)),
    ...commands.flatMap(({ name, flags, takes, takesFile }) => {
      const condition = `__fish_seen_subcommand_from ${name}`
      const words = takes.length > 0 ? [`complete -c zotui -n ${quoted(condition)} -a ${quoted(takes.join(' '))}`] : []
      const files = takesFile ? [`complete -c zotui -n ${quoted(condition)} -F`] : []
      return flags.map(flag => line(condition, flag)).concat(words, files)
    }),
  ]
  return `# Completion of zotui for fish. Save it in fish's folder:
#   zotui completion fish > ~/.config/fish/completions/zotui.fish
complete -c zotui -f
${lines.join('\n')}
`
}
