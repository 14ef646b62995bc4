/** Begins a conversation in the background: `zotui -p --background`. */
import { spawn } from 'node:child_process'
import process from 'node:process'
import { UserError } from '../../../src/platform/errors.ts'
import { HOLD, holdReplySchema, type Handover, type HoldReply } from '../../../src/background/handover.ts'
import type { Arguments } from '../../cli/argument-types.ts'
import { print, writeMessage } from '../../standard-streams.ts'
import type { TypedPrompt } from '../start/prompt-files.ts'

type BeginOptions = {
  /** The command line. */
  argv: readonly string[]
  prompt: TypedPrompt
  args: Pick<Arguments, 'json' | 'quiet' | 'outputSchema'>
}

/** Starts the process that holds it, and prints the ID once its agent has started. @throws UserError if it has not. */
export async function beginInBackground({ argv, prompt, args }: BeginOptions): Promise<0> {
  if (args.outputSchema !== null)
    throw new UserError('--output-schema and --background cannot be used together.', 'Omit one of them.', 2)
  if (args.json)
    throw new UserError('--json and --background cannot be used together.', '`zotui show ID` prints it.', 2)
  if (process.platform === 'win32') throw new UserError('--background does not work on Windows.', '', 2)
  const reply = await startBackground({ argv: [...argv], prompt })
  if (reply.type === 'failed') throw new UserError(reply.message, reply.hint, reply.exitCode)
  print(`${reply.id}\n`)
  if (!args.quiet) writeMessage(`the conversation runs in the background. \`zotui attach ${reply.id}\` opens it.`)
  return 0
}

/** Starts a process that holds a conversation. Resolves when its agent has started or has failed to. */
export async function startBackground(handover: Handover): Promise<HoldReply> {
  const program = process.argv[1] ?? ''
  const child = spawn(process.execPath, [...process.execArgv, program, HOLD], {
    // A session of its own: the end of the shell or the terminal does not reach it.
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const { promise, resolve } = Promise.withResolvers<HoldReply>()
  const lost: HoldReply = { type: 'failed', message: 'The process in the background ended.', hint: '', exitCode: 1 }
  child.once('error', error => resolve({ ...lost, message: `Cannot start a process: ${error.message}.` }))
  child.once('exit', () => resolve(lost))
  child.on('message', message => {
    const { success, data } = holdReplySchema.safeParse(message)
    if (success) resolve(data)
  })
  child.send(handover, error => (error ? resolve(lost) : undefined))
  const reply = await promise
  if (child.connected) child.disconnect()
  child.unref()
  return reply
}
