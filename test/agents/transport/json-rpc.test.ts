import { setImmediate as settled } from 'node:timers/promises'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createMemoryPair } from '../../../src/agents/transport/memory-pair.ts'
import { createProcessTransport } from '../../../src/agents/transport/process.ts'
import { createRpcPeer, type RpcReply, type RpcRequest } from '../../../src/agents/transport/json-rpc.ts'
import type { Transport } from '../../../src/agents/transport/transport.ts'

type Seen = {
  requests: RpcRequest[]
  notifications: [method: string, params: unknown][]
  unknown: [line: string, reason: string][]
  dropped: number[]
}

function peerOn(transport: Transport, onRequest: (request: RpcRequest) => void = () => undefined) {
  const seen: Seen = { requests: [], notifications: [], unknown: [], dropped: [] }
  const peer = createRpcPeer(transport, {
    onRequest(request) {
      seen.requests.push(request)
      onRequest(request)
    },
    onNotification: (method, params) => seen.notifications.push([method, params]),
    onUnknown: (line, reason) => seen.unknown.push([line, reason]),
    onDropped: bytes => seen.dropped.push(bytes),
  })
  return { peer, ...seen }
}

/** A peer and the raw lines of the other side. */
function withRawSide(onRequest?: (request: RpcRequest) => void) {
  const { near, far } = createMemoryPair()
  const lines: unknown[] = []
  far.receive(line => lines.push(JSON.parse(line)))
  return {
    ...peerOn(near, onRequest),
    far,
    lines,
    say: (...frames: unknown[]) => frames.forEach(frame => far.write(JSON.stringify(frame))),
  }
}

describe('a request', () => {
  test('gets the result of the reply with its id, in any order', async () => {
    const { peer, say, lines } = withRawSide()
    const [one, two] = [peer.request('a', { x: 1 }), peer.request('b', undefined)]
    await settled()
    expect(lines).toEqual([
      { jsonrpc: '2.0', id: 1, method: 'a', params: { x: 1 } },
      { jsonrpc: '2.0', id: 2, method: 'b' },
    ])
    say({ jsonrpc: '2.0', id: 2, result: null }, { jsonrpc: '2.0', id: 1, result: [1] })
    expect(await one).toEqual({ ok: true, result: [1] })
    expect(await two).toEqual({ ok: true, result: null })
  })

  test.each([
    [
      { code: 401, message: 'no', data: { a: 1 } },
      { code: 401, message: 'no', data: { a: 1 } },
    ],
    [
      { code: -32000, message: 'no', data: null },
      { code: -32000, message: 'no' },
    ],
    [{ message: 7 }, { code: -32603, message: '' }],
    [{}, { code: -32603, message: '' }],
  ])('fails with the error %j', async (error, expected) => {
    const { peer, say } = withRawSide()
    const reply = peer.request('a', {})
    say({ jsonrpc: '2.0', id: 1, error })
    expect(await reply).toEqual({ ok: false, error: expected, ending: null })
  })

  test('settles between the lines before and after its reply', async () => {
    const { peer, say, notifications } = withRawSide()
    const seen: number[] = []
    peer.send('a', {}, () => seen.push(notifications.length))
    say({ method: 'one' }, { id: 1, result: 1 }, { method: 'two' })
    await settled()
    expect(seen).toEqual([1])
    expect(notifications).toHaveLength(2)
  })

  test('settles once, whatever comes for its id afterwards', async () => {
    const { peer, say, unknown } = withRawSide()
    const replies: RpcReply[] = []
    peer.send('a', {}, reply => replies.push(reply))
    say({ id: 1, result: 1 }, { id: 1, result: 2 }, { id: 1, error: { code: 1, message: '' } })
    await settled()
    expect(replies).toEqual([{ ok: true, result: 1 }])
    expect(unknown).toHaveLength(2)
  })

  test('that is cancelled settles at once, and the other side gets the cancellation', async () => {
    const { peer, say, lines } = withRawSide()
    const replies: RpcReply[] = []
    const cancel = peer.send('a', {}, reply => replies.push(reply))
    cancel()
    cancel()
    say({ id: 1, result: 'late' })
    await settled()
    expect(replies).toMatchObject([{ ok: false, error: { code: -32800 }, ending: null }])
    expect(lines.slice(1)).toEqual([{ jsonrpc: '2.0', method: '$/cancel_request', params: { requestId: 1 } }])
  })

  test('settles with the ending when the other side ends, and so does every later one', async () => {
    const { peer, far } = withRawSide()
    const open = [peer.request('a', {}), peer.request('b', {})]
    far.writeError('panic: out of ideas')
    far.end({ code: 3 })
    const ended = { ok: false, error: { message: 'panic: out of ideas' }, ending: { code: 3 } }
    for (const reply of await Promise.all(open)) expect(reply).toMatchObject(ended)
    expect(await peer.request('c', {})).toMatchObject(ended)
  })

  test('that is sent while others are settled by the end settles, too', async () => {
    const { peer, far } = withRawSide()
    const second = new Promise(resolve => {
      peer.send('a', {}, () => peer.send('b', {}, resolve))
    })
    far.end()
    expect(await second).toMatchObject({ ok: false, ending: { code: 0 } })
  })
})

