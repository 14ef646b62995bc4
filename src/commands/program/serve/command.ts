/** `/serve`: shows the conversations of this person in a browser, and who may look. */
import { slashCommand } from '../../slash-command.ts'
import { readServeArgument } from './serve-argument.ts'

export const serve = slashCommand({
  name: 'serve',
  aliases: ['phone'],
  argument: '[address|off]',
  help: 'watch, answer and steer from your phone; off ends the server',
  group: 'program',
  needs: ['serving'],
  async run({ context, pages }, argument) {
    const { hint, openLocalServer } = context
    const typed = readServeArgument(argument)
    if (!typed.ok) return hint(typed.why)
    const server = await openLocalServer?.()
    if (!server) return hint('There is no server here.')
    const { phase } = server.state()
    const isRunning = phase === 'running' || phase === 'starting'
    if (typed.isOff) {
      server.stop()
      return hint(
        isRunning ? 'The server has ended: no browser sees anything any more.' : 'No server of this zotui runs.',
      )
    }
    // Without words it is shown as it is. The server has the person's own settings, and none of a project.
    if (!isRunning || (typed.at ?? typed.port) !== null) server.start({ at: typed.at, port: typed.port })
    pages.open('serve', { server })
  },
})
