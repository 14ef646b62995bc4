/** The part of a conversation that is on the screen already when its holder sends it again. */
import { expect, test } from 'vitest'
import { entriesShown } from '../../../src/state/conversations/resent.ts'
import { accepted, answering, chatAfter, ended, prompt, says, step, stops } from '../../conversation/events.ts'

const turn = (words: string) => [prompt(words), accepted, step(1), answering, says(words), stops('end'), ended]
const begun = (words: string) => turn(words).slice(0, -2)
const lost = { type: 'agent_ended', code: null, signal: null, reason: 'lost', hint: '', expected: false } as const
const note = { type: 'remark_made', level: 'info', text: 'a note', hint: null, markdown: false } as const
const other = { ...note, text: 'another note' } as const
const cleared = { type: 'conversation_cleared' } as const

test.each([
  ['nothing was there', [], [...turn('one')], 0],
  ['nothing has happened since', [...turn('one')], [...turn('one')], 1],
  ['a note follows that is not there', [...turn('one')], [...turn('one'), note], 1],
  ['a note follows that is there', [...turn('one'), note], [...turn('one'), note], 2],
  ['another note follows than the one that is there', [...turn('one'), note], [...turn('one'), note, other], 2],
  ['notes follow a change that is there', [...turn('one'), cleared], [...turn('one'), cleared, note, other], 2],
  ['a turn has ended since', [...turn('one')], [...turn('one'), note, ...turn('two')], 1],
  ['the loss cut a turn off', [...turn('one'), ...begun('two'), lost], [...turn('one'), ...turn('two')], 1],
  ['the only turn was cut off', [...begun('one'), lost], [...turn('one')], 0],
  ['it went back to an earlier turn', [...turn('one'), ...turn('two')], [...turn('one'), note], 1],
] as const)('%s', (_name, before, after, shown) => {
  expect(entriesShown(chatAfter(...before), chatAfter(...after))).toBe(shown)
})
