/** The rules of the wire: what a client of `zot rpc` must do whatever the version, and why each exists. */
import { expect, test } from 'vitest'
import { hi, modern, old, openStage, stage, startPrompt } from './scripted-zot.ts'

test('rule 1: the handshake reports the provider and model, and warns if they are not the requested ones', async () => {
  const opened = stage({ start: { provider: 'deepseek', model: 'deepseek-chat' } })
  await opened.backend.open()
  const { zot, events } = opened
  expect(zot.received.map(({ id, type }) => [typeof id, type])).toEqual([
    ['string', 'hello'],
    ['string', 'get_state'],
    ['string', 'get_models'],
  ])
  expect(events.slice(0, 2)).toEqual([
    { type: 'agent_starting', at: 1000, agent: 'zot' },
    {
      type: 'agent_started',
      at: 1000,
      agent: 'zot',
      version: '0.3.36',
      provider: 'anthropic',
      model: 'sonnet',
      contextWindow: 200_000,
      reasoning: 'low',
      reasoningLevels: ['minimum', 'low', 'medium', 'high', 'xhigh', 'max'],
    },
  ])
  expect(events.slice(2)).toEqual([
    { type: 'warning_raised', at: 1000, message: expect.stringContaining('anthropic instead of deepseek') },
    { type: 'warning_raised', at: 1000, message: expect.stringContaining('sonnet instead of deepseek-chat') },
  ])
})

test('rule 1: a zot that reports no reasoning level cannot set one', async () => {
  const opened = stage({ handshake: old })
  await opened.backend.open()
  expect(opened.events.at(-1)).toMatchObject({ type: 'agent_started', reasoning: null, reasoningLevels: [] })
  expect(await opened.backend.setReasoning('low')).toMatchObject({ ok: false })
  expect(opened.zot.received.map(command => command.type)).not.toContain('set_reasoning')
})

test('rule 1: a zot that never answers is killed at the time limit', async () => {
  const { backend, events } = stage({ handshake: {}, limits: { hello: 20 } })
  await backend.open()
  expect(events.at(-1)).toMatchObject({
    type: 'agent_ended',
    signal: 'SIGKILL',
    expected: false,
    reason: expect.stringContaining('did not answer'),
    hint: expect.stringContaining('--no-ext'),
  })
})

test('rule 1: a zot with another protocol version is refused', async () => {
  const { backend, types, events } = stage({ handshake: { hello: { ...modern.hello, protocol_version: 2 } } })
  await backend.open()
  expect(types()).toEqual(['agent_starting', 'agent_ended'])
  expect(events.at(-1)).toMatchObject({ reason: expect.stringContaining('version 2'), expected: false })
})

test('rule 2: a prompt is over with done, and not before', async () => {
  const { backend, zot, types, seen } = await openStage()
  const prompt = backend.prompt(hi)
  const command = await zot.next('prompt')
  expect(command).toMatchObject({ message: 'hi' })
  zot.reply(command, { started: true })
  zot.say(
    { type: 'user_message', content: [] },
    { type: 'turn_start', step: 1 },
    { type: 'turn_end', stop: 'error', error: 'overloaded' },
    { type: 'error', message: 'overloaded' },
  )
  await seen('error_reported')
  await expect(backend.prompt(hi)).rejects.toThrow('in flight')
  zot.say({ type: 'done' })
  await prompt
  expect(types()).toEqual([
    'prompt_sent',
    'prompt_accepted',
    'step_started',
    'step_ended',
    'error_reported',
    'turn_ended',
  ])
})

test('rule 2: a prompt that zot refuses is over at once', async () => {
  const { backend, zot, events } = await openStage()
  const prompt = backend.prompt(hi)
  zot.refuse(await zot.next('prompt'), 'illegal base64 data at input byte 3')
  await prompt
  expect(events.at(-1)).toEqual({ type: 'prompt_refused', at: 1000, message: 'illegal base64 data at input byte 3' })
})