describe('a request of the other side', () => {
  test.each([0, 1, -1, 1.5, '', '0', 'srv-0', 'a'])('with the id %j is answered with that id', async id => {
    const { say, lines } = withRawSide(request => request.succeed({ method: request.method, params: request.params }))
    say({ jsonrpc: '2.0', id, method: 'ask', params: [1] })
    await settled()
    expect(lines).toEqual([{ jsonrpc: '2.0', id, result: { method: 'ask', params: [1] } }])
  })

  test('may have the id of one of ours', async () => {
    const { peer, say, lines } = withRawSide(request => request.succeed('theirs'))
    const ours = peer.request('ask', {})
    say({ id: 1, method: 'ask' }, { id: 1, result: 'ours' })
    expect(await ours).toEqual({ ok: true, result: 'ours' })
    expect(lines.at(-1)).toEqual({ jsonrpc: '2.0', id: 1, result: 'theirs' })
  })

  test('is answered once', async () => {
    const { say, lines } = withRawSide(request => {
      request.fail({ code: -32601, message: 'no', data: 7 })
      request.succeed(1)
      request.fail({ code: 1, message: '' })
    })
    say({ id: 0, method: 'ask' })
    await settled()
    expect(lines).toEqual([{ jsonrpc: '2.0', id: 0, error: { code: -32601, message: 'no', data: 7 } }])
  })

  test('without a result is answered with null', async () => {
    const { say, lines } = withRawSide(request => request.succeed(undefined))
    say({ id: 0, method: 'ask' })
    await settled()
    expect(lines).toEqual([{ jsonrpc: '2.0', id: 0, result: null }])
  })

  test('fails if its receiver throws', async () => {
    const { say, lines } = withRawSide(() => {
      throw new Error('a fault')
    })
    say({ id: 0, method: 'ask' })
    await settled()
    expect(lines).toEqual([{ jsonrpc: '2.0', id: 0, error: { code: -32603, message: 'a fault' } }])
  })

  test('is withdrawn by its cancellation, and may be answered afterwards', async () => {
    let isWithdrawn = false
    const { say, lines, requests } = withRawSide(request => request.onWithdrawn(() => (isWithdrawn = true)))
    say({ id: 0, method: 'ask' }, { method: '$/cancel_request', params: { requestId: 0 } })
    await settled()
    expect(isWithdrawn).toBe(true)
    requests[0]?.succeed('cancelled')
    await settled()
    expect(lines).toEqual([{ jsonrpc: '2.0', id: 0, result: 'cancelled' }])
  })

  test.each([undefined, null, {}, { requestId: 7 }, { requestId: null }, { requestId: {} }, []])(
    'is not withdrawn by a cancellation of %j',
    async params => {
      const { say, requests, lines } = withRawSide(request =>
        request.onWithdrawn(() => {
          throw new Error('withdrawn')
        }),
      )
      say({ id: 0, method: 'ask' }, { method: '$/cancel_request', params })
      await settled()
      requests[0]?.succeed(1)
      await settled()
      expect(lines).toEqual([{ jsonrpc: '2.0', id: 0, result: 1 }])
    },
  )

  test('is withdrawn when another one has its id, and the answer to both is an error', async () => {
    let withdrawn = 0
    const { say, requests, lines } = withRawSide(request => request.onWithdrawn(() => (withdrawn += 1)))
    say({ id: 0, method: 'ask' }, { id: 0, method: 'other' })
    await settled()
    requests[0]?.succeed(1)
    await settled()
    expect([requests.length, withdrawn]).toEqual([1, 1])
    expect(lines).toMatchObject([{ id: 0, error: { code: -32600 } }])
  })

  test('is withdrawn when the other side ends', async () => {
    const { near, far } = createMemoryPair()
    const { promise, resolve } = Promise.withResolvers<string>()
    peerOn(near, request => request.onWithdrawn(() => resolve(request.method)))
    far.write('{"id":0,"method":"ask"}')
    await settled()
    far.end()
    expect(await promise).toBe('ask')
  })
})

