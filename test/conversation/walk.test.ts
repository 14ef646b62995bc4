/** One order for all that tell a conversation piece by piece. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { initialChat } from '../../src/conversation/state.ts'
import { reduce } from '../../src/conversation/reduce.ts'
import { isOutdated } from '../../src/conversation/walk.ts'
import { transcriptOf } from '../../src/export/transcript.ts'
import { createTextWriter } from '../../src/print/text-writer.ts'
import { createTimeline, type TimelineItem } from '../../src/transcript/timeline.ts'
import { aPartOf } from '../helpers/length.ts'
import { anyEvents } from './arbitrary-events.ts'
import { chatAfter, timed, type Told } from './events.ts'

/** The calls and notices as the scrollback gets them, and as `-p` notes them, both event by event. */
function toldOf(events: readonly Told[]): { scrollback: string[]; notes: string[] } {
  const timeline = createTimeline()
  const items: TimelineItem[] = []
  const notes: string[] = []
  const writer = createTextWriter({
    write() {},
    isTerminal: false,
    printNote: note => notes.push(note.kind === 'withdrawn' ? '' : nameOf(note)),
  })
  timed(events).reduce((chat, event) => {
    const next = reduce(chat, event)
    do items.push(...timeline.advance(next))
    while (timeline.isBehind())
    writer.onEvent(next, event)
    return next
  }, initialChat)
  return { scrollback: items.map(nameOf).filter(Boolean), notes: notes.filter(Boolean) }
}

const nameOf = (item: TimelineItem): string => {
  if (item.kind === 'tool') return `${item.tool.id} with ${item.nested.map(({ id }) => id).join(', ')}`
  return item.kind === 'notice' && item.notice.level !== 'quiet' ? `notice ${item.notice.at} ${item.notice.text}` : ''
}

test('-p notes the calls and notices of the scrollback, in the same order', () => {
  fc.assert(
    fc.property(anyEvents, events => {
      const { scrollback, notes } = toldOf(events)
      // The scrollback gets a piece only after all earlier ones, and -p does not wait for a text.
      expect(notes.slice(0, scrollback.length)).toEqual(scrollback)
    }),
    aPartOf(1000),
  )
})

const switched = (provider: string): Told => ({
  type: 'model_changed',
  provider,
  model: 'large',
  contextWindow: 200_000,
  reasoningLevels: [],
})

test('an export leaves out a minor notice that the next one replaces, as the screen does', () => {
  const chat = chatAfter(switched('one'), switched('two'))
  const { entries } = transcriptOf(chat, { id: null, title: '', folder: null })
  expect(entries.map(entry => (entry.kind === 'notice' ? entry.text : entry.kind))).toEqual(['model two/large'])
})

const said = (text: string): Told => ({ type: 'remark_made', level: 'quiet', text, hint: null, markdown: false })

test('the next switch stands for the one before it, and for no other quiet notice of the same agent', () => {
  const chat = chatAfter(
    said('roz wrote the skill tidy 1 on its server.'),
    said('roz continues after its pause: approved'),
    said('Codex CLI has switched to its mode Agent.'),
    said('Codex CLI has switched to its mode Read Only.'),
    said('Codex CLI has compacted the conversation.'),
  )
  const isShown = chat.entries.map((entry, at) => !isOutdated(entry, chat.entries[at + 1] ?? null))
  expect(isShown).toEqual([true, true, false, true, true])
})