test('rule 2: a second done and the events after it belong to no turn and leave zot idle', async () => {
  const { backend, zot, types, events } = await openStage()
  const first = backend.prompt(hi)
  zot.reply(await zot.next('prompt'))
  zot.say({ type: 'done' }, { type: 'done' }, { type: 'text_delta', delta: 'late' })
  await first
  const second = backend.prompt(hi)
  const command = await zot.next('prompt')
  // Still before the reply: left over from the first.
  zot.say({ type: 'done' }, { type: 'error', message: 'late' })
  zot.reply(command)
  zot.say({ type: 'text_delta', delta: 'new' }, { type: 'done' })
  await second
  expect(types().filter(type => type === 'turn_ended')).toHaveLength(2)
  expect(events).not.toContainEqual(expect.objectContaining({ text: 'late' }))
  expect(await Promise.race([backend.clear(), zot.next('clear').then(() => 'sent')])).toBe('sent')
})

test.each([
  ['compact_done', { type: 'compact_done', summary: 'short' }, { type: 'compaction_finished', summary: 'short' }],
  ['error', { type: 'error', message: 'http 401' }, { type: 'compaction_failed', message: 'http 401' }],
  [
    'an error that says that the talk is short',
    { type: 'error', message: 'nothing to compact: keep-tail covers the whole transcript' },
    { type: 'compaction_failed', nothing: true },
  ],
  ["a fork's error", { type: 'error', error: 'no' }, { type: 'compaction_failed', message: 'no' }],
  ["a fork's done", { type: 'done' }, { type: 'compaction_failed' }],
])('rule 2: a compaction is over with %s', async (_what, event, end) => {
  const { backend, zot, events } = await openStage()
  const compaction = backend.compact()
  zot.reply(await zot.next('compact'), { started: true })
  zot.say(event)
  await compaction
  expect(events.map(({ type }) => type)).toEqual(['compaction_started', end.type])
  expect(events.at(-1)).toMatchObject(end)
})

test('rule 2: an aborted compaction is over a little after the reply, because zot sends nothing more', async () => {
  const { backend, zot, types } = await openStage({ limits: { compactionGrace: 5 } })
  const compaction = backend.compact()
  zot.reply(await zot.next('compact'))
  backend.abort()
  zot.reply(await zot.next('abort'))
  await compaction
  expect(types()).toEqual(['compaction_started', 'abort_requested', 'compaction_aborted'])
})

test('rule 2: a compaction that finished before the abort counts as finished', async () => {
  const { backend, zot, types } = await openStage({ limits: { compactionGrace: 60_000 } })
  const compaction = backend.compact()
  zot.reply(await zot.next('compact'))
  backend.abort()
  zot.reply(await zot.next('abort'))
  zot.say({ type: 'compact_done', summary: 'short' }, { type: 'done' })
  await compaction
  expect(types()).toEqual(['compaction_started', 'abort_requested', 'compaction_finished'])
})

test.each(['prompt', 'compact'] as const)('rule 2: a %s is over when zot ends', async type => {
  const { backend, zot, types } = await openStage()
  const operation = type === 'prompt' ? backend.prompt(hi) : backend.compact()
  zot.reply(await zot.next(type))
  zot.far.end({ code: 2 })
  await operation
  expect(types()).toEqual(
    type === 'prompt'
      ? ['prompt_sent', 'prompt_accepted', 'agent_ended']
      : ['compaction_started', 'compaction_failed', 'agent_ended'],
  )
})

test('rule 3: changes are refused while an operation runs, and queries are not', async () => {
  const { backend, zot } = await openStage()
  const prompt = backend.prompt(hi)
  zot.reply(await zot.next('prompt'))
  expect(await backend.clear()).toMatchObject({ ok: false })
  expect(await backend.setModel('haiku')).toMatchObject({ ok: false })
  expect(await backend.setReasoning('low')).toMatchObject({ ok: false })
  const ping = backend.ping(1000)
  zot.reply(await zot.next('ping'), { pong: true })
  expect(await ping).toBe(true)
  zot.say({ type: 'done' })
  await prompt
  expect(zot.received.map(command => command.type).slice(3)).toEqual(['prompt', 'ping'])
})

test('rule 3: a change is retried while zot is still busy', async () => {
  const { backend, zot, types } = await openStage({ limits: { busyPause: 1 } })
  const clear = backend.clear()
  for (let count = 0; count < 2; count += 1) {
    zot.refuse(await zot.next('clear'), 'agent is busy; wait for completion or abort before retrying')
  }
  zot.reply(await zot.next('clear'))
  expect(await clear).toEqual({ ok: true, value: undefined })
  expect(types()).toEqual(['conversation_cleared'])
})

