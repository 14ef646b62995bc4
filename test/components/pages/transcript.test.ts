/** Reading a conversation: what is seen of it, whatever came and whatever keys were pressed. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  zotReducer,
  accepted,
  answered,
  answering,
  chatAfter,
  ended,
  fold,
  prompt,
  returns,
  runsTool,
  says,
  started,
  step,
  stops,
  text,
  timed,
  type Told,
} from '../../conversation/events.ts'
import { initialChat, type ChatState } from '../../../src/conversation/state.ts'
import type { ToolCall } from '../../../src/conversation/part.ts'
import { wholeCall } from '../../../src/conversation/queries/session/full-transcript.ts'
import { displayWidth } from '../../../src/text/lines/width.ts'
import { transcriptRows } from '../../../components/pages/transcript/rows.ts'
import { rowsOfPage } from '../../../components/pages/page-rows.ts'
import type { ReadCall } from '../../../components/pages/transcript/document/output-loader.ts'
import { afterSeeking, takesText, transcriptAfter } from '../../../components/pages/transcript/moves.ts'
import {
  atEnd,
  chosenSource,
  createTranscriptReader,
  type TranscriptReading,
} from '../../../components/pages/transcript/reading.ts'
import { anyEvents } from '../../conversation/arbitrary-events.ts'
import { theme, withChat } from '../stage.ts'
import { textsOf } from '../../helpers/lines.ts'
import {
  initialTranscript,
  type TranscriptMove,
  type TranscriptState,
} from '../../../components/pages/transcript/state.ts'
import { aPartOf } from '../../helpers/length.ts'

/** A session that has nothing. */
function* nowhere(): ReturnType<ReadCall> {
  yield
  return null
}

type Reading = {
  see: (chat: ChatState) => string[]
  press: (...moves: readonly TranscriptMove[]) => string[]
  type: (words: string) => string[]
  /** Does a small part of the background work. */
  step: () => boolean
  /** Does all that is left to do. */
  work: () => string[]
  source: () => ReturnType<typeof chosenSource>
}

function read(first: ChatState, size = { columns: 60, rows: 12 }, call: ReadCall = nowhere): Reading {
  const context = { theme, size, keys: [] }
  const reader = createTranscriptReader(call)
  let app = withChat(first)
  let state = initialTranscript
  const now = (): TranscriptReading => reader(state, app, context)
  const rows = (): string[] => textsOf(rowsOfPage(transcriptRows(now())))
  const move = (next: TranscriptState | null): string[] => {
    if (next) state = next
    return rows()
  }
  const step = (): boolean => {
    move(afterSeeking(now()))
    const { search, document } = now()
    return search?.step(document) || document.prepare()
  }
  move(atEnd(now()))
  return {
    see(chat) {
      app = { ...app, chat }
      return rows()
    },
    press(...moves) {
      for (const each of moves) move(transcriptAfter(now(), { kind: 'move', move: each }))
      return rows()
    },
    type(words) {
      for (const letter of words) if (takesText(state)) move(transcriptAfter(now(), { kind: 'text', text: letter }))
      return rows()
    },
    step,
    work() {
      while (step());
      return rows()
    },
    source: () => chosenSource(now()),
  }
}

const lines = (count: number): string => Array.from({ length: count }, (_, index) => `- line ${index + 1}`).join('\n')
const asks = (words: string): Told[] => [prompt(words), accepted, step(1), answering]
const answers = (words: string): Told[] => [says(words), answered(text(words)), stops('end'), ended]
const talk = (count: number): Told[] => [...asks('go on'), ...answers(lines(count))]

test('a preview folds when it is cancelled in the turn that goes on', () => {
  const preview: Told = {
    type: 'remark_made',
    level: 'info',
    text: 'would change',
    hint: null,
    markdown: true,
    isPreview: true,
  }
  const cancelled: Told = { ...preview, text: 'Cancelled.', markdown: false, details: 'would change', cancels: true }
  const { isPreview: _, ...cancels } = cancelled
  const begun = [started, ...asks('go on'), preview, says('One.\n\nTwo.')]
  const reading = read(chatAfter(...begun))
  expect(reading.work().join('\n')).toContain('would change')
  const after = reading.see(chatAfter(...begun, cancels)).join('\n')
  expect(after).toContain('Cancelled.')
  expect(after.split('would change')).toHaveLength(2)
  expect(after.indexOf('would change')).toBeGreaterThan(after.indexOf('Cancelled.'))
  expect(reading.work().join('\n').split('would change')).toHaveLength(2)
})

