/** Requests and replies over zot's line stream. Knows nothing of what may be sent when: that is the backend's. */
import type { Ending, Transport } from '../transport/transport.ts'
import { replyData } from './command.ts'
import type { WireCommand, CommandType, ReplyData } from './command.ts'
import { decode } from './frame.ts'
import type { Response, ZotEvent } from './frame.ts'

/** How a request came out. */
export type ClientReply<Data> =
  | { ok: true; data: Data }
  /** zot said no, or answered with data that makes no sense; `message` is zot's own where it gave one. */
  | { ok: false; message: string; ending: null }
  /** zot ended before it answered; `message` is the last it said. */
  | { ok: false; message: string; ending: Ending }

export type ZotClient = {
  /** Sends the command. Resolves, never rejects, with its reply or when zot has ended. There is no time limit. */
  request<Type extends CommandType>(
    command: Extract<WireCommand, { type: Type }>,
  ): Promise<ClientReply<ReplyData<Type>>>

  /**
   * The same with a callback, which is called between the frame before the reply and the frame after it. Where the order of
   * a reply and the events around it matters, a promise would come too late.
   */
  send<Type extends CommandType>(
    command: Extract<WireCommand, { type: Type }>,
    onReply: (reply: ClientReply<ReplyData<Type>>) => void,
  ): void
}

export type ZotClientOptions = {
  onEvent: (event: ZotEvent) => void
  /** A line that is no frame, and why it is none. */
  onUnknown?: (line: string, reason: string) => void
  /** Takes out of zot's own words what must not be told. */
  redact?: (text: string) => string
}

/** Takes over the transport's lines. Every request settles: with its reply, or when the transport ends. */
export function createZotClient(transport: Transport, options: ZotClientOptions): ZotClient {
  const { onEvent, onUnknown, redact = text => text } = options
  const pending = new Map<string, (outcome: Response | Ending) => void>()
  let sent = 0
  let over: Ending | undefined

  transport.receive(line => {
    const frame = decode(line)
    if (frame.kind === 'event') return onEvent(frame.event)
    if (frame.kind === 'unknown') return onUnknown?.(line, frame.reason)
    const id = frame.response.id ?? ''
    const settle = pending.get(id)
    if (!settle) return onUnknown?.(line, 'a reply to no request of ours')
    pending.delete(id)
    settle(frame.response)
  })
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
      // A string: a number would make the line malformed to zot.
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
  const data = replyData[type].safeParse(outcome.data ?? {})
  if (!data.success) return { ok: false, message: `zot answered ${type} with data that cannot be read`, ending: null }
  // The table's schema of this very command made it.
  return { ok: true, data: data.data as ReplyData<Type> }
}
