/** The notices of an agent. */
import { expect, test } from 'vitest'
import { speakingAgent } from './speaking-agent.ts'

const go = { text: 'go', images: [] }

/** The words for these notices, which come with each of two turns. */
async function told(...notices: object[]): Promise<string[]> {
  const agent = speakingAgent({
    answers({ method }) {
      if (method === 'session/prompt') for (const notice of notices) agent.say({ sessionUpdate: 'notice', ...notice })
      return undefined
    },
  })
  await agent.backend.open()
  const from = agent.events.length
  await agent.backend.prompt(go)
  await agent.backend.prompt(go)
  return agent.events.slice(from).flatMap(event => {
    if (event.type === 'warning_raised') return [`warning: ${event.message}`]
    return event.type === 'remark_made' ? [`${event.level}: ${event.text}`] : []
  })
}

test.each<[string, object, string]>([
  [
    'has its description after its title',
    { severity: 'warning', title: 'MCP server "web" failed to start', description: 'Its tools are unavailable.' },
    'warning: MCP server "web" failed to start. Its tools are unavailable.',
  ],
  [
    'has its description after a title that is a sentence',
    { severity: 'info', title: 'Stopped by user.', description: 'sleep 60' },
    'quiet: Stopped by user. sleep 60',
  ],
  ['may have no description', { severity: 'warning', title: 'No model', description: null }, 'warning: No model'],
  ['may have no title', { severity: 'info', title: ' ', description: 'It is so.' }, 'quiet: It is so.'],
])('a notice %s, and is told once in a session', async (_case, notice, line) => {
  expect(await told(notice)).toEqual([line])
})

test('a notice without words is not told, and an error is told each time', async () => {
  const error = { severity: 'error', title: 'It broke' }
  expect(await told({ severity: 'warning' }, error)).toEqual(['warning: It broke', 'warning: It broke'])
})

test('a notice with another description is another one', async () => {
  const one = { severity: 'warning', title: 'A server failed', description: 'One.' }
  expect(await told(one, { ...one, description: 'Two.' })).toEqual([
    'warning: A server failed. One.',
    'warning: A server failed. Two.',
  ])
})
