/** The time between a turn and the next one: memory, compaction, money, trouble, and agents that end. */
import { describe, expect, test, vi } from 'vitest'
import { unsavedSettings } from '../../../src/config/settings.ts'
import { accepted, answered, answering, costs, ended, step, stops, text, type Told } from '../../conversation/events.ts'
import { startedStage, type Stage, queueOf } from '../stage.ts'

const fell: Told = { type: 'agent_ended', code: 1, signal: null, reason: 'gone', hint: '', expected: false }
const stage = (settings: Parameters<typeof unsavedSettings>[0] = {}): Promise<Stage> =>
  startedStage(undefined, { settings: unsavedSettings(settings) })

async function fails({ backend, settle }: Stage, error: string): Promise<void> {
  backend.end(accepted, step(1), stops('error', error), { type: 'error_reported', message: error }, ended)
  await settle()
}

/** Ends the turn with so many tokens in the window, of 200,000. */
async function fills({ backend, settle }: Stage, input: number): Promise<void> {
  backend.end(accepted, step(1), answering, costs({ input }), answered(text('so')), stops('end'), ended)
  await settle()
}

async function compacted({ backend, settle }: Stage): Promise<void> {
  backend.end({ type: 'compaction_finished', summary: 'in short' })
  await settle()
}

const answers = ({ state }: Stage): string[] => {
  const { picker } = state()
  return picker?.kind === 'choice' ? picker.choices.map(choice => choice.label) : []
}
const memories = ({ backend }: Stage): boolean[] => backend.prompts.map(prompt => prompt.memory !== undefined)

describe('a restarted agent gets the conversation', () => {
  test('with the next prompt, and only once', async () => {
    const program = await stage()
    await program.say('one')
    await program.done()
    await program.say('/restart')
    await program.say('two')
    await program.done()
    await program.say('three')
    expect(memories(program)).toEqual([false, true, false])
    expect(program.backend.prompts[1]).toMatchObject({ text: 'two', memory: { facts: { turns: 1, whole: 1 } } })
    expect(program.backend.prompts[1]?.memory?.text).toContain('The user:\none\nYou:\nre: one')
    expect(program.state().chat.entries.at(-1)).toMatchObject({ prompt: 'two', memory: { turns: 1 } })
  })

  test('again if the first prompt with it was refused', async () => {
    const program = await stage()
    await program.say('one')
    await program.done()
    await program.say('/restart')
    await program.say('two')
    program.backend.end({ type: 'prompt_refused', message: 'busy' })
    await program.settle()
    await program.say('three')
    expect(memories(program)).toEqual([false, true, true])
  })

  test('but not of cleared turns, and not if the setting is off', async () => {
    const cleared = await stage()
    await cleared.say('one')
    await cleared.done()
    await cleared.say('/restart')
    await cleared.say('/clear')
    await cleared.say('two')
    expect(memories(cleared)).toEqual([false, false])
    const silent = await stage({ memoryTokens: 0 })
    await silent.say('one')
    await silent.done()
    await silent.say('/restart')
    expect(silent.entries().at(-1)).toContain('It remembers nothing of the conversation above')
    await silent.say('two')
    expect(memories(silent)).toEqual([false, false])
  })

  test('but not of turns that were cleared while the agent was not running', async () => {
    const program = await stage()
    await program.say('one')
    program.backend.end(accepted, fell)
    await program.settle()
    await program.say('/clear')
    await program.say('/restart')
    await program.say('two')
    expect(memories(program)).toEqual([false, false])
  })

  test('in half the length after /compact, since the agent has nothing to compact', async () => {
    const program = await stage({ memoryTokens: 1000 })
    for (let turn = 0; turn < 8; turn += 1) {
      await program.say(`question ${turn} ${'x '.repeat(200)}`)
      await program.done()
    }
    await program.say('/restart')
    program.asked()
    await program.say('/compact')
    expect(program.asked()).toEqual([])
    await program.say('go on')
    expect(program.backend.prompts.at(-1)?.memory?.facts.tokens).toBeLessThanOrEqual(520)
  })
})

