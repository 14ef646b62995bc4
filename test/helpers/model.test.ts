import { expect, test } from 'vitest'
import { cut, hang, hold, httpError, reply, startModel, type Model } from './model.ts'

const ask = (model: Model, path = '/v1/messages', signal: AbortSignal | null = null) =>
  fetch(model.url + path, { method: 'POST', body: JSON.stringify({ say: 'hé' }), signal })

/** The `data:` of each event. */
const events = (stream: string): unknown[] =>
  [...stream.matchAll(/^data: (?<json>\{.*)$/gm)].map(match => JSON.parse(match.groups?.['json'] ?? ''))

test('the scripted model speaks Anthropic Messages', async () => {
  const model = await startModel([
    reply()
      .text('Hello ', 'world')
      .tool('bash', { command: 'ls' }, { id: 'call_a' })
      .using({ input: 7, output: 9, cacheRead: 3 }),
  ])
  const answer = await ask(model)
  const stream = await answer.text()
  expect(answer.headers.get('content-type')).toBe('text/event-stream')
  expect(stream).toContain('event: content_block_delta\ndata: {')
  expect(events(stream)).toMatchObject([
    { type: 'message_start', message: { usage: { input_tokens: 7, cache_read_input_tokens: 3 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text' } },
    { delta: { type: 'text_delta', text: 'Hello ' } },
    { delta: { type: 'text_delta', text: 'world' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id: 'call_a', name: 'bash' } },
    { delta: { type: 'input_json_delta', partial_json: '{"comman' } },
    { delta: { type: 'input_json_delta', partial_json: 'd":"ls"}' } },
    { type: 'content_block_stop', index: 1 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 9 } },
    { type: 'message_stop' },
  ])
  expect(model.requests).toMatchObject([{ path: '/v1/messages', body: { say: 'hé' } }])
})

test('the scripted model speaks OpenAI chat at its endpoint', async () => {
  const model = await startModel([
    reply().text('hi').tool('read', { path: 'a' }, { id: 'b' }),
    reply().stopping('max_tokens'),
  ])
  expect(events(await (await ask(model, '/v1/chat/completions')).text())).toMatchObject([
    { choices: [{ delta: { content: 'hi' } }] },
    { choices: [{ delta: { tool_calls: [{ index: 0, id: 'b', function: { name: 'read', arguments: '' } }] } }] },
    { choices: [{ delta: { tool_calls: [{ function: { arguments: '{"path' } }] } }] },
    { choices: [{ delta: { tool_calls: [{ function: { arguments: '":"a"}' } }] } }] },
    { choices: [{ finish_reason: 'tool_calls' }] },
    { choices: [], usage: { prompt_tokens: 10, completion_tokens: 5 } },
  ])
  expect(await (await ask(model, '/v1/chat/completions')).text()).toMatch(/"length"[\s\S]*data: \[DONE\]/)
})

test('the scripted model speaks OpenAI Responses at its endpoint, with tools that take text', async () => {
  const model = await startModel([
    reply()
      .thought('hm')
      .text('hi')
      .tool('patch', 'free text')
      .tool('run', { command: 'ls' }, { id: 'b' })
      .using({ cacheRead: 3 }),
    reply().fail('server_error', 'no'),
  ])
  const tools = [{ type: 'custom', name: 'patch' }]
  const send = () => fetch(`${model.url}/v1/responses`, { method: 'POST', body: JSON.stringify({ tools }) })
  const told = events(await (await send()).text()) as { type: string; item?: object; response?: object }[]
  expect(told.at(0)).toMatchObject({ type: 'response.created' })
  expect(told.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item)).toMatchObject([
    { type: 'reasoning', summary: [{ text: 'hm' }] },
    { type: 'message', content: [{ type: 'output_text', text: 'hi' }] },
    { type: 'custom_tool_call', name: 'patch', input: 'free text' },
    { type: 'function_call', name: 'run', call_id: 'b', arguments: '{"command":"ls"}' },
  ])
  expect(told.at(-1)).toMatchObject({ type: 'response.completed', response: { usage: { input_tokens: 13 } } })
  expect(events(await (await send()).text()).at(-1)).toMatchObject({
    type: 'response.failed',
    response: { error: { code: 'server_error', message: 'no' } },
  })
})

test('the scripted model speaks the Gemini API at its endpoint', async () => {
  const path = '/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse'
  const model = await startModel([
    reply().thought('hm').text('hi').tool('run', { command: 'ls' }).using({ input: 7, output: 9, cacheRead: 3 }),
    reply().stopping('max_tokens'),
  ])
  expect(events(await (await ask(model, path)).text())).toMatchObject([
    { candidates: [{ content: { role: 'model', parts: [{ text: 'hm', thought: true }] } }] },
    { candidates: [{ content: { parts: [{ text: 'hi' }] } }] },
    { candidates: [{ content: { parts: [{ functionCall: { name: 'run', args: { command: 'ls' } } }] } }] },
    { candidates: [{ finishReason: 'STOP' }], usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 9 } },
  ])
  expect(await (await ask(model, path)).text()).toContain('MAX_TOKENS')
})

test('the scripted model answers questions beside the conversation without a step of the script', async () => {
  const model = await startModel([reply().text('hi')], {
    aside: ({ path }) => (path === '/title' ? reply().text('A title') : null),
  })
  expect(await (await ask(model, '/title')).text()).toContain('A title')
  expect(await (await ask(model)).text()).toContain('hi')
  expect(model.requests.map(({ path }) => path)).toEqual(['/v1/messages'])
})

test('the scripted model waits at gates for the test', async () => {
  const [first, second] = [hold(), hold()]
  const model = await startModel([reply().text('one').wait(first).tool('bash', { command: 'x' }, { gate: second })])
  const answer = await ask(model)
  let got = ''
  const decoder = new TextDecoder()
  const reading = (async () => {
    for await (const chunk of answer.body ?? []) got += decoder.decode(chunk, { stream: true })
  })()
  await first.reached
  expect(got).not.toContain('tool_use')
  first.release()
  await second.reached
  expect(got).not.toContain('message_stop')
  second.release()
  await reading
  expect(got).toContain('message_stop')
})

test('the scripted model refuses, fails in the stream, and cuts the connection', async () => {
  const model = await startModel([
    httpError(401, 'bad key', { 'x-a': 'b' }),
    reply().text('so far').fail('overloaded_error', 'Overloaded'),
    cut(),
    reply().text('half').cut(),
  ])
  const refused = await ask(model)
  expect([refused.status, refused.headers.get('x-a'), await refused.text()]).toEqual([401, 'b', 'bad key'])
  expect(events(await (await ask(model)).text()).at(-1)).toMatchObject({ error: { type: 'overloaded_error' } })
  await expect(ask(model)).rejects.toThrow('fetch failed')
  await expect(ask(model).then(answer => answer.text())).rejects.toThrow('terminated')
})

test('the scripted model hangs until the client gives up, and notices it', async () => {
  const model = await startModel([hang()])
  const impatience = new AbortController()
  const asked = ask(model, undefined, impatience.signal)
  const request = await model.request(1)
  impatience.abort()
  await expect(asked).rejects.toThrow('abort')
  await expect(request.abandoned).resolves.toBeUndefined()
})

test('a request without a step fails the test, and a missing request is reported', async () => {
  const model = await startModel()
  await expect(model.request(1, { timeout: 20 })).rejects.toThrow('asked 0 times, not 1')
  model.say(reply().text('later'))
  expect(await (await ask(model)).text()).toContain('later')
  expect((await ask(model)).status).toBe(400)
  await expect(model.close()).rejects.toThrow('no step for: POST /v1/messages')
})
