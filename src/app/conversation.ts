/**
 * Who says what next: prompts, the queue, the slash commands that the agent carries out, and starting it again. One
 * operation is in flight at a time; whatever comes meanwhile waits in zotui's queue, never in the agent's own.
 */
import type { Prompt } from '../agent/backend.ts'
import type { AgentEvent } from '../agent/event.ts'
import { sentence } from '../text/sentence.ts'
import { expand } from './chips.ts'
import type { Context } from './context.ts'
import type { Frames } from './frames.ts'
import { createQueue, type WaitingMessages } from './queue.ts'
import type { ShellLine } from './shell-line.ts'
import { parseSlash, type CommandName } from './slash.ts'
import { isBusy } from './state.ts'
import { helpText, usageText } from './texts.ts'

export type Conversation = {
  /** Starts the agent, and sends `prompt` as soon as it is ready. */
  begin: (prompt: string | null) => void
  /** Sends a prompt, or queues it while the agent works. */
  say: (text: string) => void
  /** Runs a slash command, or queues it while the agent works and it cannot do with that. */
  command: (name: CommandName, argument?: string) => void
  queue: WaitingMessages
  /** Stops what goes on, and shows at once that it was asked for: a second press then does nothing. */
  abort: () => void
  nextReasoning: () => void
  help: () => void
  killAndRestart: () => void
  /** An event with what we know of it and the agent does not: which of a prompt's words are the person's. */
  known: (event: AgentEvent) => AgentEvent
}

/** The commands that are not the agent's. */
export type OwnCommands = Record<'exit' | 'editor' | 'paste' | 'settings', (argument: string) => void>

/** What was sent last: for those who send it again, it is more than the screen shows. */
type Sent = { text: string; before: readonly string[]; images: Prompt['images'] }

