import { describe, expect, test, vi } from 'vitest'
import { askedAbout, call, outsideStage } from './stage.ts'

const answered = { ok: true, how: 'done' }

describe('A device', () => {
  test('allows a call once, and the conversation says from where', async () => {
    const stage = await outsideStage()
    await stage.say('go')
    await askedAbout(
      stage,
      { type: 'tool_called', id: 't', name: 'bash', arguments: {} },
      { ...call('a'), callId: 't' },
    )
    expect(await stage.answer(0, true)).toEqual(answered)
    expect(stage.given).toEqual([{ id: 'a', answer: { answer: 'allow' } }])
    expect(stage.state().question).toBeNull()
    expect(stage.state().hint).toContain('Allowed from Pixel 8')
    const part = (): unknown => {
      const { open } = stage.state().chat
      return open?.kind === 'turn' ? open.parts.get(0) : undefined
    }
    await expect.poll(part).toMatchObject({ permission: { state: 'allowed', by: 'user', from: 'Pixel 8' } })
  })

  test('refuses a call with words for the agent', async () => {
    const stage = await outsideStage()
    await askedAbout(stage, call('a'))
    expect(await stage.answer(0, false, ' use npm ')).toEqual(answered)
    expect(stage.given).toEqual([{ id: 'a', answer: { answer: 'refuse', words: 'use npm' } }])
  })

  test('cannot answer a question that has changed since it was shown', async () => {
    const stage = await outsideStage()
    await askedAbout(stage, call('a'))
    const [shown] = stage.requests.questions()
    const { id = '' } = shown ?? {}
    const reply = await stage.ask({ do: 'answer_call', question: id, digest: '0'.repeat(64), allow: true })
    expect(reply).toMatchObject({ ok: false, why: 'changed' })
    expect(stage.given).toEqual([])
  })

  test('cannot answer with what another call has shown', async () => {
    const stage = await outsideStage()
    await askedAbout(stage, call('a', 'npm test'), call('b', 'rm -rf /'))
    const [a, b] = stage.requests.questions()
    const asked = { do: 'answer_call', question: b?.id ?? '', digest: a?.digest ?? '', allow: true } as const
    expect(await stage.ask(asked)).toMatchObject({ ok: false, why: 'changed' })
    expect(stage.given).toEqual([])
  })

  test('cannot answer a call that came less than 400 ms ago', async () => {
    const stage = await outsideStage()
    await askedAbout(stage, call('a'))
    stage.backend.tell(call('b'))
    await vi.waitFor(() => expect(stage.requests.questions()).toHaveLength(2))
    stage.clock.now += 399
    expect(await stage.answer(1, true)).toMatchObject({ ok: false, why: 'failed' })
    stage.clock.now += 1
    expect(await stage.answer(1, true)).toEqual(answered)
  })

  test('is told who was first', async () => {
    const stage = await outsideStage()
    await askedAbout(stage, call('a'))
    const [shown] = stage.requests.questions()
    const { id = '', digest = '' } = shown ?? {}
    await stage.type('n')
    const asked = { do: 'answer_call', question: id, digest, allow: true } as const
    expect(await stage.ask(asked)).toEqual({ ok: false, why: 'answered', message: 'It was refused at the terminal.' })
    expect(stage.given).toHaveLength(1)
  })

  test('is told of the other device that was first', async () => {
    const stage = await outsideStage()
    await askedAbout(stage, call('a'))
    const [shown] = stage.requests.questions()
    const asked = { do: 'answer_call', question: shown?.id ?? '', digest: shown?.digest ?? '', allow: true } as const
    expect(await stage.ask(asked, { id: 'd2', name: 'Tablet', role: 'answer' })).toEqual(answered)
    expect(await stage.ask(asked)).toMatchObject({ why: 'answered', message: 'It was allowed from Tablet.' })
    expect(stage.given).toHaveLength(1)
  })

  test('never lets a command out of the sandbox', async () => {
    const stage = await outsideStage()
    await askedAbout(stage, { ...call('a'), wants: { kind: 'host', host: 'evil.com', port: 443 } })
    expect(await stage.answer(0, true)).toMatchObject({ ok: false, why: 'forbidden' })
    expect(stage.given).toEqual([])
    expect(await stage.answer(0, false)).toEqual(answered)
  })

  test('never gives an answer of the agent that lasts', async () => {
    const stage = await outsideStage()
    const options = [
      { id: 'x', name: 'Always', kind: 'allow_always' },
      { id: 'n', name: 'No', kind: 'reject_once' },
    ]
    await askedAbout(stage, { ...call('a'), options })
    expect(await stage.answer(0, true)).toMatchObject({ ok: false, why: 'forbidden' })
    expect(await stage.answer(0, false, 'words')).toMatchObject({ ok: false, why: 'forbidden' })
    expect(await stage.answer(0, false)).toEqual(answered)
    expect(stage.given).toEqual([{ id: 'a', answer: { answer: 'option', option: 'n' } }])
  })
})

