import type { ZotOptions } from '../../../src/agents/zot/program/options.ts'
import { describe, expect, test } from 'vitest'
import { createMemoryPair } from '../../../src/agents/transport/memory-pair.ts'
import { createZotBackend } from '../../../src/agents/zot/backend.ts'
import { hi, modern, openStage, stage, startPrompt } from './scripted-zot.ts'

test('a change of the model reports its context window and reasoning levels', async () => {
  const { backend, zot, events } = await openStage()
  const change = backend.setModel('haiku')
  const command = await zot.next('set_model')
  expect(command['model']).toBe('haiku')
  zot.reply(command, { model: 'haiku' })
  expect(await change).toEqual({ ok: true, value: undefined })
  expect(events).toEqual([
    // zot says 0 for a size it does not know, and this model has no reasoning.
    {
      type: 'model_changed',
      at: 1000,
      provider: 'anthropic',
      model: 'haiku',
      contextWindow: null,
      reasoningLevels: [],
    },
  ])
})

test('a change that zot refuses changes nothing', async () => {
  const { backend, zot, events } = await openStage()
  const change = backend.setModel('opus')
  zot.refuse(await zot.next('set_model'), 'unknown model "opus" (provider="anthropic")')
  expect(await change).toEqual({ ok: false, message: 'unknown model "opus" (provider="anthropic")' })
  expect(events).toEqual([])
})

test('a change of the reasoning level reports the level that zot set', async () => {
  const { backend, zot, events } = await openStage()
  const change = backend.setReasoning('maximum')
  zot.reply(await zot.next('set_reasoning'), { reasoning: 'xhigh' })
  await change
  expect(events).toEqual([{ type: 'reasoning_changed', at: 1000, reasoning: 'xhigh' }])
})

test('changes run one after the other', async () => {
  const { backend, zot, types } = await openStage()
  const changes = [backend.clear(), backend.setModel('haiku')]
  zot.reply(await zot.next('clear'))
  zot.reply(await zot.next('set_model'), { model: 'haiku' })
  for (const change of changes) expect(await change).toMatchObject({ ok: true })
  expect(types()).toEqual(['conversation_cleared', 'model_changed'])
})

test('a change is settled when zot ends', async () => {
  const { backend, zot } = await openStage()
  const change = backend.clear()
  await zot.next('clear')
  zot.far.writeError('zot: out of disk')
  zot.far.end({ code: 1 })
  expect(await change).toEqual({ ok: false, message: 'zot: out of disk' })
})

test('models are listed again each time', async () => {
  const { backend } = await openStage()
  expect(await backend.listModels()).toEqual({
    ok: true,
    value: [
      { id: 'sonnet', provider: 'anthropic', contextWindow: 200_000, maxOutput: 64_000, reasoning: true },
      { id: 'haiku', provider: 'anthropic', contextWindow: null, maxOutput: null, reasoning: false },
    ],
  })
})

test('a model that zot does not list has an unknown size and may support reasoning', async () => {
  const hello = { ...modern.hello, provider: 'ollama', model: 'mine' }
  const { backend, events } = stage({ handshake: { ...modern, hello, get_models: { models: [] } } })
  await backend.open()
  expect(events.at(-1)).toMatchObject({
    model: 'mine',
    contextWindow: null,
    reasoningLevels: expect.arrayContaining(['high']),
  })
})

test('events of extensions arrive at any time, even before the first reply', async () => {
  const { backend, events } = stage({
    connect: () => {
      const { near, far } = createMemoryPair()
      far.write('{"type":"ext_notify","extension":"e","level":"warning","message":"early"}')
      far.write('{"type":"ext_display","extension":"e","text":"**x**"}')
      far.write('{"type":"ext_clear_notes","extension":"e"}')
      far.end()
      return near
    },
  })
  await backend.open()
  expect(events.slice(1, -1)).toEqual([
    { type: 'extension_noted', at: 1000, extension: 'e', level: 'warn', message: 'early' },
    { type: 'extension_displayed', at: 1000, extension: 'e', text: '**x**' },
    { type: 'extension_notes_cleared', at: 1000, extension: 'e' },
  ])
})