describe('following the end', () => {
  const begun = [started, ...asks('count'), says(lines(50))]

  test('shows new output', () => {
    const reading = read(chatAfter(...begun))
    expect(reading.see(chatAfter(...begun)).join('\n')).toContain('line 50')
    const more = chatAfter(...begun, says('\n- line 51'))
    expect(reading.see(more).join('\n')).toContain('line 51')
  })

  test('shows what the agent writes while an earlier call still runs', () => {
    const runs = [
      started,
      ...asks('serve it'),
      ...runsTool('a', 'bash', { command: 'npm run dev' }),
      step(2),
      answering,
    ]
    const reading = read(chatAfter(...runs))
    expect(reading.see(chatAfter(...runs, says('It **serves**.\n\nI look'))).join('\n')).toMatch(
      /npm run dev[^]* It serves\.[^]* I look/,
    )
  })

  test('stops with the first row up, and announces new output', () => {
    const reading = read(chatAfter(...begun))
    reading.work()
    const before = reading.press('up')
    expect(before.at(-1)).not.toContain('new below')
    const after = reading.see(chatAfter(...begun, says('\n\nand more\n')))
    expect(after.slice(0, -1)).toEqual(before.slice(0, -1))
    expect(after.at(-1)).toContain('new below')
    expect(reading.press('bottom').at(-1)).not.toContain('new below')
  })
})

describe('the list of turns', () => {
  test('has columns of numbers, calls and times', () => {
    const turns = Array.from({ length: 11 }, (_, index) => [
      ...asks(`ask ${index + 1}`),
      ...Array.from({ length: index % 3 === 0 ? 0 : index }, (_call, call) => runsTool(`${index}/${call}`, 'x')).flat(),
      ...answers('# A heading'),
    ]).flat()
    const reading = read(chatAfter(started, ...turns), { columns: 60, rows: 30 })
    reading.work()
    const rows = reading
      .press('turns')
      .slice(1, -1)
      .filter(row => row.trim() !== '')
    const prompts = rows.filter(row => row.includes('ask '))
    expect(prompts).toHaveLength(11)
    const column = (words: RegExp): number[] => [
      ...new Set(prompts.flatMap(row => (words.test(row) ? [row.search(words)] : []))),
    ]
    expect(column(/ask/)).toHaveLength(1)
    // Both end in the same columns, whatever is before them.
    expect(new Set(prompts.map(displayWidth)).size).toBe(1)
    const ends = prompts.flatMap(row => {
      const found = /tools?/.exec(row)
      return found ? [found.index + found[0].length] : []
    })
    expect(ends.length).toBeGreaterThan(3)
    expect(new Set(ends).size).toBe(1)
    // Headings stand below the words of their prompt.
    expect(rows.find(row => row.includes('A heading'))?.indexOf('A heading')).toBe(column(/ask/)[0])
  })
})

describe('any conversation and keys', () => {
  const moves: readonly TranscriptMove[] = [
    'up',
    'down',
    'page_up',
    'page_down',
    'half_up',
    'half_down',
    'top',
    'bottom',
    'next_block',
    'previous_block',
    'next_prompt',
    'previous_prompt',
    'toggle',
    'toggle_all',
    'next_match',
    'previous_match',
    'turns',
    'search',
    'help',
    'leave',
    'erase',
  ]
  const step = fc.oneof(
    fc.record({ kind: fc.constant('move' as const), move: fc.constantFrom(...moves) }),
    fc.record({ kind: fc.constant('type' as const), words: fc.constantFrom('a', 'the', 'line', '1') }),
    fc.record({ kind: fc.constant('say' as const), events: fc.nat(12) }),
    fc.record({ kind: fc.constant('work' as const) }),
  )

  test('give a page of the height of the terminal, no row too wide, and reach the last row', () => {
    const property = fc.property(
      anyEvents,
      fc.array(step, { maxLength: 40 }),
      fc.integer({ min: 1, max: 90 }),
      (events, steps, columns) => {
        let told = 0
        const size = { columns, rows: 9 }
        const reading = read(fold([]), size)
        const check = (rows: readonly string[]): void => {
          expect(rows).toHaveLength(size.rows)
          for (const row of rows) expect(displayWidth(row)).toBeLessThanOrEqual(columns)
        }
        for (const each of steps) {
          if (each.kind === 'move') check(reading.press(each.move))
          else if (each.kind === 'type') check(reading.type(each.words))
          else if (each.kind === 'work') check(reading.work())
          else check(reading.see(fold(timed(events.slice(0, (told += each.events))))))
        }
      },
    )
    fc.assert(property, aPartOf(150))
  })
})

