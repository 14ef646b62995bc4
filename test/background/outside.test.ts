/** What devices may do with a conversation in the background, through its real socket. */
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { AgentEvent } from '../../src/agent/event.ts'
import type { PermissionMode } from '../../src/agent/permission.ts'
// Loaded for the first server, which waits only for a while.
import '../../src/background/outside/held-conversation.ts'
import '../../src/background/outside/serve.ts'
import type { BackgroundServerOptions } from '../../src/background/server.ts'
import type { Device, OutsideCall, OutsideReply } from '../../src/published/outside-call.ts'
import { connectToPublisher, type PublishedLine } from '../../src/published/socket/connection.ts'
import { entry, holdAgent } from './held.ts'

const phone: Device = { id: 'phone', name: 'Pixel 8', role: 'steer' }

const asked: AgentEvent = {
  type: 'permission_requested',
  at: 2,
  id: 'q',
  callId: null,
  tool: 'bash',
  kind: 'command',
  arguments: { command: 'rm -rf build' },
  folder: '/work',
  command: 'rm -rf build',
  because: '',
}

type ServeOptions = { mode?: PermissionMode | null; age?: number; past?: BackgroundServerOptions['past'] }

async function serve({ mode = 'ask', age = 1000, past }: ServeOptions = {}) {
  let time = 0
  const welcome: BackgroundServerOptions['welcome'] = () => ({
    id: 'a',
    name: 'zot',
    folder: '/work',
    mode,
    demo: false,
    toolLimit: null,
    argv: [],
  })
  const held = holdAgent({ welcome, elapsed: () => time, ...(past && { past }) })
  const folder = mkdtempSync(join(tmpdir(), 'zotui-outside-'))
  const path = join(folder, 's')
  const server = createServer(socket => held.server.accept(socket))
  await new Promise<void>(resolve => void server.listen(path, resolve))
  const lines: PublishedLine[] = []
  const connected = await connectToPublisher({
    path,
    purpose: 'serve',
    secret: '',
    onLine: line => void lines.push(line),
  })
  if (!connected.ok) throw new Error(connected.message)
  const { connection } = connected
  onTestFinished(() => {
    connection.end()
    held.server.end()
    server.close()
    rmSync(folder, { recursive: true })
  })
  const last = <Type extends PublishedLine['type']>(type: Type) =>
    lines.findLast((line): line is Extract<PublishedLine, { type: Type }> => line.type === type)
  const ask = (call: OutsideCall, { device = phone, confirmed = false } = {}): Promise<OutsideReply> =>
    connection.call({ conversation: 'background', device, call, confirmed })
  /** A call asks, and has waited for a while. */
  const question = async () => {
    held.happen({ type: 'prompt_sent', at: 1, text: 'go', images: [] })
    held.happen(asked)
    time += age
    await expect.poll(() => last('questions')?.questions.length).toBe(1)
    const [first] = last('questions')?.questions ?? []
    if (!first) throw new Error('no question')
    return first
  }
  return { ...held, path, connection, lines, last, ask, question }
}

describe('a server', () => {
  test('is trusted, gets the row, and the events so far and those that follow', async () => {
    const { connection, lines, last, happen, events } = await serve()
    expect(lines[0]).toEqual({ type: 'trust', trust: 'all', isAsked: false })
    await expect.poll(() => last('rows')?.rows).toMatchObject([{ key: 'background', kind: 'background', model: 'm' }])
    connection.send({ type: 'watch', conversation: 'background' })
    await expect.poll(() => last('caught_up')).toBeDefined()
    happen({ type: 'title_changed', at: 5, title: 'now' })
    await expect.poll(() => last('event')?.event).toMatchObject({ title: 'now' })
    const sent = lines.flatMap(line => (line.type === 'event' ? [line.event] : []))
    expect(sent).toEqual(events)
  })

  test('of another version is refused, and a line that is none of its protocol ends the connection', async () => {
    const { path } = await serve()
    for (const [hello, answer] of [
      ['{"type":"hello","protocol":99,"wants":"serve"}', /"refused"/],
      ['{"type":"hello","protocol":1,"wants":"serve"}\n{"type":"call","id":1,"call":"abort","args":[]}', /^$/],
    ] as const) {
      const socket = connect(path)
      const { promise, resolve } = Promise.withResolvers<string>()
      let text = ''
      socket.on('data', data => (text += String(data)))
      socket.on('close', () => resolve(text))
      socket.write(`${hello}\n`)
      expect(await promise).toMatch(answer)
    }
  })

  test('says who looks, and an attached program gets the names', async () => {
    const { path, connection } = await serve()
    const { connectToBackground } = await import('../../src/agents/background/connection.ts')
    const reply = await connectToBackground(path, 'attach')
    if (!reply.ok) throw new Error(reply.message)
    const names: (readonly string[])[] = []
    reply.connection.receive(line => void (line.type === 'watchers' && names.push(line.names)))
    connection.send({ type: 'watchers', conversation: 'background', names: ['Pixel 8'] })
    await expect.poll(() => names.at(-1)).toEqual(['Pixel 8'])
    connection.end()
    await expect.poll(() => names.at(-1)).toEqual([])
    reply.connection.end()
  })
})

