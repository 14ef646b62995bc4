/** `zotui stop ID` stops a conversation in the background, and waits until it has ended. */
import { connectToBackground } from '../../../src/agents/background/connection.ts'
import { findRecord } from '../../../src/background/record.ts'
import { UserError } from '../../../src/platform/errors.ts'
import { statePath } from '../../../src/storage/log.ts'
import { print } from '../../standard-streams.ts'
import type { Subcommand } from '../command.ts'

export const command: Subcommand = {
  name: 'stop',
  takes: ['ID'],
  summary: 'Stop a conversation in the background.',
  flags: {},
  run: async ({ words }) => {
    const { id, socket } = findRecord(statePath(), words[0] ?? '')
    const reply = await connectToBackground(socket, 'stop')
    if (!reply.ok) throw new UserError(`Cannot stop ${id}: ${reply.message}`)
    await reply.connection.ended
    print(`Stopped ${id}.\n`)
    return 0
  },
}