describe('scrolling', () => {
  test('shows every row once, in the order of the scrollback', () => {
    const chat = chatAfter(started, ...talk(120), ...talk(30))
    const reading = read(chat)
    reading.work()
    const seen: string[] = reading.press('top').slice(0, -1)
    for (let page = 0; page < 400; page += 1) {
      const rows = reading.press('down').slice(0, -1)
      if (rows.join() === seen.slice(-rows.length).join()) break
      seen.push(rows.at(-1) ?? '')
    }
    const said = seen.map(row => /line \d+/.exec(row)?.[0]).filter(Boolean)
    const both = [120, 30].flatMap(count => Array.from({ length: count }, (_, index) => `line ${index + 1}`))
    expect(said).toEqual(both)
  })

  test('keeps its place while rows above are counted', () => {
    const reading = read(chatAfter(started, ...talk(500), ...talk(500), ...talk(500)))
    const before = reading.press('page_up').slice(0, -1)
    expect(reading.work().slice(0, -1)).toEqual(before)
  })

  test('reports every change of the counts', () => {
    const reading = read(chatAfter(started, ...talk(3)))
    while (reading.step());
    expect(reading.press('toggle').at(-1)).toContain('counting')
    expect(reading.step()).toBe(true)
    expect(reading.press().at(-1)).toMatch(/line \d+ of/)
  })

  test('counts the rows', () => {
    const reading = read(chatAfter(started, ...talk(40)))
    expect(reading.work().at(-1)).toMatch(/line (\d+) of \1 {3}100 %/)
  })
})

describe('output that is not in memory', () => {
  const output = Array.from({ length: 9000 }, (_, index) => `printed ${index + 1}`).join('\n')
  const answer = `$ print\n\n${output}\n\n[exit 0]  Took 0.1s`
  const events = timed([
    started,
    prompt('go'),
    accepted,
    step(1),
    ...runsTool('a', 'bash', { command: 'print' }),
    returns('a', answer),
    ended,
  ])
  const chat = events.reduce(zotReducer(), initialChat)

  /** A session's file in two pieces. */
  function* inFile(tool: ToolCall): ReturnType<ReadCall> {
    yield
    return wholeCall(tool, events)
  }

  const open = (call: ReadCall): Reading => {
    const reading = read(chat, { columns: 60, rows: 30 }, call)
    reading.work()
    reading.press('top', 'next_block')
    return reading
  }

  test('is read back in full when it is shown', () => {
    const reading = open(inFile)
    reading.press('toggle')
    const seen = reading.work()
    for (let page = 0; page < 400; page += 1) seen.push(...reading.press('page_down'))
    for (const line of ['printed 1', 'printed 4500', 'printed 9000']) {
      expect(seen.filter(row => row.trim().replace(/^┃\s*/, '') === line).length).toBeGreaterThan(0)
    }
    expect(reading.source()?.text).toBe(output)
  })

  test('is shown by its two ends and a note if its file is gone', () => {
    const reading = open(nowhere)
    reading.press('toggle')
    reading.work()
    const rows: string[] = []
    for (let page = 0; page < 400; page += 1) rows.push(...reading.press('page_down'))
    expect(rows.join('\n')).toContain('printed 9000')
    expect(rows.join('\n')).not.toContain('printed 4500')
    expect(rows.join('\n')).toContain("and not in this session's file")
    reading.press('previous_block', 'previous_block', 'previous_block', 'previous_block', 'next_block')
    expect(reading.source()?.what).toBe('the output of bash, as far as this session has it')
  })

  test('is not read before it is shown', () => {
    let reads = 0
    const later = timed([...events, ...talk(100)]).reduce(zotReducer(), initialChat)
    const reading = read(later, { columns: 60, rows: 10 }, tool => {
      reads += 1
      return inFile(tool)
    })
    reading.press('bottom', 'toggle_all')
    reading.work()
    expect(reads).toBe(0)
  })

  test('is released when it is closed', () => {
    const reading = open(inFile)
    reading.press('toggle')
    reading.work()
    expect(reading.press('toggle').join('\n')).toContain('lines')
    reading.press('toggle')
    expect(reading.work().at(-1)).toMatch(/of 9\d{3}/)
  })
})

test('words to the running turn are copied as they were said, and have a row in the outline', () => {
  const steered: Told = { type: 'steer_delivered', id: 's', text: 'use **tabs**\nonly', images: [] }
  const turn = [started, prompt('format it'), accepted, step(1), ...runsTool('a', 'bash', { command: 'make' })]
  const reader = read(
    chatAfter(...turn, returns('a', 'ok'), steered, step(2), answered(text('Done.')), stops('end'), ended),
  )
  reader.work()
  reader.press('previous_block')
  expect(reader.source()).toMatchObject({ text: 'use **tabs**\nonly', what: 'what you said' })
  expect(reader.press('turns').join('\n')).toMatch(/1 {2}format it[\s\S]*use \*\*tabs\*\*.*steers/)
})
