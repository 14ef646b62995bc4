/** A connection of a program to its own conversations: what a server gets over a socket, without one. Whoever sits here may do everything. */
import type { OutsideReply } from '../outside-call.ts'
import type { Called, PublisherLine } from '../protocol.ts'
import type { PublishedLine, PublisherConnection } from './connection.ts'
import { createServed, type ServedParts } from './served.ts'

export function connectInProcess(parts: ServedParts, onLine: (line: PublishedLine) => void): PublisherConnection {
  const waiting = new Map<number, (reply: OutsideReply) => void>()
  const { promise: ended, resolve: onEnd } = Promise.withResolvers<void>()
  let last = 0
  const served = createServed(parts)({
    purpose: 'board',
    write,
    drop: end,
    isAuthentic: () => true,
    untrusted: () => ({ message: '', isAsked: false }),
  })
  served.trust('all', false)
  return {
    code: '',
    send: line => served.take(line),
    async call(called: Omit<Called, 'id'>) {
      last += 1
      const { promise, resolve } = Promise.withResolvers<OutsideReply>()
      waiting.set(last, resolve)
      served.take({ type: 'call', body: JSON.stringify({ id: last, ...called }), mac: '' })
      return promise
    },
    end,
    drop: end,
    ended,
  }

  function write(line: PublisherLine): void {
    if (line.type === 'refused' || line.type === 'key') return
    if (line.type !== 'reply') return onLine(line)
    waiting.get(line.id)?.(line.reply)
    waiting.delete(line.id)
  }

  function end(): void {
    served.ended()
    for (const settle of waiting.values()) settle({ ok: false, why: 'gone', message: 'This conversation has ended.' })
    waiting.clear()
    onEnd()
  }
}
