/**
 * JSON-RPC 2.0 over a line transport, with requests in both directions. The two sides number their requests independently,
 * from 0 or 1, so one number may be in use in both directions at once.
 */
import { parseJson, isObject } from '../../text/json.ts'
import type { Ending, Transport } from './transport.ts'

/** An error of the other side, or one to answer with. `code` may be any integer. */
export type RpcError = { code: number; message: string; data?: unknown }

/** The outcome of a request of ours. */
export type RpcReply =
  | { ok: true; result: unknown }
  | { ok: false; error: RpcError; ending: null }
  /** The other side ended before it answered. */
  | { ok: false; error: RpcError; ending: Ending }

/** A request of the other side. It is answered once; later answers do nothing. */
export type RpcRequest = {
  readonly id: RpcId
  readonly method: string
  readonly params: unknown
  succeed(result: unknown): void
  fail(error: RpcError): void
  /**
   * Calls `callback` when the answer is no longer awaited: the other side cancelled the request, reused its id, or ended. After
   * a cancellation an answer is still sent.
   */
  onWithdrawn(callback: () => void): void
}

export type RpcId = number | string

export type RpcPeer = {
  /**
   * Sends a request and calls `onReply` once, between the lines before and after the reply, or when the other side has ended.
   * There is no time limit. Returns a function that cancels the request: it settles with `CANCELLED`, and the other side is
   * notified.
   */
  send(method: string, params: unknown, onReply: (reply: RpcReply) => void): () => void
  /** As `send`, with a promise. It never rejects. Do not use it if the order of the reply and the lines around it matters. */
  request(method: string, params: unknown): Promise<RpcReply>
  notify(method: string, params: unknown): void
}

export type RpcPeerOptions = {
  /** Receives the requests of the other side. What it throws becomes an error of the request. */
  onRequest: (request: RpcRequest) => void
  onNotification: (method: string, params: unknown) => void
  /** Receives a line that is not a valid frame, and the reason. */
  onUnknown?: (line: string, reason: string) => void
  /** Called in place of a line of so many bytes, which was too long to keep. */
  onDropped?: (bytes: number) => void
}

/** The codes of the specification that are used here. */
export const rpcCodes = { invalid: -32600, unknownMethod: -32601, internal: -32603, cancelled: -32800 } as const

export const CANCELLED: RpcError = { code: rpcCodes.cancelled, message: 'the request was cancelled' }
const CANCEL = '$/cancel_request'
/** Some programs take an id of 0 for none. */
const FIRST_ID = 1

