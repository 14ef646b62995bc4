/** Runs a subcommand such as `zotui sessions`, or prints the help. What this file imports is loaded at every start, so it reads no settings. */
import process from 'node:process'
import meow from 'meow'
import { openLog } from '../../src/storage/log.ts'
import { print } from '../standard-streams.ts'
import { checkStorage } from '../wiring/start/check-storage.ts'
import { commands, type ProgramCommand, type CommandCall } from './commands.ts'
import { checkFlags, reading, usage } from './flag-reading.ts'
import { flagRows, flagsOf } from './flags.ts'
import { commandHelp } from './help.ts'
import { endWithOutput } from './output-end.ts'
import { keptFolders } from '../wiring/start/kept-folders.ts'
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
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length
  const checked = checkFlags(argv.slice(0, end), flagsOf(command), command.name)
  const { flags: given, input } = meow({ ...reading, argv: checked.argv, flags: flagRows(command) })
  if (given['help'] === true) return null
  const words = [...input, ...argv.slice(end + 1)]
  const needed = command.takes.filter(word => !word.startsWith('['))
  const missing = needed.find((_, at) => (words[at] ?? '') === '')
  if (missing !== undefined) throw usage(`\`zotui ${command.name}\` needs ${missing}.`, command.name)
  const extra = words[command.takes.length]
  if (extra !== undefined) {
    const prompt = `To send it to the agent, use \`zotui --prompt "${command.name} ..."\`.`
    throw usage(`\`zotui ${command.name}\` takes no argument "${extra}".`, command.name, prompt)
  }
  return {
    words,
    has: flag => given[flag] !== undefined,
    value(flag) {
      const value = given[flag]
      return typeof value === 'string' ? value : null
    },
  }
}
