/** What a device did: it is named wherever the conversation is shown. */
import { describe, expect, test } from 'vitest'
import type { EventOf } from '../../src/agent/event.ts'
import { reduceWhole } from '../../src/conversation/reduce.ts'
import { initialChat } from '../../src/conversation/state.ts'
import { toHtml } from '../../src/export/html.ts'
import { toMarkdown } from '../../src/export/markdown.ts'
import { transcriptOf } from '../../src/export/transcript.ts'
import { Origins } from '../../src/published/answers/origins.ts'
import { deviceName } from '../../src/published/device-name.ts'
import { accepted, calls, ended, prompt, returns, started, step, stops, timed, type Told } from './events.ts'

const asks = (id: string): Told => ({
  type: 'permission_requested',
  id,
  callId: id,
  tool: 'bash',
  kind: 'command',
  arguments: {},
  folder: '/',
  command: 'ls',
  because: '',
})
const decides = (id: string, allowed: boolean, from?: string): Told => ({
  type: 'permission_decided',
  id,
  allowed,
  by: 'user',
  ...(from !== undefined && { from }),
})

function exported(...told: Told[]) {
  const chat = timed(told).reduce((state, each) => reduceWhole(state, each), initialChat)
  const transcript = transcriptOf(chat, { id: null, title: '', folder: null })
  return {
    transcript,
    markdown: [...toMarkdown(transcript, 'UTC')].join(''),
    html: [...toHtml(transcript, 'UTC')].join(''),
  }
}

describe('a device is named', () => {
  test('beside the call that was allowed or refused from it', () => {
    const { transcript, markdown, html } = exported(
      started,
      prompt('go'),
      accepted,
      step(1),
      calls('a', 'bash', { command: 'ls' }),
      asks('a'),
      decides('a', true, 'Pixel 8'),
      returns('a', 'x'),
      calls('b', 'bash', { command: 'rm x' }),
      asks('b'),
      decides('b', false, 'Pixel 8'),
      calls('c', 'bash', { command: 'pwd' }),
      asks('c'),
      decides('c', true),
      returns('c', 'x'),
      ended,
    )
    expect(JSON.stringify(transcript).match(/"from":"Pixel 8"/g)).toHaveLength(2)
    for (const text of [markdown, html]) {
      expect(text.match(/allowed from Pixel 8/g)).toHaveLength(1)
      expect(text.match(/refused from Pixel 8/g)).toHaveLength(1)
    }
  })

  test('beside its prompt, its words to the running turn, and where it stopped', () => {
    const { transcript, markdown, html } = exported(
      started,
      { ...prompt('go'), from: 'Pixel 8' } as Told,
      accepted,
      step(1),
      { type: 'steer_delivered', id: 's', text: 'faster', images: [], from: 'Tablet' },
      { type: 'abort_requested', from: 'Laptop' },
      stops('aborted'),
      ended,
    )
    expect(transcript.entries[0]).toMatchObject({ from: 'Pixel 8', stoppedFrom: 'Laptop', outcome: 'aborted' })
    for (const text of [markdown, html])
      for (const words of ['You, from Pixel 8', 'to the running turn, from Tablet', 'stopped from Laptop'])
        expect(text).toContain(words)
  })

  test('in the answer to a form and to a plan', () => {
    const { markdown } = exported(
      started,
      { type: 'question_asked', id: 'f', message: 'Which?', fields: [] },
      { type: 'question_answered', id: 'f', answer: 'declined', from: 'Pixel 8' },
      { type: 'plan_proposed', text: 'a plan' },
      { type: 'plan_answered', answer: 'changed', from: 'Pixel 8' },
    )
    expect(markdown).toContain('From Pixel 8: You did not answer.')
    expect(markdown).toContain('From Pixel 8: You asked for another plan.')
  })
})

describe('the events of an agent', () => {
  const decided: EventOf<'permission_decided'> = {
    type: 'permission_decided',
    at: 0,
    id: 'a',
    allowed: true,
    by: 'user',
  }

  test('get the device whose answer they carry out, once', () => {
    const origins = new Origins()
    origins.answered('call', 'a', 'Pixel 8')
    expect(origins.named({ ...decided, id: 'b' })).not.toHaveProperty('from')
    expect(origins.named(decided)).toHaveProperty('from', 'Pixel 8')
    expect(origins.named(decided)).not.toHaveProperty('from')
  })

  test('get none if the turn has ended before the answer', () => {
    const origins = new Origins()
    origins.answered('call', 'a', 'Pixel 8')
    expect(origins.named({ ...decided, by: 'end' })).not.toHaveProperty('from')
  })

  test('a stop from a device names the turn that it stopped, and no later one', () => {
    const origins = new Origins()
    origins.stopped('Pixel 8')
    expect(origins.named({ type: 'abort_requested', at: 0 })).toHaveProperty('from', 'Pixel 8')
    origins.stopped('Pixel 8')
    origins.named({ type: 'turn_ended', at: 0 })
    expect(origins.named({ type: 'abort_requested', at: 0 })).not.toHaveProperty('from')
  })
})

test('the name of a device is one short line without hidden characters', () => {
  expect(deviceName({ name: ' Pixel\n8\u202e ' })).toBe('Pixel 8⟦U+202E⟧')
  expect(deviceName({ name: 'x'.repeat(100) }).length).toBeLessThanOrEqual(40)
  expect(deviceName({ name: '\n' })).toBe('a device')
})
