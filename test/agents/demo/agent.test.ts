import { describe, expect, test } from 'vitest'
import { demoScripts } from '../../../src/agents/demo/scripts.ts'
import { Demo, only } from './stage.ts'

const busy = 'agent is busy; wait for completion or abort before retrying'

describe('commands', () => {
  test('hello identifies the demo', async () => {
    const { data } = await new Demo().ask({ type: 'hello' })
    expect(data).toEqual({ protocol_version: 1, version: '1.0.0-demo', provider: 'demo', model: 'demo-large' })
  })

  test('ping and get_models are answered, and an unknown command is refused', async () => {
    const demo = new Demo()
    expect((await demo.ask({ type: 'ping' })).data).toEqual({ pong: true })
    expect((await demo.ask({ type: 'get_models' })).data).toMatchObject({
      models: [
        { id: 'demo-large', provider: 'demo', reasoning: true },
        { id: 'demo-small', provider: 'demo', reasoning: false },
      ],
    })
    expect(await demo.ask({ type: 'bogus' })).toMatchObject({ success: false, error: 'unknown command' })
  })

  test.each(['hello?', 'null', '[1]', '"x"', '{"id":7,"type":"ping"}', '{"type":'])(
    '%s is refused as malformed, and the next line works',
    async line => {
      const demo = new Demo()
      await demo.line(line)
      expect(demo.frames).toEqual([{ type: 'response', command: '', success: false, error: 'malformed json' }])
      expect(await demo.ask({ type: 'ping' })).toMatchObject({ success: true })
    },
  )

  test('the model and its reasoning are switched when idle', async () => {
    const demo = new Demo()
    expect((await demo.ask({ type: 'set_model', model: 'demo-small' })).data).toEqual({ model: 'demo-small' })
    expect(await demo.ask({ type: 'set_model', model: 'gpt' })).toMatchObject({
      success: false,
      error: 'unknown model "gpt" (provider="demo")',
    })
    expect((await demo.ask({ type: 'set_reasoning', reasoning: 'maximum' })).data).toEqual({ reasoning: 'xhigh' })
    expect((await demo.ask({ type: 'set_reasoning', reasoning: 'none' })).data).toEqual({ reasoning: '' })
    expect(await demo.ask({ type: 'set_reasoning', reasoning: 'lots' })).toMatchObject({
      error: 'reasoning must be off|minimum|low|medium|high|xhigh|max',
    })
    expect((await demo.ask({ type: 'get_state' })).data).toMatchObject({ model: 'demo-small', reasoning: '' })
  })

  test.each(['clear', 'set_model', 'set_reasoning'])('%s is refused while busy, and not queued', async type => {
    const demo = new Demo()
    await demo.prompt('thanks')
    await demo.send({ type: 'prompt', message: 'slow' })
    const command = { type, model: 'demo-small', reasoning: 'high' }
    expect(await demo.ask(command)).toMatchObject({ success: false, error: busy })
    await demo.finish()
    expect((await demo.ask({ type: 'get_state' })).data).toMatchObject({ model: 'demo-large', message_count: 4 })
    expect(await demo.ask(command)).toMatchObject({ success: true })
  })

  test('prompts wait for each other', async () => {
    const demo = new Demo()
    for (const message of ['thanks', 'tabs', '']) await demo.send({ type: 'prompt', message })
    await demo.finish()
    const order = demo.frames
      .map(({ type }) => type)
      .filter(type => ['response', 'user_message', 'done'].includes(type))
    const turn = ['response', 'user_message', 'done']
    expect(order).toEqual([...turn, ...turn, ...turn])
    expect(demo.frames.findLast(({ type }) => type === 'user_message')).toMatchObject({ content: [] })
  })
})

