/** The process of the server that a UI starts with `/serve`. It speaks with that UI only, and ends with it. */
import { once } from 'node:events'
import process from 'node:process'
import { messageOf, stackOf, UserError } from '../../../src/platform/errors.ts'
import { toServerSchema, type FromServer } from '../../../src/published/control.ts'
import type { ConversationServer } from '../../../src/serve/server.ts'
import { openLog, type Log } from '../../../src/storage/log.ts'
import { exit } from '../exit.ts'
import { openServer } from './open-server.ts'

/** Serves until the channel to the UI closes, and ends the process. */
export async function serveForParent(): Promise<void> {
  const log = openLog(() => new Date())
  // The keys of the terminal are the UI's.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined)
  const gone = once(process, 'disconnect')
  let server: ConversationServer | null = null
  try {
    const [message]: unknown[] = await once(process, 'message')
    const first = toServerSchema.parse(message)
    if (first.type !== 'start') throw new Error('a server begins with its start')
    server = await openServer(first.start, log)
    follow(server, log)
    await gone
  } catch (error) {
    await fail(error, log)
  }
  await server?.close()
  await exit(Number(process.exitCode ?? 0))
}

function follow(server: ConversationServer, log: Log): void {
  const show = (): void => void send({ type: 'view', view: server.view() })
  server.onView(show)
  process.on('message', message => {
    const { success, data } = toServerSchema.safeParse(message)
    if (success && data.type === 'action') server.act(data.action)
    else log.write('the server got a message that it does not know')
  })
  show()
}

async function fail(failure: unknown, log: Log): Promise<void> {
  process.exitCode = 1
  if (!(failure instanceof UserError)) log.write(stackOf(failure))
  await send({ type: 'failed', message: messageOf(failure), hint: failure instanceof UserError ? failure.hint : '' })
}

/** Resolves when it is on its way. The UI may be gone. */
async function send(message: FromServer): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (!process.connected || !process.send) return
  process.send(message, () => resolve())
  await promise
}
