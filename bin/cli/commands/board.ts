/** `zotui board` shows the conversations of all machines, or prints them. */
import process from 'node:process'
import { UserError } from '../../../src/platform/errors.ts'
import type { Subcommand } from '../command.ts'

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
    const isHere = call.has('here')
    const takesRequests = call.has('requests')
    if (!call.has('json')) {
      if (follows || takesRequests) throw new UserError('--follow and --requests go with --json.', '', 2)
      if (!process.stdin.isTTY || !process.stdout.isTTY)
        throw new UserError('`zotui board` needs a terminal.', '`zotui board --json` prints lines.', 2)
      const { openBoardScreen } = await import('../../wiring/board/open-board-screen.ts')
      await openBoardScreen({ isHere })
      return 0
    }
    if (takesRequests && !follows) throw new UserError('--requests goes with --follow.', '', 2)
    const { printBoard } = await import('../../wiring/board/print-board.ts')
    await printBoard({ follows, takesRequests, isHere })
    return 0
  },
}