describe('the end', () => {
  test('comes after the turn if the input is closed', async () => {
    const demo = new Demo()
    await demo.send({ type: 'prompt', message: 'tour' })
    demo.closeInput()
    await demo.steps(3)
    expect(demo.ending).toBeUndefined()
    await demo.finish()
    expect(demo.frames.at(-1)).toMatchObject({ type: 'done' })
    expect(demo.ending).toMatchObject({ code: 0, signal: null })
  })

  test('comes at once with a signal, and no timer is left', async () => {
    const demo = new Demo()
    await demo.send({ type: 'prompt', message: 'tour' })
    await demo.steps(3)
    await demo.kill('SIGTERM')
    expect(demo.ending).toMatchObject({ code: null, signal: 'SIGTERM' })
    expect(demo.timers.idle).toBe(true)
  })

  test('of a crash has an exit code and a message', async () => {
    const demo = new Demo()
    await demo.prompt('crash')
    expect(demo.ending).toMatchObject({ code: 3, lastWords: ['zot: demo crashed, as it was asked to'] })
    expect(demo.frames.at(-1)).toMatchObject({ type: 'text_delta' })
  })

  test('of a line that is too long has an exit code and a message', async () => {
    const demo = new Demo()
    await demo.line(JSON.stringify({ type: 'prompt', message: 'x'.repeat(16 * 1024 * 1024) }))
    expect(demo.ending).toMatchObject({ code: 1, lastWords: ['zot: bufio.Scanner: token too long'] })
  })
})

describe('compaction', () => {
  test('needs more than four messages', async () => {
    const demo = new Demo()
    await demo.prompt('thanks')
    await demo.prompt('tabs')
    await demo.send({ type: 'compact' })
    await demo.finish()
    expect(demo.frames.slice(-2)).toMatchObject([
      { command: 'compact', data: { started: true } },
      { type: 'error', message: 'nothing to compact' },
    ])
  })

  test('puts a summary under its heading before the messages that it keeps', async () => {
    const demo = new Demo()
    for (const message of ['tour', 'thanks', 'edit']) await demo.prompt(message)
    const told = demo.lines.length
    const id = await demo.send({ type: 'compact' })
    await demo.finish()
    const [response, done] = demo.framesSince(told)
    expect(response).toMatchObject({ command: 'compact', id, data: { started: true } })
    expect(done).toEqual({ type: 'compact_done', summary: expect.stringContaining('- You asked: tour') })
    const { data } = await demo.ask({ type: 'get_messages' })
    expect(data).toMatchObject({
      messages: [
        { role: 'user', content: [{ type: 'text', text: `## Context Summary (compacted)\n\n${done?.summary}` }] },
        // The tool results that came first of the last four lost their calls.
        { role: 'assistant' },
        { role: 'tool' },
        { role: 'assistant' },
      ],
    })
  })

  test('takes two seconds, and an aborted one ends without an event', async () => {
    const demo = new Demo(1)
    await demo.prompt('tour')
    const begun = demo.timers.now()
    await demo.send({ type: 'compact' })
    expect(await demo.ask({ type: 'clear' })).toMatchObject({ error: busy })
    const told = demo.lines.length
    await demo.send({ type: 'abort' })
    await demo.finish()
    expect(demo.framesSince(told)).toMatchObject([{ command: 'abort' }])
    await demo.send({ type: 'compact' })
    await demo.finish()
    expect(demo.timers.now() - begun).toBe(2_000)
    expect(demo.frames.at(-1)).toMatchObject({ type: 'compact_done' })
  })
})

