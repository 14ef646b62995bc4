/** A roz server that the test speaks for: real gRPC over loopback, with the messages of `proto.ts`. */
import { Server, ServerCredentials, status, type ServerDuplexStream, type ServerWritableStream } from '@grpc/grpc-js'
import { onTestFinished } from 'vitest'
import { MOST_BYTES, streamSession, watchTeam } from '../../../src/agents/roz/wire/methods.ts'
import type { RozEvent, StartSession, WireToolResult } from '../../../src/agents/roz/wire/messages.ts'
import { toStruct } from '../../../src/agents/roz/wire/struct.ts'

/** A request as the server decodes it: the arm is named by `request`. */
type Received = {
  request: string
  start?: StartSession
  user_message?: { content: string; message_id?: string; context: { label?: string; text?: string; binary?: object }[] }
  tool_result?: WireToolResult & { duration_ms: string }
  permission_decision?: { approval_id: string; approved: boolean }
  cancel_turn?: { reason: string }
}

type PayloadOf<Type extends RozEvent['type']> = Omit<Extract<RozEvent, { type: Type }>, 'type'>

export type FakeSession = {
  readonly received: Received[]
  /** The requests of one kind. */
  of: <Name extends keyof Received>(name: Name) => NonNullable<Received[Name]>[]
  say: <Type extends RozEvent['type']>(type: Type, payload: PayloadOf<Type>, id?: string) => void
  /** Any response, also one that zotui does not know. */
  raw: (response: object) => void
  /** Asks for a call. */
  call: (id: string, name: string, args: Record<string, unknown>, timeout?: number) => void
  /** The text and the end of a turn. */
  answer: (text: string) => void
  /** Ends the stream, well or with a status. */
  end: (code?: status, details?: string) => void
}

export type FakeRozOptions = {
  key?: string
  credentials?: ServerCredentials
  port?: number
  /** Called for each prompt; by default it is answered. */
  onPrompt?: (session: FakeSession, text: string) => void
  /** Called in the place of the usual answers. Returns false to have them. */
  onRequest?: (session: FakeSession, received: Received) => boolean
  /** Called when a team is watched; without it the server has none. */
  onWatch?: (taskId: string, say: (event: object) => void, end: () => void) => void
}

export type FakeRoz = {
  readonly port: number
  readonly url: string
  readonly sessions: readonly FakeSession[]
  /** The last session. */
  readonly session: FakeSession
  /** Ends all at once, as a crash does. */
  stop: () => void
  /** Takes no more streams and ends these after a while, as a restart does: HTTP/2 calls it GOAWAY. */
  drain: (grace: number) => void
}

export const KEY = 'roz_sk_a-key-of-the-test'

export async function startFakeRoz(options: FakeRozOptions = {}): Promise<FakeRoz> {
  const { key = KEY, credentials = ServerCredentials.createInsecure(), onRequest, onWatch } = options
  const { onPrompt = (session, text) => session.answer(`You said: ${text}.`) } = options
  const sessions: FakeSession[] = []
  const server = new Server({
    'grpc.max_receive_message_length': MOST_BYTES,
    'grpc.max_send_message_length': -1,
  })
  const isKnown = (given: unknown): boolean => given === `Bearer ${key}`
  server.addService(
    { StreamSession: streamSession, WatchTeam: watchTeam },
    {
      StreamSession(call: ServerDuplexStream<Received, object>): void {
        if (!isKnown(call.metadata.get('authorization')[0]))
          return void call.emit('error', { code: status.UNAUTHENTICATED, details: 'invalid api key' })
        const session = createSession(call)
        sessions.push(session)
        call.on('data', (received: Received) => {
          session.received.push(received)
          if (onRequest?.(session, received)) return
          if (received.start)
            session.say('session_started', {
              session_id: `s${sessions.length}`,
              model_name: received.start.model ?? 'standard',
            })
          if (received.request === 'ping') session.raw({ pong: {} })
          if (received.request === 'cancel_session') session.end()
          if (received.user_message) {
            session.say('turn_started', { turn_index: session.of('user_message').length })
            onPrompt(session, received.user_message.content)
          }
        })
        call.on('end', () => session.end())
        call.on('error', () => undefined)
      },
      WatchTeam(call: ServerWritableStream<{ task_id: string }, object>): void {
        if (!onWatch) return void call.emit('error', { code: status.UNAVAILABLE, details: 'NATS is not configured' })
        onWatch(
          call.request.task_id,
          event => call.write(event),
          () => call.end(),
        )
      },
    },
  )
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`127.0.0.1:${options.port ?? 0}`, credentials, (error, bound) =>
      error ? reject(error) : resolve(bound),
    )
  })
  onTestFinished(() => server.forceShutdown())
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    sessions,
    get session() {
      const last = sessions.at(-1)
      if (!last) throw new Error('there is no session yet')
      return last
    },
    stop: () => server.forceShutdown(),
    drain: grace => server.drain(`127.0.0.1:${port}`, grace),
  }
}

let count = 0

function createSession(call: ServerDuplexStream<Received, object>): FakeSession {
  const received: Received[] = []
  let isOver = false
  const session: FakeSession = {
    received,
    of: name => received.flatMap(each => each[name] ?? []),
    say(type, payload, id = `e${(count += 1)}`) {
      session.raw({ session_event: { event_id: id, event_type: type, [type]: payload } })
    },
    raw(response) {
      if (!isOver) call.write(response)
    },
    call(id, name, args, timeout = 120_000) {
      session.say('tool_call_requested', {
        call_id: id,
        tool_name: name,
        parameters: toStruct(args),
        timeout_ms: timeout,
      })
    },
    answer(text) {
      const of = session.of('user_message').at(-1)?.message_id
      const about = of === undefined ? {} : { message_id: of }
      session.say('text_delta', { content: text, ...about })
      const cache = { cache_creation_tokens: 1, cache_read_tokens: 2 }
      session.say('turn_finished', { input_tokens: 10, output_tokens: 5, ...cache, stop_reason: 'end_turn', ...about })
    },
    end(code = status.OK, details = '') {
      if (isOver) return
      isOver = true
      if (code === status.OK) call.end()
      else call.emit('error', { code, details })
    },
  }
  return session
}
