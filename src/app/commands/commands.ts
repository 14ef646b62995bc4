/** What each slash command does. */
import type { StartOptions } from '../../agent/backend.ts'
import { splitWords } from '../../platform/shell/words.ts'
import type { ChoicePrompt } from '../context/choice-prompt.ts'
import { createArgumentPicker } from '../pickers/argument-picker.ts'
import { withPaths } from '../../state/chips.ts'
import type { AppContext } from '../context/context.ts'
import { tellContext } from './context-text.ts'
import type { CommandRunner, CommandWork } from '../turns/conversation.ts'
import type { CommandName } from '../../state/slash.ts'
import { entryOf, promptEntry } from '../../state/queue-entry.ts'
import { studyPrompt } from './study.ts'
import { helpText } from '../context/texts.ts'
import { USAGE_DAYS, usageText } from './usage-text.ts'

/** The commands that other parts run. */
export type OwnCommands = Record<
  | 'exit'
  | 'editor'
  | 'paste'
  | 'export'
  | 'copy'
  | 'diff'
  | 'settings'
  | 'skills'
  | 'raw'
  | 'resume'
  | 'rename'
  | 'fork'
  | 'rewind'
  | 'watchKeys',
  (argument: string) => void | Promise<void>
>

export type CommandParts = {
  context: AppContext
  work: CommandWork
  choicePrompt: ChoicePrompt
  own: OwnCommands
}

export function createCommands({ context, work, choicePrompt, own }: CommandParts): CommandRunner {
  const { state, dispatch, announce, hint, commands } = context
  const { life, models, queue, reasoning } = work
  const argumentPicker = createArgumentPicker(context, choicePrompt, work.command)
  return { run, help }

  async function run(name: CommandName, typed: string): Promise<void> {
    const argument = withPaths(typed, state().chips)
    switch (name) {
      case 'help':
        return argument === 'debug' ? own.watchKeys(argument) : help()
      case 'usage':
        return usage()
      case 'context':
        return tellContext(context)
      case 'doctor':
        return examine()
      case 'exit':
      case 'editor':
      case 'paste':
      case 'export':
      case 'copy':
      case 'diff':
      case 'raw':
      case 'settings':
      case 'skills':
      case 'fork':
      case 'rewind':
      case 'resume':
      case 'rename':
        return own[name](argument)
      case 'clear':
        return clear()
      case 'compact':
        return compact()
      case 'model':
        return argument === '' ? models.pick() : models.use(argument)
      case 'reasoning':
        return argument === '' && reasoning.canBeSet() ? argumentPicker.choose(name) : reasoning.set(argument)
      case 'theme':
        return argument === '' ? argumentPicker.choose(name) : setTheme(argument)
      case 'now':
        return queue.sendNow(typed.trim() === '' ? null : entryOf(typed, commands()))
      case 'study':
        return study(typed)
      case 'retry':
        return work.retry()
      case 'restart':
        return restart(argument)
      case 'login':
      case 'logout':
        return life.login()
    }
  }

  async function examine(): Promise<void> {
    hint('Checking the terminal and the machine…')
    const report = await context.host?.examine?.()
    dispatch({ type: 'hinted', hint: null })
    if (report !== undefined) context.show(`\`\`\`\`text\n${report}\n\`\`\`\``)
  }

  function help(): void {
    context.show(helpText(context.keymap.bindings, commands()))
  }

  function usage(): void {
    const { ledger, sessions, now, showsUnicode } = context
    const noted = ledger && { records: ledger.read(USAGE_DAYS), session: sessions?.current().id ?? '' }
    context.show(usageText({ chat: state().chat, noted, now: now(), showsUnicode }))
  }

  function study(part: string): void {
    if (state().chat.agent.phase === 'ready' || life.isExchanged()) return work.say(promptEntry(studyPrompt(part)))
    announce('warn', 'The agent is not running.', '/restart starts it again.')
  }

  /** An agent that does not run has no memory, and must not get the conversation when it is restarted. */
  async function clear(): Promise<void> {
    if (state().chat.agent.phase !== 'ready') {
      return context.tell([{ type: 'conversation_cleared', at: context.now() }])
    }
    queue.drain(await work.forget())
  }

  /** A fresh agent has nothing to compact: the summary for it is shortened instead. */
  async function compact(): Promise<void> {
    if (!life.shortenMemory()) return work.compact()
    announce('info', life.memoryLine())
  }

  async function restart(argument: string): Promise<void> {
    const options = startOptions(argument)
    if ('problem' in options) return announce('error', options.problem)
    await work.restart(options.value)
  }

  function setTheme(name: string): void {
    const reply = context.useTheme?.(name)
    if (reply?.ok === false) return context.aside('error', reply.message, reply.hint)
    dispatch({ type: 'theme_used', name })
    hint(`Switched the theme to ${name}.`)
    for (const warning of reply?.warnings ?? []) context.aside('warn', `Ignored in theme: ${warning}`)
  }
}

const RESTART_FLAGS: Record<string, keyof StartOptions> = {
  '--provider': 'provider',
  '--model': 'model',
  '--base-url': 'baseUrl',
  '--reasoning': 'reasoning',
}

/** What stands behind /restart: flags of the command line that an agent can be started anew with. */
function startOptions(argument: string): { value: StartOptions } | { problem: string } {
  const words = splitWords(argument, false)
  if (words === null) return { problem: 'A quote is not closed.' }
  const value: StartOptions = {}
  for (let index = 0; index < words.length; index += 2) {
    const flag = words[index] ?? ''
    const option = RESTART_FLAGS[flag]
    if (flag === '--api-key')
      return {
        problem: 'A key does not belong on the screen: /login keeps it, or start zotui with it in the environment.',
      }
    if (option === undefined) {
      return {
        problem: `/restart has no ${flag}: it takes ${Object.keys(RESTART_FLAGS).join(', ')}, each with a value.`,
      }
    }
    const given = words[index + 1]
    if (given === undefined) return { problem: `${flag} needs a value.` }
    value[option] = given
  }
  // A key and an address are those of one provider, and no other is to learn them.
  return { value: value.provider === undefined ? value : { apiKey: '', baseUrl: '', model: '', ...value } }
}
