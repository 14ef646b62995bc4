/** The way of events through the program: they are kept, folded, drawn, read in the viewer, exported and printed. */
import { expect } from 'vitest'
import { agentEventSchema } from '../../src/agent/event-schema.ts'
import type { AgentEvent } from '../../src/agent/event.ts'
import { initialChat, type ChatState } from '../../src/conversation/state.ts'
import { reduce } from '../../src/conversation/reduce.ts'
import { exported, exportFormats } from '../../src/export/formats.ts'
import { transcriptOfEvents } from '../../src/export/transcript.ts'
import { createTextWriter } from '../../src/print/text-writer.ts'
import { linesOfLive } from '../../components/regions.ts'
import { createScreen } from '../../components/screen/screen.ts'
import { slashCommands } from '../../src/commands/table.ts'
import { atEnd, createTranscriptReader } from '../../components/pages/transcript/reading.ts'
import { transcriptRows } from '../../components/pages/transcript/rows.ts'
import { initialTranscript } from '../../components/pages/transcript/state.ts'
import { rowsOfPage } from '../../components/pages/page-rows.ts'
import { stateWith, theme } from '../components/stage.ts'
import { textsOf } from '../helpers/lines.ts'

const sizes = [
  { columns: 100, rows: 40 },
  { columns: 20, rows: 5 },
]

/** The text of a value that an object inherited. */
export const INHERITED = /\[native code\]|\[object Object\]/

/** Draws the conversation after each of these events, on the screen and in the viewer. */
export function drawEach(events: readonly AgentEvent[], before: ChatState = initialChat): ChatState {
  return events.reduce((chat, event) => {
    const next = reduce(chat, event)
    expect(drawn(next)).not.toMatch(INHERITED)
    return next
  }, before)
}

/** The text of the conversation on the screen and in the viewer. */
export function drawn(chat: ChatState): string {
  const state = stateWith({ chat })
  return sizes
    .map(size => {
      const { committed, live } = createScreen(theme, () => slashCommands).draw(state, size)
      const context = { theme, size, keys: [] }
      const read = createTranscriptReader(nothingKept)
      const page = rowsOfPage(transcriptRows(read(atEnd(read(initialTranscript, state, context)), state, context)))
      return textsOf([...committed.flatMap(piece => piece.lines), ...linesOfLive(live), ...page]).join('\n')
    })
    .join('\n')
}

function* nothingKept(): Generator<undefined, null> {
  yield
  return null
}

/** All exports of the conversation, and what `-p` prints of it. */
export async function written(events: readonly AgentEvent[]): Promise<string> {
  const transcript = transcriptOfEvents(events, { id: 'a', title: '', folder: '/a' })
  const texts = await Promise.all(exportFormats.map(format => exported(transcript, format, { zone: 'UTC' })))
  const writer = createTextWriter({
    write: words => void texts.push(words),
    isTerminal: true,
    printNote: () => undefined,
  })
  events.reduce((chat, event) => {
    const next = reduce(chat, event)
    writer.onEvent(next, event)
    return next
  }, initialChat)
  writer.ended()
  return texts.join('\n')
}

/** Expects that each of them is an event, and that all of them go the whole way. Draws now and then, since they may be thousands. */
export async function expectCarried(events: readonly AgentEvent[]): Promise<void> {
  for (const event of events) expect(agentEventSchema.parse(event)).toEqual(event)
  const step = Math.ceil(events.length / 20)
  events.reduce((chat, event, index) => {
    const next = reduce(chat, event)
    if (index % step === 0 || index === events.length - 1) expect(drawn(next)).not.toMatch(INHERITED)
    return next
  }, initialChat)
  expect(await written(events)).not.toMatch(INHERITED)
}
