import { promptEntry } from '../../state/composer/queue-entry.ts'
import { slashCommand } from '../slash-command.ts'

export const plan = slashCommand({
  name: 'plan',
  argument: '[text|off]',
  help: 'plan mode: the agent reads and plans; off ends the mode',
  group: 'agent',
  abilities: ['setPermissionMode'],
  /** The text is the prompt of the first turn in plan mode; `off` ends the mode. */
  run({ context: { hint }, permissions: { modes }, turns }, _argument, typed) {
    const text = typed.trim()
    const isOn = modes.mode() === 'plan'
    if (text === 'off')
      return isOn ? modes.use(modes.beforePlan()) : hint(`Plan mode is off: the mode is ${modes.mode()}.`)
    // A second /plan must not leave plan mode.
    if (text === '' && isOn) return hint(`Plan mode is on. /plan off returns to mode ${modes.beforePlan()}.`)
    modes.use('plan')
    if (text !== '') turns.queue.say(promptEntry(text))
  },
})
