/** The process that holds a conversation in the background. Its parent hands over the command line and the prompt. */
import { once } from 'node:events'
import process from 'node:process'
import { handoverSchema, type HoldReply } from '../../../src/background/handover.ts'
import { isReplaced, messageOf, stackOf, UserError } from '../../../src/platform/errors.ts'
import { openLog, type Log } from '../../../src/storage/log.ts'
import { parseArguments } from '../../cli/arguments.ts'
import { run } from '../../main.ts'
import { exit } from '../exit.ts'
import { hold } from './hold.ts'

/** Holds the conversation until it is over, and ends the process. */
export async function holdConversation(): Promise<void> {
  const log = openLog(() => new Date())
  process.on('uncaughtException', error => {
    fail(error, log)
    // The answer is on its way to the parent.
    setImmediate(() => process.exit(1))
  })
  // What needs a part of the program that an update has replaced does not happen; the conversation goes on.
  process.on('unhandledRejection', error => {
    if (!isReplaced(error)) throw error
    log.write(stackOf(error))
  })
  try {
    const [message]: unknown[] = await once(process, 'message')
    const { argv, prompt, model } = handoverSchema.parse(message)
    // A terminal that closes does not end it.
    process.on('SIGHUP', () => undefined)
    await run(parseArguments(argv), log, argv, {
      prompt: prompt && {
        text: prompt.text,
        ...(prompt.typed !== undefined && { typed: prompt.typed }),
        ...(prompt.isTyped && { isTyped: true }),
      },
      run: options =>
        hold({ ...options, ...(model !== undefined && { model }) }, argv, id => reply({ type: 'held', id })),
    })
  } catch (error) {
    fail(error, log)
  }
  await exit(Number(process.exitCode ?? 0))
}

function fail(error: unknown, log: Log): void {
  process.exitCode = 1
  if (!(error instanceof UserError)) log.write(stackOf(error))
  const { hint, exitCode } = error instanceof UserError ? error : { hint: '', exitCode: 1 as const }
  reply({ type: 'failed', message: messageOf(error), hint, exitCode })
}

/** Answers the parent, which may be gone. */
function reply(message: HoldReply): void {
  if (!process.connected) return
  process.send?.(message, () => {
    if (process.connected) process.disconnect()
  })
}