describe('the cost', () => {
  type Usage = { input: number; output: number; cache_read: number; cache_write: number; cost_usd: number }

  test('adds up, uses the cache, and grows with the conversation', async () => {
    const demo = new Demo()
    await demo.prompt('tour')
    const usages = demo.lines.map(line => JSON.parse(line)).filter(({ type }) => type === 'usage')
    const sum = (key: keyof Usage) => usages.reduce((total: number, usage: Usage) => total + usage[key], 0)
    const last = usages.at(-1)
    for (const key of ['input', 'output', 'cache_read', 'cache_write', 'cost_usd'] as const) {
      expect(last.cumulative[key]).toBeCloseTo(sum(key), 10)
    }
    const contexts = usages.map((usage: Usage) => usage.input + usage.cache_read + usage.cache_write)
    expect(contexts).toEqual(contexts.toSorted((a: number, b: number) => a - b))
    expect(last.cache_read).toBeGreaterThan(last.input + last.cache_write)
    expect(last.cumulative.cost_usd).toBeGreaterThan(0.001)
    expect((await demo.ask({ type: 'get_state' })).data).toMatchObject({ usage: last.cumulative })
  })

  test('survives a clear, which empties the context', async () => {
    const demo = new Demo()
    await demo.prompt('tour')
    const before = (await demo.ask({ type: 'get_state' })).data
    await demo.send({ type: 'clear' })
    const after = (await demo.ask({ type: 'get_state' })).data
    expect(after).toMatchObject({ message_count: 0, usage: before?.['usage'] })
    await demo.prompt('thanks')
    expect(demo.frames.findLast(({ type }) => type === 'usage')).toMatchObject({ cache_read: 0 })
  })

  test('includes reasoning if the model supports it', async () => {
    const demo = new Demo()
    await demo.send({ type: 'set_reasoning', reasoning: 'high' })
    await demo.prompt('thanks')
    expect(only(demo.frames, 'usage')).toMatchObject({ reasoning: 600 })
    await demo.send({ type: 'set_model', model: 'demo-small' })
    await demo.prompt('thanks')
    expect(demo.frames.findLast(({ type }) => type === 'usage')).toMatchObject({ reasoning: 0 })
  })
})

describe('the memory of the conversation', () => {
  test('has no attempt that was retried', async () => {
    const demo = new Demo()
    await demo.prompt('retry')
    const { data } = await demo.ask({ type: 'get_messages' })
    expect(data).toMatchObject({
      messages: [
        { role: 'user' },
        { role: 'assistant', content: [{ text: expect.stringMatching(/^Here it is again/) }] },
      ],
    })
  })

  test('has the calls and results of tools, but not the calls made by tools', async () => {
    const demo = new Demo()
    await demo.prompt('nested')
    const { data } = await demo.ask({ type: 'get_messages' })
    expect(data).toMatchObject({
      messages: [
        { role: 'user' },
        { role: 'assistant', content: [{ type: 'text' }, { type: 'tool_call', id: 'call_1' }] },
        { role: 'tool', content: [{ type: 'tool_result', call_id: 'call_1', is_error: false }] },
        { role: 'assistant' },
      ],
    })
  })
})

/** The lines without their times. */
const timeless = (demo: Demo) => demo.lines.map(line => line.replaceAll(/"time":"[^"]*"/g, ''))

describe('time', () => {
  test.each(demoScripts)('$name plays the same every time', async ({ name }) => {
    const [one, two, fast] = [new Demo(1), new Demo(1), new Demo(0)]
    for (const demo of [one, two, fast]) await demo.prompt(name)
    expect(one.lines).toEqual(two.lines)
    expect(timeless(fast)).toEqual(timeless(one))
  })

  test('the long stream has about 2,000 pieces at 200 a second', async () => {
    const demo = new Demo(1)
    const begun = demo.timers.now()
    await demo.prompt('long')
    const count = demo.frames.filter(({ type }) => type === 'text_delta').length
    expect(count).toBeGreaterThan(1_900)
    expect(count).toBeLessThan(2_100)
    const rate = count / ((demo.timers.now() - begun) / 1000)
    expect(rate).toBeGreaterThan(180)
    expect(rate).toBeLessThanOrEqual(200)
  })

  test('the tour takes about half a minute', async () => {
    const demo = new Demo(1)
    const begun = demo.timers.now()
    await demo.prompt('tour')
    const seconds = (demo.timers.now() - begun) / 1000
    expect(seconds).toBeGreaterThan(20)
    expect(seconds).toBeLessThan(40)
  })
})
