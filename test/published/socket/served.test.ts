/** What a server gets, without a socket: how much of it, and when. */
import { expect, test } from 'vitest'
import { createListeners } from '../../../src/agent/listeners.ts'
import { outsideCallSchema } from '../../../src/published/outside-call.ts'
import type { PublisherLine, ServedPurpose, ServedQuestion } from '../../../src/published/protocol.ts'
import { createServed } from '../../../src/published/socket/served.ts'
import { parseJson } from '../../../src/text/json.ts'
import { Made, phone, remark, stop } from './stage.ts'

function serving(purpose: ServedPurpose = 'serve') {
  const made = new Made()
  const all = new Map([['1', made]])
  const { subscribe, emit } = createListeners<[]>()
  const clock = { now: 0 }
  let due: { at: number; run: () => void } | null = null
  const after = (ms: number, run: () => void) => {
    due = { at: clock.now + ms, run }
    return () => void (due = null)
  }
  const source = { all: () => all, onChange: subscribe }
  const connect = createServed({ source, parse: parseJson, after, elapsed: () => clock.now })
  const lines: PublisherLine[] = []
  let drops = 0
  const served = connect({
    purpose,
    write: line => lines.push(line),
    drop: () => (drops += 1),
    isAuthentic: () => true,
    untrusted: () => ({ message: 'Say yes first.', isAsked: purpose === 'board' }),
  })
  served.trust('all', false)
  const pass = (ms: number): void => {
    clock.now += ms
    if (!due || due.at > clock.now) return
    const { run } = due
    due = null
    run()
  }
  const typesOf = (type: PublisherLine['type']): number => lines.filter(line => line.type === type).length
  const call = (id: number, name: string): void =>
    served.take({
      type: 'call',
      body: JSON.stringify({ id, conversation: '1', device: phone, call: stop(name), confirmed: false }),
      mac: '',
    })
  return { made, all, emit, served, lines, pass, typesOf, call, drops: () => drops }
}

const question = (digest: string): ServedQuestion => ({
  id: 'q',
  kind: 'call',
  title: 'Run this?',
  html: `<p>${digest}</p>`,
  digest,
  text: `Run ${digest}?`,
  textDigest: `text ${digest}`,
  answers: ['allow', 'refuse'],
  note: '',
  fields: [],
})

test('a server gets a question as HTML only, and a board in plain lines only, each with both digests', () => {
  const [server, board] = (['serve', 'board'] as const).map(purpose => {
    const { made, pass, lines } = serving(purpose)
    made.asked = [question('a')]
    made.change()
    pass(500)
    return lines.findLast(line => line.type === 'questions')?.questions[0]
  })
  const digests = { digest: 'a', textDigest: 'text a' }
  expect(server).toMatchObject({ html: '<p>a</p>', text: '', ...digests })
  expect(board).toMatchObject({ html: '', text: 'Run a?', ...digests })
})

test('only a board moves a conversation to the background: a server for browsers may not, and no browser has a word for it', async () => {
  const move = { do: 'move_to_background', id: 'm' }
  expect(outsideCallSchema.safeParse(move).success).toBe(false)
  const replies = (['serve', 'board'] as const).map(async purpose => {
    const { made, served, lines } = serving(purpose)
    const body = JSON.stringify({ id: 1, conversation: '1', device: phone, call: move, confirmed: true })
    served.take({ type: 'call', body, mac: '' })
    await expect.poll(() => lines.some(({ type }) => type === 'reply')).toBe(true)
    return [lines.find(line => line.type === 'reply')?.reply, made.moves]
  })
  expect(await Promise.all(replies)).toMatchObject([
    [{ ok: false, why: 'forbidden' }, 0],
    [{ ok: true }, 1],
  ])
})

test('a thousand changes in a moment are two lines, and none if nothing has changed', () => {
  const { made, pass, typesOf } = serving()
  pass(500)
  for (let at = 0; at < 1000; at += 1) {
    made.title = `Title ${at}`
    made.change()
    pass(at < 500 ? 0 : 0.1)
  }
  pass(100)
  expect(typesOf('rows')).toBe(3)
  made.change()
  pass(100)
  expect(typesOf('rows')).toBe(3)
})

test('a question is sent when it comes, when it changes and when it is gone, and again after an answer to a former one', async () => {
  const { made, pass, lines, typesOf, call } = serving()
  made.asked = [question('a')]
  made.change()
  pass(100)
  made.change()
  pass(100)
  expect(typesOf('questions')).toBe(1)
  made.answer = { ok: false, why: 'changed', message: 'It is another one.' }
  call(1, 'x')
  await expect.poll(() => typesOf('reply')).toBe(1)
  pass(100)
  expect(typesOf('questions')).toBe(2)
  made.asked = []
  made.change()
  pass(100)
  expect(lines.at(-1)).toEqual({ type: 'questions', conversation: '1', questions: [] })
})

test('one that has gone leaves the list, and gives no more events', () => {
  const { made, all, emit, served, pass, lines, typesOf } = serving()
  served.take({ type: 'watch', conversation: '1' })
  all.delete('1')
  emit()
  pass(100)
  expect(lines.at(-1)).toEqual({ type: 'rows', rows: [] })
  const before = typesOf('event')
  made.add(remark('late'))
  expect([typesOf('event'), made.isFollowed]).toEqual([before, false])
})

test('a request with an old number, or with words of nobody, ends the connection', async () => {
  const { made, served, call, drops } = serving()
  call(2, 'a')
  call(2, 'b')
  call(1, 'c')
  expect(drops()).toBe(2)
  served.take({ type: 'call', body: '{"id":3}', mac: '' })
  served.take({ type: 'hello', protocol: 1, wants: 'serve', purpose: 'serve', pid: 1, commitment: '' })
  expect(drops()).toBe(4)
  await expect.poll(() => made.done).toEqual([stop('a')])
})

test('of requests without an answer yet 64 are carried out', async () => {
  const { made, call, lines } = serving()
  const { promise, resolve } = Promise.withResolvers<void>()
  made.before = promise
  for (let id = 1; id <= 70; id += 1) call(id, `${id}`)
  await expect.poll(() => lines.filter(line => line.type === 'reply').length).toBe(6)
  expect(made.done).toHaveLength(64)
  resolve()
  await expect.poll(() => lines.filter(line => line.type === 'reply').length).toBe(70)
})

test('after the end nothing is sent, and nothing listens', () => {
  const { made, served, pass, lines, call } = serving()
  served.take({ type: 'watch', conversation: '1' })
  made.change()
  served.ended()
  const before = lines.length
  made.add(remark('late'))
  made.change()
  pass(1000)
  call(1, 'a')
  served.trust('show', false)
  expect([lines.length, made.isFollowed]).toEqual([before, false])
})
