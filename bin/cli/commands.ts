/**
 * The table of subcommands, such as `zotui sessions`, which run without the UI. Help, completion and the reading of the
 * command line use it. A new one is a file and its line here.
 */
import type { ProgramCommand, Subcommand } from './command.ts'
import { command as attach } from './commands/attach.ts'
import { command as board } from './commands/board.ts'
import { command as checkpoints } from './commands/checkpoints.ts'
import { command as completion } from './commands/completion.ts'
import { command as container } from './commands/container.ts'
import { command as conversations } from './commands/conversations.ts'
import { command as doctor } from './commands/doctor.ts'
import { command as exportSession } from './commands/export.ts'
import { command as find } from './commands/find.ts'
import { command as importSession } from './commands/import.ts'
import { command as kubernetes } from './commands/kubernetes.ts'
import { command as permissions } from './commands/permissions.ts'
import { command as prompts } from './commands/prompts.ts'
import { command as replay } from './commands/replay.ts'
import { command as review } from './commands/review.ts'
import { command as sandbox } from './commands/sandbox.ts'
import { command as serve } from './commands/serve.ts'
import { command as sessions } from './commands/sessions.ts'
import { command as show } from './commands/show.ts'
import { command as stop } from './commands/stop.ts'
import { command as usage } from './commands/usage.ts'
import { command as worktrees } from './commands/worktrees.ts'
import { named, written } from './flags.ts'

export const commands: readonly Subcommand[] = [
  sessions,
  find,
  show,
  exportSession,
  importSession,
  board,
  conversations,
  attach,
  stop,
  serve,
  review,
  usage,
  replay,
  checkpoints,
  worktrees,
  doctor,
  permissions,
  sandbox,
  container,
  kubernetes,
  prompts,
  completion,
]

/** The command of this name, or null. */
export function findCommand(word: string | undefined): Subcommand | null {
  return commands.find(({ name }) => name === word) ?? null
}

/** The command with its arguments and flags: `export ID [--format NAME]`. */
export function synopsis({ name, takes, flags }: ProgramCommand): string {
  const options = named(flags).map(({ shortFlag: _short, ...flag }) => `[${written(flag)}]`)
  return [name, ...takes, ...options].join(' ')
}
