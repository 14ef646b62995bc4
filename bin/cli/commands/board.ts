/** `zotui board` shows the conversations of all machines, or prints them. */
import { UserError } from '../../../src/platform/errors.ts'
import type { Subcommand } from '../command.ts'
import { printBoard } from '../../wiring/board/print-board.ts'

export const command: Subcommand = {
  name: 'board',
  takes: [],
  summary: 'Show all conversations, of other machines too (docs/fleet.md).',
  flags: {
    json: { type: 'boolean', text: 'print JSON lines' },
    follow: { type: 'boolean', text: 'go on with what changes' },
    requests: { type: 'boolean', text: 'take requests from stdin' },
    here: { type: 'boolean', text: 'only this machine' },
  },
  run: async call => {
    const follows = call.has('follow')
    const takesRequests = call.has('requests')
    if (!call.has('json')) {
      if (follows || takesRequests) throw new UserError('--follow and --requests go with --json.', '', 2)
      throw new UserError('The board needs --json here.', 'In zotui: /board', 2)
    }
    if (takesRequests && !follows) throw new UserError('--requests goes with --follow.', '', 2)
    await printBoard({ follows, takesRequests, isHere: call.has('here') })
    return 0
  },
}
