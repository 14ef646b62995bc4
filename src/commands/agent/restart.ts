import type { StartOptions } from '../../agent/backend.ts'
import { splitWords } from '../../platform/shell/quoting.ts'
import { lookup } from '../../text/lookup.ts'
import { slashCommand } from '../slash-command.ts'

export const restart = slashCommand({
  name: 'restart',
  argument: '[flags]',
  help: 'restart the agent; with another --model, --provider or --base-url',
  group: 'agent',
  replacesAgent: () => true,
  async run({ context, turns }, argument) {
    const options = startOptions(argument)
    if ('problem' in options) return context.addNotice('error', options.problem)
    await turns.models.withKey(options.value.provider, () => turns.life.restart(options.value))
  },
})

const FLAGS: Record<string, keyof StartOptions> = {
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
    const option = lookup(FLAGS, flag)
    if (flag === '--api-key')
      return {
        problem: 'Do not type keys here: use /login, or set the key in the environment before you start zotui.',
      }
    if (option === undefined) {
      return {
        problem: `/restart has no ${flag}: it takes ${Object.keys(FLAGS).join(', ')}, each with a value.`,
      }
    }
    const next = words[index + 1]
    if (next === undefined) return { problem: `${flag} needs a value.` }
    value[option] = next
  }
  return { value: value.provider === undefined ? value : { model: '', ...value } }
}
