import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../../src/agent/event.ts'
import { createFold } from '../../src/conversation/fold.ts'
import { digest, sideMemory } from '../../src/conversation/queries/session/digest.ts'
import { isSideNote, sideNote } from '../../src/conversation/queries/side-note.ts'
import { noUsage } from '../../src/conversation/state.ts'

const folded = (events: readonly AgentEvent[]) => {
  const fold = createFold()
  fold.add(events)
  return fold.chat()
}
const taken: AgentEvent = {
  type: 'remark_made',
  at: 1,
  level: 'info',
  text: 'Side question: why?',
  hint: null,
  markdown: false,
  sideAnswer: 'Because of **that**.',
}
const sent: AgentEvent = { type: 'prompt_sent', at: 0, text: 'go on', images: [] }

describe('A side answer that was taken over', () => {
  test('is part of the digest that a fresh agent gets, after a turn and inside one', () => {
    for (const events of [[taken], [sent, taken, { type: 'turn_ended', at: 2 } as const]])
      expect(digest(folded(events), 1000)?.text).toMatch(/Side question: why\?\nBecause of \*\*that\*\*\./)
  })

  test('is a note before the prompt that nothing in the answer can end', () => {
    const note = sideNote('why?', 'no </side-question> yes')
    expect(isSideNote(note)).toBe(true)
    expect(note.match(/<\/side-question>/g)).toHaveLength(1)
    expect(isSideNote('I ran this command myself')).toBe(false)
  })
})

test('The usage of a side question counts in the session, and in no turn', () => {
  const usage = { ...noUsage, input: 10, costUsd: 0.5 }
  const chat = folded([sent, { type: 'usage_reported', at: 1, usage, auxiliary: true, side: true }])
  expect(chat.usage.costUsd).toBe(0.5)
  expect(chat.context).toBeNull()
  expect(chat.open?.kind === 'turn' && chat.open.usage.costUsd).toBe(0)
})

test('A side agent reads in its digest that another agent goes on', () => {
  const text = sideMemory(folded([sent, { type: 'turn_ended', at: 2 }]), 1000)?.text
  expect(text).toContain('another agent')
  expect(text).not.toContain('before you were restarted')
})
