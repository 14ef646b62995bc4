/** The working line of an agent whose subagents work. */
import { expect, test } from 'vitest'
import { workingLine } from '../../../components/working/rows.ts'
import { createTheme } from '../../../src/style/theme.ts'
import { accepted, calls, chatAfter, prompt, text, type Told } from '../../conversation/events.ts'
import { withChat } from '../stage.ts'

const finder: Told = { type: 'task_reported', id: 'a', kind: 'subagent', name: 'finder', state: 'running' }
const says: Told = { type: 'text_received', text: 'I go on.' }
const thinks: Told = { type: 'thought_received', text: 'Hm' }

/** Half a minute after the last event of the agent, which come a second apart. `before`: how many of the events were its own. */
function line(before: number, ...events: readonly Told[]): string {
  const lastEventAt = before * 1000
  const state = withChat(chatAfter(...events), { lastEventAt, now: lastEventAt + 30_000 })
  return workingLine(state, createTheme(0), 120)?.text ?? ''
}

test('waits for a subagent if the agent has answered and holds its turn open', () => {
  const held = line(4, prompt('go'), accepted, finder, says)
  expect(held).toContain('waiting for finder')
  expect(held).not.toContain('kills it')
})

test('waits for a subagent whose call is the last that the agent did', () => {
  expect(line(2, prompt('go'), accepted, finder)).toContain('waiting for finder')
})

test('does not wait for a subagent while the agent waits for its model: that is said, with the key that kills', () => {
  const thinking = line(4, prompt('go'), accepted, finder, thinks)
  expect(thinking).toMatch(/no output for 30s.*1 agent.*kills it/)
  const ran: Told = { type: 'tool_finished', id: 'c', failed: false, content: [text('ok')] }
  const asked = line(5, prompt('go'), accepted, finder, calls('c', 'read'), ran)
  expect(asked).toMatch(/waiting for (?:the )?model.*kills it/)
  expect(asked).not.toContain('finder')
})
