import { describe, expect, test } from 'vitest'
import type { Prompt } from '../../../src/agent/backend.ts'
import { accepted, answering, says, step } from '../../conversation/events.ts'
import { queueOf } from '../stage.ts'
import { askedAbout, call, outsideStage } from './stage.ts'

describe('A prompt of a device', () => {
  test('is sent with the name of the device', async () => {
    const stage = await outsideStage()
    expect(await stage.ask({ do: 'prompt', text: 'go' })).toEqual({ ok: true, how: 'sent' })
    expect(stage.backend.prompts.at(-1)).toMatchObject({ text: 'go', from: 'Pixel 8' } satisfies Partial<Prompt>)
    expect(stage.state().chat.open).toMatchObject({ prompt: 'go', from: 'Pixel 8' })
  })

  test('waits while a turn runs, and leaves the draft alone', async () => {
    const stage = await outsideStage()
    await stage.say('one')
    await stage.type('half a th')
    expect(await stage.ask({ do: 'prompt', text: 'two' })).toEqual({ ok: true, how: 'queued' })
    expect(queueOf(stage.state()).entries).toEqual(['two'])
    expect(stage.state().editor.text).toBe('half a th')
    await stage.done()
    expect(stage.backend.prompts.at(-1)).toMatchObject({ text: 'two', from: 'Pixel 8' })
  })

  test.each(['/exit', '!rm -rf /', '  /mcp add x', '\n!ls', '/compact', '\ufeff/mode allow', '\r/permissions allow'])(
    '%j runs nothing',
    async text => {
      const stage = await outsideStage()
      await stage.ask({ do: 'prompt', text })
      await stage.settle()
      expect(stage.exits).toEqual([])
      expect(stage.backend.prompts).toHaveLength(1)
      expect(stage.backend.prompts[0]?.text).toMatch(/^As text: [/!]/)
      expect(stage.state().chat.permissionMode).toBe('ask')
      expect(stage.asked().filter(each => !each.startsWith('prompt'))).toEqual([])
    },
  )

  test('with a last & or a first # is a prompt as it is', async () => {
    const stage = await outsideStage()
    await stage.ask({ do: 'prompt', text: '# note &' })
    expect(stage.backend.prompts.map(({ text }) => text)).toEqual(['# note &'])
  })

  test('stays words when the person edits it in the queue and puts it back', async () => {
    const stage = await outsideStage()
    await stage.say('one')
    await stage.ask({ do: 'prompt', text: '/exit' })
    await stage.press('up', 'enter')
    await stage.done()
    expect(stage.exits).toEqual([])
    expect(stage.backend.prompts.at(-1)?.text).toBe('As text: /exit')
  })

  test('has no chip of the terminal', async () => {
    const stage = await outsideStage()
    await stage.paste('secret '.repeat(200))
    const chip = stage.state().editor.text
    await stage.ask({ do: 'prompt', text: `show ${chip}` })
    expect(stage.backend.prompts.at(-1)?.text).toBe('show ')
  })

  test('without words is refused', async () => {
    const stage = await outsideStage()
    expect(await stage.ask({ do: 'prompt', text: ' \n\u0007' })).toMatchObject({ ok: false, why: 'failed' })
    expect(stage.backend.prompts).toEqual([])
  })
})

describe('In a mode that does not ask', () => {
  test.each(['edits', 'contained', 'allow'] as const)('%s, a prompt needs a yes at the terminal', async mode => {
    const stage = await outsideStage({ mode })
    expect(await stage.ask({ do: 'prompt', text: 'go' })).toMatchObject({ ok: false, why: 'needs_yes' })
    expect(stage.backend.prompts).toEqual([])
    expect(stage.wanted).toEqual([`Pixel 8 ${mode}`])
  })

  test('it is sent after the yes', async () => {
    const stage = await outsideStage({ mode: 'edits', says: true })
    expect(await stage.ask({ do: 'prompt', text: 'go' })).toEqual({ ok: true, how: 'sent' })
  })

  test('a server that claims the yes changes nothing', async () => {
    const stage = await outsideStage({ mode: 'allow' })
    const device = { id: 'd1', name: 'Pixel 8', role: 'steer' } as const
    const reply = await stage.requests.carryOut({ do: 'prompt', id: 'r', text: 'go' }, device, true)
    expect(reply).toMatchObject({ ok: false, why: 'needs_yes' })
  })

  test('a stop needs no yes', async () => {
    const stage = await outsideStage({ mode: 'allow' })
    await stage.say('one')
    expect(await stage.ask({ do: 'stop' })).toEqual({ ok: true, how: 'done' })
    expect(stage.asked()).toContain('abort')
    expect(stage.wanted).toEqual([])
  })
})

describe('A stop of a device', () => {
  test('names the device at the end of the turn', async () => {
    const stage = await outsideStage()
    await stage.say('one')
    await stage.ask({ do: 'stop' })
    await stage.done('aborted')
    expect(stage.state().chat.entries.at(-1)).toMatchObject({ outcome: 'aborted', stoppedFrom: 'Pixel 8' })
  })

  test('has nothing to stop after the turn, and pauses no later one', async () => {
    const stage = await outsideStage()
    expect(await stage.ask({ do: 'stop' })).toMatchObject({ ok: false, why: 'gone' })
    await stage.say('one')
    expect(stage.asked()).toEqual(['prompt one'])
  })
})

