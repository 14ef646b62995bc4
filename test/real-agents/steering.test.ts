/** Words to the running turn of a real agent: where they take effect, and that its model reads them once. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { AgentEvent } from '../../src/agent/event.ts'
import { hold, reply } from '../helpers/model.ts'
import { converse, onRealAgents, sent, type Conversation } from './converse.ts'

const WORDS = 'leave the parser alone'
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const steer = (talk: Conversation, text = WORDS, id = 's-1') => talk.backend.steer({ id, prompt: { text, images: [] } })
const timesIn = (text: string, words = WORDS): number => text.split(words).length - 1

/** What was said in the order in which it is shown. */
const saidIn = (events: readonly AgentEvent[]): string[] =>
  events.flatMap(event =>
    event.type === 'text_received' ? [event.text] : event.type === 'steer_delivered' ? [`you: ${event.text}`] : [],
  )

async function allow(talk: Conversation, from: number): Promise<void> {
  const request = await talk.until('permission_requested', () => true, from)
  const option = request.options?.find(({ kind }) => kind === 'allow_once')
  talk.backend.answerPermission(request.id, { answer: 'option', option: option?.id ?? '' })
}

onRealAgents('words to the running turn', agent => {
  test('end a text in its middle, of which what was said stays, and are answered in the same turn', async () => {
    const talk = await converse(agent, [
      reply().text('It begins. ').wait(hold()).text('Never said.'),
      reply().text('As you wish.'),
      reply().text('Here again.'),
    ])
    expect(talk.backend.abilities.has('steer')).toBe(true)
    const turn = talk.turn('talk at length')
    await talk.until('text_received')
    expect(await steer(talk)).toEqual({ how: 'delivered' })
    const { events, ended } = await turn
    expect(saidIn(events)).toEqual(['It begins. ', `you: ${WORDS}`, 'As you wish.'])
    expect(ended?.stop).toBeUndefined()
    expect(events.filter(({ type }) => type === 'retry_announced')).toEqual([])
    expect(timesIn(sent(await talk.model.request(2)))).toBe(1)
    expect((await talk.turn('are you there')).text).toBe('Here again.')
  })

  test('during a command are answered once that has ended, or was moved to the background with a word of that', async () => {
    const talk = await converse(agent, [
      reply().tool(...agent.shell('touch begun; sleep 9; echo $((40 + 2)) over')),
      reply().text('As you wish.'),
      reply().text('It has ended.'),
    ])
    const from = talk.events.length
    const turn = talk.turn('run it')
    await allow(talk, from)
    await expect.poll(() => existsSync(path.join(talk.home.project, 'begun')), { timeout: 10_000 }).toBe(true)
    expect(await steer(talk)).toEqual({ how: 'delivered' })
    const { events } = await turn
    expect(saidIn(events).slice(0, 2)).toEqual([`you: ${WORDS}`, 'As you wish.'])
    expect(timesIn(sent(await talk.model.request(2)))).toBe(1)
    const finished = events.find(event => event.type === 'tool_finished')
    expect(finished).toMatchObject({ failed: false })
    expect(JSON.stringify(finished)).toMatch(agent.name === 'claude' ? /background/i : /42 over/)
    // The end of a command in the background begins a turn of Claude's own.
    if (agent.name === 'claude') await talk.model.request(3)
  })

  test('while a permission waits do not answer it', async () => {
    const talk = await converse(agent, [
      reply().tool(...agent.shell('echo $((40 + 2)) over; touch ran')),
      reply().text('It ran. '),
      reply().text('As you wish.'),
    ])
    const from = talk.events.length
    const turn = talk.turn('run it')
    await talk.until('permission_requested', () => true, from)
    expect(await steer(talk)).toEqual({ how: 'delivered' })
    expect(talk.told('permission_decided')).toEqual([])
    await allow(talk, from)
    const { text, events } = await turn
    expect(text).toMatch(/^It ran\. /)
    const finished = events.find(event => event.type === 'tool_finished')
    expect(JSON.stringify(finished)).toContain('42 over')
    const requests = talk.model.requests.map(sent).filter(body => timesIn(body) > 0)
    expect(requests.length).toBeGreaterThan(0)
    expect(new Set(requests.map(body => timesIn(body)))).toEqual(new Set([1]))
  })

  test('bring images', async () => {
    const talk = await converse(agent, [reply().text('It begins. ').wait(hold()), reply().text('I see.')])
    const turn = talk.turn('talk at length')
    await talk.until('text_received')
    const images = [{ mimeType: 'image/png', data: png }]
    expect(await talk.backend.steer({ id: 's-1', prompt: { text: 'look at this', images } })).toEqual({
      how: 'delivered',
    })
    const { text } = await turn
    expect(text).toBe('It begins. I see.')
    expect(sent(await talk.model.request(2))).toContain(png.slice(0, 60))
    expect(talk.told('steer_delivered')).toMatchObject([{ images: [{ mimeType: 'image/png' }] }])
  })

  test('to an idle agent are over, and reach no model', async () => {
    const talk = await converse(agent, [reply().text('Hello.')])
    expect(await steer(talk)).toEqual({ how: 'over' })
    await talk.turn('say hello')
    expect(await steer(talk)).toEqual({ how: 'over' })
    expect(talk.model.requests.map(sent).filter(body => timesIn(body) > 0)).toEqual([])
    expect(talk.told('steer_delivered')).toEqual([])
  })

  test('do not outlive a stop: the turn ends as stopped, and the next prompt is answered', async () => {
    const talk = await converse(agent, [
      reply().text('It begins. ').wait(hold()),
      reply().text('As ').wait(hold()).text('never said.'),
      reply().text('Here again.'),
    ])
    const turn = talk.turn('talk at length')
    await talk.until('text_received')
    expect(await steer(talk)).toEqual({ how: 'delivered' })
    await talk.until('text_received', ({ text }) => text === 'As ')
    talk.backend.abort()
    const { events } = await turn
    expect(saidIn(events)).toEqual(['It begins. ', `you: ${WORDS}`, 'As '])
    expect((await talk.turn('are you there')).text).toBe('Here again.')
    expect(timesIn(sent(await talk.model.request(3)))).toBe(1)
  })

  test.skipIf(agent.name !== 'claude')(
    'to a turn that the agent began itself are over: it wants a prompt',
    async () => {
      const command = 'sleep 1; touch ran'
      const gate = hold()
      const talk = await converse(agent, [
        reply().tool('Bash', { command, description: 'a test', run_in_background: true }),
        reply().text('It runs.'),
        reply().text('It has ended. ').wait(gate).text('That is all.'),
        reply().text('As you wish.'),
      ])
      const from = talk.events.length
      const turn = talk.turn('run it')
      await allow(talk, from)
      await turn
      await talk.until('text_received', ({ text }) => text === 'It has ended. ')
      expect(await steer(talk)).toEqual({ how: 'over' })
      gate.release()
      await expect.poll(() => talk.told('turn_ended').length, { timeout: 10_000 }).toBe(2)
      expect((await talk.turn(WORDS)).text).toBe('As you wish.')
      expect(timesIn(sent(await talk.model.request(4)))).toBe(1)
      expect(talk.told('steer_delivered')).toEqual([])
    },
  )
})
