/** Faults of an agent of the Agent Client Protocol, in a process of its own: one clear line, nothing lost, nothing allowed. */
import { describe, expect, test } from 'vitest'
import { steerFaults, turnFaults } from './acp-faults.ts'
import { acpChaos } from './acp-start.ts'
import { testFailedStarts, testSurvivedStarts, testTurns } from './rpc-chaos.ts'

const start = acpChaos({ steer: 4000 })

testFailedStarts(start, [
  ['another version', /^fake speaks version 2 of the Agent Client Protocol, but zotui supports version 1$/],
  ['dies in the handshake', /^fake ended with exit code 7$/],
  ['exits with 3', /^fake ended with exit code 3: Error: no configuration$/],
  ['half a line', /^fake ended with exit code 0$/],
  ['is killed', /^fake was ended by SIGKILL/],
  ['refuses the handshake', /^fake did not start: the inner agent has ended$/],
  ['answers nonsense', /^fake answered initialize with something that cannot be read$/],
  ['no session', /^fake did not start: no disk$/],
  ['a session without an id', /^fake answered session\/new with something that cannot be read$/],
  ['wants a login', /^fake did not start: Authentication required$/],
  ['silent', /^fake did not answer initialize within 1 seconds$/],
])

testSurvivedStarts(start, ['a banner', 'floods stderr', 'early updates', 'answers to nobody', 'answers twice'])

testTurns(start, Object.keys(turnFaults))

test('a permission without options is answered "cancelled", and a line says so', async () => {
  const { backend, events, said } = start()
  await backend.open()
  await backend.prompt({ text: 'a permission without options', images: [] })
  expect(said()).toContain('{"outcome":{"outcome":"cancelled"}}')
  expect(events.find(({ type }) => type === 'call_refused')).toMatchObject({
    because: 'the agent asked without offering an answer',
  })
})

/** What is known of words with this fault, how often they are shown, and what the turn ends with. */
async function steered(name: string) {
  const chaos = start()
  const { backend, types, said, events } = chaos
  await backend.open()
  const turn = backend.prompt({ text: 'takes words', images: [] })
  await expect.poll(said).toContain('Before it. ')
  const { how } = await backend.steer({ id: 's-1', prompt: { text: name, images: [] } })
  await turn
  return { ...chaos, how, shown: types().filter(type => type === 'steer_delivered').length, last: events.at(-1) }
}

async function expectUsable({ backend, said }: ReturnType<typeof start>): Promise<void> {
  await backend.prompt({ text: 'hello', images: [] })
  expect(said()).toMatch(/You said: hello\.$/)
}

describe('words to the running turn', () => {
  /** What is known of them, and how often they are shown. */
  const known: Record<string, [how: string, shown: number]> = {
    'never answered': ['unknown', 0],
    'answered twice': ['delivered', 1],
    'answered after the end': ['delivered', 1],
    'answered with odd values': ['unknown', 0],
    'odd outcomes': ['unknown', 0],
    'an odd error': ['refused', 0],
    'a flood before the answer': ['delivered', 1],
  }

  test.each(Object.keys(known))('%s: their outcome is known, and the turn ends', async name => {
    const chaos = await steered(name)
    expect([chaos.how, chaos.shown]).toEqual(known[name])
    expect(chaos.said()).toMatch(/^Before it\. [^]*After it\.$/)
    expect(chaos.last?.type).toBe('turn_ended')
    await expectUsable(chaos)
  })

  test('to an agent that is killed with them on their way may have arrived', async () => {
    const chaos = await steered('killed with words on their way')
    expect([chaos.how, chaos.shown]).toEqual(['unknown', 0])
    await expect.poll(() => chaos.events.at(-1)).toMatchObject({ type: 'agent_ended', signal: 'SIGKILL' })
    await chaos.backend.open()
    await expectUsable(chaos)
  })

  test('have a row here for each of these faults', () => {
    const rows = [...Object.keys(known), 'killed with words on their way']
    expect(rows.toSorted()).toEqual(Object.keys(steerFaults).toSorted())
  })
})