test('rule 3: a change is refused if zot stays busy', async () => {
  const { backend, zot } = await openStage({ limits: { busyPause: 1, busyRetries: 1 } })
  const clear = backend.clear()
  zot.refuse(await zot.next('clear'), 'agent is busy; wait')
  zot.refuse(await zot.next('clear'), 'agent is busy; wait')
  expect(await clear).toEqual({ ok: false, message: 'agent is busy; wait' })
})

test('rule 3: a prompt waits for a pending change', async () => {
  const { backend, zot } = await openStage()
  const change = backend.setModel('haiku')
  const prompt = backend.prompt(hi)
  zot.reply(await zot.next('set_model'), { model: 'haiku' })
  zot.reply(await zot.next('prompt'))
  zot.say({ type: 'done' })
  await Promise.all([change, prompt])
  expect(zot.received.map(command => command.type).slice(3)).toEqual(['set_model', 'prompt'])
})

test('rule 4: an early abort is kept until it can reach zot, and sent once', async () => {
  const { backend, zot, types, seen } = await openStage()
  const prompt = backend.prompt(hi)
  backend.abort()
  backend.abort()
  const command = await zot.next('prompt')
  expect(zot.received.map(({ type }) => type)).not.toContain('abort')
  expect(types()).toEqual(['prompt_sent', 'abort_requested'])
  zot.reply(command)
  await seen('prompt_accepted')
  backend.abort()
  const abort = await zot.next('abort')
  // Either order was seen: here done comes before the reply to the abort that caused it.
  zot.say({ type: 'done' })
  await prompt
  zot.reply(abort)
  expect(zot.received.filter(({ type }) => type === 'abort')).toHaveLength(1)
  expect(types()).toEqual(['prompt_sent', 'abort_requested', 'prompt_accepted', 'turn_ended'])
})

test('rule 4: an abort without an operation does nothing', async () => {
  const { backend, zot, events } = await openStage()
  backend.abort()
  const prompt = backend.prompt(hi)
  zot.reply(await zot.next('prompt'))
  zot.say({ type: 'done' })
  await prompt
  expect(zot.received.map(({ type }) => type)).not.toContain('abort')
  expect(events).not.toContainEqual(expect.objectContaining({ type: 'abort_requested' }))
})

test('rule 4: an ignored abort is reported as overdue, and a kill ends the turn', async () => {
  const opened = await openStage({ limits: { abort: 5 } })
  const { backend, types, seen } = opened
  const prompt = await startPrompt(opened)
  backend.abort()
  await seen('abort_overdue')
  await backend.kill()
  await prompt.over
  expect(types()).toEqual(['prompt_sent', 'prompt_accepted', 'abort_requested', 'abort_overdue', 'agent_ended'])
})

test('rule 5: every attempt, answer and end of a retried step is distinguished', async () => {
  const { backend, zot, events } = await openStage()
  const prompt = backend.prompt(hi)
  zot.reply(await zot.next('prompt'))
  zot.say(
    { type: 'turn_start', step: 1 },
    { type: 'assistant_start' },
    { type: 'text_delta', delta: 'par' },
    { type: 'turn_end', stop: 'error', error: 'anthropic overloaded_error: Overloaded' },
    { type: 'assistant_start' },
    { type: 'text_delta', delta: 'whole' },
    {
      type: 'assistant_message',
      content: [
        { type: 'text', text: 'whole' },
        { type: 'tool_call', id: '1', name: 'bash' },
      ],
    },
    { type: 'turn_end', stop: 'length' },
    { type: 'done' },
  )
  await prompt
  expect(events.slice(2)).toEqual([
    { type: 'step_started', at: 1000, step: 1 },
    { type: 'answer_started', at: 1000 },
    { type: 'text_received', at: 1000, text: 'par' },
    { type: 'step_ended', at: 1000, stop: 'error', error: 'anthropic overloaded_error: Overloaded', retryMs: 2000 },
    { type: 'answer_withdrawn', at: 1000 },
    { type: 'answer_started', at: 1000 },
    { type: 'text_received', at: 1000, text: 'whole' },
    {
      type: 'answer_finished',
      at: 1000,
      content: [
        { type: 'text', text: 'whole' },
        { type: 'tool_call', id: '1', name: 'bash', arguments: null },
      ],
    },
    { type: 'step_ended', at: 1000, stop: 'length' },
    { type: 'turn_ended', at: 1000 },
  ])
})

