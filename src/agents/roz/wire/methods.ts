/** The methods of roz's service, with the encoding of their messages. */
import protobuf from 'protobufjs'
import { ROZ_PROTO } from './proto.ts'
import type { SessionRequestMessage, SessionResponseMessage, TeamEventMessage, WireContentPart } from './messages.ts'
import { lookup } from '../../../text/lookup.ts'

/** The most bytes of one message in either direction: roz's own limit. */
export const MOST_BYTES = 12 * 1024 * 1024

/** One method, for a client and for a server. `Request` and `Response` are the messages as `proto.ts` has them. */
export type WireMethod<Request, Response> = {
  path: string
  requestStream: boolean
  responseStream: boolean
  requestSerialize: (request: Request) => Buffer
  requestDeserialize: (bytes: Buffer) => Request
  responseSerialize: (response: Response) => Buffer
  responseDeserialize: (bytes: Buffer) => Response
}

const SERVICE = 'roz.v1.AgentService'
const root = protobuf.parse(ROZ_PROTO, { keepCase: true }).root.resolveAll()
const service = root.lookupService(SERVICE)
const parts = codecOf<WireContentPart>(root.lookupType('roz.v1.ContentPart'))

export const streamSession = methodOf<SessionRequestMessage, SessionResponseMessage>('StreamSession')
export const watchTeam = methodOf<{ task_id: string }, TeamEventMessage>('WatchTeam')

/** Bytes around a part: its length and its place in a message, and those of a message of its own. */
const AROUND = 32

/** The most bytes that a part of a message takes. */
export function bytesOfPart(part: WireContentPart): number {
  return parts.encode(part).length + AROUND
}

function methodOf<Request, Response>(name: string): WireMethod<Request, Response> {
  const {
    resolvedRequestType,
    resolvedResponseType,
    requestStream = false,
    responseStream = false,
  } = lookup(service.methods, name) ?? {}
  const request = codecOf<Request>(resolvedRequestType)
  const response = codecOf<Response>(resolvedResponseType)
  return {
    path: `/${SERVICE}/${name}`,
    requestStream,
    responseStream,
    requestSerialize: request.encode,
    requestDeserialize: request.decode,
    responseSerialize: response.encode,
    responseDeserialize: response.decode,
  }
}

function codecOf<Message>(type: protobuf.Type | null | undefined) {
  if (!type) throw new Error('a method of proto.ts has no such message')
  return {
    encode: (message: Message): Buffer => Buffer.from(type.encode(type.fromObject(message as object)).finish()),
    decode: (bytes: Buffer): Message =>
      type.toObject(type.decode(bytes), { longs: String, defaults: true, oneofs: true }) as Message,
  }
}
