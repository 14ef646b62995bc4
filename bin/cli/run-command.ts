/** Runs a shell command such as `zotui sessions`. */
import process from 'node:process'
import { parseArgs } from 'node:util'
import { UserError } from '../../src/platform/errors.ts'
import { openLog } from '../../src/storage/log.ts'
import { print } from '../standard-streams.ts'
import { checkStorage } from '../wiring/start/check-storage.ts'
import { commands, synopsis, type ProgramCommand, type CommandCall } from './commands.ts'
import { endWithOutput } from './output-end.ts'
import { keptFolders } from '../wiring/start/load-settings.ts'
import { report, reportUncaught } from './report.ts'

/** Runs the command and sets the exit code. */
export async function runCommand(command: ProgramCommand, argv: readonly string[]): Promise<void> {
  const log = openLog(() => new Date())
  reportUncaught(log)
  endWithOutput(process.stdout)
  try {
    const call = readCall(command, argv)
    if (!call) {
      print(commandHelp(command))
      return
    }
    await checkStorage(keptFolders())
    const { run } = await command.load()
    process.exitCode = await run(call, commands)
  } catch (error) {
    process.exitCode = report(error, log)
  }
}

/**
 * Reads the arguments after the command's name. Null if they ask for help.
 *
 * @throws UserError with exit code 2 for a mistake in them.
 */
export function readCall(command: ProgramCommand, argv: readonly string[]): CommandCall | null {
  const flags = Object.entries(command.flags).map(([name, { value, short }]) => {
    const type: 'boolean' | 'string' = value === null ? 'boolean' : 'string'
    return [name, { type, ...(short !== undefined && { short }) }] as const
  })
  const { values, positionals } = parse(command, argv, Object.fromEntries(flags))
  if (values['help'] === true) return null
  const needed = command.takes.filter(word => !word.startsWith('['))
  const missing = needed.find((_, at) => (positionals[at] ?? '') === '')
  if (missing !== undefined) throw usage(command, `\`zotui ${command.name}\` needs ${missing}.`)
  const extra = positionals[command.takes.length]
  if (extra !== undefined) {
    const prompt = `To send it to the agent, use \`zotui --prompt "${command.name} ..."\`.`
    throw usage(command, `\`zotui ${command.name}\` takes no argument "${extra}".`, prompt)
  }
  return {
    words: positionals,
    has: flag => values[flag] !== undefined,
    value(flag) {
      const value = values[flag]
      return typeof value === 'string' ? value : null
    },
  }
}

type Options = Record<string, { type: 'boolean' | 'string'; short?: string }>

function parse(command: ProgramCommand, argv: readonly string[], own: Options) {
  const options: Options = { ...own, help: { type: 'boolean', short: 'h' } }
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true })
  } catch (error) {
    // The second sentence of Node's message is a hint that does not apply here.
    const [first = ''] = error instanceof Error ? error.message.split('. To specify') : []
    throw usage(command, `\`zotui ${command.name}\`: ${first.replaceAll("'", '`')}.`)
  }
}

function usage({ name }: ProgramCommand, message: string, hint = ''): UserError {
  return new UserError(message, `${hint} \`zotui ${name} --help\` lists all flags.`.trim(), 2)
}

function commandHelp(command: ProgramCommand): string {
  const rows = Object.entries(command.flags).map(([name, { value, short, help }]) => {
    const written = `--${name}${value === null ? '' : ` ${value}`}`
    return [short === undefined ? written : `${written}, -${short}`, help] as const
  })
  const all = [...rows, ['--help, -h', 'show this help'] as const]
  const width = Math.max(...all.map(([written]) => written.length))
  const flags = all.map(([written, help]) => `  ${written.padEnd(width)}  ${help}\n`).join('')
  return `Usage\n  $ zotui ${synopsis(command)}\n\n  ${command.summary}\n\nFlags\n${flags}`
}
