/** The table of slash commands, for the popup, the help and the parser; prompt files come after the built-in ones. */
import type { Ability } from '../agent/abilities.ts'
import type { PromptCommand } from '../config/prompts/command.ts'
import type { ChatState } from '../conversation/state.ts'
import { keyed, type KeyNames } from '../text/key-hints.ts'
import { nearest } from '../text/spelling/nearest.ts'

export type CommandName =
  | 'help'
  | 'clear'
  | 'compact'
  | 'model'
  | 'agent'
  | 'btw'
  | 'reasoning'
  | 'mode'
  | 'options'
  | 'theme'
  | 'settings'
  | 'hooks'
  | 'doctor'
  | 'usage'
  | 'context'
  | 'skills'
  | 'memory'
  | 'export'
  | 'copy'
  | 'diff'
  | 'raw'
  | 'thoughts'
  | 'editor'
  | 'vim'
  | 'paste'
  | 'now'
  | 'retry'
  | 'restart'
  | 'fork'
  | 'rewind'
  | 'login'
  | 'logout'
  | 'resume'
  | 'study'
  | 'rename'
  | 'permissions'
  | 'plan'
  | 'running'
  | 'conversations'
  | 'another'
  | 'spawn'
  | 'worktree'
  | 'worktrees'
  | 'exit'

export type BuiltInCommand = {
  kind: 'built-in'
  name: CommandName
  aliases: readonly string[]
  /** Its argument in the help; null if it takes none. */
  argument: string | null
  help: string
  /** True if it waits in the queue while the agent works. */
  needsIdle: boolean
  /** The ability that the agent needs for it; null for none. */
  ability: Ability | null
}

export type SlashCommand = BuiltInCommand | PromptCommand

/** The most used come first: if several begin with the typed text, the first of them is meant. */
export const slashCommands: readonly BuiltInCommand[] = [
  row(
    'help',
    ['keys', 'hotkeys', 'shortcuts', '?'],
    '[debug]',
    'keys and commands; /keys debug: what your keys send',
    false,
  ),
  row('clear', ['new', 'reset'], null, 'start a new conversation; the screen stays', true, 'clear'),
  row('compact', ['compress', 'summarize'], null, 'replace the conversation with a summary', true, 'compact'),
  row('model', ['models'], '[id]', 'switch the model', true, 'setModel'),
  row('agent', ['agents'], '[name]', 'switch to another agent; it gets the conversation so far', true),
  row(
    'btw',
    ['aside'],
    '[question]',
    'ask a second agent while this one works; it is read-only; alone: shows its last answer',
    false,
  ),
  row('resume', ['sessions', 'continue'], '[text]', 'resume an earlier session', false),
  row('diff', ['changes'], '[since]', 'what changed in this session, or since a prompt; ? lists the keys', false),
  row('usage', ['cost', 'stats', 'status', 'tokens'], null, 'tokens, cache and cost of this session', false),
  row('context', ['window'], null, 'what fills the context window; what the agent loads on its own', false),
  row('copy', ['yank'], '[number|answer]', 'copy the last code block, block 2 or the answer; verbatim', false),
  row('reasoning', ['effort', 'thinking'], '[level]', 'set the reasoning level', true, 'setReasoning'),
  row('mode', ['modes'], '[name]', "the agent's own mode", false, 'setOption'),
  row('options', ['option'], '[name] [value]', "the agent's own options", false, 'setOption'),
  row(
    'permissions',
    ['permission', 'approvals'],
    '[mode]',
    'what runs without asking: the mode and the rules; the mode is saved for this folder',
    false,
    'setPermissionMode',
  ),
  row('plan', [], '[text|off]', 'plan mode: the agent reads and plans; off ends the mode', false, 'setPermissionMode'),
  row('running', ['ps', 'jobs'], null, 'running commands and leftover processes; end one', false, 'listRunning'),
  row('retry', [], null, 'send the last prompt again', true),
  row('rewind', ['jump'], '[text]', 'go back to an earlier prompt and its files; undo: revert the last restore', true),
  row('fork', ['branch'], '[text]', 'continue after an earlier turn, in a new session', true),
  row('now', [], '[text]', 'stop the agent and send this at once; alone: the first queued message', false),
  row('export', ['save'], '[format] [file]', 'save the conversation: md, html, json, zotsession', false),
  row('editor', ['edit'], '[text]', 'edit the prompt in $VISUAL or $EDITOR', false),
  row('paste', [], null, 'paste an image or text from the clipboard', false),
  row('rename', ['title'], '[name]', 'give this session a name', false),
  row('settings', ['config'], '[name] [value]', 'show and change settings, and where they come from', false),
  row(
    'hooks',
    ['hook'],
    '[on|off]',
    'your hooks and the last result of each; off turns them off until you exit',
    false,
  ),
  row('conversations', [], '[number]', 'the conversations; a number goes to one', false),
  row('another', [], '[prompt]', 'open another conversation in this folder', false),
  row(
    'spawn',
    ['background'],
    '[prompt]',
    'send a prompt to a new background conversation; or end the prompt with &; --worktree or --here: where it runs; --background: keeps running after zotui exits',
    false,
  ),
  row('worktree', [], null, "merge or discard this conversation's git worktree; compare or keep its changes", true),
  row('worktrees', [], null, 'the git worktrees of this project; go to one, or discard it', false),
  row('study', [], '[path]', 'have the agent explore the project or a part of it', true),
  row(
    'skills',
    ['skill'],
    '[name]',
    'the skills that the agent can load; with a name: opens its file',
    false,
    'reading',
  ),
  row(
    'memory',
    ['instructions'],
    null,
    'AGENTS.md and other files that the agent loads; open one in your editor',
    false,
  ),
  row('raw', [], '[on|off]', 'raw mode: show text as written; to select and copy it', false),
  row('vim', [], null, 'turn vim keys on or off in the composer (setting editor)', false),
  row('theme', ['themes', 'colors'], '[name]', 'switch the colours', false),
  row('thoughts', [], '[on|off]', "unfold or fold the model's thinking; if the agent reports it", false),
  row('restart', [], '[flags]', 'restart the agent; with another --model, --provider or --base-url', false),
  row('doctor', ['debug', 'bug'], null, 'check the installation; safe to paste into a bug report', false),
  row('login', [], null, "store a provider's key, or log in", true, 'login'),
  row('logout', [], null, 'log out', true, 'login'),
  row('exit', ['quit', 'q'], null, 'exit', false),
]