describe('a line that is not a frame is classified:', () => {
  test.each([
    ['hello', 'not JSON'],
    ['', 'not JSON'],
    ['[{"id":1,"method":"a"}]', 'not an object'],
    ['7', 'not an object'],
    ['null', 'not an object'],
    ['{}', 'neither a method nor an id'],
    ['{"id":{},"method":"a"}', 'an id that is neither a number nor a string'],
    ['{"id":null,"method":"a"}', 'an id that is neither a number nor a string'],
    ['{"id":[],"result":1}', 'neither a method nor an id'],
    ['{"id":1}', 'neither a result nor an error'],
    ['{"id":1,"error":"words"}', 'neither a result nor an error'],
    ['{"id":null,"error":{"code":-32700,"message":"Parse error"}}', 'a reply to no known request'],
    ['{"id":99,"result":1}', 'a reply to no known request'],
    ['{"id":"1","result":1}', 'a reply to no known request'],
  ])('%s', async (line, reason) => {
    const { near, far } = createMemoryPair()
    const { peer, unknown, requests, notifications } = peerOn(near)
    const open = peer.request('a', {})
    far.write(line)
    far.end()
    expect(await open).toMatchObject({ ok: false, ending: {} })
    expect(unknown).toEqual([[line, reason]])
    expect([...requests, ...notifications]).toEqual([])
  })

  test('any line at all leaves the peer working', async () => {
    const line = fc.oneof(
      fc.string(),
      fc.json(),
      fc
        .record(
          {
            jsonrpc: fc.constant('2.0'),
            id: fc.anything(),
            method: fc.anything(),
            params: fc.jsonValue(),
            error: fc.jsonValue(),
          },
          { requiredKeys: [] },
        )
        .map(frame => JSON.stringify(frame) ?? ''),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(line), async lines => {
        const { near, far } = createMemoryPair()
        const { peer } = peerOn(near, request => request.succeed(null))
        const reply = peer.request('a', {})
        for (const each of lines.filter(text => !/"id":1[,}]/.test(text))) far.write(each)
        far.write('{"id":1,"result":"whole"}')
        expect(await reply).toEqual({ ok: true, result: 'whole' })
      }),
    )
  })
})

test('two peers that ask each other at random get every answer once, to the right question', async () => {
  const step = fc.record({ side: fc.integer({ min: 0, max: 1 }), fails: fc.boolean(), delay: fc.nat(3) })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async steps => {
      const { near, far } = createMemoryPair()
      const other: Transport = { ...near, receive: line => far.receive(line), write: line => far.write(line) }
      const answer = (request: RpcRequest): void => {
        const { fails, delay } = request.params as (typeof steps)[number]
        setTimeout(
          () => (fails ? request.fail({ code: 7, message: request.method }) : request.succeed(request.method)),
          delay,
        )
      }
      const peers = [peerOn(near, answer), peerOn(other, answer)]
      const replies = await Promise.all(
        steps.map(async (params, index) => peers[params.side]?.peer.request(`m${index}`, params)),
      )
      for (const [index, { fails }] of steps.entries()) {
        const error = { code: 7, message: `m${index}` }
        expect(replies[index]).toEqual(fails ? { ok: false, error, ending: null } : { ok: true, result: `m${index}` })
      }
      expect(peers.flatMap(({ unknown }) => unknown)).toEqual([])
    }),
    { numRuns: 50 },
  )
})

const run = (script: string): Transport =>
  createProcessTransport({ file: process.execPath, args: ['-e', script], env: { PATH: process.env['PATH'] } })

describe('a real process', () => {
  const answering = `require('node:readline').createInterface({ input: process.stdin }).on('line', line => {
    const { id, method, params } = JSON.parse(line)
    if (method === 'die') process.kill(process.pid, 'SIGKILL')
    if (method === 'exit') { console.error('tired'); process.exit(7) }
    if (method === 'flood') {
      const line = JSON.stringify({ method: 'piece', params: { text: 'x'.repeat(50) } }) + '\\n'
      for (let at = 0; at < 100; at++) process.stdout.write(line.repeat(1000))
    }
    if (method === 'long') process.stdout.write(JSON.stringify({ method: 'long', params: 'y'.repeat(60_000_000) }) + '\\n')
    if (method === 'longer') process.stdout.write('z'.repeat(70_000_000) + '\\n')
    if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: params ?? null }))
  })`

  test.each([
    ['die', { code: null, signal: 'SIGKILL' }],
    ['exit', { code: 7, lastWords: ['tired'] }],
  ])('that ends settles every request: %s', async (method, ending) => {
    const transport = run(answering)
    const { peer } = peerOn(transport)
    expect(await peer.request('echo', 'hello')).toEqual({ ok: true, result: 'hello' })
    const replies = await Promise.all(Array.from({ length: 100 }, () => peer.request(method, {})))
    for (const reply of replies) expect(reply).toMatchObject({ ok: false, ending })
  })

  test('that does not start settles every request', async () => {
    const { peer } = peerOn(createProcessTransport({ file: '/nonexistent', args: [], env: {} }))
    expect(await peer.request('a', {})).toMatchObject({ ok: false, ending: { spawnError: 'ENOENT' } })
  })

  test('that floods loses nothing, and its reply comes after what was before it', async () => {
    const transport = run(answering)
    const { peer, notifications } = peerOn(transport)
    const count = await new Promise(resolve => {
      peer.send('flood', 1, () => resolve(notifications.length))
    })
    expect(count).toBe(100_000)
    transport.kill('SIGKILL')
    await transport.ended
  })

  test('may write a line of 60 MB; a longer one is dropped, and the next is read', async () => {
    const transport = run(answering)
    const { peer, notifications, unknown, dropped } = peerOn(transport)
    expect(await peer.request('long', 1)).toEqual({ ok: true, result: 1 })
    expect(String(notifications[0]?.[1])).toHaveLength(60_000_000)
    expect(await peer.request('longer', 2)).toEqual({ ok: true, result: 2 })
    expect([unknown, dropped]).toEqual([[], [70_000_000]])
    transport.kill('SIGKILL')
    await transport.ended
  })
})