test('warnings from standard error are reported after the start, each once', async () => {
  const opened = stage({ start: { model: 'nope' }, handshake: { hello: modern.hello, get_models: modern.get_models } })
  const opening = opened.backend.open()
  const command = await opened.zot.next('get_state')
  opened.zot.far.writeError('zot: model "nope" is not in the active catalogue; using "sonnet" instead.')
  opened.zot.far.writeError('extension load: /x: no manifest')
  opened.zot.far.writeError('chatter')
  opened.zot.reply(command, modern.get_state)
  await opening
  const warnings = opened.events.filter(event => event.type === 'warning_raised')
  expect(warnings.map(event => event.message)).toEqual([
    'zot uses the model sonnet instead of nope, which it does not offer here',
    'extension load: /x: no manifest',
  ])
})

test('the token is sent in the handshake, and a wrong one is explained', async () => {
  const opened = stage({ token: 'secret', handshake: {} })
  const opening = opened.backend.open()
  const hello = await opened.zot.next('hello')
  expect(hello['token']).toBe('secret')
  opened.zot.refuse(hello, 'invalid token')
  await opening
  expect(opened.events.at(-1)).toMatchObject({
    type: 'agent_ended',
    reason: 'zot refused the connection: invalid token',
    expected: false,
  })
})

test('a zot that ends before its first reply is explained by its last line of standard error', async () => {
  const { backend, types, events } = stage({
    connect: () => {
      const { near, far } = createMemoryPair()
      far.writeError('zot: no credential for anthropic; set ANTHROPIC_API_KEY')
      far.end({ code: 1 })
      return near
    },
  })
  await backend.open()
  expect(types()).toEqual(['agent_starting', 'agent_ended'])
  expect(events.at(-1)).toMatchObject({ reason: 'no credential for anthropic', hint: 'set ANTHROPIC_API_KEY' })
})

test('closing during the start ends both cleanly', async () => {
  const { backend, types, events } = stage({ handshake: {} })
  const opening = backend.open()
  await Promise.all([backend.close(), opening])
  expect(types()).toEqual(['agent_starting', 'agent_ended'])
  expect(events.at(-1)).toMatchObject({ expected: true, reason: 'zot ended' })
})

test('a second open starts no second zot, and without a zot nothing hangs', async () => {
  const { backend, types } = stage()
  await Promise.all([backend.close(), backend.kill()])
  expect(await backend.ping(1)).toBe(false)
  await backend.prompt(hi)
  await backend.compact()
  await Promise.all([backend.open(), backend.open()])
  await backend.open()
  expect(types()).toEqual([
    'prompt_sent',
    'prompt_refused',
    'compaction_started',
    'compaction_failed',
    'agent_starting',
    'agent_started',
  ])
})

test('a listener may start a new zot as soon as it gets the end', async () => {
  const { backend, seen, zot, types } = await openStage()
  backend.subscribe(event => {
    if (event.type === 'agent_ended') void backend.open()
  })
  zot.far.end({ code: 1 })
  await seen('agent_started')
  expect(types()).toEqual(['agent_ended', 'agent_starting', 'agent_started'])
})

