/** `zotui serve` shows this person's conversations in browsers that were let in. */
import { UserError } from '../../../src/platform/errors.ts'
import type { Subcommand } from '../command.ts'
import { serveHere } from '../../wiring/serve/foreground.ts'

export const command: Subcommand = {
  name: 'serve',
  takes: [],
  summary: 'Watch and answer your conversations in a browser (docs/phone.md).',
  flags: {
    at: { type: 'string', value: 'URL', text: 'the address of your tunnel' },
    port: { type: 'string', value: 'N', text: 'listen there (default: 4747)' },
  },
  run: async call => serveHere({ port: portOf(call.value('port')), at: call.value('at') }),
}

/** Null for the usual one. */
function portOf(typed: string | null): number | null {
  if (typed === null) return null
  const port = Number(typed)
  if (!/^\d{1,5}$/.test(typed) || port < 1 || port > 65_535)
    throw new UserError('--port needs a number from 1 to 65535.', '', 2)
  return port
}
