import { describe, expect, test } from 'vitest'
import { allow, ask } from './guarded.ts'
import { makeStandIn as make } from './stand-in.ts'
import { steersEveryZot } from './steering-suite.ts'
import { bash, holdsForEveryZot, openAndAsk, write } from './suite.ts'

describe('a zot that asks before its calls run', () => {
  holdsForEveryZot(make)
  steersEveryZot(make)

  test('calls that run at the same time are asked and answered in any order', async () => {
    const inner = ['a', 'b', 'c'].map(file => ({ name: 'bash', args: { command: `touch ${file}` } }))
    const { next, answer, turn, ran, result } = await openAndAsk(make, [
      { calls: [{ id: 'n', name: 'nested', args: { calls: inner } }] },
      { text: 'Done.' },
    ])
    const outer = await next('permission_requested')
    expect(outer).toMatchObject({ callId: 'n', kind: 'other' })
    answer(outer.id, { answer: 'allow' })
    await next('tool_called')
    const asked = [
      await next('permission_requested'),
      await next('permission_requested'),
      await next('permission_requested'),
    ]
    expect(new Set(asked.map(({ callId }) => callId))).toEqual(new Set(['n/1', 'n/2', 'n/3']))
    const byId = new Map(asked.map(request => [request.callId, request.id]))
    answer(byId.get('n/3') ?? '', { answer: 'allow' })
    answer(byId.get('n/1') ?? '', { answer: 'refuse', words: 'not a' })
    answer(byId.get('n/2') ?? '', { answer: 'allow' })
    await turn
    expect(['a', 'b', 'c'].filter(file => ran(file))).toEqual(['b', 'c'])
    expect(result('n/1')).toContain('not a')
  })

  test('an answer to one of two calls with one id lets no other run', async () => {
    const inner = ['a', 'b', 'c'].map(file => ({
      id: file === 'c' ? 'last' : 'same',
      name: 'bash',
      args: { command: `touch ${file}` },
    }))
    const { next, answer, turn, ran, types } = await openAndAsk(
      make,
      [{ calls: [{ id: 'n', name: 'nested', args: { calls: inner } }] }, { text: 'Done.' }],
      {
        judge: ({ tool }) => (tool === 'nested' ? { verdict: 'allow', because: '' } : { verdict: 'ask', because: '' }),
      },
    )
    const first = await next('permission_requested')
    expect(first).toMatchObject({ command: 'touch a' })
    // The second, which comes before this one, was refused without a question.
    const last = await next('permission_requested')
    expect(last).toMatchObject({ command: 'touch c' })
    answer(first.id, { answer: 'allow' })
    answer(last.id, { answer: 'refuse', words: '' })
    const questions = types().filter(type => type === 'permission_requested').length
    expect(questions).toBe(2)
    await turn
    expect(ran('b')).toBe(false)
  })

  test("zot's own tools do nothing where it keeps them in spite of all, and zotui says once that they cannot be stopped", async () => {
    const { turn, ran, events } = await openAndAsk(
      make,
      [{ calls: [write('ran', 'one\n', 'a'), bash('touch ran', 'b')] }, { text: 'Done.' }],
      { env: { ZOT_KEEPS_TOOLS: '1' }, judge: allow },
    )
    await turn
    expect(ran()).toBe(false)
    const warnings = events.flatMap(event => (event.type === 'warning_raised' ? [event.message] : []))
    expect(warnings).toEqual([expect.stringContaining('tools of its own')])
  })
})

test('the model learns once that a mode restricts it, and when that ends', async () => {
  const zot = await make([{ text: 'a' }, { text: 'b' }, { text: 'c' }, { text: 'd' }])
  zot.backend.setPermissionMode('ask')
  await zot.backend.open()
  const heard: string[] = []
  for (const mode of ['ask', 'plan', 'plan', 'edits'] as const) {
    zot.backend.setPermissionMode(mode)
    await zot.backend.prompt({ text: 'go', images: [] })
    heard.push(await zot.heard(heard.length + 1))
  }
  expect(heard).toEqual(['["go"]', '["mode plan\\n\\ngo"]', '["go"]', '["mode edits\\n\\ngo"]'])
  expect(zot.types().filter(type => type === 'permission_mode_changed')).toHaveLength(5)
})

test('a switch of the mode answers nothing that waits: whoever asked may have changed the command', async () => {
  let judge = ask
  const { backend, next, turn, ran, answer, types } = await openAndAsk(
    make,
    [{ calls: [bash('touch ran')] }, { text: 'Done.' }],
    {
      judge: request => judge(request),
    },
  )
  const { id } = await next('permission_requested')
  judge = allow
  backend.setPermissionMode('allow')
  expect(types()).not.toContain('permission_decided')
  answer(id, { answer: 'allow' }, 'rule')
  await turn
  expect(await next('permission_decided')).toMatchObject({ allowed: true, by: 'rule' })
  expect(ran()).toBe(true)
})
