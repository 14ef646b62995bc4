/** The choice of roz: its words, its key, and the file of an authority. */
import { resolve } from 'node:path'
import process from 'node:process'
import type { AgentChoice } from '../../../../src/agents/index.ts'
import { ROZ } from '../../../../src/agents/roz/name.ts'
import { readRozWords } from '../../../../src/agents/roz/words.ts'
import { UserError } from '../../../../src/platform/errors.ts'
import { readRegularFile } from '../../../../src/platform/regular-file.ts'
import { sentence } from '../../../../src/text/sentence.ts'
import type { AgentStart } from './choose-agent.ts'

/** Bytes of the longest file of certificates. */
const MOST_CERTIFICATES = 1024 * 1024

/** @throws UserError for words that cannot be read, and where the key is missing. */
export async function rozChoice(words: string, { args, options, folder }: AgentStart): Promise<AgentChoice> {
  const { env } = process
  const read = readRozWords(words, env, options.baseUrl)
  if (!read.ok) throw new UserError(`The agent cannot be started: ${read.reason}.`, sentence(read.hint), 2)
  if (args.record !== null)
    throw new UserError('--record cannot record roz, whose wire has no lines.', 'Omit it, or use another agent.', 2)
  const { ca } = read.value
  const file = ca === '' ? null : await readRegularFile(resolve(ca), MOST_CERTIFICATES)
  if (file?.ok === false) throw new UserError(`The file of certificates ${ca} ${file.reason}.`, 'Check --ca of roz.', 2)
  return { agent: ROZ.name, start: read.value, roots: file?.bytes ?? null, folder, env }
}