export function createConversation(
  context: Context,
  frames: Frames,
  shell: Pick<ShellLine, 'takeOutputs' | 'giveBack'>,
  own: OwnCommands,
): Conversation {
  const { backend, state, dispatch, remark, hint, commands } = context
  let startingAgain: Promise<void> | null = null
  let sent: Sent | null = null
  /** Asked of the agent, and not yet answered. */
  let wishedReasoning: string | null = null
  const queue = createQueue(context, { send: carryOut, abort })

  return {
    begin,
    say,
    command,
    queue,
    abort,
    nextReasoning,
    help,
    killAndRestart: () => void startAgain('kill'),
    known,
  }

  function begin(prompt: string | null): void {
    void open()
    frames.flush()
    // It goes before what an earlier program left.
    if (prompt !== null) queue.sendNow(prompt)
  }

  function say(text: string): void {
    if (isBusy(state())) return queue.add(text)
    send(text)
    context.keep.flush()
  }

  function abort(): void {
    backend.abort()
    frames.flush()
  }

  function send(text: string): void {
    void deliver({ ...expand(text, state().chips), before: shell.takeOutputs() })
  }

  async function deliver(prompt: Sent): Promise<void> {
    sent = prompt
    await operate(backend.prompt({ text: wholeText(prompt), images: prompt.images }))
  }

  function known(event: AgentEvent): AgentEvent {
    if (event.type !== 'prompt_sent' || !sent || sent.before.length === 0 || event.text !== wholeText(sent))
      return event
    return { ...event, text: sent.text, before: [...sent.before] }
  }

  /** What follows an operation: the next in the queue, unless something went wrong. */
  async function operate(operation: Promise<void>): Promise<void> {
    // That it began must be known at once: a second one now would be one too many.
    frames.flush()
    await operation
    frames.flush()
    const last = state().chat.entries.findLast(entry => entry.kind === 'turn' || entry.kind === 'compaction')
    if (last?.kind === 'turn' && last.outcome === 'refused' && sent) {
      shell.giveBack(sent.before)
      sent = { ...sent, before: [] }
    }
    const good = (last?.kind === 'turn' || last?.kind === 'compaction') && last.outcome === 'done'
    queue.goOn(good)
  }

  async function open(): Promise<void> {
    await backend.open()
    frames.flush()
    queue.goOn(state().chat.agent.phase === 'ready')
  }

  function carryOut(entry: string): void {
    // As typed: a space before it makes a command text.
    const slash = parseSlash(entry, commands)
    if (slash?.kind !== 'command') return send(entry)
    void runQueued(slash.command.name, slash.argument)
  }

  async function runQueued(name: CommandName, argument: string): Promise<void> {
    await run(name, argument)
    // One that was an operation of the agent has gone on by itself.
    if (!isBusy(state())) queue.goOn(true)
  }

  function command(name: CommandName, argument = ''): void {
    const row = commands.find(each => each.name === name)
    if (!row) return hint(`This agent cannot do /${name}.`)
    if (!row.needsIdle || !isBusy(state())) return void run(name, argument)
    // A list that opens later would open in the middle of typing. What is chosen in it can wait.
    if (name === 'model' && argument === '') return void pickModel()
    queue.add(argument === '' ? `/${name}` : `/${name} ${argument}`)
  }

  async function run(name: CommandName, argument: string): Promise<void> {
    switch (name) {
      case 'help':
        return help()
      case 'usage':
        return context.show(usageText(state().chat))
      case 'exit':
      case 'editor':
      case 'paste':
      case 'settings':
        return own[name](argument)
      case 'clear':
        return answered(await backend.clear?.())
      case 'compact':
        return backend.compact && operate(backend.compact())
      case 'model':
        return argument === '' ? pickModel() : answered(await backend.setModel?.(argument))
      case 'reasoning':
        return setReasoning(argument)
      case 'theme':
        return setTheme(argument)
      case 'now':
        return queue.sendNow(argument)
      case 'retry':
        return retry()
      case 'restart':
        return startAgain('close')
    }
  }

  function answered(reply: { ok: true } | { ok: false; message: string } | undefined): void {
    frames.flush()
    if (reply && !reply.ok) remark('error', sentence(reply.message))
  }

  function help(): void {
    context.show(helpText(context.keymap.bindings, commands))
  }

  async function pickModel(): Promise<void> {
    if (!backend.listModels) return
    dispatch({ type: 'picker_changed', picker: { kind: 'models', filter: '', selected: 0, models: null } })
    const reply = await backend.listModels()
    if (reply.ok) return dispatch({ type: 'models_listed', models: reply.value })
    const { picker } = state()
    if (picker?.kind === 'models') dispatch({ type: 'picker_changed', picker: null })
    remark('error', `The agent did not list its models: ${reply.message}`)
  }

  async function setReasoning(argument: string): Promise<void> {
    const { reasoningLevels, reasoning } = state().chat.agent
    if (reasoningLevels.length === 0 || !backend.setReasoning) return remark('warn', NO_REASONING)
    if (argument === '') {
      const levels = ['off', ...reasoningLevels].join(', ')
      return remark('info', `Reasoning is ${reasoning || 'off'}. /reasoning with one of ${levels} sets it.`)
    }
    answered(await backend.setReasoning(argument === 'off' ? '' : argument))
  }

  function setTheme(name: string): void {
    const { used, offered } = state().themes
    if (name === '') {
      const names = offered.map(theme => theme.name).join(', ')
      return remark('info', `The theme is ${used}.`, `/theme with one of ${names}, or with a file, sets it.`)
    }
    const reply = context.useTheme?.(name)
    if (reply?.ok === false) return remark('error', reply.message, reply.hint)
    dispatch({ type: 'theme_used', name })
    hint(`The theme is ${name} now.`)
    for (const warning of reply?.warnings ?? []) remark('warn', `In this theme is left out: ${warning}`)
  }

  function nextReasoning(): void {
    const { agent } = state().chat
    if (agent.reasoningLevels.length === 0 || !backend.setReasoning) return hint(NO_REASONING)
    const levels = ['off', ...agent.reasoningLevels]
    // From what was wished for last: quick presses come before the agent has answered the first.
    const waiting = /^\/reasoning (\S+)$/.exec(state().queue.entries.at(-1) ?? '')?.[1]
    const now = waiting ?? wishedReasoning ?? (agent.reasoning || 'off')
    const level = levels[(levels.indexOf(now) + 1) % levels.length] ?? 'off'
    if (waiting !== undefined) return queue.replaceNewest(`/reasoning ${level}`)
    if (isBusy(state())) return command('reasoning', level)
    wishedReasoning = level
    void setReasoning(level).finally(() => {
      if (wishedReasoning === level) wishedReasoning = null
    })
  }

  function retry(): void {
    const { chat } = state()
    const last = chat.entries.findLast(entry => entry.kind === 'turn')
    if (last?.kind !== 'turn' || !sent) return remark('info', 'There is no prompt to send again yet.')
    if (chat.agent.phase !== 'ready') return remark('warn', 'The agent is not running.', '/restart starts it again.')
    void deliver({ ...sent, before: [...sent.before, ...shell.takeOutputs()] })
  }

  /** A fresh agent, which remembers nothing. What waits is held: it was meant for the old one. */
  function startAgain(how: 'close' | 'kill'): Promise<void> {
    startingAgain ??= freshAgent(how).finally(() => {
      startingAgain = null
    })
    return startingAgain
  }

  async function freshAgent(how: 'close' | 'kill'): Promise<void> {
    queue.hold()
    dispatch({ type: 'hinted', hint: null })
    await backend[how]()
    frames.flush()
    if (how === 'kill') remark('warn', `${backend.name} was killed: commands that it had started may still run.`)
    const hadTurns = state().chat.entries.some(entry => entry.kind === 'turn')
    await open()
    if (state().chat.agent.phase !== 'ready') return
    const memory = hadTurns ? ' It remembers nothing of what stands above.' : ''
    remark('info', `${backend.name} was started again.${memory}`)
  }
}

function wholeText({ before, text }: Sent): string {
  return [...before, text].join('\n')
}

const NO_REASONING = 'This model, or this version of the agent, has no reasoning level to set.'
