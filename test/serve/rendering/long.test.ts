/** What is long: texts that grow, and what is left out of a block. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../../../src/agent/event.ts'
import { reduce } from '../../../src/conversation/reduce.ts'
import { initialChat, type ChatState } from '../../../src/conversation/state.ts'
import { richText } from '../../../src/export/html-text.ts'
import type { RestPiece } from '../../../src/serve/rendering/cuts.ts'
import { chunksOf } from '../../../src/serve/rendering/chunks.ts'
import { Rendering } from '../../../src/serve/rendering/rendering.ts'
import { runs } from '../../helpers/length.ts'
import { cuts, inPieces } from '../../conversation/arbitrary-events.ts'

const at = 1000
const prompt: AgentEvent = { type: 'prompt_sent', at, text: 'go', images: [] }
const step: AgentEvent[] = [
  { type: 'prompt_accepted', at },
  { type: 'step_started', at, step: 1 },
  { type: 'answer_started', at },
]

const foldAll = (events: readonly AgentEvent[], chat: ChatState = initialChat): ChatState => events.reduce(reduce, chat)

const line = fc.constantFrom(
  'Some words about the thing, and a few more of them. '.repeat(4),
  '- an item of a list',
  '1. a numbered one',
  '> a quote',
  '```ts',
  'const x = 1',
  '# Title',
  '',
  '| a | b |',
  '| - | - |',
  '[link][x]',
  '[x]: https://example.com',
)
/** No element of these is long enough to be cut. */
const longText = fc.array(line, { minLength: 20, maxLength: 60, size: 'max' }).map(lines => lines.join('\n'))

const shown = (rendering: Rendering): unknown[] =>
  Array.from({ length: rendering.total }, (_, index) => [rendering.at(index)?.id, rendering.at(index)?.drawn().html])

describe('a long text', () => {
  test('is together what an exported page shows', () => {
    fc.assert(
      fc.property(longText, text => {
        const chunks = chunksOf(text).map(draw => draw().source)
        expect(chunks.join('\n')).toBe(text.trim() === '' ? '' : richText(text).source)
      }),
      runs(100),
    )
  })

  test('has the same chunks however it came', () => {
    fc.assert(
      fc.property(longText, fc.constantFrom('\n', '\r\n', '\r'), cuts, (text, end, lengths) => {
        const pieces = inPieces(
          text.replaceAll('\n', end).split(''),
          lengths.map(length => 97 * length),
        ).map(each => each.join(''))
        const growing = new Rendering('UTC')
        let chat = foldAll([prompt, ...step])
        for (const piece of pieces) {
          chat = foldAll([{ type: 'text_received', at, text: piece }], chat)
          growing.advance(chat)
        }
        chat = foldAll([{ type: 'turn_ended', at }], chat)
        growing.advance(chat)
        const fresh = new Rendering('UTC')
        fresh.advance(chat)
        expect(shown(growing)).toEqual(shown(fresh))
      }),
      runs(60),
    )
  })

  test('of code of 100,000 lines is in chunks, of which a new line changes only the last', () => {
    const code = `\`\`\`ts\n${'const x = 1 // a line\n'.repeat(100_000)}`
    let chat = foldAll([prompt, ...step, { type: 'text_received', at, text: code }])
    const rendering = new Rendering('UTC')
    rendering.advance(chat)
    expect(rendering.total).toBeGreaterThan(100)
    chat = foldAll([{ type: 'text_received', at, text: 'const y = 2\n' }], chat)
    const edits = rendering.advance(chat)
    expect(edits.map(({ removed }) => removed)).toEqual([1])
    expect(edits[0]?.at).toBe(rendering.total - 1)
    expect(rendering.at(rendering.total - 1)?.drawn().html).toContain('y')
  })
})

/** The HTML of a block with all that was left out. */
function completed(rendering: Rendering, index: number): string {
  const block = rendering.at(index)
  let html = block?.drawn().html ?? ''
  for (let button = BUTTON.exec(html); button; button = BUTTON.exec(html)) {
    let rest = ''
    for (let piece: number | null = Number(button[1]); piece !== null;) {
      const found: RestPiece | null = block?.rest(piece) ?? null
      rest += found?.html ?? 'MISSING'
      piece = found?.next ?? null
    }
    html = html.replace(button[0], () => rest)
  }
  return html
}

