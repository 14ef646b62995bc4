/** Chooses a roz server: reads its words, its key, and the certificates of its authority. */
import { resolve } from 'node:path'
import process from 'node:process'
import type { AgentChoice } from '../../../../src/agents/index.ts'
import { ROZ } from '../../../../src/agents/roz/name.ts'
import { readRozArguments, type RozStart } from '../../../../src/agents/roz/arguments.ts'
import { UserError } from '../../../../src/platform/errors.ts'
import { readRegularFile } from '../../../../src/platform/regular-file.ts'
import { sentence } from '../../../../src/text/sentence.ts'
import type { AgentStart } from './agent-start.ts'

/** Bytes of the longest certificate file. */
const MOST_CERTIFICATES = 1024 * 1024

type FoundServer = { ok: true; start: RozStart; roots: Buffer | null } | { ok: false; reason: string; hint: string }

/** The server that the words and the environment name. `baseUrl` is that of the command line. */
export async function rozServer(words: string, baseUrl?: string): Promise<FoundServer> {
  const read = readRozArguments(words, process.env, baseUrl)
  if (!read.ok) return read
  const { ca } = read.value
  const file = ca === '' ? null : await readRegularFile(resolve(ca), MOST_CERTIFICATES)
  if (file?.ok === false)
    return { ok: false, reason: `the certificate file ${ca} ${file.reason}`, hint: "check roz's --ca" }
  return { ok: true, start: read.value, roots: file?.bytes ?? null }
}

/** @throws UserError for words that cannot be read, and where the key is missing. */
export async function rozChoice(
  words: string,
  { args, options, folder }: AgentStart,
): Promise<Extract<AgentChoice, { agent: 'roz' }>> {
  const server = await rozServer(words, options.baseUrl)
  if (!server.ok) throw new UserError(`The agent cannot be started: ${server.reason}.`, sentence(server.hint), 2)
  if (args.record !== null)
    throw new UserError(
      '--record does not work with roz, whose protocol has no lines.',
      'Omit it, or use another agent.',
      2,
    )
  const { start, roots } = server
  return { agent: ROZ.name, start, roots, folder, env: process.env }
}
