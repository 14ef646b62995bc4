/** A session is folded into the conversation, moment by moment, by a clock that the test holds. */
import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../../src/agent/event.ts'
import { createFold } from '../../src/conversation/fold.ts'
import { initialChat, type ChatState } from '../../src/conversation/state.ts'
import { createReplay } from '../../src/replay/player.ts'
import { readRecordings } from '../helpers/recording.ts'
import { readAcpRecording } from '../helpers/acp-recordings.ts'
import { eventsOf } from '../recordings/playing.ts'

const started: AgentEvent = {
  type: 'agent_started',
  at: 1000,
  agent: 'zot',
  version: '1',
  provider: 'p',
  model: 'm',
  contextWindow: null,
  reasoning: null,
  reasoningLevels: [],
}
const turn: AgentEvent[] = [
  started,
  { type: 'prompt_sent', at: 2000, text: 'go', images: [] },
  { type: 'prompt_accepted', at: 2000 },
  { type: 'text_received', at: 2100, text: 'A' },
]

/** Plays events on a conversation. */
function on(events: readonly AgentEvent[], speed = Infinity) {
  let [chat, shown] = [initialChat, 0]
  const due: (() => void)[] = []
  let clock = 0
  const timers = {
    now: () => clock,
    after(ms: number, run: () => void) {
      due.push(() => {
        clock += ms
        run()
      })
      return () => void due.splice(0)
    },
  }
  const replay = createReplay(events, { timers, speed, paused: false })
  const waits: number[] = []
  const finished = replay.play({
    chat: () => chat,
    show(next: ChatState) {
      chat = next
      shown += 1
    },
    onWait: leftOut => waits.push(leftOut),
  })
  return {
    replay,
    waits,
    finished,
    chat: () => chat,
    shown: () => shown,
    pass: async (): Promise<void> => {
      await expect.poll(() => due).toHaveLength(1)
      due.shift()?.()
    },
  }
}

test('the conversation is that of the session at its end', async () => {
  const played = [...readRecordings(), readAcpRecording('claude', 'write-allow')].map(async ({ lines }) => {
    const events = await eventsOf({ lines })
    const fold = createFold()
    fold.add(events)
    const replay = on(events)
    await replay.finished
    return { replayed: replay.chat(), folded: fold.chat() }
  })
  const whole = (await Promise.all(played)).filter(({ folded }) => folded.open === null)
  expect(whole.length).toBeGreaterThan(30)
  for (const { replayed, folded } of whole) expect(replayed).toEqual(folded)
})

describe('a session that breaks off', () => {
  test('in a turn ends it', async () => {
    const { finished, chat } = on(turn)
    await finished
    expect(chat().open).toBeNull()
    expect(chat().agent.phase).toBe('ended')
  })

  test('in a command of the user ends that', async () => {
    const { finished, chat } = on([started, { type: 'shell_started', at: 1100, command: 'make', shared: false }])
    await finished
    expect(chat().shell).toBeNull()
  })
})

test('the time is that of the session: a wait that is shortened is reported, and jumps to its end', async () => {
  const late: AgentEvent = { type: 'turn_ended', at: 602_100 }
  const { replay, waits, finished, pass, chat } = on([...turn, late], 1)
  expect(replay.now()).toBe(1000)
  await expect.poll(() => chat().agent.phase).toBe('ready')
  await pass()
  await expect.poll(() => chat().open?.kind).toBe('turn')
  expect(replay.now()).toBe(2000)
  expect(waits).toEqual([])
  await pass()
  await expect.poll(() => waits).toEqual([597_000])
  expect(replay.now()).toBe(2100)
  await pass()
  await finished
  expect(replay.now()).toBe(602_100)
  expect(chat().entries).toMatchObject([{ kind: 'turn', endedAt: 602_100 }])
})

test('many events at once are folded together', async () => {
  const many = Array.from({ length: 5000 }, (_, at): AgentEvent => ({
    type: 'text_received',
    at: 2200 + at,
    text: 'x',
  }))
  const { finished, chat, shown } = on([...turn, ...many])
  await finished
  expect(JSON.stringify(chat().entries)).toContain('x'.repeat(5000))
  expect(shown()).toBeLessThan(5000)
})
