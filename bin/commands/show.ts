/** `zotui show`: a session to read. */
import process from 'node:process'
import { exported } from '../../src/export/formats.ts'
import type { RunCommand } from '../commands.ts'
import { findStored, openStored, transcriptOfStored } from './stored.ts'

export const run: RunCommand = async ({ words: [word = ''] }) => {
  const session = await findStored(openStored(), word)
  process.stdout.write(await exported(transcriptOfStored(session), 'md'))
  return 0
}
