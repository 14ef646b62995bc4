import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { OUTPUT_LIMIT, OLD_OUTPUT_LIMIT } from '../../../src/conversation/calls/trim-output.ts'
import { createImplied } from '../../../src/agent/implied.ts'
import { createFold } from '../../../src/conversation/fold.ts'
import type { ToolCall } from '../../../src/conversation/part.ts'
import { reduce, reduceWhole } from '../../../src/conversation/reduce.ts'
import { initialChat, type ChatState, type Turn } from '../../../src/conversation/state.ts'
import { shortenedCalls, withFullCalls } from '../../../src/conversation/queries/session/full-transcript.ts'
import { isLong } from '../../helpers/length.ts'
import { anyEvents } from '../arbitrary-events.ts'
import { ended, fold, prints, prompt, returns, runsTool, timed, toolOf, turnOf, type Told } from '../events.ts'

const linesOf = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('')
const textOf = (turn: Turn): string => {
  const [content] = toolOf(turn, 'a').result ?? []
  return content?.type === 'text' ? content.text : ''
}
const ran = (name: string, args: unknown, answer: string): Turn =>
  turnOf(...runsTool('a', name, args), returns('a', answer))

test('a short tool result is kept unchanged', () => {
  const turn = ran('bash', { command: 'make' }, 'x'.repeat(OUTPUT_LIMIT))
  expect(toolOf(turn, 'a')).toMatchObject({ omitted: null, result: [{ text: 'x'.repeat(OUTPUT_LIMIT) }] })
})

test('a long result keeps its beginning and end in whole lines, and says how much is omitted', () => {
  const whole = `$ make\n\n${linesOf(20_000)}\n[exit 0]  Took 1.0s`
  const turn = ran('bash', { command: 'make' }, whole)
  const kept = textOf(turn)
  expect(kept).toMatch(
    /^\$ make\n\nline 1\n[^]*\n\[\.\.\. 143 kB omitted \.\.\.\]\nline \d+\n[^]*\[exit 0\] {2}Took 1\.0s$/,
  )
  expect(kept.length).toBeLessThan(OUTPUT_LIMIT + 100)
  const { bytes, lines } = toolOf(turn, 'a').omitted?.result ?? { bytes: 0, lines: 0 }
  expect(kept.length + bytes).toBe(whole.length)
  expect(kept.split('\n').length + lines).toBe(whole.split('\n').length)
})

test.each([
  ['one endless line', 'y'.repeat(300_000)],
  ['characters of two units', '😀'.repeat(100_000)],
  ['blank lines', '\n'.repeat(300_000)],
])('%s', (_name, whole) => {
  const kept = textOf(ran('grep', {}, whole))
  expect(kept.length).toBeLessThan(OUTPUT_LIMIT + 100)
  expect(kept.isWellFormed()).toBe(true)
})

test('a long file or diff keeps only its beginning, because line numbers after a gap would be wrong', () => {
  expect(textOf(ran('read', { path: 'a' }, linesOf(20_000)))).toMatch(
    /^line 1\n[^]*line \d+\n\[\.\.\. .* omitted \.\.\.\]\n$/,
  )
  const turn = ran('edit', { path: 'a' }, '+new\n-old\n'.repeat(20_000))
  expect(textOf(turn)).toMatch(/^\+new\n[^]*\n\.\.\.\n$/)
  const { added = 0, removed = 0 } = toolOf(turn, 'a').omitted?.result ?? {}
  expect(added + (textOf(turn).match(/^\+/gm)?.length ?? 0)).toBe(20_000)
  expect(removed + (textOf(turn).match(/^-/gm)?.length ?? 0)).toBe(20_000)
})

