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
    { severity: 'warning', title: 'The model is slow', description: 'Another one answers.' },
    'warning: The model is slow. Another one answers.',
  ],
  [
    'has its description after a title that is a sentence',
    { severity: 'info', title: 'Stopped by user.', description: 'sleep 60' },
    'quiet: Stopped by user. sleep 60',
  ],
  ['may have no description', { severity: 'warning', title: 'No model', description: null }, 'warning: No model'],
  ['may have no title', { severity: 'info', title: ' ', description: 'It is so.' }, 'quiet: It is so.'],
])('a notice %s, and is reported once in a session', async (_case, notice, line) => {
  expect(await told(notice)).toEqual([line])
})

test('a notice without words is not reported, and an error is reported each time', async () => {
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

const CANCELLED = 'Info: Operation cancelled by user'
const asked = { sessionUpdate: 'usage_update', used: 1, size: 10 }
const says = (text: string) => ({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } })
const called = { sessionUpdate: 'tool_call', toolCallId: 'call', title: 'ls', kind: 'execute', status: 'pending' }
const endedWith = (rawOutput: object) => ({ ...called, sessionUpdate: 'tool_call_update', status: 'failed', rawOutput })
const refused = endedWith({ message: 'The user rejected this tool call.', code: 'rejected' })

/** The text and the notices of a turn of Copilot. */
async function toldByCopilot(...updates: object[]): Promise<string[]> {
  const agent = speakingAgent({
    known: 'copilot',
    answers({ method }) {
      if (method === 'session/prompt') for (const update of updates) agent.say(update)
      return undefined
    },
  })
  agent.backend.startIn({ mode: 'allow', isChosen: true })
  await agent.backend.open()
  const from = agent.events.length
  await agent.backend.prompt(go)
  return agent.events.slice(from).flatMap(event => {
    if (event.type === 'text_received') return [`text: ${event.text}`]
    return event.type === 'remark_made' ? [`notice: ${event.text}`] : []
  })
}

test('what Copilot itself says after a refused call is a notice', async () => {
  expect(await toldByCopilot(asked, called, refused, says(CANCELLED))).toEqual(['notice: Operation cancelled by user'])
})

test.each<[string, object[], string[]]>([
  ['is all that its model answers', [asked, says(CANCELLED)], [CANCELLED]],
  ['is what its model answers to the refusal', [asked, called, refused, asked, says(CANCELLED)], [CANCELLED]],
  ['follows a call that failed', [asked, called, endedWith({ code: 'failure' }), says(CANCELLED)], [CANCELLED]],
  ['goes on', [asked, called, refused, says(CANCELLED), says(', it said.')], [`${CANCELLED}, it said.`]],
  ['stands in a longer text', [asked, called, refused, says(`${CANCELLED}, it said.`)], [`${CANCELLED}, it said.`]],
  ['is not the end of the turn', [asked, called, refused, says(CANCELLED), asked, says('Well.')], [CANCELLED, 'Well.']],
])('the same words are an answer of Copilot if the text %s', async (_case, updates, texts) => {
  expect(await toldByCopilot(...updates)).toEqual(texts.map(text => `text: ${text}`))
})
