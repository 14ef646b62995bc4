/** The streams of a roz server: a session in both directions, and the events of a team. Each has a connection of its own. */
import { isIP } from 'node:net'
import process from 'node:process'
import {
  Client,
  credentials,
  logVerbosity,
  Metadata,
  setLogVerbosity,
  type ClientOptions,
  type status,
  type StatusObject,
} from '@grpc/grpc-js'
import type { RozAddress } from './address.ts'
import {
  teamEventIn,
  type SessionRequestMessage,
  type SessionResponseMessage,
  type TeamEvent,
  type TeamEventMessage,
} from './wire/messages.ts'
import { MOST_BYTES, streamSession, watchTeam } from './wire/methods.ts'

export type RozServer = {
  address: RozAddress
  key: string
  /** CA certificates to use instead of the system's. */
  roots: Buffer | null
}

/** The end of a stream, as gRPC reports it. `isOurs`: zotui ended it. */
export type StreamEnd = { code: status; details: string; isOurs: boolean }

export type RozStream = {
  /** Returns false for a message that is larger than roz takes, which is not sent. Does nothing once the stream is over. */
  send(request: SessionRequestMessage): boolean
  /** Resolves, never rejects, after the last message. */
  readonly ended: Promise<StreamEnd>
  /** Ends our side: the server then ends the stream. */
  finish(): void
  /** Ends it at once. */
  cancel(): void
}

export type TeamWatch = Pick<RozStream, 'ended' | 'cancel'>

export type RozStreams = {
  openSession(onMessage: (message: SessionResponseMessage) => void): RozStream
  watchTeam(taskId: string, onEvent: (event: TeamEvent) => void): TeamWatch
}

// gRPC would write to standard error.
setLogVerbosity(logVerbosity.NONE)

const OPTIONS: ClientOptions = {
  'grpc.max_receive_message_length': MOST_BYTES,
  'grpc.max_send_message_length': MOST_BYTES,
  // A lost network is not reported by itself.
  'grpc.keepalive_time_ms': 30_000,
  'grpc.keepalive_timeout_ms': 10_000,
  // gRPC would keep data about each connection.
  'grpc.enable_channelz': 0,
  // Another stream must not wait because this one could not connect.
  'grpc.use_local_subchannel_pool': 1,
}

export function createRozStreams({ address, key, roots }: RozServer): RozStreams {
  // gRPC names such an address to TLS, and Node would write a warning of that onto the screen.
  if (address.isSecure && isIP(new URL(`https://${address.target}`).hostname.replaceAll(/[[\]]/g, '')) !== 0)
    process.noDeprecation = true
  // gRPC follows a proxy of the environment even to this machine.
  const options = { ...OPTIONS, ...(address.isLocal && { 'grpc.enable_http_proxy': 0 }) }
  const trust = address.isSecure ? credentials.createSsl(roots) : credentials.createInsecure()

  function connect(): { client: Client; metadata: Metadata } {
    const metadata = new Metadata()
    metadata.set('authorization', `Bearer ${key}`)
    return { client: new Client(address.target, trust, options), metadata }
  }

  return {
    openSession(onMessage) {
      const { client, metadata } = connect()
      const { path, requestSerialize, responseDeserialize } = streamSession
      const call = client.makeBidiStreamRequest(path, asTheyAre, responseDeserialize, metadata)
      let isOver = false
      const { ended, cancel } = followed(call, client, onMessage, () => (isOver = true))
      return {
        ended,
        cancel,
        send(request) {
          const bytes = requestSerialize(request)
          if (bytes.length > MOST_BYTES) return false
          if (!isOver) call.write(bytes)
          return true
        },
        finish() {
          if (!isOver) call.end()
        },
      }
    },
    watchTeam(taskId, onEvent) {
      const { client, metadata } = connect()
      const { path, requestSerialize, responseDeserialize } = watchTeam
      const call = client.makeServerStreamRequest(
        path,
        requestSerialize,
        responseDeserialize,
        { task_id: taskId },
        metadata,
      )
      return followed<TeamEventMessage>(call, client, message => {
        const event = teamEventIn(message)
        if (event) onEvent(event)
      })
    },
  }
}

/** The message is encoded first, to know its size. */
const asTheyAre = (bytes: Buffer): Buffer => bytes

type StreamCall<Message> = {
  on(event: 'data', listener: (message: Message) => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'status', listener: (status: StatusObject) => void): unknown
  cancel(): void
}

/** Reads a stream to its end, and closes its connection then. */
function followed<Message>(
  call: StreamCall<Message>,
  client: Client,
  onMessage: (message: Message) => void,
  onEnd: () => void = () => undefined,
): TeamWatch {
  const { promise: ended, resolve } = Promise.withResolvers<StreamEnd>()
  let isOurs = false
  call.on('data', onMessage)
  call.on('error', () => {
    // Its status has the same reason.
  })
  call.on('status', ({ code, details }) => {
    onEnd()
    client.close()
    resolve({ code, details, isOurs })
  })
  return {
    ended,
    cancel() {
      isOurs = true
      call.cancel()
    },
  }
}
