/** Runs a subcommand such as `zotui sessions`, or prints its help. Every command loads the imports, so keep them few. */
import process from 'node:process'
import { listUnfinishedIn } from '../../src/platform/unfinished-folder.ts'
import { openLog, statePath } from '../../src/storage/log.ts'
import { print } from '../standard-streams.ts'
import { checkStorage } from '../wiring/start/check-storage.ts'
import { readWords } from './command-words.ts'
import type { RunCommand } from './command.ts'
import { commands, type SubcommandName, type ProgramCommand } from './commands.ts'
import { commandHelp } from './help.ts'
import { endWithOutput } from './output-end.ts'
import { keptFolders } from '../wiring/start/kept-folders.ts'
import { report, reportUncaught } from './report.ts'

/** Loads the code of each command on demand. It never imports React or Ink before it needs a screen. */
const loads: Readonly<Record<SubcommandName, () => Promise<{ run: RunCommand }>>> = {
  sessions: () => import('./commands/sessions.ts'),
  show: () => import('./commands/show.ts'),
  export: () => import('./commands/export.ts'),
  import: () => import('./commands/import.ts'),
  conversations: () => import('./commands/conversations.ts'),
  attach: () => import('./commands/attach.ts'),
  stop: () => import('./commands/stop.ts'),
  usage: () => import('./commands/usage.ts'),
  replay: () => import('./commands/replay.ts'),
  checkpoints: () => import('./commands/checkpoints.ts'),
  worktrees: () => import('./commands/worktrees.ts'),
  doctor: () => import('./commands/doctor.ts'),
  permissions: () => import('./commands/permissions.ts'),
  prompts: () => import('./commands/prompts.ts'),
  completion: () => import('./commands/completion.ts'),
}

/** Runs the command and sets the exit code. */
export async function runCommand(command: ProgramCommand<SubcommandName>, argv: readonly string[]): Promise<void> {
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
    const { run } = await loads[command.name]()
    process.exitCode = await run(call, commands, async line => (await import('./arguments.ts')).parseArguments(line))
  } catch (error) {
    process.exitCode = report(error, log)
  }
}
