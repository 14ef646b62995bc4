/** A recording of a real Meerkat replays: turns, a switch of the model, a stop, other sessions, and calls that ran here. */
import { expect, test } from 'vitest'
import type { AgentEvent } from '../../src/agent/event.ts'
import { parseRecording } from '../../src/agents/recording/recording.ts'
import { hold, reply } from '../helpers/model.ts'
import { eventsOf } from '../recordings/playing.ts'
import { onMeerkat, talkTo } from './meerkat.ts'

const TOLD: ReadonlySet<string> = new Set([
  'tool_called',
  'tool_finished',
  'turn_ended',
  'model_changed',
  'conversation_cleared',
])

function said(events: readonly AgentEvent[]): string {
  return events
    .map(event => {
      if (event.type === 'text_received') return event.text
      if (event.type === 'prompt_sent') return `\n> ${event.text}`
      return TOLD.has(event.type) ? `\n${event.type}` : ''
    })
    .join('')
}

onMeerkat('a recording', () => {
  test('tells what was told then', async () => {
    const written: string[] = []
    const talk = await talkTo(
      [
        reply().tool('bash', { command: 'echo made' }),
        reply().text('One.'),
        reply().text('Two, ', 'in pieces.'),
        reply().text('Half ').wait(hold()),
        reply().text('New.'),
        reply().text('Old again.'),
        reply().text('Cut.'),
      ],
      { judge: () => ({ verdict: 'allow', because: '' }), write: line => void written.push(line) },
    )
    await talk.turn('first')
    await talk.backend.setModel('other')
    await talk.turn('second')
    const from = talk.events.length
    const stopped = talk.turn('third')
    await talk.until('text_received', () => true, from)
    talk.backend.abort()
    await stopped
    await talk.backend.clear()
    await talk.turn('fourth')
    const listed = await talk.backend.listSessions()
    const ids = listed?.ok ? listed.value.map(({ id }) => id) : []
    await talk.backend.openSession(ids.at(-1) ?? '')
    await talk.turn('fifth')
    const id = talk.told('agent_session_opened').at(-1)?.id ?? ''
    const cut = { prompts: ['first', 'second', 'third', 'fifth'], kept: 2 }
    await talk.backend.resumeSession({ id, copy: true, cut })
    expect(talk.told('agent_session_opened').at(-1)).toMatchObject({ remembers: true })
    await talk.turn('sixth')
    const live = said(talk.events)
    await talk.close()
    const { lines, unread } = parseRecording(written.join('\n'))
    expect(unread).toEqual([])
    expect(said(await eventsOf({ lines }))).toBe(live)
  })
})
