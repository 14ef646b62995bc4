/** A text of an agent, a session or a question may be a name that every object inherits: it is a text like any other. */
import { expect, test } from 'vitest'
import { agentEventSchema } from '../../src/agent/event-schema.ts'
import type { AgentEvent } from '../../src/agent/event.ts'
import { offeredAnswers } from '../../src/app/permissions/agent-options.ts'
import { initialChat } from '../../src/conversation/state.ts'
import { reduce } from '../../src/conversation/reduce.ts'
import { stopWords } from '../../src/conversation/queries/stop-words.ts'
import { fullest } from '../helpers/fullest.ts'
import { eachWithInheritedName, inheritedNames } from '../helpers/inherited-names.ts'
import { drawEach, drawn, INHERITED, written } from './carried.ts'
import { accepted, calls, chatAfter, ended, prompt, says, started, timed } from './events.ts'

test.each(inheritedNames)('the stop reason %s is said as it is', name => {
  expect(stopWords(name)).toBe(`The agent stopped: ${name.replaceAll('_', ' ')}.`)
  const chat = chatAfter(started, prompt('go'), accepted, says('Hm'), { type: 'turn_ended', stop: name })
  expect(chat.entries.at(-1)).toMatchObject({ outcome: 'done', stopReason: name })
  expect(drawn(chat)).toContain(`The agent stopped:`)
})

test.each(inheritedNames)('an answer of the kind %s has no letter and no meaning', kind => {
  const { answers } = offeredAnswers([{ id: 'a', name: 'Yes', kind }])
  expect(answers).toEqual([{ id: 'a', label: 'Yes', detail: '', move: null, isWhole: true }])
})

/** An event of each kind with every field that it may have. */
const samples = agentEventSchema.options.map(option => [option.shape.type.value, fullest(option)] as const)

test.each(samples)('the sample of %s is one', (_type, events) => {
  for (const event of events) expect(agentEventSchema.parse(event)).toEqual(event)
})

const opening = timed([started, prompt('go'), accepted, says('Hm'), calls('x', 'x', { command: 'ls' })])
const closing = timed([{ type: 'tool_started', id: 'x' }, ended], 10_000)

test.each(samples)('%s: every text and every object in it may have such a name', async (_type, events) => {
  const changed = events.flatMap(event => eachWithInheritedName(event).flatMap(asEvent))
  const chat = opening.reduce(reduce, initialChat)
  for (const event of changed) drawEach([event, ...closing], chat)
  expect(await written(changed.flatMap(event => opening.concat(event, closing)))).not.toMatch(INHERITED)
})

/** Itself, unless it is none any more: its type is another, or a choice of ours. */
function asEvent(value: unknown): AgentEvent[] {
  const read = agentEventSchema.safeParse(value)
  return read.success ? [read.data] : []
}
