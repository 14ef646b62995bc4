/** `zotui show` prints a session as Markdown. */
import { exported } from '../../../src/export/formats.ts'
import { print } from '../../standard-streams.ts'
import type { Subcommand } from '../command.ts'
import { findStored, openStored, transcriptOfStored } from '../stored.ts'

export const command: Subcommand = {
  name: 'show',
  takes: ['ID'],
  summary: 'Print a session as Markdown. ID may be `last`.',
  flags: {},
  run: async ({ words: [word = ''] }) => {
    const session = await findStored(openStored(), word)
    print(await exported(transcriptOfStored(session), 'md'))
    return 0
  },
}