describe('The terminal', () => {
  test('keeps a half-typed refusal of another call', async () => {
    const stage = await outsideStage()
    await askedAbout(stage, call('a'), call('b'))
    await stage.type('w')
    await stage.type('not now')
    expect(await stage.answer(1, true)).toEqual(answered)
    expect(stage.state().question).toMatchObject({ id: 'a', isArmed: true })
    expect(stage.state().question?.typed?.editor.text).toBe('not now')
    await stage.press('enter')
    expect(stage.given).toEqual([
      { id: 'b', answer: { answer: 'allow' } },
      { id: 'a', answer: { answer: 'refuse', words: 'not now' } },
    ])
  })

  test('has the words of a refusal in the composer when a device was faster', async () => {
    const stage = await outsideStage()
    await askedAbout(stage, call('a'))
    await stage.type('w')
    await stage.type('use pnpm')
    await stage.answer(0, true)
    expect(stage.state().question).toBeNull()
    expect(stage.state().editor.text).toBe('use pnpm')
  })

  test('has them in the history if something else is written there', async () => {
    const stage = await outsideStage()
    await stage.type('a draft')
    await askedAbout(stage, call('a'))
    await stage.press('ctrl+s')
    await stage.quiet()
    await stage.type('w')
    await stage.type('use pnpm')
    await stage.answer(0, true)
    expect([stage.state().editor.text, ...stage.state().history.entries]).toContain('use pnpm')
  })

  test('gets no draft of a command that it has not edited', async () => {
    const stage = await outsideStage()
    await askedAbout(stage, call('a'))
    await stage.type('e')
    expect(stage.state().question?.typed?.editor.text).toBe('make a')
    await stage.answer(0, true)
    expect(stage.state().editor.text).toBe('')
  })

  test('answers no other question with the key that was meant for one that a device has answered', async () => {
    const stage = await outsideStage()
    await askedAbout(stage, call('a'), call('b'))
    await stage.answer(0, true)
    await stage.type('y')
    expect(stage.given).toEqual([{ id: 'a', answer: { answer: 'allow' } }])
  })
})

describe('A form', () => {
  const fields = [
    { name: 'suite', label: 'Suite', kind: 'choice', required: true, choices: [{ value: 'unit', label: 'Unit' }] },
    { name: 'times', label: 'Times', kind: 'number', required: false },
  ] as const
  const form = { type: 'question_asked', id: 'f', message: 'Which?', fields: structuredClone(fields) as never } as const

  test('is filled in from a device, as far as the values fit it', async () => {
    const stage = await outsideStage()
    await askedAbout(stage, form)
    const [shown] = stage.requests.questions()
    const asked = { do: 'answer_form', question: shown?.id ?? '', digest: shown?.digest ?? '' } as const
    for (const values of [{}, { suite: 'all' }, { suite: 'unit', times: 'x' }, { suite: 'unit', other: 1 }])
      expect(await stage.ask({ ...asked, values })).toMatchObject({ ok: false, why: 'failed' })
    expect(await stage.ask({ ...asked, values: { suite: 'unit', times: 2 } })).toEqual(answered)
    expect(await stage.ask({ ...asked, values: null })).toMatchObject({ why: 'answered' })
    expect(stage.filled).toEqual([{ id: 'f', values: { suite: 'unit', times: 2 } }])
  })
})

test('A device is shown what is asked as soon as there is somebody to ask', async () => {
  const stage = await outsideStage()
  await askedAbout(stage, call('a'))
  expect(stage.requests.questions()).toHaveLength(1)
  expect(stage.requests.questions()[0]?.html).toContain('make a')
})
