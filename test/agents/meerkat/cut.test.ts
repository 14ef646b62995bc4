import { describe, expect, test } from 'vitest'
import { placeOfCut, promptIn } from '../../../src/agents/meerkat/session/cut.ts'

const system = { role: 'system', content: 'long' }
const user = (content: unknown) => ({ role: 'user', content })
const answer = { role: 'block_assistant', blocks: [] }
const context = { role: 'user', content: 'note', transcript_role: 'injected_context' }
const notice = { role: 'system_notice', blocks: [] }

/** A history with these prompts and their answers. */
const history = (...prompts: string[]) => [system, ...prompts.flatMap(text => [user(text), answer])]

describe('The end of a copy', () => {
  test.each([
    ['behind the first prompt', ['a', 'b', 'c'], ['a', 'b', 'c'], 1, 3],
    ['behind the second', ['a', 'b', 'c'], ['a', 'b', 'c'], 2, 5],
    ['behind the last', ['a', 'b', 'c'], ['a', 'b', 'c'], 3, 7],
    ['before the first', ['a', 'b'], ['a', 'b'], 0, 1],
    ['where a later prompt was stopped and is not kept', ['a', 'c'], ['a', 'b', 'c'], 1, 3],
    ['where an earlier prompt is not there, which a later one told of', ['b', 'c'], ['a', 'b', 'c'], 2, 3],
    ['behind the same text twice', ['a', 'a', 'b'], ['a', 'a', 'b'], 1, 3],
    ['before the same text twice, one of which is not kept', ['a', 'b', 'b'], ['a', 'b', 'b', 'b'], 1, 3],
  ])('is known %s', (_name, kept, prompts, count, place) => {
    expect(placeOfCut(history(...kept), { prompts, kept: count })).toBe(place)
  })

  test.each([
    ['the last prompt before it is not in the history', ['a', 'c'], ['a', 'b', 'c'], 2],
    ['of the same text twice one is not kept', ['a', 'b'], ['a', 'a', 'b'], 1],
    ['the history has a prompt that the conversation does not have', ['a', 'x', 'b'], ['a', 'b'], 1],
    ['the history has the prompts in another order', ['b', 'a'], ['a', 'b'], 1],
    ['the history is empty', [], ['a', 'b'], 1],
  ])('is unknown where %s', (_name, kept, prompts, count) => {
    expect(placeOfCut(history(...kept), { prompts, kept: count })).toBeNull()
  })

  test('is before the notes of the prompt, and after notices', () => {
    const messages = [system, user('a'), answer, notice, context, context, user('b'), answer]
    expect(placeOfCut(messages, { prompts: ['a', 'b'], kept: 1 })).toBe(4)
  })

  test('is found by the texts that the conversation has, without secrets', () => {
    const messages = history('use KEY', 'next')
    const cut = { prompts: ['use ***', 'next'], kept: 1 }
    expect(placeOfCut(messages, cut)).toBeNull()
    expect(placeOfCut(messages, cut, text => text.replace('KEY', '***'))).toBe(3)
  })
})

test.each([
  ['its text', user('Hello \n'), 'Hello'],
  ['the text beside an image', user([{ type: 'text', text: 'Look' }, { type: 'image' }]), 'Look'],
  ['nothing beside an image', user([{ type: 'image' }]), ''],
  ['no prompt in what was sent with one', context, null],
  ['no prompt in an answer', answer, null],
  ['no prompt in something else', null, null],
])('a message has %s', (_name, message, text) => expect(promptIn(message)).toBe(text))