describe('an answer', () => {
  test('counts for what was shown, once, and the event names the device', async () => {
    const { ask, question, agent, events } = await serve()
    const { id, digest, html, answers } = await question()
    expect(html).toContain('rm -rf build')
    expect(answers).toContain('allow')
    const wrong = { do: 'answer_call', id: '1', question: id, digest: 'f'.repeat(64), allow: true } as const
    expect(await ask(wrong)).toMatchObject({ ok: false, why: 'changed' })
    const right = { ...wrong, id: '2', digest }
    expect(await ask(right)).toEqual({ ok: true, how: 'done' })
    // The connection was lost, and the page sends it again.
    expect(await ask(right)).toEqual({ ok: true, how: 'done' })
    const tablet = { id: 'tablet', name: 'Tablet', role: 'answer' } as const
    const second = { ...right, id: '1', allow: false }
    expect(await ask(second, { device: tablet })).toEqual({
      ok: false,
      why: 'answered',
      message: 'It was answered by Pixel 8.',
    })
    expect(agent.asked).toEqual(['q allow'])
    expect(events.at(-1)).toMatchObject({ type: 'permission_decided', from: 'Pixel 8' })
  })

  test('of the terminal comes first: the device gets to know it', async () => {
    const { ask, question, happen } = await serve()
    const { id, digest } = await question()
    happen({ type: 'permission_decided', at: 3, id: 'q', allowed: true, by: 'user' })
    expect(await ask({ do: 'answer_call', id: '1', question: id, digest, allow: false })).toMatchObject({
      why: 'answered',
      message: 'It was answered by the terminal.',
    })
  })

  test('to a question that has just come does not count', async () => {
    const { ask, question, agent } = await serve({ age: 100 })
    const { id, digest } = await question()
    expect(await ask({ do: 'answer_call', id: '1', question: id, digest, allow: true })).toMatchObject({ ok: false })
    expect(agent.asked).toEqual([])
  })

  test('of a device that may only look is refused', async () => {
    const { ask, question, agent } = await serve()
    const { id, digest } = await question()
    const device = { ...phone, role: 'view' } as const
    expect(await ask({ do: 'answer_call', id: '1', question: id, digest, allow: true }, { device })).toMatchObject({
      why: 'forbidden',
    })
    expect(agent.asked).toEqual([])
  })

  test('to a form must fit its fields', async () => {
    const { ask, happen, last, agent } = await serve({ age: 0 })
    happen({ type: 'prompt_sent', at: 1, text: 'go', images: [] })
    const choices = [{ value: 'a', label: 'A' }]
    const fields = [{ name: 'which', label: 'Which', kind: 'choice' as const, required: true, choices }]
    happen({ type: 'question_asked', at: 2, id: 'f', message: 'Which?', fields })
    await expect.poll(() => last('questions')?.questions.length).toBe(1)
    const [form] = last('questions')?.questions ?? []
    const call = { do: 'answer_form', question: form?.id ?? '', digest: form?.digest ?? '' } as const
    expect(await ask({ ...call, id: '1', values: { which: 'b' } })).toMatchObject({ ok: false })
    expect(await ask({ ...call, id: '2', values: { which: 'a', more: 'x' } })).toMatchObject({ ok: false })
    expect(agent.asked).toEqual([])
  })
})

