/** The conversation that a new session is told. */
import { describe, expect, test } from 'vitest'
import { createRozMemory } from '../../../src/agents/roz/memory.ts'

test('the conversation of a new session has a result for every call', () => {
  const memory = createRozMemory()
  expect(memory.shown([{ mimeType: 'image/png', data: 'AAAA' }])).toBe(true)
  memory.prompted('one', ['a note'])
  memory.said('I ')
  memory.said('look.')
  memory.called('c1', 'bash', { command: 'ls' })
  memory.called('c2', 'bash', { command: 'pwd' })
  memory.answered('c1', 'bash', 'a', false)
  memory.ended()
  const [user, assistant, results] = memory.history()
  expect(user?.parts).toMatchObject([{ image: {} }, { text: { text: 'a note' } }, { text: { text: 'one' } }])
  expect(assistant?.parts).toMatchObject([{ text: { text: 'I look.' } }, { tool_use: { id: 'c1' } }, { tool_use: {} }])
  expect(results).toMatchObject({
    role: 'user',
    parts: [
      { tool_result: { tool_use_id: 'c1', is_error: false } },
      { tool_result: { tool_use_id: 'c2', is_error: true } },
    ],
  })
})

/** The texts of a conversation, and the kinds of its other parts. */
function texts(memory: ReturnType<typeof createRozMemory>): string[] {
  const parts = memory.history().flatMap(message => message.parts)
  return parts.map(part => ('text' in part ? part.text.text : (Object.keys(part)[0] ?? '')))
}

describe('the conversation of a new session is bounded', () => {
  test('by leaving out its oldest turns', () => {
    const memory = createRozMemory(1000)
    for (const text of ['one', 'two', 'three', 'four']) {
      memory.prompted(text, [])
      memory.said('x'.repeat(200))
      memory.said('y'.repeat(100))
      memory.ended()
    }
    expect(texts(memory).filter(text => !text.startsWith('x'))).toEqual(['three', 'four'])
    expect([memory.turns, memory.leftOut]).toEqual([2, 2])
    memory.forget()
    expect([memory.turns, memory.leftOut]).toEqual([0, 0])
  })

  test('by leaving out the steps of a turn that is too long on its own', () => {
    const memory = createRozMemory(1000)
    memory.prompted('one', [])
    memory.called('c1', 'read', { path: 'a' })
    memory.called('c2', 'read', { path: 'b' })
    memory.answered('c1', 'read', 'x'.repeat(2000), false)
    memory.answered('c2', 'read', 'y', false)
    memory.called('c3', 'read', { path: 'c' })
    memory.answered('c3', 'read', 'z', false)
    expect(texts(memory)).toEqual(['one', expect.stringContaining('left out'), 'tool_use', 'tool_result'])
    expect(memory.leftOut).toBe(0)
  })

  test('by leaving out a prompt that is too long on its own', () => {
    const memory = createRozMemory(1000)
    memory.prompted('x'.repeat(2000), ['a note'])
    memory.said('I see.')
    expect(memory.history()).toEqual([])
    memory.prompted('two', [])
    expect(texts(memory)).toEqual(['two'])
  })

  test('and images that are too large are refused', () => {
    const memory = createRozMemory(1000)
    expect(memory.shown([{ mimeType: 'image/png', data: 'A'.repeat(2000) }])).toBe(false)
    expect(memory.history()).toEqual([])
  })

  test('and images of a prompt that did not arrive are not part of it', () => {
    const memory = createRozMemory()
    memory.prompted('one', [])
    memory.shown([{ mimeType: 'image/png', data: 'AAAA' }])
    memory.shown([])
    memory.prompted('two', [])
    expect(texts(memory)).toEqual(['one', 'two'])
  })

  test('and a prompt that was not accepted is not part of it', () => {
    const memory = createRozMemory()
    memory.prompted('one', [])
    memory.said('Yes.')
    memory.prompted('two', [])
    memory.withdraw()
    expect(texts(memory)).toEqual(['one', 'Yes.'])
  })
})
