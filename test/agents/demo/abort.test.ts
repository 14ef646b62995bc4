import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Script } from '../../../src/agents/demo/script/script.ts'
import { demoScripts } from '../../../src/agents/demo/scripts.ts'
import { grammarErrors } from './grammar.ts'
import { Demo } from './stage.ts'
import type { WireFrame } from './wire-frame.ts'

const stoppable = demoScripts.filter(script => !script.ignoresAbort)

/** Aborts after that many steps of the script; says what the frames then were. */
async function abortAfter(script: Script, steps: number): Promise<Demo> {
  const demo = new Demo()
  await demo.send({ type: 'prompt', message: script.name })
  await demo.steps(steps)
  await demo.send({ type: 'abort' })
  await demo.finish()
  return demo
}

/** The steps at which the kind of what is told changes: between two pieces of one text an abort is always the same. */
async function edges(script: Script): Promise<number[]> {
  const demo = new Demo()
  await demo.send({ type: 'prompt', message: script.name })
  const found = [0]
  let before = ''
  for (let step = 1; !demo.timers.idle; step += 1) {
    const told = demo.lines.length
    await demo.steps(1)
    const kinds = demo
      .framesSince(told)
      .map(frame => frame.type)
      .join()
    if (kinds !== before) found.push(step - 1, step)
    before = kinds
  }
  return [...new Set(found)]
}

/** The faults of its end; empty for none. */
function problems(demo: Demo): string[] {
  const { frames } = demo
  const crashed = demo.ending?.code === 3
  const once = crashed ? 0 : 1
  const found = grammarErrors(frames, { cutOff: crashed })
  const count = (holds: (frame: WireFrame) => boolean) => frames.filter(holds).length
  if (count(frame => frame.type === 'done') !== once) found.push('not one done')
  if (count(frame => frame.command === 'abort') !== once) found.push('not one response to the abort')
  return found
}

describe('an abort', () => {
  test.each(stoppable)('ends $name exactly once wherever it falls', async script => {
    const wrong: string[] = []
    for (const step of await edges(script)) {
      const found = problems(await abortAfter(script, step))
      wrong.push(...found.map(problem => `after ${step} steps: ${problem}`))
    }
    expect(wrong).toEqual([])
  })

  test('ends any script exactly once after any number of steps', async () => {
    const anywhere = fc.asyncProperty(fc.constantFrom(...stoppable), fc.nat(2_200), async (script, step) => {
      expect(problems(await abortAfter(script, step))).toEqual([])
    })
    await fc.assert(anywhere, { numRuns: 60 })
  })
})

/** Runs a prompt up to the first frame for which `until` holds, aborts there, and returns what came after. */
async function tail(message: string, until: (line: string) => boolean): Promise<Demo['frames']> {
  const demo = new Demo()
  await demo.send({ type: 'prompt', message })
  while (!demo.lines.some(until)) await demo.steps(1)
  demo.timers.pass(1_234)
  const told = demo.lines.length
  await demo.send({ type: 'abort' })
  await demo.finish()
  return demo.framesSince(told)
}

describe('the shape of an aborted turn', () => {
  test('is turn_end(error) and done before the answer', async () => {
    const frames = await tail('slow', line => line.includes('turn_start'))
    expect(frames).toMatchObject([
      { command: 'abort', success: true },
      { type: 'turn_end', stop: 'error', error: expect.stringMatching(/context canceled$/) },
      { type: 'done' },
    ])
  })

  test('is usage, the text so far, turn_end(aborted) and done within text', async () => {
    const frames = await tail('slow', line => line.includes('"delta":" think"'))
    expect(frames).toMatchObject([
      { command: 'abort' },
      { type: 'usage' },
      { type: 'assistant_message', content: [{ type: 'text', text: expect.stringMatching(/Let me think$/) }] },
      { type: 'turn_end', stop: 'aborted', error: 'context canceled' },
      { type: 'done' },
    ])
  })

  test('has no message within the arguments of a tool', async () => {
    const frames = await tail('write', line => line.includes('tool_use_args'))
    expect(frames).toMatchObject([
      { command: 'abort' },
      { type: 'usage' },
      { type: 'turn_end', stop: 'aborted', error: 'context canceled' },
      { type: 'done' },
    ])
  })

  test('has failed results and no second turn_end during a tool', async () => {
    const frames = await tail('sleep', line => line.includes('watching'))
    const output = '$ npm run dev\n\nready on http://localhost:5173\nwatching for changes\n\n[exit -1]  Took 1.2s'
    expect(frames).toMatchObject([
      { command: 'abort' },
      { type: 'tool_result', id: 'call_1', is_error: true, content: [{ text: output }] },
      { type: 'tool_result', id: 'call_2', is_error: true, content: [{ text: 'aborted: context canceled' }] },
      { type: 'done' },
    ])
  })

  test('is only done during the pause before a retry', async () => {
    const frames = await tail('retry', line => line.includes('Overloaded'))
    expect(frames).toMatchObject([{ command: 'abort' }, { type: 'done' }])
  })

  test('is only a response if nothing is running', async () => {
    const demo = new Demo()
    await demo.send({ type: 'abort' })
    expect(demo.frames).toMatchObject([{ command: 'abort', success: true }])
  })

  test('an agent that ignores aborts accepts one, seems idle, and runs until it is killed', async () => {
    const demo = new Demo()
    await demo.prompt('deaf')
    await demo.send({ type: 'abort' })
    expect((await demo.ask({ type: 'get_state' })).data).toMatchObject({ busy: false })
    expect(await demo.ask({ type: 'clear' })).toMatchObject({ success: false })
    demo.closeInput()
    await demo.finish()
    expect(demo.frames.map(frame => frame.type)).not.toContain('done')
    expect(demo.ending).toBeUndefined()
    await demo.kill('SIGKILL')
    expect(demo.ending).toMatchObject({ code: null, signal: 'SIGKILL' })
  })
})
