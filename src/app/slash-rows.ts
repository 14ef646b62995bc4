/** The effects of the slash commands. Their names and help are in `state/slash.ts`. */
import { createDiffCommand } from './changes/diff-command.ts'
import type { SessionChanges } from './changes/session-changes.ts'
import { promptEntry } from '../state/composer/queue-entry.ts'
import { printHelp, turnCommands } from './commands/commands.ts'
import { conversationCommands } from './commands/conversations.ts'
import { copyAnswer } from './commands/copy.ts'
import { createHooksCommand } from './commands/hooks.ts'
import { exitCommand } from './commands/exit.ts'
import { exportConversation } from './commands/export.ts'
import { openMemory } from './commands/memory.ts'
import { switchRaw } from './commands/raw.ts'
import type { createSettingsCommand } from './commands/settings.ts'
import { createSkills } from './commands/skills.ts'
import { switchThoughts } from './commands/thoughts.ts'
import type { Attaching } from './composer/attaching.ts'
import type { Composing } from './composer/composing.ts'
import { openEditor } from './composer/draft-editor.ts'
import type { VimEditing } from './composer/vim-editing.ts'
import type { ChoicePrompt } from './context/choice-prompt.ts'
import type { Clipboard } from './context/clipboard.ts'
import type { AppContext } from './context/context.ts'
import type { Leaving } from './context/leaving.ts'
import type { KeyDebug } from './input/key-debug.ts'
import { createPermissionCommands } from './permissions/commands.ts'
import type { Permissions } from './permissions/permissions.ts'
import type { AgentOptions } from './pickers/options.ts'
import type { ConversationList } from './pickers/conversations.ts'
import type { SessionList } from './pickers/sessions.ts'
import type { Pages } from './pages/pages.ts'
import type { SideQuestions } from './side/side-questions.ts'
import type { Branching } from './turns/branching.ts'
import type { CommandRows } from './turns/command-runner.ts'
import type { Turns } from './turns/turns.ts'
import { createWorktreeCommand } from './worktrees/worktree-command.ts'
import { createWorktreeList } from './worktrees/worktree-list.ts'

export type SlashParts = {
  context: AppContext
  turns: Turns
  choicePrompt: ChoicePrompt
  composing: Composing
  pages: Pick<Pages, 'open'>
  attaching: Attaching
  clipboard: Clipboard
  side: SideQuestions | undefined
  branching: Branching
  settingsCommand: ReturnType<typeof createSettingsCommand>
  vim: VimEditing
  keyDebug: KeyDebug
  agentOptions: AgentOptions
  sessionList: SessionList
  conversationList: ConversationList | null
  /** Null without a host. */
  changes: SessionChanges | null
  permissions: Permissions
  /** Leaves all conversations. */
  leave: Leaving['leave']
  /** Leaves this one. */
  leaveThis: Leaving['leave']
  redraw: () => void
}

export function slashRows(parts: SlashParts): CommandRows {
  const { context, turns, choicePrompt, composing, attaching, clipboard, side, branching, permissions, redraw } = parts
  const { agentOptions, sessionList, conversationList, changes, pages, vim, keyDebug, settingsCommand, leaveThis } =
    parts
  const skills = createSkills(context, choicePrompt, composing)
  const say = (prompt: string): void => turns.queue.say(promptEntry(prompt))
  return {
    ...turnCommands({ context, turns, choicePrompt }),
    help: argument => (argument === 'debug' ? keyDebug.start() : printHelp(context)),
    btw: argument => side?.ask(argument),
    exit: exitCommand(context, choicePrompt, () => void parts.leave()),
    editor: text => void openEditor(context, composing, text),
    paste: attaching.pasteClipboard,
    settings: settingsCommand.open,
    vim: vim.toggle,
    hooks: createHooksCommand(context),
    skills: argument => void skills.open(argument),
    memory: () => void openMemory(context, { choicePrompt, memory: () => turns.memory.digest(), pages }),
    fork: branching.fork,
    rewind: branching.rewind,
    mode: agentOptions.mode,
    options: agentOptions.open,
    resume: argument => sessionList.open(argument),
    rename: sessionList.renameCurrent,
    export: argument => exportConversation(context, argument),
    raw: argument => switchRaw(context, redraw, argument),
    thoughts: argument => switchThoughts(context, redraw, argument),
    copy: argument => void copyAnswer(context, clipboard, argument),
    diff: changes ? createDiffCommand({ context, choicePrompt, changes, pages }) : () => undefined,
    worktree: createWorktreeCommand({ context, choicePrompt, pages, say, redraw, leave: leaveThis }),
    worktrees: createWorktreeList(context, choicePrompt),
    ...createPermissionCommands({ context, choicePrompt, permissions, turns }),
    ...conversationCommands(context, conversationList),
  }
}
