/** The current slash commands: built-in ones, the agent's own, and files, which are read again when one is typed. */
import type { CommandSource, PromptCommand } from '../../../config/prompts/command.ts'
import { agentCommands } from './agent-commands.ts'
import type { BuiltInCommand, SlashCommand } from '../../../state/slash.ts'
import type { AppState } from '../../../state/state.ts'

export type CurrentCommands = {
  /** All commands that can be typed. */
  all: () => readonly SlashCommand[]
  /** True if the files have been read once. */
  isRead: () => boolean
  /** True while the files are read. */
  isReading: () => boolean
  /** Reads the files again, after a current reading, which may have missed new files. */
  read: () => Promise<void>
  /** Called with each state: reads the files again when a command begins to be typed. */
  follow: (state: AppState) => void
}

export type CurrentCommandsParts = {
  /** The commands that the agent supports now. */
  builtIn: () => readonly BuiltInCommand[]
  /** All built-in commands: no file may take their names. */
  known: readonly BuiltInCommand[]
  sources: readonly CommandSource[]
  get: () => AppState
  /** The name of the agent, which may have commands of its own. */
  agent: () => string
  /** Called with the commands of files when they have changed. */
  onChange: (commands: readonly PromptCommand[]) => void
  warn: (text: string) => void
}

export function createCurrentCommands(parts: CurrentCommandsParts): CurrentCommands {
  const { builtIn, known: ours, sources, get, agent, onChange, warn } = parts
  const said = new Set<string>()
  let reading: Promise<void> | null = null
  let following: Promise<void> | null = null
  let isRead = sources.length === 0
  let wasTyped = false
  let ofAgent: { of: object; own: readonly SlashCommand[]; commands: readonly SlashCommand[] } | null = null
  let all: { parts: readonly SlashCommand[]; commands: readonly SlashCommand[] } = { parts: [], commands: [] }

  return {
    all() {
      // The list stays the same object as long as nothing in it changes.
      const { promptCommands, chat } = get()
      const own = [...builtIn(), ...promptCommands]
      if (!isSameList(own, all.parts)) all = { parts: own, commands: own }
      if (chat.agentCommands.length === 0) return all.commands
      const known = all.commands
      if (ofAgent?.of !== chat.agentCommands || ofAgent.own !== known) {
        const firm = known.filter(command => command.kind === 'built-in' || !command.isShipped)
        const taken = new Set(firm.flatMap(({ name, aliases }) => [name, ...aliases]))
        const agents = agentCommands(chat.agentCommands, agent(), taken)
        const { commands: shipped } = namedApart(known.filter(isShipped), [...firm, ...agents])
        const commands = [...firm, ...shipped, ...agents]
        ofAgent = { of: chat.agentCommands, own: known, commands }
      }
      return ofAgent.commands
    },
    isRead: () => isRead,
    isReading: () => reading !== null,
    read,
    follow({ editor }) {
      const isTyped = editor.text.startsWith('/')
      if (isTyped && !wasTyped) void read()
      wasTyped = isTyped
    },
  }

  function read(): Promise<void> {
    if (reading) {
      following ??= reading.then(() => {
        following = null
        return read()
      })
      return following
    }
    reading = readAll().finally(() => {
      reading = null
    })
    return reading
  }

  async function readAll(): Promise<void> {
    const found = await Promise.all(sources.map(source => source()))
    const named = namedApart(
      found.flatMap(({ commands }) => commands),
      ours,
    )
    isRead = true
    if (!isSame(named.commands, get().promptCommands)) onChange(named.commands)
    for (const text of [...found.flatMap(({ notices }) => notices), ...named.notices]) {
      if (!said.has(text)) warn(text)
      said.add(text)
    }
  }
}

function isSameList(a: readonly SlashCommand[], b: readonly SlashCommand[]): boolean {
  return a.length === b.length && a.every((each, at) => each === b[at])
}

const isShipped = (command: SlashCommand): command is PromptCommand =>
  command.kind === 'prompt' && command.isShipped === true

/**
 * Gives each command a name that no earlier one has, with notices about renamed ones, except those that come with zotui.
 * The commands `before` keep all of their names.
 */
export function namedApart(
  commands: readonly PromptCommand[],
  before: readonly SlashCommand[],
): { commands: PromptCommand[]; notices: string[] } {
  const taken = new Set<string>(before.flatMap(({ name, aliases }) => [name, ...aliases]))
  const notices: string[] = []
  const named = commands.flatMap(command => {
    const names = [command.name, ...command.aliases]
    const [name, ...aliases] = names.filter(each => !taken.has(each))
    for (const each of names) taken.add(each)
    if (name !== command.name && !command.isShipped) {
      const other = name === undefined ? 'is omitted' : `is /${name}`
      notices.push(`There is a /${command.name} already; the other one (${command.from}) ${other}.`)
    }
    return name === undefined ? [] : [{ ...command, name, aliases }]
  })
  return { commands: named, notices }
}

/** Compares names and help. The prompts themselves are read when they are used. */
function isSame(a: readonly PromptCommand[], b: readonly PromptCommand[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
