/** The agent's own options as lists: `/mode`, `/options`, and Shift+Tab for its modes. */
import type { AgentOption } from '../../agent/session-events.ts'
import { sentence } from '../../text/sentence.ts'
import { choiceName, modeOption, valueName } from '../../state/agent-options.ts'
import type { ChoicePrompt } from '../context/choice-prompt.ts'
import type { AppContext } from '../context/context.ts'

export type AgentOptions = {
  /** `/options` lists them, or sets one: `effort high`. */
  open: (argument: string) => void
  /** `/mode` lists the agent's modes, or switches to one. */
  mode: (name: string) => void
  /** Switches to the agent's next mode; false if it has no modes. */
  nextMode: () => boolean
}

export function createAgentOptions(
  {
    backend,
    state,
    hint,
    addNotice,
    flush,
  }: Pick<AppContext, 'backend' | 'state' | 'hint' | 'addNotice'> & {
    /** Brings the agent's last events into the state. */
    flush: () => void
  },
  choicePrompt: ChoicePrompt,
): AgentOptions {
  /** The mode that the agent was asked for and has not confirmed. */
  let requested: string | null = null
  return { open, mode, nextMode }

  function open(argument: string): void {
    const { options } = state().chat
    if (options.length === 0) return hint(`${backend.name} has no options to set.`)
    const [name = '', ...rest] = argument.split(/\s+/).filter(word => word !== '')
    if (name === '') return list(options)
    const found = options.find(({ id, name: words }) => [id, words].some(each => isSame(each, name)))
    if (!found) return hint(`${backend.name} has no option "${name}". /options lists them.`)
    setNamed(found, rest.join(' '))
  }

  function list(options: readonly AgentOption[]): void {
    const answers = options.map(option => ({
      label: option.name,
      facts: [valueName(option)],
      detail: option.category === 'other' ? '' : option.category,
      run: () => pick(option),
    }))
    choicePrompt.ask({ title: `options of ${backend.name}`, answers })
  }

  function mode(name: string): void {
    const option = modeOption(state().chat.options)
    if (!option) return hint(`${backend.name} has no modes. /permissions sets what runs without asking.`)
    setNamed(option, name)
  }

  /** Sets the value with this id or name, or asks for it. */
  function setNamed(option: AgentOption, word: string): void {
    if (word === '') return pick(option)
    if (option.kind === 'switch' && ['on', 'off'].includes(word.toLowerCase()))
      return void set(option, isSame(word, 'on'))
    const choice = option.choices.find(({ value, name }) => isSame(value, word) || isSame(name, word))
    if (choice) return void set(option, choice.value)
    hint(`${option.name} cannot be "${word}".`)
  }

  function pick(option: AgentOption): void {
    const choices =
      option.kind === 'switch'
        ? [true, false].map(value => ({ value, name: value ? 'on' : 'off', about: '', means: undefined }))
        : option.choices.map(({ about = '', means, ...choice }) => ({ ...choice, about, means }))
    const used = choices.findIndex(({ value }) => value === option.value)
    const answers = choices.map(({ value, name, about, means }, index) => ({
      label: name,
      facts: [index === used ? 'in use' : '', means === 'allow' ? 'may not ask' : ''],
      detail: about,
      run: () => void set(option, value),
    }))
    choicePrompt.ask({ title: option.name, answers, selected: Math.max(0, used) })
  }

  async function set({ id, name }: AgentOption, value: string | boolean): Promise<boolean> {
    const reply = await backend.setOption(id, value)
    // The next press counts from the mode that the agent has confirmed.
    flush()
    if (!reply.ok) addNotice('error', sentence(reply.message))
    else hint(`${name}: ${nameNow(id, value)}.`)
    return reply.ok
  }

  function nameNow(id: string, value: string | boolean): string {
    const option = state().chat.options.find(each => each.id === id)
    return option ? choiceName(option, value) : String(value)
  }

  function nextMode(): boolean {
    const option = modeOption(state().chat.options)
    if (!option || !backend.abilities.has('setOption')) return false
    const cycled = option.choices.filter(({ value, name, means }) =>
      means === undefined ? !RUNS_EVERYTHING.test(`${value} ${name}`) : means !== 'allow',
    )
    // Counted from the last request: quick presses come before the agent has answered the first.
    const now = requested ?? option.value
    const next = cycled[(cycled.findIndex(({ value }) => value === now) + 1) % Math.max(1, cycled.length)]
    if (!next) return false
    requested = next.value
    void set(option, next.value).finally(() => {
      if (requested === next.value) requested = null
    })
    return true
  }
}

/** Modes of an agent without a row that never ask. Only /mode switches to them: Shift+Tab must not pass through them. */
const RUNS_EVERYTHING = /yolo|bypass|full.?access|danger|dont.?ask|auto.?approve|allow.?all/i

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