describe('a prompt of a device', () => {
  test('is sent with its name, as text, and waits behind the running turn', async () => {
    const { ask, agent, events, last, connection } = await serve()
    connection.send({ type: 'watch', conversation: 'background' })
    expect(await ask({ do: 'prompt', id: '1', text: '/clear' })).toEqual({ ok: true, how: 'sent' })
    await expect.poll(() => agent.asked).toEqual(['As text: /clear'])
    expect(events.find(({ type }) => type === 'prompt_sent')).toMatchObject({ from: 'Pixel 8' })
    for (const [index, text] of ['!ls', '# note', 'go on &'].entries())
      expect(await ask({ do: 'prompt', id: `${index + 2}`, text })).toEqual({ ok: true, how: 'queued' })
    await expect
      .poll(() => last('queue')?.queue.entries.map(each => each.text))
      .toEqual(['As text: !ls', '# note', 'go on &'])
    agent.end()
    await expect.poll(() => agent.asked).toEqual(['As text: /clear', 'As text: !ls'])
  })

  test.each(['allow', 'edits', 'contained', null] as const)('needs a yes first in mode %s', async mode => {
    const { ask, agent } = await serve({ mode })
    const calls: OutsideCall[] = [
      { do: 'prompt', id: '1', text: 'go' },
      { do: 'steer', id: '2', text: 'go' },
      { do: 'change_queued', id: '3', entry: 'x', was: '', text: '' },
      { do: 'send_queued', id: '4', entry: 'x', was: '' },
      { do: 'set_model', id: '5', model: 'better' },
    ]
    for (const call of calls) expect(await ask(call)).toMatchObject({ ok: false, why: 'needs_yes' })
    expect(agent.asked).toEqual([])
    expect(await ask({ do: 'prompt', id: '1', text: 'go' }, { confirmed: true })).toEqual({ ok: true, how: 'sent' })
  })

  test('steers the running turn', async () => {
    const { ask, agent } = await serve()
    await ask({ do: 'prompt', id: '1', text: 'go' })
    expect(await ask({ do: 'steer', id: '2', text: 'with tabs' })).toEqual({ ok: true, how: 'steered' })
    await expect.poll(() => agent.asked).toEqual(['go', 'steer with tabs'])
  })

  test('is changed, removed and sent only as it was shown', async () => {
    const { ask, agent, kept } = await serve()
    for (const [id, text] of Object.entries({ 1: 'go', 2: 'two', 3: 'three', 4: 'four' }))
      await ask({ do: 'prompt', id, text })
    const entries = kept()
    const [two, three, four] = entries.map(({ id }) => id)
    if (!two || !three || !four) throw new Error('not queued')
    expect(await ask({ do: 'change_queued', id: '5', entry: two, was: 'else', text: 'x' })).toMatchObject({
      why: 'changed',
    })
    expect(await ask({ do: 'change_queued', id: '6', entry: two, was: 'two', text: '/two' })).toMatchObject({
      ok: true,
    })
    expect(await ask({ do: 'change_queued', id: '7', entry: three, was: 'three', text: '' })).toMatchObject({
      ok: true,
    })
    expect(kept().map(({ text }) => text)).toEqual(['As text: /two', 'four'])
    agent.abort()
    await expect.poll(() => agent.asked).toEqual(['go', 'abort'])
    expect(await ask({ do: 'send_queued', id: '8', entry: four, was: 'four' })).toEqual({ ok: true, how: 'sent' })
    await expect.poll(() => agent.asked).toEqual(['go', 'abort', 'four'])
  })
})

test('a device stops the running turn, and the event names it', async () => {
  const { ask, events } = await serve()
  expect(await ask({ do: 'stop', id: '1' })).toMatchObject({ why: 'gone' })
  await ask({ do: 'prompt', id: '2', text: 'go' })
  expect(await ask({ do: 'stop', id: '3' })).toEqual({ ok: true, how: 'done' })
  expect(events.find(({ type }) => type === 'abort_requested')).toMatchObject({ from: 'Pixel 8' })
})

const goBack = async () => ({ ok: true, value: undefined }) as const

test('a name that a program gives is in the row at once', async () => {
  let title = 'first'
  const rename = (name: string) => {
    title = name
    return { ok: true, value: undefined } as const
  }
  const past = { session: () => 's', title: () => title, points: () => [], rename, publish: () => undefined }
  const { lines, path } = await serve({ past: { ...past, goBack } })
  await expect.poll(() => JSON.stringify(lines)).toContain('first')
  const { requestOfBackground } = await import('../../src/agents/background/connection.ts')
  await requestOfBackground(path, 'rename', 'second')
  await expect.poll(() => JSON.stringify(lines)).toContain('second')
})

test('a device chooses among the models of the provider', async () => {
  const { ask, agent, last, connection } = await serve()
  connection.send({ type: 'watch', conversation: 'background' })
  await expect.poll(() => last('models')?.models.map(({ id }) => id)).toEqual(['m', 'better'])
  expect(await ask({ do: 'set_model', id: '1', model: 'other' })).toMatchObject({ why: 'forbidden' })
  expect(await ask({ do: 'set_model', id: '2', model: 'better' })).toMatchObject({ ok: true })
  expect(agent.asked).toEqual(['model better'])
})

test('a command of zotui in the queue is neither changed nor run from outside', async () => {
  const { ask, agent, server, kept, path } = await serve()
  await ask({ do: 'prompt', id: '1', text: 'go' })
  const { connectToBackground } = await import('../../src/agents/background/connection.ts')
  const reply = await connectToBackground(path, 'attach')
  if (!reply.ok) throw new Error(reply.message)
  const command = { ...entry('', 'c'), command: 'compact' }
  reply.connection.write({ type: 'call', id: 1, call: 'queue', args: [{ do: 'add', entry: command, how: 'say' }] })
  await expect.poll(() => kept().length).toBe(1)
  const shown = { entry: 'c', was: '/compact' }
  expect(await ask({ do: 'change_queued', id: '2', ...shown, text: 'x' })).toMatchObject({ why: 'forbidden' })
  expect(await ask({ do: 'send_queued', id: '3', ...shown })).toMatchObject({ why: 'forbidden' })
  expect(agent.asked).toEqual(['go'])
  reply.connection.end()
  server.end()
})