test('long texts in arguments are shortened, and other large arguments become the beginning of their JSON', () => {
  const turn = ran('write', { path: 'a.ts', content: linesOf(20_000) }, 'written')
  const { arguments: given, argumentsText, omitted } = toolOf(turn, 'a')
  expect(given).toMatchObject({ path: 'a.ts', content: expect.stringMatching(/^line 1\n[^]*omitted \.\.\.\]\n$/) })
  expect(argumentsText).toBe('')
  expect(omitted?.arguments.lines).toBeGreaterThan(10_000)
  const many = ran(
    'edit',
    { path: 'a.ts', edits: Array.from({ length: 9000 }, () => ({ oldText: 'a', newText: 'b' })) },
    '+b',
  )
  expect(toolOf(many, 'a').arguments).toMatchObject({ edits: expect.stringMatching(/^\[\{"oldText"/) })
})

test('a repeated command is shortened in the same way', () => {
  const command = `cat <<'EOF'\n\n${linesOf(20_000)}EOF`
  const turn = ran('bash', { command }, `$ ${command}\n\nout\n\n[exit 0]  Took 1.0s`)
  const given = toolOf(turn, 'a').arguments as { command: string }
  expect(textOf(turn)).toBe(`$ ${given.command}\n\nout\n\n[exit 0]  Took 1.0s`)
})

/** Everything that the conversation holds, in characters. */
const sizeOf = (chat: ChatState): number => JSON.stringify(chat).length

const callsOf = ({ entries, open }: ChatState): ToolCall[] =>
  [...entries, open].flatMap(entry =>
    entry?.kind === 'turn' ? [...entry.parts].flatMap(part => (part.kind === 'tool' ? [part] : [])) : [],
  )

const large = `${'z'.repeat(99)}\n`.repeat(10_000)

test('2,000 turns of a megabyte each keep only a little of each', () => {
  const events: Told[] = [prompt('go'), ...runsTool('a', 'grep'), prints('a', large), returns('a', large), ended]
  const grow = (chat: ChatState, turns: number): ChatState => {
    let grown = chat
    for (let turn = 0; turn < turns; turn += 1) grown = fold(timed(events), grown)
    return grown
  }
  const before = grow(initialChat, 20)
  const turns = isLong ? 2000 : 200
  const perTurn = (sizeOf(grow(before, turns)) - sizeOf(before)) / turns
  expect(perTurn).toBeLessThan(OLD_OUTPUT_LIMIT + 2000)
})

test('2,000 calls of one turn keep only a little of each', () => {
  const events = Array.from({ length: 200 }, (_, index) => [
    ...runsTool(`a${index}`, 'grep'),
    returns(`a${index}`, large),
  ])
  const chat = fold(timed([prompt('go'), ...events.flat()]))
  expect(sizeOf(chat)).toBeLessThan(40 * OUTPUT_LIMIT + 200 * (OLD_OUTPUT_LIMIT + 2000))
})

test('the newest 256 kB of results are kept in full, in many turns and in many calls of one', () => {
  const result = 'word '.repeat(1600)
  const call = (at: number): Told[] => [...runsTool(`a${at}`, 'grep'), returns(`a${at}`, result)]
  const numbers = Array.from({ length: 100 }, (_, at) => at)
  const chats = [
    fold(timed(numbers.flatMap(at => [prompt('go'), ...call(at), ended]))),
    fold(timed([prompt('go'), ...numbers.flatMap(call)])),
  ]
  for (const chat of chats) {
    const whole = callsOf(chat).map(({ omitted }) => omitted === null)
    const kept = whole.filter(Boolean).length
    expect(kept * result.length).toBeGreaterThan(200_000)
    expect(kept * result.length).toBeLessThan(262_144)
    expect(whole).toEqual(numbers.map(at => at >= 100 - kept))
  }
})

test('a conversation that is read in parts is shortened as one that was folded event by event', () => {
  const anyTurn = fc.array(fc.integer({ min: 0, max: 70_000 }), { maxLength: 4 })
  fc.assert(
    fc.property(
      fc.array(anyTurn, { maxLength: 60 }),
      fc.integer({ min: 1, max: 30 }),
      fc.nat(400),
      (turns, most, notes) => {
        const said = turns.flatMap((sizes, at) => [
          prompt('go'),
          ...sizes.flatMap((size, of) => [
            ...runsTool(`${at}-${of}`, 'grep'),
            returns(`${at}-${of}`, 'x'.repeat(size)),
          ]),
          ended,
        ])
        const noted = Array.from({ length: notes }, (): Told => ({ type: 'warning_raised', message: 'w' }))
        const events = timed([...said, ...noted, ...said]).flatMap(createImplied())
        const read = createFold(most)
        read.add(events)
        expect(read.chat()).toEqual(events.reduce(reduce, initialChat))
      },
    ),
    { numRuns: isLong ? 300 : 15 },
  )
})

test('the omitted text is restored from the events, as far as they exist', () => {
  const events = timed(
    Array.from({ length: 20 }, (_, index) => [
      prompt('go'),
      ...runsTool('0', 'write', { content: `${index}${linesOf(20_000)}` }),
      returns('0', `${index}${large}`),
      ended,
    ]).flat(),
  )
  const chat = fold(events)
  const whole = events.flatMap(createImplied()).reduce((state, event) => reduceWhole(state, event), initialChat)
  expect(shortenedCalls(chat)).toBe(20)
  expect(withoutMarks(withFullCalls(chat, events))).toEqual(withoutMarks(whole))
  expect(shortenedCalls(withFullCalls(chat, events.slice(0, events.length / 2)))).toBe(10)
  expect(withFullCalls(chat, [])).toEqual(chat)
})

test('a conversation without large results is never shortened', () => {
  fc.assert(
    fc.property(anyEvents, told => {
      const events = timed(told)
      const whole = events.flatMap(createImplied()).reduce((state, event) => reduceWhole(state, event), initialChat)
      expect(withoutMarks(withFullCalls(fold(events), events))).toEqual(withoutMarks(whole))
    }),
  )
})

/** Without what says how far shortening has come. */
function withoutMarks(chat: ChatState): unknown {
  return JSON.parse(
    JSON.stringify(chat, (key, value: unknown) =>
      key === 'aged' || key === 'kept' || key === 'argumentsText' ? 0 : value,
    ),
  )
}

test('a long change that an agent reports keeps what differs, and its counts', () => {
  const before = linesOf(20_000)
  const diff = [{ path: 'a', before, after: before.replace('line 9000\n', 'LINE\n') }]
  const turn = turnOf(...runsTool('a', 'edit', {}), { type: 'tool_described', id: 'a', diff }, returns('a', ''))
  const { diffs, omitted } = toolOf(turn, 'a')
  const told: Told = { type: 'tool_described', id: 'a', diff }
  const lines: Told = { type: 'edit_located', id: 'a', lines: [1] }
  expect(toolOf(turnOf(...runsTool('a', 'edit', {}), told, lines, returns('a', '')), 'a').hunkLines).toEqual([8997])
  expect(diffs[0]?.after).toBe('line 8997\nline 8998\nline 8999\nLINE\nline 9001\nline 9002\nline 9003')
  expect(omitted?.result).toMatchObject({ added: 0, removed: 0 })
  const made = [{ path: 'a', before: null, after: linesOf(20_000) }]
  const written = turnOf(
    ...runsTool('a', 'edit', {}),
    { type: 'tool_described', id: 'a', diff: made },
    returns('a', ''),
  )
  const kept = toolOf(written, 'a')
  expect((kept.diffs[0]?.after.split('\n').length ?? 0) - 1 + (kept.omitted?.result.added ?? 0)).toBe(20_000)
})