test('rule 6: a tool is reported from the first piece of its arguments, inner calls included', async () => {
  const { backend, zot, events } = await openStage()
  const prompt = backend.prompt(hi)
  zot.reply(await zot.next('prompt'))
  zot.say(
    { type: 'tool_use_start', id: 'a', name: 'codemode' },
    { type: 'tool_use_args', id: 'a', delta: '{"x"' },
    { type: 'tool_use_end', id: 'a' },
    { type: 'tool_call', id: 'a', name: 'codemode', args: { x: 1 } },
    { type: 'tool_call', id: 'a/1', name: 'bash', args: null },
    { type: 'tool_progress', id: 'a/1', text: 'part' },
    { type: 'tool_result', id: 'a/1', is_error: true, content: [{ type: 'text', text: 'no' }] },
    { type: 'tool_result', id: 'a', is_error: false, content: [{ type: 'image', mime_type: 'image/png', bytes: 7 }] },
    { type: 'done' },
  )
  await prompt
  expect(events.slice(2, -1)).toEqual([
    { type: 'tool_drafted', at: 1000, id: 'a', name: 'codemode' },
    { type: 'tool_arguments_received', at: 1000, id: 'a', text: '{"x"' },
    { type: 'tool_arguments_finished', at: 1000, id: 'a' },
    { type: 'tool_called', at: 1000, id: 'a', name: 'codemode', arguments: { x: 1 } },
    { type: 'tool_called', at: 1000, id: 'a/1', name: 'bash', arguments: null, parent: 'a' },
    { type: 'tool_started', at: 1000, id: 'a/1' },
    { type: 'tool_progressed', at: 1000, id: 'a/1', text: 'part' },
    { type: 'tool_finished', at: 1000, id: 'a/1', failed: true, content: [{ type: 'text', text: 'no' }] },
    { type: 'tool_started', at: 1000, id: 'a' },
    {
      type: 'tool_finished',
      at: 1000,
      id: 'a',
      failed: false,
      content: [{ type: 'image', mimeType: 'image/png', bytes: 7 }],
    },
  ])
})

test('rule 7: zot is read at full speed, even if a listener is slow and a line is long', async () => {
  const { backend, zot, events } = await openStage()
  const prompt = backend.prompt(hi)
  zot.reply(await zot.next('prompt'))
  const flood = 20_000
  for (let count = 0; count < flood; count += 1) zot.say({ type: 'tool_progress', id: 'a', text: 'y\n'.repeat(100) })
  zot.say({ type: 'tool_result', id: 'a', is_error: false, content: [{ type: 'text', text: 'z'.repeat(20_000_000) }] })
  zot.say({ type: 'done' })
  await prompt
  expect(events.filter(event => event.type === 'tool_progressed')).toHaveLength(flood)
  expect(events.at(-1)?.type).toBe('turn_ended')
})

test('rule 8: unknown frames go to the log, and no frame around them is lost', async () => {
  const notes: string[] = []
  const { backend, zot, events } = await openStage({ debug: note => notes.push(note) })
  const prompt = backend.prompt(hi)
  zot.reply(await zot.next('prompt'))
  zot.far.write('panic in a library that prints')
  zot.far.write('[1, 2]')
  zot.say(
    { type: 'ext_widget', id: 'w', lines: [] },
    { type: 'response', command: 'x', success: true, id: 'nobody' },
    { type: 'turn_start', step: 1, novelty: { deep: true } },
    { type: 'usage', input: 'many', output: 5, cost_usd: null },
    { type: 'turn_end', stop: 'end_turn' },
    { type: 'turn_end', stop: 'pause_turn' },
    { type: 'error', error: 'of a fork' },
    { type: 'done' },
  )
  await prompt
  expect(notes).toEqual([
    'not JSON: panic in a library that prints',
    'not a frame: [1, 2]',
    expect.stringContaining('unknown event "ext_widget"'),
    expect.stringContaining('a reply to no known request'),
  ])
  const usage = { input: 0, output: 5, cacheRead: 0, cacheWrite: 0, costUsd: 0, reasoning: null }
  expect(events.slice(2)).toEqual([
    { type: 'step_started', at: 1000, step: 1 },
    { type: 'usage_reported', at: 1000, usage, auxiliary: false },
    { type: 'step_ended', at: 1000, stop: 'end' },
    { type: 'step_ended', at: 1000, stop: 'pause_turn' },
    { type: 'error_reported', at: 1000, message: 'of a fork' },
    { type: 'turn_ended', at: 1000 },
  ])
})

