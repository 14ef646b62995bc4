/** The program goes on, whatever an agent writes: from bytes through the client and the conversation to the screen. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AgentEvent } from '../../src/agent/event.ts'
import { slashCommands } from '../../src/commands/table.ts'
import { reduce } from '../../src/conversation/reduce.ts'
import { isBusy, type AppState } from '../../src/state/state.ts'
import { linesOfLive } from '../../components/regions.ts'
import { createScreen } from '../../components/screen/screen.ts'
import { createLineSplitter } from '../../src/agents/transport/lines.ts'
import { anyEvent, cuts, inPieces } from '../conversation/arbitrary-events.ts'
import { outputOf, readRecordings } from '../helpers/recording.ts'
import { inheritedNames } from '../helpers/inherited-names.ts'
import { runs } from '../helpers/length.ts'
import { stateWith, theme } from '../components/stage.ts'
import { hi, openStage, type ScriptedZot } from '../agents/zot/scripted-zot.ts'
import { textsOf } from '../helpers/lines.ts'

const recorded = [...new Set(readRecordings().flatMap(outputOf))].filter(line => line.length < 2000)
const frame = fc.constantFrom(...recorded)

/** A real frame with a byte of it changed, taken out or put in. */
const damaged = fc
  .tuple(frame, fc.nat(), fc.nat({ max: 2 }), fc.nat({ max: 255 }))
  .map(([line, place, length, byte]) => {
    const bytes = Buffer.from(line)
    const at = place % bytes.length
    return Buffer.concat([bytes.subarray(0, at), Buffer.from([byte]), bytes.subarray(at + length)])
  })

/** A real frame with a value that makes no sense in any of its fields. */
const senseless = fc
  .tuple(frame, fc.nat(), fc.oneof(fc.jsonValue(), fc.constantFrom(...inheritedNames)))
  .map(([line, place, value]) => {
    const fields = Object.entries(JSON.parse(line) as object)
    const index = place % fields.length
    return Buffer.from(
      JSON.stringify(Object.fromEntries(fields.map(([key, old], at) => [key, at === index ? value : old]))),
    )
  })

const line: fc.Arbitrary<Uint8Array> = fc.oneof(
  frame.map(text => Buffer.from(text)),
  damaged,
  senseless,
  fc.uint8Array({ maxLength: 60 }),
  fc
    .string({ unit: 'binary', maxLength: 40 })
    .map(text => Buffer.from(JSON.stringify({ type: 'text_delta', delta: text }))),
)
const output = fc
  .array(fc.tuple(line, fc.constantFrom('\n', '\n', '\n', '\r\n', '')), { maxLength: 12 })
  .map(lines => Buffer.concat(lines.flatMap(([bytes, end]) => [bytes, Buffer.from(end)])))

/** Writes bytes as a pipe brings them: cut anywhere. */
function writer({ far }: ScriptedZot) {
  const splitter = createLineSplitter({ onLine: text => far.write(text) })
  return (bytes: Buffer, lengths: readonly number[] = [bytes.length || 1]): void => {
    for (const piece of inPieces([...bytes], lengths)) splitter.push(Buffer.from(piece))
  }
}

const unsafe = /[\0-\x08\x0b-\x1f\x7f-\x9f]/

function expectDrawn(state: AppState): void {
  for (const size of [
    { columns: 80, rows: 24 },
    { columns: 3, rows: 2 },
  ]) {
    const screen = createScreen(theme, () => slashCommands)
    const { committed, live } = screen.draw(state, size)
    const lines = [...committed.flatMap(piece => piece.lines), ...linesOfLive(live)]
    expect(textsOf(lines).join('\n')).not.toMatch(unsafe)
  }
}

const told = (state: AppState, event: AgentEvent): AppState => ({ ...state, chat: reduce(state.chat, event) })

test('any bytes on standard output cause no exception, no hang and nothing harmful on the screen', async () => {
  await fc.assert(
    fc.asyncProperty(output, cuts, async (bytes, lengths) => {
      const stage = await openStage()
      const { backend, zot, events } = stage
      const write = writer(zot)
      const turn = backend.prompt(hi)
      zot.reply(await zot.next('prompt'), { started: true })
      write(bytes, lengths)
      write(Buffer.from('\n{"type":"done"}\n'))
      await turn
      const during = events.reduce(told, stateWith())
      expectDrawn(during)
      expect(isBusy(during)).toBe(false)

      const next = backend.prompt(hi)
      zot.reply(await zot.next('prompt'), { started: true })
      write(bytes, lengths)
      zot.far.end({ code: 3 })
      await next
      const after = events.reduce(told, stateWith())
      expectDrawn(after)
      expect(isBusy(after)).toBe(false)
    }),
    runs(300),
  )
})

test('any bytes in place of a greeting let the start end', async () => {
  await fc.assert(
    fc.asyncProperty(output, cuts, async (bytes, lengths) => {
      const stage = await openStage({ handshake: {}, limits: { hello: 1, closeExit: 1 } })
      writer(stage.zot)(bytes, lengths)
      await stage.backend.close()
      expect(isBusy(stage.events.reduce(told, stateWith()))).toBe(false)
    }),
    runs(300),
  )
})

test('a clock that jumps is survived: any times in any order are drawn', () => {
  const time = fc.oneof(fc.integer({ min: -1e12, max: 1e13 }), fc.constantFrom(0, 8.64e15, -1))
  fc.assert(
    fc.property(fc.array(fc.tuple(anyEvent, time), { maxLength: 30 }), time, (events, now) => {
      const state = events.map(([event, at]): AgentEvent => ({ ...event, at })).reduce(told, stateWith())
      expectDrawn({ ...state, now })
    }),
    runs(200),
  )
})