function row(
  name: CommandName,
  aliases: readonly string[],
  argument: string | null,
  help: string,
  needsIdle: boolean,
  ability: BuiltInCommand['ability'] = null,
): BuiltInCommand {
  return { kind: 'built-in', name, aliases, argument, help, needsIdle, ability }
}

/** The commands that an agent with these abilities supports. */
export function offeredCommands(abilities: ReadonlySet<Ability>): BuiltInCommand[] {
  return slashCommands.filter(({ name, ability }) => {
    if (name === 'login' && abilities.has('loginMethods')) return true
    if (name === 'logout' && abilities.has('logOut')) return true
    return ability === null || abilities.has(ability)
  })
}

export type ParsedSlash =
  | { kind: 'command'; command: SlashCommand; argument: string }
  /** `absent` is the command of that name that this agent or program does not have. */
  | { kind: 'unknown'; word: string; argument: string; nearest: string | null; absent: CommandName | null }

/**
 * Parses a text that begins with a slash. Null if it is not a command but text, such as a path (`/etc/hosts`). Only a
 * prompt file takes several lines as its argument.
 */
export function parseSlash(text: string, commands: readonly SlashCommand[]): ParsedSlash | null {
  const match = /^\/(\S*)(?:\s+([^]*))?$/.exec(text)
  if (!match) return null
  const word = (match[1] ?? '').toLowerCase()
  const isOneLine = !text.includes('\n')
  const argument = (match[2] ?? '').trim()
  const command = commandOf(word, commands)
  if (command && (isOneLine || command.kind === 'prompt')) return { kind: 'command', command, argument }
  if (!isOneLine || !/^(?:[a-z?][\w:-]*)?$/.test(word)) return null
  const absent = slashCommands.find(each => isCalled(each, word))?.name ?? null
  return {
    kind: 'unknown',
    word: `/${word}`,
    argument,
    nearest: absent ? null : nearestCommand(word, commands),
    absent,
  }
}

/** Says that there is no such command, and what to do instead. An agent's abilities are known once it has started. */
export function unknownText(
  { word, nearest, absent }: Extract<ParsedSlash, { kind: 'unknown' }>,
  { chat, startup, keyNames }: { chat: Pick<ChatState, 'agent'>; startup: { demo: boolean }; keyNames: KeyNames },
): string {
  const { name } = chat.agent
  if (word === '/') return 'A command needs a name: /help lists them.'
  if (mayComeLater({ word, absent }, { chat }))
    return `${name} is still starting. After that, ${keyed(keyNames, '{composer.submit} runs ') || 'send '}${word}, if ${name} supports it.`
  if (absent !== null && startup.demo) return `/${absent} is not available in the demo.`
  if (absent !== null)
    return needsAgent(absent) ? `${name} does not support /${absent}.` : `No command /${absent} here.`
  return `No command ${word}. ${nearest ? `Did you mean ${nearest}?` : '/help lists them.'}`
}

/** True if the agent may have this command once it has started. */
export function mayComeLater(
  { word, absent }: Pick<Extract<ParsedSlash, { kind: 'unknown' }>, 'word' | 'absent'>,
  { chat }: { chat: Pick<ChatState, 'agent'> },
): boolean {
  const isAgents = absent === null ? word.startsWith(`/${chat.agent.name}:`) : needsAgent(absent)
  return isAgents && chat.agent.phase === 'starting'
}

/** True if only some agents have this command. */
function needsAgent(name: CommandName): boolean {
  return slashCommands.some(command => command.name === name && command.ability !== null)
}

/** The help of a command; for a prompt file also its place and its problem. */
export function helpOf(command: SlashCommand): string {
  if (command.kind === 'built-in') return command.help
  const { from, problem, name, help } = command
  if (problem !== null) return `${from}: cannot be used, /${name} ${problem}`
  return help === '' ? from : `${from}: ${help}`
}

/** The command with a name or alias. */
export function commandOf(word: string, commands: readonly SlashCommand[]): SlashCommand | undefined {
  return commands.find(each => isCalled(each, word))
}

const isCalled = ({ name, aliases }: SlashCommand, word: string): boolean => name === word || aliases.includes(word)

const isUsable = (command: SlashCommand): boolean => command.kind === 'built-in' || command.problem === null

/** The command that is most similar to an unknown word. */
function nearestCommand(word: string, commands: readonly SlashCommand[]): string | null {
  const names = new Map<string, string>()
  for (const { name, aliases } of commands.filter(isUsable))
    for (const each of [name, ...aliases]) names.set(each, name)
  const near = nearest(word, [...names.keys()])
  return near === null ? null : `/${names.get(near)}`
}
