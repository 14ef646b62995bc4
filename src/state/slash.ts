/** The slash commands as the popup, the help and the parser see them. `src/commands` has the built-in ones; those of files come after them. */
import type { Ability } from '../agent/abilities.ts'
import type { PromptCommand } from '../config/prompts/command.ts'
import type { ChatState } from '../conversation/state.ts'
import { keyed, type KeyNames } from '../text/key-hints.ts'
import { nearest } from '../text/spelling/nearest.ts'
import type { ArgumentCompleter } from './completion/argument-completer.ts'
import type { KnownCommand } from './state.ts'

/** The groups of the help. */
export type CommandGroup = 'conversation' | 'agent' | 'program'

/** What a command may need of the program around it: without that, it is not offered. */
export type CommandNeed =
  | 'agents'
  | 'board'
  | 'conversations'
  | 'doctor'
  /** That sessions are kept here, and searched. */
  | 'find'
  | 'hooks'
  | 'host'
  /** Modes of the agent's own. */
  | 'modes'
  | 'races'
  | 'sandbox'
  /** A server for browsers. */
  | 'serving'
  /** That the conversation is kept, here or by the process that holds it. */
  | 'session'
  /** That sessions are kept here. */
  | 'sessions'
  /** A second agent beside this one. */
  | 'side'
  | 'themes'
  | 'worktrees'

export type BuiltInCommand = KnownCommand & {
  kind: 'built-in'
  /** Its argument in the help; null if it takes none. */
  argument: string | null
  /** Completes its argument; null if nothing does. */
  completes: ArgumentCompleter | null
  help: string
  group: CommandGroup
  needs: readonly CommandNeed[]
  /** True if it waits in the queue while the agent works. */
  needsIdle: boolean
  /** True if it opens a list with this argument, also while the agent works: later the list could interrupt typing. */
  opensList: (argument: string) => boolean
  /** True if it replaces the agent: a change of it that is in progress ends first, as it began before this was typed. */
  replacesAgent: (argument: string) => boolean
  /** True if it sends a prompt, which costs money: the popup completes it and waits for its argument. */
  sendsPrompt: boolean
}

export type SlashCommand = BuiltInCommand | PromptCommand

/** The commands that an agent with these abilities supports. */
export function offeredCommands<Command extends KnownCommand>(
  commands: readonly Command[],
  abilities: ReadonlySet<Ability>,
): Command[] {
  return commands.filter(command => !needsAgent(command) || command.abilities.some(each => abilities.has(each)))
}

export type ParsedSlash =
  | { kind: 'command'; command: SlashCommand; argument: string }
  | { kind: 'unknown'; word: string; argument: string }

export type UnknownSlash = Extract<ParsedSlash, { kind: 'unknown' }>

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
  return { kind: 'unknown', word: `/${word}`, argument }
}

/** Says that there is no such command, and what to do instead. An agent's abilities are known once it has started. */
export function unknownText(
  slash: UnknownSlash,
  offered: readonly SlashCommand[],
  state: {
    chat: Pick<ChatState, 'agent'>
    startup: { demo: boolean }
    keyNames: KeyNames
    knownCommands: readonly KnownCommand[]
  },
): string {
  const { word } = slash
  const { name } = state.chat.agent
  if (word === '/') return 'A command needs a name: /help lists them.'
  const absent = absentCommand(slash, state.knownCommands)
  if (mayComeLater(slash, state))
    return `${name} is still starting. After that, ${keyed(state.keyNames, '{composer.submit} runs ') || 'send '}${word}, if ${name} supports it.`
  if (absent && state.startup.demo) return `/${absent.name} is not available in the demo.`
  if (absent)
    return needsAgent(absent) ? `${name} does not support /${absent.name}.` : `No command /${absent.name} here.`
  const similar = nearestCommand(slash, offered)
  return `No command ${word}. ${similar ? `Did you mean ${similar}?` : '/help lists them.'}`
}

/** The command of that name that this agent or program does not have. */
export function absentCommand({ word }: UnknownSlash, known: readonly KnownCommand[]): KnownCommand | undefined {
  return known.find(each => isCalled(each, word.slice(1)))
}

/** True if the agent may have this command once it has started. */
export function mayComeLater(
  slash: UnknownSlash,
  { chat, knownCommands }: { chat: Pick<ChatState, 'agent'>; knownCommands: readonly KnownCommand[] },
): boolean {
  const absent = absentCommand(slash, knownCommands)
  const isAgents = absent ? needsAgent(absent) : slash.word.startsWith(`/${chat.agent.name}:`)
  return isAgents && chat.agent.phase === 'starting'
}

/** True if only some agents have this command. */
function needsAgent({ abilities }: KnownCommand): boolean {
  return abilities.length > 0
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

const isCalled = ({ name, aliases }: Pick<SlashCommand, 'name' | 'aliases'>, word: string): boolean =>
  name === word || aliases.includes(word)

const isUsable = (command: SlashCommand): boolean => command.kind === 'built-in' || command.problem === null

/** The command that is most similar to an unknown word, with its slash. */
export function nearestCommand({ word }: UnknownSlash, commands: readonly SlashCommand[]): string | null {
  const names = new Map<string, string>()
  for (const { name, aliases } of commands.filter(isUsable))
    for (const each of [name, ...aliases]) names.set(each, name)
  const near = nearest(word.slice(1), [...names.keys()])
  return near === null ? null : `/${names.get(near)}`
}

/** The result of a command that did nothing, and has said why: what was typed for it goes back into the composer. */
export const NOT_DONE = 'not done'
