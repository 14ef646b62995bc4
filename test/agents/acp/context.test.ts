/** Compactions that nobody asked for, and an agent that begins with a fresh context. */
import { expect, test } from 'vitest'
import { speakingAgent, type SpeakingAgent } from './speaking-agent.ts'

const go = { text: 'go', images: [] }
const used = (tokens: number) => ({ sessionUpdate: 'usage_update', used: tokens, size: 200_000 })
const compaction = (status: string) => ({ sessionUpdate: 'compaction_update', compactionId: 'c', status })
const said = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Done.' } }

/** An agent that has reported a context of 90,000 tokens, and sends these in its next turn. */
async function agentWith(...updates: object[]): Promise<SpeakingAgent> {
  const turns = [[used(90_000)], updates]
  const agent = speakingAgent({
    answers({ method }) {
      if (method === 'session/prompt') for (const update of turns.shift() ?? []) agent.say(update)
      return undefined
    },
  })
  agent.backend.startIn({ mode: 'allow', isChosen: true })
  await agent.backend.open()
  await agent.backend.prompt(go)
  return agent
}

const remarks = ({ told }: SpeakingAgent): string[] => told('remark_made').map(({ text }) => text)

const FRESH = 'The agent began with a fresh context: it does not remember what was said before.'

test('an agent that empties its context in a turn began with a fresh one', async () => {
  const agent = await agentWith(used(0), used(1000), said)
  await agent.backend.prompt(go)
  expect(remarks(agent)).toEqual([FRESH])
})

test.each<[string, object[]]>([
  ['after a compaction in the turn', [compaction('in_progress'), compaction('completed'), used(0)]],
  ['that only becomes smaller', [used(10)]],
])('a context %s is no fresh one', async (_case, updates) => {
  const agent = await agentWith(...updates)
  await agent.backend.prompt(go)
  expect(remarks(agent)).toEqual([])
})

test.each<[string, object[], string]>([
  ['with its tokens', [compaction('completed'), used(12_000)], ': 90k tokens became 12k'],
  ['without tokens that are not reported', [compaction('completed'), used(0)], ''],
  ['also if nothing follows', [compaction('in_progress'), compaction('completed')], ''],
])('a compaction between two turns is said to be one that nobody asked for, %s', async (_case, updates, tokens) => {
  const agent = await agentWith()
  for (const update of updates) agent.say(update)
  await expect.poll(() => remarks(agent)).toEqual([`The agent has compacted the conversation by itself${tokens}.`])
  await agent.backend.prompt(go)
  expect(remarks(agent)).toHaveLength(1)
})

test('a cost below zero is no cost: it would raise what may still be spent', async () => {
  const agent = await agentWith({ ...used(10), cost: { amount: -1, currency: 'USD' } })
  await agent.backend.prompt(go)
  expect(agent.told('context_reported').map(({ costUsd }) => costUsd)).toEqual([null, null])
})
