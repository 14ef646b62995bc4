import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../../../src/agent/event.ts'
import { reduce } from '../../../src/conversation/reduce.ts'
import { initialChat, type ChatState } from '../../../src/conversation/state.ts'
import { toHtml } from '../../../src/export/html.ts'
import { transcriptOf } from '../../../src/export/transcript.ts'
import type { ShownBlock, Edit } from '../../../src/serve/rendering/block.ts'
import { Rendering } from '../../../src/serve/rendering/rendering.ts'
import { runs } from '../../helpers/length.ts'
import { anyEvents, conversation, cuts, inPieces } from '../../conversation/arbitrary-events.ts'
import { timed } from '../../conversation/events.ts'

const streams = fc.oneof(anyEvents, conversation).map(events => timed(events))

const blocksOf = (rendering: Rendering): ShownBlock[] =>
  Array.from({ length: rendering.total }, (_, at) => rendering.at(at)).filter(block => block !== undefined)

const shown = (blocks: readonly ShownBlock[]): string[] => blocks.map(block => `${block.id} ${block.drawn().html}`)

const foldAll = (events: readonly AgentEvent[], chat: ChatState = initialChat): ChatState => events.reduce(reduce, chat)

function freshly(chat: ChatState): Rendering {
  const rendering = new Rendering('UTC')
  rendering.advance(chat)
  return rendering
}

/** What a client has after the edits: it gets blocks only where something changed. */
function applied(client: string[], edits: readonly Edit[], rendering: Rendering): string[] {
  const marks: (string | null)[] = [...client]
  for (const { at, removed, added } of edits) marks.splice(at, removed, ...Array.from({ length: added }, () => null))
  const now = shown(blocksOf(rendering))
  expect(marks).toHaveLength(now.length)
  return marks.map((mark, at) => mark ?? now[at] ?? '')
}

describe('a conversation that grows', () => {
  test('has the blocks of one that is drawn at once, however it came', () => {
    fc.assert(
      fc.property(streams, cuts, (events, lengths) => {
        const growing = new Rendering('UTC')
        let chat = initialChat
        for (const piece of inPieces(events, lengths)) {
          chat = foldAll(piece, chat)
          growing.advance(chat)
        }
        expect(shown(blocksOf(growing))).toEqual(shown(blocksOf(freshly(chat))))
      }),
      runs(200),
    )
  })

  test('says of every block that changed that it did', () => {
    fc.assert(
      fc.property(streams, cuts, (events, lengths) => {
        const growing = new Rendering('UTC')
        let [chat, client]: [ChatState, string[]] = [initialChat, []]
        for (const piece of inPieces(events, lengths)) {
          chat = foldAll(piece, chat)
          client = applied(client, growing.advance(chat), growing)
          expect(client).toEqual(shown(blocksOf(growing)))
        }
      }),
      runs(200),
    )
  })

  test('has each id once', () => {
    fc.assert(
      fc.property(streams, events => {
        const ids = blocksOf(freshly(foldAll(events))).map(({ id }) => id)
        expect(new Set(ids).size).toBe(ids.length)
      }),
      runs(100),
    )
  })
})

const plainly = (html: string): string => html.replaceAll(/<\/?article>|\s/g, '')

test('a conversation that is over is the one of an exported page', () => {
  fc.assert(
    fc.property(streams, events => {
      const end: AgentEvent = {
        type: 'agent_ended',
        at: 99_000,
        code: 1,
        signal: null,
        reason: 'x',
        hint: '',
        expected: true,
      }
      const chat = { ...foldAll([...events, end]), shell: null, tasks: initialChat.tasks }
      const [, ...entries] = [...toHtml(transcriptOf(chat, { id: null, title: '', folder: null }), 'UTC')]
      const exported = entries.slice(0, -1).join('')
      const blocks = blocksOf(freshly(chat)).map(block => block.drawn())
      fc.pre(blocks.every(({ hasMore }) => !hasMore))
      expect(plainly(blocks.map(({ html }) => html).join(''))).toBe(plainly(exported))
    }),
    runs(200),
  )
})
