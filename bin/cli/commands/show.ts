/** `zotui show` prints a session as Markdown. */
import { exported } from '../../../src/export/formats.ts'
import { print } from '../../standard-streams.ts'
import type { RunCommand } from '../command.ts'
import { findStored, openStored, transcriptOfStored } from './stored.ts'

export const run: RunCommand = async ({ words: [word = ''] }) => {
  const session = await findStored(openStored(), word)
  print(await exported(transcriptOfStored(session), 'md'))
  return 0
}
