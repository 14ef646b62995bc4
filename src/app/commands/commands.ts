/** The slash commands that concern the agent and its turns. */
import type { StartOptions } from '../../agent/backend.ts'
import { splitWords } from '../../platform/shell/quoting.ts'
import type { ChoicePrompt } from '../context/choice-prompt.ts'
import { pickAgent } from '../pickers/agents.ts'
import { createArgumentPicker } from '../pickers/argument-picker.ts'
import type { AppContext } from '../context/context.ts'
import { tellContext } from './texts/context-text.ts'
import type { CommandRows } from '../turns/command-runner.ts'
import type { Turns } from '../turns/turns.ts'
import { entryOf, promptEntry } from '../../state/composer/queue-entry.ts'
import { studyPrompt } from './study.ts'
import { helpText } from '../../state/help.ts'
import { USAGE_DAYS, usageText } from './texts/usage-text.ts'
import { lookup } from '../../text/lookup.ts'

export type CommandParts = {
  context: AppContext
  turns: Turns
  choicePrompt: ChoicePrompt
}

/** The commands that need only the turns. The parts that carry out the others define these. */
export function turnCommands({ context, turns, choicePrompt }: CommandParts) {
  const { state, dispatch, announce, hint, commands } = context
  const { life, machine, memory, models, queue, reasoning } = turns
  const argumentPicker = createArgumentPicker(context, choicePrompt, (name, argument) => turns.command(name, argument))
  return {
    usage,
    context: () => tellContext(context),
    doctor: examine,
    clear,
    compact,
    model: argument => (argument === '' ? models.pick() : models.use(argument)),
    agent: argument => (argument === '' ? pickAgent(context, choicePrompt, useAgent) : life.switchTo(argument)),
    reasoning: argument =>
      argument === '' && reasoning.canBeSet() ? argumentPicker.choose('reasoning') : reasoning.set(argument),
    theme: argument => (argument === '' ? argumentPicker.choose('theme') : setTheme(argument)),
    now: (_argument, typed) => queue.sendNow(typed.trim() === '' ? null : entryOf(typed, commands())),
    study: (_argument, typed) => study(typed),
    retry: () => turns.retry(),
    restart,
    login: () => turns.keys.logIn(),
    logout: () => turns.keys.logOut(),
  } satisfies Partial<CommandRows>

  function useAgent(name: string): void {
    turns.command('agent', name)
  }

  async function examine(): Promise<void> {
    hint('Checking the terminal and the machine…')
    const report = await context.host?.examine?.()
    dispatch({ type: 'hinted', hint: null })
    if (report !== undefined) context.show(`\`\`\`\`text\n${report}\n\`\`\`\``)
  }

  function usage(): void {
    const { ledger, sessions, now, showsUnicode } = context
    const noted = ledger ? { records: ledger.read(USAGE_DAYS), session: sessions?.current().id ?? '' } : null
    context.show(usageText({ chat: state().chat, noted, now: now(), showsUnicode }))
  }

  function study(part: string): void {
    if (state().chat.agent.phase === 'ready' || machine.isReplacing()) return queue.say(promptEntry(studyPrompt(part)))
    announce('warn', 'The agent is not running.', '/restart starts it again.')
  }

  /** An agent that does not run has nothing to forget. After a restart it must not get the cleared conversation. */
  async function clear(): Promise<void> {
    if (state().chat.agent.phase !== 'ready') {
      return context.tell([{ type: 'conversation_cleared', at: context.now() }])
    }
    await machine.request('cleared')
  }

  /** A fresh agent has nothing to compact: its summary is shortened instead. */
  async function compact(): Promise<void> {
    if (memory.shorten()) announce('info', memory.line())
    else if (context.backend.abilities.has('compact')) await machine.request('compacted')
  }

  async function restart(argument: string): Promise<void> {
    const options = startOptions(argument)
    if ('problem' in options) return announce('error', options.problem)
    await models.withKey(options.value.provider, () => life.restart(options.value))
  }

  function setTheme(name: string): void {
    const reply = context.useTheme?.(name)
    if (reply?.ok === false) return context.aside('error', reply.message, reply.hint)
    dispatch({ type: 'theme_used', name })
    hint(`Switched the theme to ${name}.`)
    for (const warning of reply?.warnings ?? []) context.aside('warn', `Ignored in theme: ${warning}`)
  }
}

/** Prints the keys and commands. */
export function printHelp({ show, keymap, commands }: Pick<AppContext, 'show' | 'keymap' | 'commands'>): void {
  show(helpText(keymap.bindings, commands()))
}

const RESTART_FLAGS: Record<string, keyof StartOptions> = {
  '--provider': 'provider',
  '--model': 'model',
  '--base-url': 'baseUrl',
  '--reasoning': 'reasoning',
}

/** Reads the flags of /restart. */
function startOptions(argument: string): { value: StartOptions } | { problem: string } {
  const words = splitWords(argument, false)
  if (words === null) return { problem: 'A quote is not closed.' }
  const value: StartOptions = {}
  for (let index = 0; index < words.length; index += 2) {
    const flag = words[index] ?? ''
    const option = lookup(RESTART_FLAGS, flag)
    if (flag === '--api-key')
      return {
        problem: 'Do not type keys here: use /login, or set the key in the environment before you start zotui.',
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
  return { value: value.provider === undefined ? value : { model: '', ...value } }
}
