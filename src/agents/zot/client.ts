/** Requests and replies over zot's line stream. The backend decides what may be sent when. */
import type { Ending, Transport } from '../transport/transport.ts'
import { replyData } from './command.ts'
import type { WireCommand, CommandType, ReplyData } from './command.ts'
import type { Response, ZotEvent } from './frame.ts'
import { parseJson } from '../../text/json.ts'
import { decodeValue, readUsualData, readUsualEvent } from './decode.ts'

/** The outcome of a request. */
export type ClientReply<Data> =
  | { ok: true; data: Data }
  /** zot refused the request, or answered with unreadable data. `message` is zot's own if it gave one. */
  | { ok: false; message: string; ending: null }
  /** zot ended before it answered; `message` is the last line of its standard error. */
  | { ok: false; message: string; ending: Ending }

export type ZotClient = {
  /** Sends a command. Resolves, never rejects, with the reply, or when zot has ended. There is no time limit. */
  request<Type extends CommandType>(
    command: Extract<WireCommand, { type: Type }>,
  ): Promise<ClientReply<ReplyData<Type>>>

  /**
   * Sends a command and calls `onReply` between the frames before and after the reply. Use it if the order of the reply and
   * the events around it matters: a promise would resolve too late.
   */
  send<Type extends CommandType>(
    command: Extract<WireCommand, { type: Type }>,
    onReply: (reply: ClientReply<ReplyData<Type>>) => void,
  ): void
}

export type ZotClientOptions = {
  onEvent: (event: ZotEvent) => void
  /** Receives a line that is no frame, and the reason. */
  onUnknown?: (line: string, reason: string) => void
  /** Called in place of a line of so many bytes, which was too long to keep. */
  onDropped?: (bytes: number) => void
  /** Removes secrets from zot's messages. */
  redact?: (text: string) => string
}

/** Makes a client that receives the transport's lines. Every request settles: with its reply, or when the transport ends. */
export function createZotClient(transport: Transport, options: ZotClientOptions): ZotClient {
  const { onEvent, onUnknown, onDropped, redact = text => text } = options
  const pending = new Map<string, (outcome: Response | Ending) => void>()
  let sent = 0
  let over: Ending | undefined

  const take = (line: string): void => {
    const value = parseJson(line)
    const event = readUsualEvent(value)
    if (event) onEvent(event)
    else takeOther(line, value)
  }
  const takeOther = (line: string, value: unknown): void => {
    const frame = decodeValue(value)
    if (frame.kind === 'event') return onEvent(frame.event)
    if (frame.kind === 'unknown') return onUnknown?.(line, frame.reason)
    const id = frame.response.id ?? ''
    const settle = pending.get(id)
    if (!settle) return onUnknown?.(line, 'a reply to no known request')
    pending.delete(id)
    settle(frame.response)
  }
  transport.receive(take, onDropped)
  const settleAll = async (): Promise<void> => {
    over = await transport.ended
    for (const settle of pending.values()) settle(over)
    pending.clear()
  }
  void settleAll()

  const client: ZotClient = {
    send(command, onReply) {
      const settle = (outcome: Response | Ending): void => onReply(toReply(command.type, outcome, redact))
      if (over) return settle(over)
      sent += 1
      // The id is a string: zot rejects a line with a number.
      const id = String(sent)
      pending.set(id, settle)
      transport.write(JSON.stringify({ id, ...command }))
    },
    request: command => new Promise(resolve => client.send(command, resolve)),
  }
  return client
}

function toReply<Type extends CommandType>(
  type: Type,
  outcome: Response | Ending,
  redact: (text: string) => string,
): ClientReply<ReplyData<Type>> {
  if ('lastWords' in outcome) {
    return { ok: false, message: redact(outcome.lastWords.at(-1) ?? 'zot ended'), ending: outcome }
  }
  if (!outcome.success) return { ok: false, message: redact(outcome.error ?? `zot refused ${type}`), ending: null }
  const usual = readUsualData(type, outcome.data)
  const data = usual ? { success: true, ...usual } : replyData[type].safeParse(outcome.data ?? {})
  if (!data.success) return { ok: false, message: `zot answered ${type} with data that cannot be read`, ending: null }
  // The schema of this command parsed it, or a decoder that is equal to it.
  return { ok: true, data: data.data as ReplyData<Type> }
}