test('rule 9: the events contain the whole conversation, so zot is never asked for its messages', async () => {
  const { backend, zot, events } = await openStage()
  const prompt = backend.prompt({
    text: 'see',
    images: [{ mimeType: 'image/png', data: Buffer.alloc(10).toString('base64') }],
  })
  const command = await zot.next('prompt')
  expect(command['images']).toEqual([{ mime_type: 'image/png', data: 'AAAAAAAAAAAAAA==' }])
  zot.reply(command)
  // zot's own copy of the prompt has no more than this one.
  zot.say({ type: 'user_message', content: [{ type: 'text', text: 'see' }] }, { type: 'done' })
  await prompt
  expect(events).toEqual([
    { type: 'prompt_sent', at: 1000, text: 'see', images: [{ mimeType: 'image/png', bytes: 10 }] },
    { type: 'prompt_accepted', at: 1000 },
    { type: 'turn_ended', at: 1000 },
  ])
  expect(zot.received.map(({ type }) => type)).not.toContain('get_messages')
})

test('rule 10: a prompt that is too long is refused before it ends zot', async () => {
  const { backend, zot, events } = await openStage()
  await backend.prompt({ text: 'x'.repeat(15_000_001), images: [] })
  expect(events.map(({ type }) => type)).toEqual(['prompt_sent', 'prompt_refused'])
  expect(events.at(-1)).toMatchObject({ message: expect.stringContaining('15.0 MB at most') })
  expect(zot.received.map(({ type }) => type)).not.toContain('prompt')
})

test('rule 10: closing aborts, waits for done and only then closes the input', async () => {
  const opened = await openStage()
  const { backend, zot, types, events } = opened
  const order: string[] = []
  zot.far.onInputClosed(() => {
    order.push('closed')
    zot.far.end()
  })
  const prompt = await startPrompt(opened)
  const closed = backend.close()
  zot.reply(await zot.next('abort'))
  order.push('aborted')
  zot.say({ type: 'done' })
  await Promise.all([prompt.over, closed])
  expect(order).toEqual(['aborted', 'closed'])
  expect(types()).toEqual(['prompt_sent', 'prompt_accepted', 'abort_requested', 'turn_ended', 'agent_ended'])
  expect(events.at(-1)).toMatchObject({ expected: true, code: 0 })
})

test('rule 10: closing takes a few seconds at most, and says that a killed zot may leave shell commands', async () => {
  const { backend, zot, events } = await openStage({ limits: { closeAbort: 5, closeExit: 5 } })
  zot.far.onInputClosed(() => {})
  const prompt = backend.prompt(hi)
  zot.reply(await zot.next('prompt'))
  await backend.close()
  await prompt
  expect(events.at(-1)).toMatchObject({
    type: 'agent_ended',
    expected: true,
    signal: 'SIGKILL',
    reason: expect.stringContaining('shell commands'),
  })
})

test('rule 10: a zot that ignores the abort is not waited for again after its input is closed', async () => {
  const { backend, zot, events } = await openStage({ limits: { closeAbort: 5, closeExit: 60_000 } })
  zot.far.onInputClosed(() => {})
  const prompt = backend.prompt(hi)
  zot.reply(await zot.next('prompt'))
  await backend.close()
  await prompt
  expect(events.at(-1)).toMatchObject({ type: 'agent_ended', expected: true, signal: 'SIGKILL' })
})

test('rule 11: an unexpected end is explained, settles everything, and zot can be started again', async () => {
  const opened = await openStage()
  const { backend, zot, events } = opened
  const prompt = backend.prompt(hi)
  zot.reply(await zot.next('prompt'))
  const ping = backend.ping(10_000)
  zot.far.writeError('usage: zot …')
  zot.far.writeError('zot: bufio.Scanner: token too long')
  zot.far.end({ code: 1 })
  await prompt
  expect(await ping).toBe(false)
  expect(events.at(-1)).toMatchObject({
    type: 'agent_ended',
    code: 1,
    expected: false,
    reason: 'the message was too long for zot',
  })
  expect(await backend.clear()).toEqual({ ok: false, message: 'zot is not running' })
  await backend.open()
  expect(events.at(-1)?.type).toBe('agent_started')
  const again = await startPrompt(opened)
  opened.zot.say({ type: 'done' })
  await again.over
  expect(events.at(-1)?.type).toBe('turn_ended')
})
