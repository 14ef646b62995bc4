/** All slash commands. A new one is a file and its line here. */
import type { AppCommand } from '../app/command-app.ts'
import { addDir } from './agent/add-dir.ts'
import { agent } from './agent/agent.ts'
import { btw } from './agent/btw.ts'
import { context } from './agent/context/command.ts'
import { login } from './agent/login.ts'
import { logout } from './agent/logout.ts'
import { mcp } from './agent/mcp.ts'
import { memory } from './agent/memory/command.ts'
import { mode } from './agent/mode.ts'
import { model } from './agent/model.ts'
import { options } from './agent/options.ts'
import { permissions } from './agent/permissions.ts'
import { plan } from './agent/plan.ts'
import { reasoning } from './agent/reasoning.ts'
import { restart } from './agent/restart.ts'
import { running } from './agent/running.ts'
import { sandbox } from './agent/sandbox/command.ts'
import { skills } from './agent/skills/command.ts'
import { study } from './agent/study.ts'
import { usage } from './agent/usage/command.ts'
import { clear } from './conversation/clear.ts'
import { compact } from './conversation/compact.ts'
import { copy } from './conversation/copy.ts'
import { diff } from './conversation/diff.ts'
import { find } from './conversation/find.ts'
import { exportCommand } from './conversation/export/command.ts'
import { fork } from './conversation/fork.ts'
import { marks } from './conversation/marks.ts'
import { move } from './conversation/move.ts'
import { now } from './conversation/now.ts'
import { raw } from './conversation/raw.ts'
import { rename } from './conversation/rename.ts'
import { resume } from './conversation/resume.ts'
import { retry } from './conversation/retry.ts'
import { rewind } from './conversation/rewind.ts'
import { share } from './conversation/share/command.ts'
import { steer } from './conversation/steer.ts'
import { tree } from './conversation/tree.ts'
import { another } from './program/another.ts'
import { board } from './program/board/command.ts'
import { conversations } from './program/conversations.ts'
import { doctor } from './program/doctor.ts'
import { editor } from './program/editor.ts'
import { exit } from './program/exit.ts'
import { help } from './program/help.ts'
import { hooks } from './program/hooks.ts'
import { paste } from './program/paste.ts'
import { race } from './program/race/command.ts'
import { serve } from './program/serve/command.ts'
import { settings } from './program/settings.ts'
import { spawn } from './program/spawn/command.ts'
import { theme } from './program/theme.ts'
import { thoughts } from './program/thoughts.ts'
import { vim } from './program/vim.ts'
import { worktree } from './program/worktrees/worktree.ts'
import { worktrees } from './program/worktrees/worktrees.ts'

/** The most used come first: if several begin with the typed text, the first of them is meant. The help has them in this order, too. */
export const slashCommands: readonly AppCommand[] = [
  help,
  clear,
  compact,
  model,
  agent,
  btw,
  resume,
  find,
  diff,
  usage,
  context,
  copy,
  reasoning,
  mode,
  options,
  permissions,
  plan,
  running,
  retry,
  rewind,
  fork,
  marks,
  now,
  exportCommand,
  editor,
  paste,
  rename,
  settings,
  sandbox,
  addDir,
  hooks,
  mcp,
  conversations,
  board,
  serve,
  share,
  another,
  spawn,
  race,
  worktree,
  worktrees,
  move,
  study,
  steer,
  skills,
  memory,
  raw,
  vim,
  theme,
  tree,
  thoughts,
  restart,
  doctor,
  login,
  logout,
  exit,
]