const BUTTON = /<button class="more" type="button" data-rest="(\d+)">[^<]*<\/button>/

const words = (html: string): string => html.replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ')

describe('what is left out', () => {
  const numbered = Array.from({ length: 3000 }, (_, index) => `line ${index}`).join('\n')
  const outputs: [string, string][] = [
    ['many lines', numbered],
    ['one line', 'x1y2'.repeat(15_000)],
    ['characters of two halves', '👩'.repeat(20_000)],
  ]
  test.each(outputs)('of an output of %s comes in pieces that are all of it', (_name, output) => {
    const chat = foldAll([
      prompt,
      ...step,
      { type: 'tool_called', at, id: 'a', name: 'bash', arguments: { command: 'ls' } },
      { type: 'tool_finished', at, id: 'a', failed: false, content: [{ type: 'text', text: output }] },
    ])
    const rendering = new Rendering('UTC')
    rendering.advance(chat)
    const block = rendering.at(1)?.drawn()
    expect(block?.hasMore).toBe(true)
    expect(block?.html.length).toBeLessThan(20_000)
    expect(words(completed(rendering, 1)).replaceAll(' ', '')).toContain(output.replaceAll(/\s/g, ''))
  })

  test('of a pasted prompt comes in pieces that are all of it', () => {
    const rendering = new Rendering('UTC')
    rendering.advance(foldAll([{ type: 'prompt_sent', at, text: numbered, images: [] }]))
    expect(rendering.at(0)?.drawn().hasMore).toBe(true)
    expect(words(completed(rendering, 0)).replaceAll(' ', '')).toContain(numbered.replaceAll(/\s/g, ''))
  })

  test('of a thousand calls of a call comes in pieces with all of them', () => {
    const calls = Array.from({ length: 1000 }, (_, index): AgentEvent[] => [
      { type: 'tool_called', at, id: `a/${index}`, parent: 'a', name: 'read', arguments: { path: `file-${index}.` } },
      { type: 'tool_finished', at, id: `a/${index}`, failed: false, content: [{ type: 'text', text: 'x' }] },
    ])
    const rendering = new Rendering('UTC')
    rendering.advance(
      foldAll([
        prompt,
        ...step,
        { type: 'tool_called', at, id: 'a', name: 'codemode', arguments: { code: 'go()' } },
        ...calls.flat(),
      ]),
    )
    expect(rendering.total).toBe(2)
    expect(rendering.at(1)?.drawn().html.length).toBeLessThan(30_000)
    const all = completed(rendering, 1)
    expect(calls.filter((_, index) => !all.includes(`file-${index}.`))).toEqual([])
  })

  test('of a piece that is not there is null', () => {
    const rendering = new Rendering('UTC')
    rendering.advance(foldAll([prompt]))
    for (const piece of [0, 1, -1, 1e9, NaN]) expect(rendering.at(0)?.rest(piece)).toBeNull()
  })
})

test('a call deep inside of others needs no deep stack', () => {
  const calls = Array.from({ length: 20_000 }, (_, index): AgentEvent => ({
    type: 'tool_called',
    at,
    id: `a${index}`,
    ...(index > 0 && { parent: `a${index - 1}` }),
    name: 'codemode',
    arguments: { code: 'x' },
  }))
  const rendering = new Rendering('UTC')
  rendering.advance(foldAll([prompt, ...step, ...calls]))
  expect(rendering.at(1)?.drawn().html).toContain('1 call inside')
})

test('an event of a turn of 100,000 parts looks only at what changed', () => {
  const calls = Array.from({ length: 50_000 }, (_, index): AgentEvent[] => [
    { type: 'tool_called', at, id: `a${index}`, name: 'read', arguments: { path: 'x' } },
    { type: 'extension_noted', at, extension: 'e', level: 'info', message: `note ${index}` },
  ])
  let chat = foldAll([prompt, ...step, ...calls.flat()])
  const rendering = new Rendering('UTC')
  rendering.advance(chat)
  expect(rendering.total).toBe(100_001)
  chat = foldAll([{ type: 'tool_progressed', at, id: 'a7', text: 'output' }], chat)
  expect(rendering.advance(chat)).toEqual([{ at: 15, removed: 1, added: 1 }])
  expect(rendering.at(15)?.drawn().html).toContain('output')
})