describe('a context window that is nearly full', () => {
  test('is compacted before the next prompt is sent', async () => {
    const program = await stage()
    await program.say('one')
    await program.say('two')
    await fills(program, 180_000)
    expect(program.asked()).toEqual(['prompt one', 'compact'])
    expect(program.entries().at(-1)).toContain('90 % full')
    await compacted(program)
    expect(program.asked()).toEqual(['prompt two'])
  })

  test.each([
    ['below the threshold', {}, 160_000],
    ['where that is never wanted', { compactAt: 0 }, 199_000],
  ])('is not compacted %s', async (_what, settings, input) => {
    const program = await stage(settings)
    await program.say('one')
    await fills(program, input)
    expect(program.asked()).toEqual(['prompt one'])
  })

  test('that cannot be compacted does not stop the queue, and Esc does', async () => {
    const program = await stage()
    await program.say('one')
    await program.say('two')
    await fills(program, 180_000)
    program.backend.end({ type: 'compaction_failed', message: 'nothing to compact' })
    await program.settle()
    expect(program.asked()).toEqual(['prompt one', 'compact', 'prompt two'])
    await program.say('three')
    await fills(program, 180_000)
    await program.press('escape')
    program.backend.end({ type: 'compaction_aborted' })
    await program.settle()
    expect(program.asked()).toEqual(['compact', 'abort'])
    expect(queueOf(program.state())).toEqual({ entries: ['three'], paused: true })
  })
})

describe('a conversation that no longer fits the context window', () => {
  const overflow = 'anthropic: http 400: prompt is too long: 210000 tokens > 200000'

  test('is compacted, and the prompt is sent once more', async () => {
    const program = await stage()
    await program.say('one')
    await program.say('two')
    await fails(program, overflow)
    expect(program.asked()).toEqual(['prompt one', 'compact'])
    await compacted(program)
    expect(program.asked()).toEqual(['prompt one'])
    await program.done()
    expect(program.asked()).toEqual(['prompt two'])
  })

  test('is compacted once; after that the user decides', async () => {
    const program = await stage()
    await program.say('one')
    await program.say('two')
    await fails(program, overflow)
    await compacted(program)
    await fails(program, overflow)
    expect(program.asked()).toEqual(['prompt one', 'compact', 'prompt one'])
    expect(queueOf(program.state())).toEqual({ entries: ['two'], paused: true })
  })

  test.each([
    ['again', overflow, ['another model', 'another provider', 'edit the prompt']],
    ['by something else', 'http 503: busy', ['retry', 'another model', 'another provider', 'edit the prompt']],
  ])('offers ways out if it then fails %s', async (_what, error, offered) => {
    const program = await stage()
    await program.say('one')
    await fails(program, overflow)
    await compacted(program)
    await fails(program, error)
    expect(answers(program)).toEqual(offered)
  })
})

describe('the cost limit', () => {
  test('warns at four fifths, once', async () => {
    const program = await stage({ maxCostUsd: 1 })
    await program.say('one')
    program.backend.end(accepted, step(1), costs({ costUsd: 0.85 }), answered(text('a')), stops('end'), ended)
    await program.settle()
    await program.say('two')
    program.backend.end(accepted, step(1), costs({ costUsd: 0.05 }), answered(text('b')), stops('end'), ended)
    await program.settle()
    expect(program.entries().filter(entry => entry.includes('$0.85 of at most $1.00'))).toHaveLength(1)
  })

  test('lets the running step end, and asks before the next', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const program = await stage({ maxCostUsd: 1 })
    await program.say('one')
    await program.say('two')
    program.backend.tell(accepted, step(1), costs({ costUsd: 1.2 }), stops('tool_use'))
    vi.advanceTimersByTime(100)
    expect(program.asked()).toEqual(['prompt one'])
    program.backend.tell(step(2))
    vi.advanceTimersByTime(100)
    vi.useRealTimers()
    expect(program.asked()).toEqual(['abort'])
    program.backend.end(stops('aborted'), ended)
    await program.settle()
    expect(queueOf(program.state())).toEqual({ entries: ['two'], paused: true })
    expect(answers(program)).toEqual(['raise it to $2.40 and continue', 'raise it to $2.40', 'leave it'])
    await program.press('enter')
    expect(program.asked()).toEqual(['prompt Continue where you stopped.'])
  })

  test('keeps later prompts until the limit is raised', async () => {
    const program = await stage({ maxCostUsd: 1 })
    await program.say('one')
    program.backend.end(accepted, step(1), costs({ costUsd: 1 }), answered(text('a')), stops('end'), ended)
    await program.settle()
    await program.press('escape')
    await program.say('two')
    expect(program.asked()).toEqual(['prompt one'])
    expect(queueOf(program.state())).toEqual({ entries: ['two'], paused: true })
    await program.press('enter')
    expect(program.asked()).toEqual(['prompt two'])
  })
})

/** The question about it was left, and a message waits. */
async function reached(): Promise<Stage> {
  const program = await stage({ maxCostUsd: 1 })
  await program.say('one')
  await program.say('two')
  program.backend.end(accepted, step(1), costs({ costUsd: 1 }), answered(text('a')), stops('end'), ended)
  await program.settle()
  await program.press('escape')
  expect(program.asked()).toEqual(['prompt one'])
  return program
}

