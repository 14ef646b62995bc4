/** What is said before the agent has answered, when the header is not printed yet. */
import { expect, test } from 'vitest'
import { createScreen } from '../../../components/screen/screen.ts'
import { reduceApp } from '../../../src/state/reduce.ts'
import { accepted, chatAfter, prompt, started } from '../../conversation/events.ts'
import { textsOf } from '../../helpers/lines.ts'
import { commands, theme, withChat } from '../stage.ts'

const size = { columns: 80, rows: 24 }
const starting = { type: 'agent_starting', agent: 'zot' } as const
const notice = { type: 'remark_made', level: 'info', text: 'It runs commands.', hint: null, markdown: false } as const

const waits = chatAfter(prompt('go'), accepted, starting)
const answers = chatAfter(prompt('go'), accepted, starting, started)

test.each([
  ['and the agent answers later', false],
  ['at the moment when the agent answers', true],
])('is printed once below the header if a session is opened before that, %s', (_when, isReady) => {
  const screen = createScreen(theme, () => commands)
  const before = withChat(chatAfter(starting, { ...notice, aside: true }))
  screen.draw(before, size)
  const opened = reduceApp(before, { type: 'session_restored', chat: isReady ? answers : waits })
  screen.draw(opened, size)
  const { committed } = screen.draw({ ...opened, chat: answers }, size)
  const printed = textsOf(committed.flatMap(({ lines }) => lines)).join('\n')
  expect(printed.split('It runs commands.')).toHaveLength(2)
  expect(printed.indexOf('It runs commands.')).toBeLessThan(printed.indexOf('go'))
  expect(printed).toContain('go')
})
