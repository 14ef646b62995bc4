/** The text on standard output and beside it, for each event. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../../src/agent/event.ts'
import { zotReducer } from '../conversation/events.ts'
import { initialChat } from '../../src/conversation/state.ts'
import { createTextWriter, type PrintedNote } from '../../src/print/text-writer.ts'
import {
  accepted,
  answered,
  answering,
  calls,
  ended,
  prompt,
  says,
  step,
  timed,
  type Told,
} from '../conversation/events.ts'

const stop = (stop: string, error?: string): Told => ({ type: 'step_ended', stop, ...(error && { error }) })
const finished = (id: string): Told => ({ type: 'tool_finished', id, failed: false, content: [] })
const noted = (message: string): Told => ({ type: 'extension_noted', extension: 'x', level: 'info', message })
const text = (words: string) => ({ type: 'text', text: words }) as const

const describeAside = (aside: PrintedNote): string => {
  if (aside.kind === 'tool') return `${aside.tool.name} ${aside.tool.state} ${aside.nested.length}`
  return aside.kind === 'notice' ? aside.notice.text : `withdrawn ${aside.retry}`
}

function written(told: readonly Told[], isTerminal = false): { out: string; asides: string[] } {
  let out = ''
  const asides: string[] = []
  const writer = createTextWriter({
    write: words => (out += words),
    isTerminal,
    printNote: aside => asides.push(describeAside(aside)),
  })
  const events: AgentEvent[] = timed([prompt('go'), accepted, ...told])
  const reduce = zotReducer()
  events.reduce((chat, event) => {
    const next = reduce(chat, event)
    writer.onEvent(next, event)
    return next
  }, initialChat)
  writer.ended()
  return { out, asides }
}

test.each([
  [true, 'Half a line\n'],
  [false, 'Half a line'],
])('a message on the terminal (%s) begins a line of its own', (isTerminal, expected) => {
  let out = ''
  const writer = createTextWriter({ write: words => (out += words), isTerminal, printNote: null })
  const reduce = zotReducer()
  timed([prompt('go'), accepted, step(1), answering, says('Half a line')]).reduce((chat, event) => {
    const next = reduce(chat, event)
    writer.onEvent(next, event)
    return next
  }, initialChat)
  writer.breakLine?.()
  writer.breakLine?.()
  expect(out).toBe(expected)
})

describe('printed text', () => {
  test('is unchanged, with one newline at the end', () => {
    expect(written([step(1), answering, says('\n\nHel'), says('lo\n'), says('you'), ended]).out).toBe('Hello\nyou\n')
    expect(written([step(1), answering, says('Hello\n'), ended]).out).toBe('Hello\n')
    expect(written([ended]).out).toBe('')
  })

  test('of two steps is separated by an empty line', () => {
    const first = [step(1), answering, says('One.'), answered(text('One.')), calls('a', 'read'), stop('tool_use')]
    const { out, asides } = written([...first, finished('a'), step(2), answering, says('\nTwo.'), ended])
    expect(out).toBe('One.\n\nTwo.\n')
    expect(asides).toEqual(['read ok 0'])
  })

  test('is written even if it was never streamed, or was replaced', () => {
    expect(written([step(1), answering, answered(text('All.')), ended]).out).toBe('All.\n')
    const replaced = written([step(1), answering, says('Mine.'), answered(text('Theirs.')), stop('end'), ended])
    expect(replaced).toEqual({ out: 'Mine.\n\nTheirs.\n', asides: ['withdrawn null'] })
  })

  test('that is withdrawn for a retry is followed by a note and the new text', () => {
    const failed = [step(1), answering, says('part'), answered(text('part')), stop('error', 'overloaded')]
    const { out, asides } = written([...failed, answering, says('whole'), answered(text('whole')), stop('end'), ended])
    expect({ out, asides }).toEqual({ out: 'part\n\nwhole\n', asides: ['withdrawn 2'] })
  })

  test('is sanitised for a terminal, and unchanged in a pipe', () => {
    const told = [step(1), answering, says('a\u001b[2'), says('Jb'), ended]
    expect(written(told, true).out).toBe('a␛[2Jb\n')
    expect(written(told).out).toBe('a\u001b[2Jb\n')
  })

  test('is the same in any chunks', () => {
    const words = fc.string({
      unit: fc.constantFrom('a', '1', '\n', '\r\n', '👩‍👩‍👧', '1\ufe0f\u20e3', 'e\u0301', '日', 'می\u200cخواهم'),
    })
    const cuts = fc.array(fc.nat(12), { maxLength: 8 })
    fc.assert(
      fc.property(words, cuts, fc.boolean(), (all, lengths, isTerminal) => {
        let rest = all
        const pieces = lengths.map(length => {
          const piece = rest.slice(0, length)
          rest = rest.slice(length)
          return says(piece)
        })
        const whole = written([step(1), answering, says(all), answered(text(all)), stop('end'), ended], isTerminal)
        const cut = [...pieces, says(rest)]
        expect(written([step(1), answering, ...cut, answered(text(all)), stop('end'), ended], isTerminal)).toEqual(
          whole,
        )
      }),
    )
  })
})

describe('standard error', () => {
  test('reports a tool once, when it and its nested calls are done', () => {
    const nested = [calls('a/1', 'read'), finished('a/1')]
    const told = [step(1), answering, calls('a', 'codemode'), stop('tool_use'), ...nested, finished('a'), step(2)]
    expect(written([...told, answering, says('done'), ended]).asides).toEqual(['codemode ok 1'])
  })

  test('reports notices in order', () => {
    expect(written([noted('one'), step(1), answering, says('a'), noted('two'), says('b'), ended])).toEqual({
      out: 'ab\n',
      asides: ['one', 'two'],
    })
  })
})
