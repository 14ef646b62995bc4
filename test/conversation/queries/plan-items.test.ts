/** The to-do lists that agents keep by their own tools, or write. */
import { array, assert, constantFrom, property, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { planOfAnswer, planOfCall, planOfDisplay } from '../../../src/conversation/queries/plan-items.ts'

const short = (entries: ReturnType<typeof planOfAnswer>): string[] | null =>
  entries && entries.map(({ text, status }) => `${status.slice(0, 2)} ${text}`)

describe('a call that keeps a list', () => {
  test.each([
    [
      'TodoWrite',
      {
        todos: [
          { content: 'a', status: 'in_progress', activeForm: 'doing a' },
          { content: 'b', status: 'pending' },
        ],
      },
      ['in a', 'pe b'],
    ],
    ['update_plan', { explanation: 'x', plan: [{ step: 'a', status: 'completed' }] }, ['co a']],
    [
      'todo',
      {
        items: [
          { text: 'a', done: true },
          { title: 'b', done: false },
        ],
      },
      ['co a', 'pe b'],
    ],
    ['set_checklist', { steps: ['a', 'b'] }, ['pe a', 'pe b']],
    ['task_update', { tasks: [{ subject: 'a', state: 'In Progress' }] }, ['in a']],
    ['todo', { items: [{ text: 'a', done: 'yes', status: 3 }] }, ['pe a']],
  ])('%s with its arguments', (name, args, expected) => {
    expect(short(planOfCall(name, args, ''))).toEqual(expected)
  })

  test.each([
    ['JSON', '{"todos": [{"content": "a", "status": "done"}]}', ['co a']],
    ['a list in JSON', '[{"text": "a"}, {"text": "b", "checked": true}]', ['pe a', 'co b']],
    ['lines with and without bullets', 'Updated:\n[x] a\n- [ ] b', ['co a', 'pe b']],
    ['one line', '[ ] a', ['pe a']],
  ])('with %s in its result', (_kind, result, expected) => {
    expect(short(planOfCall('todo', { action: 'list' }, result))).toEqual(expected)
  })

  test.each([
    ['bash', { items: [{ text: 'a' }] }, '- [ ] a\n- [ ] b'],
    ['task', { description: 'look', prompt: 'at it' }, 'It is done.'],
    ['todo', { items: [] }, ''],
    ['todo', { items: [{ text: 'a' }, 3] }, '[broken'],
    ['plan', null, '{"plan": "in words"}'],
  ])('not: %s %j %s', (name, args, result) => {
    expect(planOfCall(name, args, result)).toBeNull()
  })
})

describe('a list in an answer', () => {
  test('is the last one, with signs for what is in progress', () => {
    const text =
      'Before:\n- [ ] old\n- [ ] older\n\nNow:\n\n1. [x] **a** `b`\n2. [~] c\n   more of c\n   - [ ] d\n\nAfter.'
    expect(short(planOfAnswer(text))).toEqual(['co a b', 'in c', 'pe d'])
  })

  test.each([
    ['one item', '- [ ] a'],
    ['code', '```\n- [ ] a\n- [ ] b\n```'],
    ['lines without bullets', '[ ] a\n[x] b'],
    ['links', '- [a](b)\n- [c](d)'],
    ['two lists of one', '- [ ] a\nand\n- [ ] b'],
  ])('is not %s', (_kind, text) => {
    expect(planOfAnswer(text)).toBeNull()
  })

  test('an extension needs no bullets', () => {
    expect(short(planOfDisplay('Todos\n[x] a\n[ ] b'))).toEqual(['co a', 'pe b'])
  })

  test('comes back as it was written, whatever stands around it', () => {
    const status = constantFrom('x', ' ', '~')
    assert(
      property(array(status, { minLength: 2, maxLength: 20 }), string(), (marks, words) => {
        const lines = marks.map((mark, at) => `- [${mark}] item ${at}`)
        const isListed = marks.some(mark => mark !== '~')
        const found = planOfAnswer(`x${words.replaceAll(/[`~\n]/g, '')}\n\n${lines.join('\n')}\n\nx`)
        expect(found?.map(({ text }) => text) ?? null).toEqual(isListed ? marks.map((_, at) => `item ${at}`) : null)
      }),
    )
  })
})
