import { slashCommand } from '../../slash-command.ts'

const levels = ['off', 'on', 'closed']

export const sandbox = slashCommand({
  name: 'sandbox',
  argument: '[off|on|closed]',
  help: 'what the sandbox allows, and what it has refused; or switch it',
  group: 'agent',
  needs: ['sandbox'],
  async run(app, argument) {
    const { context, settingsCommand } = app
    if (argument === '') {
      const [{ showSandbox }, { askAboutLeft }] = await Promise.all([
        import('./sandbox-text.ts'),
        import('./left-files.ts'),
      ])
      return askAboutLeft(app, await showSandbox(context))
    }
    const level = argument.toLowerCase()
    if (!levels.includes(level)) return context.hint(`/sandbox takes ${levels.join(', ')}, or nothing.`)
    settingsCommand.open(`sandbox ${level}`)
    // An agent with modes of its own runs its commands itself, and is held from its start on.
    if (context.backend.abilities.has('startIn'))
      context.addProgramNotice(
        'info',
        `It holds ${context.backend.name} from its next start on: /restart starts it again.`,
      )
  },
})