describe('Words of a device to the running turn', () => {
  test('reach it, with the name of the device', async () => {
    const stage = await outsideStage()
    await stage.say('one')
    stage.backend.tell(accepted, step(1), answering, says('...'))
    await stage.settle()
    expect(await stage.ask({ do: 'steer', text: '/faster' })).toEqual({ ok: true, how: 'steered' })
    expect(stage.steered.map(({ prompt: { text, from } }) => [text, from])).toEqual([['As text: /faster', 'Pixel 8']])
  })

  test('are a prompt if no turn runs', async () => {
    const stage = await outsideStage()
    expect(await stage.ask({ do: 'steer', text: 'go' })).toEqual({ ok: true, how: 'sent' })
  })

  test('do not stop an agent that takes none', async () => {
    const stage = await outsideStage({ make: backend => backend.without('steer') })
    await stage.say('one')
    expect(await stage.ask({ do: 'steer', text: 'go' })).toMatchObject({ ok: false, why: 'failed' })
    expect(stage.asked()).not.toContain('abort')
  })
})

describe('The queue', () => {
  test('is changed, reduced and sent from a device', async () => {
    const stage = await outsideStage()
    await stage.say('one')
    for (const text of ['a', 'b', 'c']) await stage.ask({ do: 'prompt', text })
    const ids = stage.requests.queue().entries.map(({ id }) => id)
    const [a = '', b = '', c = ''] = ids
    expect(await stage.ask({ do: 'change_queued', entry: b, was: 'b', text: 'B' })).toMatchObject({ ok: true })
    expect(await stage.ask({ do: 'change_queued', entry: b, was: 'b', text: 'x' })).toMatchObject({ why: 'gone' })
    expect(await stage.ask({ do: 'change_queued', entry: a, was: 'z', text: '' })).toMatchObject({ why: 'changed' })
    expect(await stage.ask({ do: 'change_queued', entry: a, was: 'a', text: '' })).toMatchObject({ ok: true })
    expect(queueOf(stage.state()).entries).toEqual(['B', 'c'])
    expect(await stage.ask({ do: 'send_queued', entry: c, was: 'c' })).toEqual({ ok: true, how: 'queued' })
    await stage.done()
    expect(stage.backend.prompts.map(({ text }) => text)).toEqual(['one', 'c'])
    await stage.done()
    expect(stage.backend.prompts.map(({ text }) => text)).toEqual(['one', 'c', 'B'])
  })

  test('lets one prompt out of a paused queue, which stays paused', async () => {
    const stage = await outsideStage()
    await stage.say('one')
    for (const text of ['a', 'b']) await stage.ask({ do: 'prompt', text })
    await stage.done('failed')
    expect(stage.requests.queue().paused).toBe(true)
    const [, b] = stage.requests.queue().entries
    expect(await stage.ask({ do: 'send_queued', entry: b?.id ?? '', was: 'b' })).toEqual({ ok: true, how: 'sent' })
    expect(stage.requests.queue()).toMatchObject({ paused: true, entries: [{ text: 'a' }] })
  })

  test('keeps its commands, which no device runs or writes', async () => {
    const stage = await outsideStage()
    await stage.say('one')
    await stage.say('/compact')
    const [entry] = stage.requests.queue().entries
    const asked = { entry: entry?.id ?? '', was: entry?.text ?? '' }
    expect(asked.was).toBe('/compact')
    expect(await stage.ask({ do: 'send_queued', ...asked })).toMatchObject({ why: 'forbidden' })
    expect(await stage.ask({ do: 'change_queued', ...asked, text: '/clear' })).toMatchObject({ why: 'forbidden' })
    expect(await stage.ask({ do: 'change_queued', ...asked, text: '' })).toMatchObject({ ok: true })
  })

  test('keeps the place of the prompt that is edited at the terminal', async () => {
    const stage = await outsideStage()
    await stage.say('one')
    for (const text of ['a', 'b']) await stage.ask({ do: 'prompt', text })
    await stage.type('draft')
    await stage.press('up')
    expect(stage.state().edited).toMatchObject({ at: 1 })
    const [a] = stage.requests.queue().entries
    expect(a?.text).toBe('a')
    await stage.ask({ do: 'change_queued', entry: a?.id ?? '', was: 'a', text: '' })
    expect(stage.state().edited).toMatchObject({ at: 0 })
    await stage.press('enter')
    expect(queueOf(stage.state()).entries).toEqual(['b'])
  })
})

describe('The model', () => {
  const make: Parameters<typeof outsideStage>[0] = {
    make: backend => {
      const model = { contextWindow: null, maxOutput: null, reasoning: false }
      backend.models = {
        ok: true,
        value: [
          { id: 'opus', provider: 'anthropic', ...model },
          { id: 'gpt', provider: 'openai', ...model },
        ],
      }
      return backend
    },
  }

  test('is one of the same provider', async () => {
    const stage = await outsideStage(make)
    expect((await stage.requests.models()).map(({ id }) => id)).toEqual(['opus'])
    expect(await stage.ask({ do: 'set_model', model: 'gpt' })).toMatchObject({ why: 'forbidden' })
    expect(await stage.ask({ do: 'set_model', model: 'opus' })).toMatchObject({ ok: true })
    expect(stage.asked()).toContain('model opus')
  })

  test('is not changed in a turn', async () => {
    const stage = await outsideStage(make)
    await stage.say('one')
    expect(await stage.ask({ do: 'set_model', model: 'opus' })).toMatchObject({ ok: false, why: 'failed' })
    expect(stage.asked()).not.toContain('model opus')
  })
})

test('A prompt in the place of an answer answers nothing', async () => {
  const stage = await outsideStage()
  await stage.say('one')
  await askedAbout(stage, call('a'))
  await stage.ask({ do: 'prompt', text: 'y' })
  expect(stage.given).toEqual([])
})