describe('past the cost limit', () => {
  test.each([
    ['Enter, which sends what waits', [''], 'enter'],
    ['Ctrl+Enter, for the first that waits', [''], 'ctrl+enter'],
    ['Ctrl+Enter, for what was typed', ['now'], 'ctrl+enter'],
    ['/retry', ['/retry'], 'enter'],
  ])('sends nothing with %s', async (_what, [words = ''], key) => {
    const program = await reached()
    await program.type(words)
    await program.press(key)
    expect(program.asked()).toEqual([])
    expect(answers(program)).toEqual(['raise it to $2.00 and continue', 'raise it to $2.00', 'leave it'])
    expect(queueOf(program.state())).toEqual({ entries: words === 'now' ? ['now', 'two'] : ['two'], paused: true })
  })

  test('asks only after an open list was closed', async () => {
    const program = await stage({ maxCostUsd: 1 })
    await program.say('one')
    await program.press('ctrl+r')
    program.backend.end(accepted, step(1), costs({ costUsd: 1 }), answered(text('a')), stops('end'), ended)
    await program.settle()
    expect(program.state().picker?.kind).toBe('history')
    await program.press('escape')
    expect(answers(program)).toHaveLength(3)
  })

  test('prints its line once for each limit, however often it asks', async () => {
    const program = await reached()
    const said = (): string[] => program.entries().filter(entry => entry.includes('reached the limit'))
    await program.press('enter', 'escape', 'enter', 'escape')
    expect(said()).toEqual([expect.stringContaining('has cost $1.00 and reached the limit of $1.00')])
    await program.press('enter', 'enter')
    program.backend.end(accepted, step(1), costs({ costUsd: 1 }), answered(text('b')), stops('end'), ended)
    await program.settle()
    expect(said()).toHaveLength(2)
  })

  test('passes keys that the question does not use to the composer', async () => {
    const program = await reached()
    await program.press('enter')
    expect(answers(program)).toHaveLength(3)
    await program.press('alt+up')
    expect(program.state().editor.text).toBe('two')
    expect(program.state().picker).toBe(null)
  })
})

describe('a provider error', () => {
  test.each([
    ['http 401: no', ['retry', 'another model', 'another provider', 'edit the prompt']],
    ['http 429: slow', ['retry', 'another model', 'another provider', 'edit the prompt']],
    ['http 429: insufficient_quota', ['another model', 'another provider', 'retry', 'edit the prompt']],
    ['dial tcp: connection refused', ['retry', 'another model', 'another provider', 'edit the prompt']],
    ['turn blocked by extension guard', []],
  ])('that says %s offers ways out', async (error, offered) => {
    const program = await stage()
    await program.say('one')
    await fails(program, error)
    expect(answers(program)).toEqual(offered)
  })

  test('Enter takes the first way out', async () => {
    const program = await stage()
    await program.say('one')
    await fails(program, 'http 503: busy')
    await program.press('enter')
    expect(program.asked()).toEqual(['prompt one', 'prompt one'])
  })

  test('switching provider opens the models of the other providers', async () => {
    const program = await stage()
    const model = { contextWindow: 200_000, maxOutput: null, reasoning: false }
    program.backend.everyModel = {
      ok: true,
      value: [
        { ...model, id: 'sonnet', provider: 'anthropic' },
        { ...model, id: 'gpt', provider: 'openai' },
      ],
    }
    await program.say('one')
    await fails(program, 'http 503: busy')
    await program.press('down', 'down', 'enter')
    expect(program.state().picker).toMatchObject({ kind: 'models', ofOtherProvider: true, models: [{ id: 'gpt' }] })
    await program.press('enter')
    expect(program.backend.start).toMatchObject({ provider: 'openai', model: 'gpt' })
  })

  test('switching provider says so if there is no other provider', async () => {
    const program = await stage()
    await program.say('one')
    await fails(program, 'http 503: busy')
    await program.press('down', 'down', 'enter')
    expect(program.state()).toMatchObject({ picker: null, hint: expect.stringContaining('no other provider') })
  })

  test('typing dismisses the choices and goes into the composer', async () => {
    const program = await stage()
    await program.say('one')
    await fails(program, 'http 503: busy')
    await program.type('hello')
    expect(program.state()).toMatchObject({ picker: null, editor: { text: 'hello' } })
  })

  test('no choices appear while a draft is typed or a queue is paused', async () => {
    const typing = await stage()
    await typing.say('one')
    await typing.type('next')
    await fails(typing, 'http 503: busy')
    expect(typing.state().picker).toBeNull()
    const queueing = await stage()
    await queueing.say('one')
    await queueing.say('two')
    await fails(queueing, 'http 503: busy')
    expect(queueing.state().picker).toBeNull()
  })

  test('the prompt can be edited again', async () => {
    const program = await stage()
    await program.say('one')
    await fails(program, 'http 503: busy')
    await program.press('up', 'enter')
    expect(program.state().editor.text).toBe('one')
  })
})