/** Makes a peer that receives the transport's lines. Every request settles: with its reply, or when the transport ends. */
export function createRpcPeer(transport: Transport, options: RpcPeerOptions): RpcPeer {
  const { onRequest, onNotification, onUnknown, onDropped } = options
  const sent = new Map<number, (reply: RpcReply) => void>()
  const received = new Map<RpcId, () => void>()
  let lastId = FIRST_ID - 1
  let over: Ending | undefined

  const take = (line: string): void => {
    const frame = readFrame(parseJson(line))
    switch (frame.kind) {
      case 'request':
        return request(frame)
      case 'notification':
        return frame.method === CANCEL
          ? withdraw(cancelledId(frame.params))
          : onNotification(frame.method, frame.params)
      case 'reply': {
        const settle = typeof frame.id === 'number' ? sent.get(frame.id) : undefined
        if (!settle) return onUnknown?.(line, 'a reply to no known request')
        return settle(frame.reply)
      }
      case 'unknown':
        return onUnknown?.(line, frame.reason)
    }
  }
  transport.receive(take, onDropped)
  void settleAll()

  function request({ id, method, params }: Extract<RpcFrame, { kind: 'request' }>): void {
    if (received.has(id)) {
      // An answer to one of two requests with one id could be taken for the answer to the other.
      withdraw(id)
      received.delete(id)
      return answer(id, { error: { code: rpcCodes.invalid, message: `the id ${id} is in use` } })
    }
    let onWithdrawn: (() => void) | undefined
    const withdrawn = (): void => onWithdrawn?.()
    received.set(id, withdrawn)
    const settle = (outcome: RpcOutcome): void => {
      if (received.get(id) !== withdrawn) return
      received.delete(id)
      answer(id, outcome)
    }
    const fail = (error: RpcError): void => settle({ error })
    try {
      onRequest({
        id,
        method,
        params,
        succeed: result => settle({ result: result ?? null }),
        fail,
        onWithdrawn(callback) {
          onWithdrawn = callback
        },
      })
    } catch (error) {
      fail({ code: rpcCodes.internal, message: error instanceof Error ? error.message : String(error) })
    }
  }

  function withdraw(id: RpcId | null): void {
    if (id !== null) received.get(id)?.()
  }

  function answer(id: RpcId, outcome: RpcOutcome): void {
    transport.write(JSON.stringify({ jsonrpc: '2.0', id, ...outcome }))
  }

  async function settleAll(): Promise<void> {
    over = await transport.ended
    for (const settle of sent.values()) settle(unanswered(over))
    const open = [...received.values()]
    received.clear()
    for (const withdrawn of open) withdrawn()
  }

  const peer: RpcPeer = {
    send(method, params, onReply) {
      if (over) {
        onReply(unanswered(over))
        return () => undefined
      }
      lastId += 1
      const id = lastId
      const settle = (reply: RpcReply): void => {
        if (sent.delete(id)) onReply(reply)
      }
      sent.set(id, settle)
      transport.write(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
      return () => {
        if (!sent.has(id)) return
        peer.notify(CANCEL, { requestId: id })
        settle({ ok: false, error: CANCELLED, ending: null })
      }
    },
    request: (method, params) => new Promise(resolve => peer.send(method, params, resolve)),
    notify: (method, params) => transport.write(JSON.stringify({ jsonrpc: '2.0', method, params })),
  }
  return peer
}

type RpcOutcome = { result: unknown } | { error: RpcError }

type RpcFrame =
  | { kind: 'request'; id: RpcId; method: string; params: unknown }
  | { kind: 'notification'; method: string; params: unknown }
  | { kind: 'reply'; id: RpcId | null; reply: RpcReply }
  | { kind: 'unknown'; reason: string }

/** Reads one frame. A missing `jsonrpc` is forgiven. */
function readFrame(value: unknown): RpcFrame {
  if (value === undefined) return { kind: 'unknown', reason: 'not JSON' }
  if (!isObject(value)) return { kind: 'unknown', reason: 'not an object' }
  const { id, method, params } = value
  if (typeof method === 'string') {
    if (id === undefined) return { kind: 'notification', method, params }
    return isId(id)
      ? { kind: 'request', id, method, params }
      : { kind: 'unknown', reason: 'an id that is neither a number nor a string' }
  }
  if (id !== null && !isId(id)) return { kind: 'unknown', reason: 'neither a method nor an id' }
  if (isObject(value['error'])) {
    return { kind: 'reply', id, reply: { ok: false, error: toError(value['error']), ending: null } }
  }
  if (!('result' in value)) return { kind: 'unknown', reason: 'neither a result nor an error' }
  return { kind: 'reply', id, reply: { ok: true, result: value['result'] } }
}

function toError({ code, message, data }: Record<string, unknown>): RpcError {
  return {
    code: typeof code === 'number' ? code : rpcCodes.internal,
    message: typeof message === 'string' ? message : '',
    ...(data === undefined || data === null ? {} : { data }),
  }
}

function unanswered(ending: Ending): RpcReply {
  return { ok: false, error: { code: rpcCodes.internal, message: ending.lastWords.at(-1) ?? '' }, ending }
}

function cancelledId(params: unknown): RpcId | null {
  const id = isObject(params) ? params['requestId'] : null
  return isId(id) ? id : null
}

function isId(value: unknown): value is RpcId {
  return typeof value === 'number' || typeof value === 'string'
}
