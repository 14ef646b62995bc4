/** The help of `zotui --help` and `zotui COMMAND --help`, from the tables of flags and commands. */
import type { ProgramCommand } from './command.ts'
import { commands, synopsis } from './commands.ts'
import { flagsByGroup, flagsOf, written } from './flags.ts'

/** Columns of the help. */
const WIDTH = 80
/** The column of the descriptions. */
const COLUMN = 25

/** A name with its description next to it, or below it if the name is long. */
function row(name: string, words: string): string {
  const [first = '', ...more] = filled(words, WIDTH - COLUMN)
  const begin = name.length > COLUMN - 4 ? `  ${name}\n${' '.repeat(COLUMN)}` : `  ${name.padEnd(COLUMN - 2)}`
  return [begin + first, ...more.map(line => ' '.repeat(COLUMN) + line)].join('\n')
}

function filled(words: string, width: number): string[] {
  const lines: string[] = []
  for (const word of words.split(' ')) {
    const line = lines.at(-1)
    if (line !== undefined && line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}

export function helpText(): string {
  const rows = commands.map(command => row([command.name, ...command.takes].join(' '), command.summary))
  const parts = flagsByGroup().map(
    ({ title, flags }) => `${title}\n${flags.map(each => row(written(each), each.text)).join('\n')}`,
  )
  return `Usage
  $ zotui [flags] [prompt]
  $ zotui COMMAND

  Starts a session with the coding agent zot in this folder, and sends the
  prompt if there is one.

Commands (see \`zotui COMMAND --help\`)
${rows.join('\n')}

${parts.join('\n\n')}

${row('-- ...', 'pass everything after it to `zot rpc` unchanged')}

Exit codes: 0 success, 1 failure, 2 wrong command line, 3 something was refused
because -p cannot ask, 130 interrupted.
`
}

export function commandHelp(command: ProgramCommand): string {
  const { summary, takes, words } = command
  const about = filled(summary, WIDTH - 2).map(line => `  ${line}\n`)
  const known = words ? `\n${row(takes[0]?.replace(/[[\]]/g, '') ?? '', words.join(', '))}\n` : ''
  const flags = flagsOf(command).map(flag => `${row(written(flag), flag.text)}\n`)
  return `Usage\n  $ zotui ${synopsis(command)}\n\n${about.join('')}${known}\nFlags\n${flags.join('')}`
}