describe('an agent that ends by itself', () => {
  test('when idle is restarted at once, but not again and again', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const program = await stage()
    program.backend.tell(fell)
    vi.advanceTimersByTime(100)
    await program.settle()
    expect(program.asked()).toEqual(['close', 'open'])
    program.backend.tell(fell)
    vi.advanceTimersByTime(100)
    vi.useRealTimers()
    await program.settle()
    expect(program.asked()).toEqual([])
    expect(answers(program)).toEqual(['restart it'])
  })

  test('in a turn offers a restart, with the prompt or without', async () => {
    const program = await stage()
    await program.say('one')
    program.backend.end(accepted, fell)
    await program.settle()
    expect(answers(program)).toEqual(['restart it and send the prompt again', 'restart it'])
    await program.press('enter')
    expect(program.asked()).toEqual(['prompt one', 'close', 'open', 'prompt one'])
  })
})

const gpt = { id: 'gpt', provider: 'openai', contextWindow: 400_000, maxOutput: null, reasoning: true }

const keyless = async (): Promise<Stage> => {
  const program = await stage()
  program.backend.everyModel = { ok: true, value: [{ ...gpt, hasKey: false }] }
  program.backend.startsAs = { provider: 'openai', model: 'gpt' }
  return program
}

describe('a model of another provider', () => {
  test('is answered by a new agent', async () => {
    const program = await stage()
    program.backend.everyModel = { ok: true, value: [gpt] }
    program.backend.startsAs = { provider: 'openai', model: 'gpt' }
    await program.say('one')
    await program.done()
    await program.say('/model openai/gpt')
    expect(program.asked().at(-1)).toBe('replace')
    expect(program.backend.start).toEqual({ provider: 'openai', model: 'gpt' })
    expect(program.entries().at(-1)).toMatch(/Switched to openai\/gpt.*includes this conversation.*1 turn/s)
  })

  test('that cannot be used changes nothing, and the old agent keeps running', async () => {
    const program = await stage()
    program.backend.everyModel = { ok: true, value: [gpt] }
    program.backend.start = { provider: 'anthropic' }
    program.backend.refusesProvider = 'openai'
    await program.say('/model gpt')
    expect(program.asked().at(-1)).toBe('replace')
    expect(program.backend.start).toMatchObject({ provider: 'anthropic' })
    expect(program.state().chat).toMatchObject({ agent: { phase: 'ready' }, memory: 'whole' })
    expect(program.entries().at(-1)).toContain('Nothing was changed: No credential.')
  })

  describe('without a known key', () => {
    test.each([['/model openai/gpt'], ['/restart --provider openai --model gpt']])(
      'is asked about before %s replaces the agent',
      async line => {
        const program = await keyless()
        await program.say(line)
        expect(program.state().picker).toMatchObject({ title: 'no key for openai was found' })
        expect(answers(program)).toEqual(['stay with anthropic/claude', 'switch to openai anyway'])
        await program.press('escape')
        await program.say(line)
        await program.press('enter')
        expect(program.asked()).not.toContain('replace')
        expect(program.entries()).toEqual([])
        await program.say(line)
        await program.press('down', 'enter')
        expect(program.asked().at(-1)).toBe('replace')
        expect(program.state().chat.agent).toMatchObject({ provider: 'openai', model: 'gpt' })
      },
    )

    test('replaces an agent that has ended: no memory is lost', async () => {
      const program = await keyless()
      program.backend.startsWell = false
      program.backend.tell(fell)
      await program.settle()
      await program.press('escape')
      program.backend.startsWell = true
      program.asked()
      await program.say('/restart --provider openai --model gpt')
      // The restart that nobody asked for had begun, and does not swallow the one with options.
      expect(program.asked()).toEqual(['close', 'open', 'replace'])
      expect(program.backend.start).toMatchObject({ provider: 'openai', model: 'gpt' })
    })
  })
})

test('/restart takes flags, but no API key', async () => {
  const program = await stage()
  await program.say('/restart --model opus --base-url "http://127.0.0.1:1"')
  expect(program.asked()).toEqual(['replace'])
  expect(program.backend.start).toEqual({ model: 'opus', baseUrl: 'http://127.0.0.1:1' })
  for (const wrong of ['--api-key x', '--nonsense y', '--model', '"open']) await program.say(`/restart ${wrong}`)
  expect(program.asked()).toEqual([])
})
