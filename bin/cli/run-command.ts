/** Runs a subcommand such as `zotui sessions`, or prints its help. Every command loads the imports, so keep them few. */
import process from 'node:process'
import { listUnfinishedIn } from '../../src/platform/unfinished-folder.ts'
import { openLog, statePath } from '../../src/storage/log.ts'
import { print } from '../standard-streams.ts'
import { checkStorage } from '../wiring/start/check-storage.ts'
import { readWords } from './command-words.ts'
import type { ProgramCommand } from './command.ts'
import { commands } from './commands.ts'
import { commandHelp } from './help.ts'
import { endWithOutput } from './output-end.ts'
import { keptFolders } from '../wiring/start/kept-folders.ts'
import { loadCommand } from './load-command.ts'
import { report, reportUncaught } from './report.ts'

/** Runs the command and sets the exit code. */
export async function runCommand(command: ProgramCommand, argv: readonly string[]): Promise<void> {
  const log = openLog(() => new Date())
  reportUncaught(log)
  endWithOutput(process.stdout)
  try {
    // Words alone do not need meow, which takes longer to load than most commands.
    const call = readWords(command, argv) ?? (await import('./read-call.ts')).readCall(command, argv)
    if (!call) {
      print(commandHelp(command))
      return
    }
    await checkStorage(keptFolders())
    listUnfinishedIn(statePath())
    const loaded = await loadCommand(command.name)
    process.exitCode = await loaded.run(call, commands, {
      parse: async line => (await import('./arguments.ts')).parseArguments(line),
      run: async (args, line, answer) => (await import('../main.ts')).run(args, log, line, answer),
    })
  } catch (error) {
    process.exitCode = report(error, log)
  }
}