describe('replacing', () => {
  const gpt = { ...modern, hello: { ...modern.hello, provider: 'openai', model: 'gpt' } }
  const wanted = { provider: 'openai', model: 'gpt' }

  test('the fresh zot takes over once it has answered, and emits nothing before', async () => {
    const opened = await openStage({ handshakes: [modern, {}] })
    const { backend, zot: former, types, events } = opened
    const replaced = backend.replace(wanted)
    const fresh = opened.zot
    expect(fresh).not.toBe(former)
    const hello = await fresh.next('hello')
    expect(types()).toEqual([])
    fresh.reply(hello, gpt.hello)
    fresh.reply(await fresh.next('get_state'), gpt.get_state)
    fresh.reply(await fresh.next('get_models'), gpt.get_models)
    expect(await replaced).toEqual({ ok: true, value: undefined })
    expect(types()).toEqual(['agent_ended', 'agent_starting', 'agent_started'])
    expect(events[0]).toMatchObject({ expected: true })
    expect(events[2]).toMatchObject(wanted)
    const prompt = backend.prompt(hi)
    fresh.reply(await fresh.next('prompt'))
    fresh.say({ type: 'done' })
    await prompt
    expect(former.received.map(({ type }) => type)).not.toContain('prompt')
    events.splice(0)
    fresh.far.end({ code: 1 })
    await opened.seen('agent_ended')
    expect(await backend.replace({})).toMatchObject({ ok: false })
  })

  test.each([
    ['never gets the key that was for the first one, which gets it again', { apiKey: 'sk-own' }, {}],
    [
      'gets the address, and the key that was for it',
      { apiKey: 'sk-own', baseUrl: 'http://gateway' },
      { apiKey: 'sk-own', baseUrl: 'http://gateway' },
    ],
    [
      'gets all else',
      { baseUrl: 'http://gateway', tools: ['read'], insecure: true, extra: ['-x'] },
      { baseUrl: 'http://gateway', tools: ['read'], insecure: true, extra: ['-x'] },
    ],
  ])('another provider %s', async (_name, start: ZotOptions, kept) => {
    const starts: ZotOptions[] = []
    const opened = await openStage({ start, handshakes: [modern, gpt, modern], onConnect: each => starts.push(each) })
    await opened.backend.replace(wanted)
    await opened.backend.replace({ provider: modern.hello.provider, model: modern.hello.model })
    expect(starts).toEqual([
      start,
      { ...wanted, ...kept },
      { provider: modern.hello.provider, model: modern.hello.model, ...start },
    ])
  })

  test.each([
    ['ends without an answer', undefined, /no credential for openai/],
    ['never answers', {}, /did not answer/],
    ['answers as another', modern, /uses anthropic instead of openai/],
  ])('one that %s changes nothing', async (_how, handshake, words) => {
    const start: unknown[] = []
    const opened = await openStage({
      handshakes: [modern, handshake ?? {}],
      limits: { hello: 30 },
      onConnect: s => start.push(s),
    })
    const { backend, zot: former, types } = opened
    const replaced = backend.replace(wanted)
    if (!handshake) {
      opened.zot.far.writeError('zot: no credential for openai; set OPENAI_API_KEY')
      opened.zot.far.end({ code: 1 })
    }
    expect(await replaced).toEqual({ ok: false, message: expect.stringMatching(words) })
    expect(types()).toEqual([])
    const prompt = backend.prompt(hi)
    former.reply(await former.next('prompt'))
    former.say({ type: 'done' })
    await prompt
    expect(types()).toEqual(['prompt_sent', 'prompt_accepted', 'turn_ended'])
    await backend.close()
    await backend.open()
    // A choice that did not work is not passed to the next one.
    expect(start.at(-1)).toEqual({})
  })

  test('closing during a replacement ends both', async () => {
    const { backend, types } = await openStage({ handshakes: [modern, {}] })
    const replaced = backend.replace(wanted)
    await Promise.all([backend.close(), replaced])
    expect(types()).toEqual(['agent_ended'])
    expect(await replaced).toMatchObject({ ok: false })
  })
})

test('a kill says that shell commands may still be running', async () => {
  const opened = await openStage()
  const prompt = await startPrompt(opened)
  await opened.backend.kill()
  await prompt.over
  expect(opened.events.at(-1)).toMatchObject({
    type: 'agent_ended',
    signal: 'SIGKILL',
    expected: true,
    reason: 'zot was killed; shell commands that it started may still be running',
  })
})

test('a listener that unsubscribed gets nothing', async () => {
  const { near } = createMemoryPair()
  const backend = createZotBackend({ connect: () => near, limits: { hello: 1 } })
  const heard: string[] = []
  backend.subscribe(event => heard.push(event.type))()
  await backend.open()
  expect(heard).toEqual([])
})

test('an abort from a listener of prompt_accepted is sent once', async () => {
  const opened = await openStage()
  opened.backend.subscribe(event => {
    if (event.type === 'prompt_accepted') opened.backend.abort()
  })
  const prompt = await startPrompt(opened)
  await opened.zot.next('abort')
  opened.zot.say({ type: 'done' })
  await prompt.over
  expect(opened.zot.received.filter(command => command.type === 'abort')).toHaveLength(1)
})
