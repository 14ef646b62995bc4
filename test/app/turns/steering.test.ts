/** Words for the running turn, from the keys to the agent and back. */
import { beforeEach, expect, test } from 'vitest'
import type { ConversationHooks } from '../../../src/hooks/conversation-hooks.ts'
import type { Steer, SteerOutcome } from '../../../src/agent/backend.ts'
import { promptSent } from '../../../src/agent/prompt-sent.ts'
import { unsentOf } from '../../../src/app/context/draft-store.ts'
import { accepted, step } from '../../conversation/events.ts'
import { unsavedSettings } from '../../../src/config/settings.ts'
import { queueOf, startedStage, type Stage, type StageParts } from '../stage.ts'

/** An agent that takes words into its turn when the test says so. */
class Steerable {
  readonly asked: string[] = []
  readonly steers: Steer[] = []
  readonly ends = new Map<string, (outcome: SteerOutcome) => void>()

  readonly parts = {
    steer: (steer: Steer): Promise<SteerOutcome> => {
      this.asked.push(`steer ${steer.prompt.text}`)
      this.steers.push(steer)
      const { promise, resolve } = Promise.withResolvers<SteerOutcome>()
      this.ends.set(steer.prompt.text, resolve)
      return promise
    },
    withdrawSteer: (id: string): void => {
      const text = this.steers.find(each => each.id === id)?.prompt.text ?? ''
      this.asked.push(`withdraw ${text}`)
      this.ends.get(text)?.({ how: 'withdrawn' })
    },
  }
}

let agent: Steerable

beforeEach(() => void (agent = new Steerable()))

async function inTurn(enterWhileWorking: 'queue' | 'steer' = 'queue', parts: StageParts = {}): Promise<Stage> {
  const settings = unsavedSettings({ enterWhileWorking })
  const stage = await startedStage(backend => backend.with(agent.parts), { settings, ...parts })
  await stage.say('go')
  stage.backend.tell(accepted, step(1))
  await stage.settle()
  return stage
}

async function steer(stage: Stage, text: string): Promise<void> {
  await stage.type(text)
  await stage.press('alt+s')
}

async function deliver(stage: Stage, text: string): Promise<void> {
  const found = agent.steers.find(({ prompt }) => prompt.text === text)
  if (!found) throw new Error(`there is no steer ${text}`)
  const { type: _type, at: _at, ...sent } = promptSent(found.prompt, 0)
  stage.backend.tell({ type: 'steer_delivered', id: found.id, ...sent })
  agent.ends.get(text)?.({ how: 'delivered' })
  await stage.settle()
}

const waiting = (stage: Stage): string[] => stage.state().steers.map(({ entry }) => entry.text)
const notices = (stage: Stage) => {
  const { open } = stage.state().chat
  return open?.kind === 'turn' ? [...open.parts].filter(({ kind }) => kind === 'notice') : []
}
const turnParts = (stage: Stage): string[] => {
  const { open } = stage.state().chat
  return open?.kind === 'turn' ? [...open.parts].flatMap(part => (part.kind === 'steer' ? [part.text] : [])) : []
}

test('Alt+S lets the running turn have the draft, and it stands in the conversation once it has arrived', async () => {
  const stage = await inTurn()
  await steer(stage, 'use tabs')
  expect([agent.asked, waiting(stage), stage.state().editor.text]).toEqual([['steer use tabs'], ['use tabs'], ''])
  expect(turnParts(stage)).toEqual([])
  await deliver(stage, 'use tabs')
  expect([waiting(stage), turnParts(stage)]).toEqual([[], ['use tabs']])
  await stage.press('up')
  expect(stage.state().editor.text).toBe('use tabs')
})

test('Enter queues beside it, and a setting swaps the two', async () => {
  const stage = await inTurn()
  await stage.say('later')
  expect([agent.asked, queueOf(stage.state()).entries]).toEqual([[], ['later']])
  const swapped = await inTurn('steer')
  await swapped.say('now')
  await steer(swapped, 'later')
  expect([agent.asked, queueOf(swapped.state()).entries]).toEqual([['steer now'], ['later']])
})

test('/steer does the same, and alone it takes the first message of the queue', async () => {
  const stage = await inTurn()
  await stage.say('/steer use tabs')
  await stage.say('first')
  await stage.say('second')
  await stage.say('/steer')
  await stage.press('alt+s')
  expect([agent.asked, queueOf(stage.state()).entries]).toEqual([['steer use tabs', 'steer first', 'steer second'], []])
})

test('a command is no words for the agent: it waits, also as the first of the queue', async () => {
  const stage = await inTurn()
  await steer(stage, '/compact')
  await stage.press('alt+s')
  expect([agent.asked, queueOf(stage.state()).entries]).toEqual([[], ['/compact']])
  expect(stage.state().hint).toContain('it runs after the turn')
})

test('a queued message that is being edited steers with what it is now', async () => {
  const stage = await inTurn()
  await stage.say('old')
  await stage.press('alt+up')
  await steer(stage, ' and new')
  expect([agent.asked, queueOf(stage.state()).entries, stage.state().editor.text]).toEqual([
    ['steer old and new'],
    [],
    '',
  ])
})

test('Esc brings it back into the composer, and beside a draft into the queue, which waits', async () => {
  const stage = await inTurn()
  await steer(stage, 'one')
  await steer(stage, 'two')
  await stage.press('escape')
  await stage.done('aborted')
  expect(agent.asked.slice(2)).toEqual(['withdraw one', 'withdraw two'])
  expect([stage.state().editor.text, queueOf(stage.state())]).toEqual(['one', { entries: ['two'], paused: true }])
})

test('words that come too late are the next prompt', async () => {
  const stage = await inTurn()
  await stage.say('later')
  await steer(stage, 'more')
  agent.ends.get('more')?.({ how: 'over' })
  await stage.done()
  expect([stage.backend.prompts.map(({ text }) => text), queueOf(stage.state()).entries]).toEqual([
    ['go', 'more'],
    ['later'],
  ])
})

test('Up takes the newest back, to change it', async () => {
  const stage = await inTurn()
  await steer(stage, 'use tbas')
  await stage.press('up')
  expect([agent.asked.at(-1), stage.state().editor.text, waiting(stage)]).toEqual(['withdraw use tbas', 'use tbas', []])
})

test('an agent that takes no words into its turn is stopped for them, and a hint says so', async () => {
  const stage = await startedStage()
  await stage.say('go')
  stage.backend.tell(accepted, step(1))
  await stage.settle()
  stage.asked()
  await steer(stage, 'use tabs')
  expect(stage.asked()).toEqual(['abort'])
  expect(stage.state().hint).toBe('zot cannot be steered: it is stopped, then your words are sent.')
  await stage.done('aborted')
  expect(stage.asked()).toEqual(['prompt use tabs'])
})

test('Enter that steers stops no agent: where it cannot, the words wait', async () => {
  const stage = await startedStage(undefined, { settings: unsavedSettings({ enterWhileWorking: 'steer' }) })
  await stage.say('go')
  stage.backend.tell(accepted, step(1))
  await stage.say('use tabs')
  expect(stage.asked()).toEqual(['prompt go'])
  expect([stage.state().hint, queueOf(stage.state()).entries]).toEqual([
    'zot cannot be steered: this waits in the queue.',
    ['use tabs'],
  ])
})

test('while nothing runs, Alt+S sends', async () => {
  const stage = await startedStage(backend => backend.with(agent.parts))
  await steer(stage, 'go')
  expect([agent.asked, stage.asked()]).toEqual([[], ['prompt go']])
})

test('what the agent refuses comes back, and the screen says why', async () => {
  const stage = await inTurn()
  await steer(stage, 'look')
  agent.ends.get('look')?.({ how: 'refused', message: 'zot takes images only with a prompt' })
  await stage.settle()
  expect(stage.state().editor.text).toBe('look')
  expect(notices(stage)).toMatchObject([
    { text: 'zot takes images only with a prompt. They are in the composer again.' },
  ])
})

/** Hooks that block each prompt that says so, and add a text to the others. */
const hooks: ConversationHooks = {
  prompts: {
    begin: () => undefined,
    apply: () => true,
    check: async prompt =>
      prompt.includes('secret')
        ? { ok: false, words: 'A hook blocked the prompt: Keep it to yourself.' }
        : { ok: true, context: ['on branch main'], onSent: () => undefined },
    stop: () => false,
  },
  hooks: { close: () => undefined } as unknown as ConversationHooks['hooks'],
  doubtOf: () => null,
}

test('hooks judge the words as they judge a prompt, and what they add goes along', async () => {
  const stage = await inTurn('queue', { hooks })
  await steer(stage, 'use tabs')
  expect(agent.steers[0]?.prompt).toMatchObject({ text: 'use tabs', before: ['on branch main'] })
  await steer(stage, 'a secret')
  expect([agent.asked, stage.state().editor.text, waiting(stage)]).toEqual([
    ['steer use tabs'],
    'a secret',
    ['use tabs'],
  ])
  expect(JSON.stringify(notices(stage))).toContain('Keep it to yourself')
})

test('the drafts hold the words until it is known that they have arrived', async () => {
  const stage = await inTurn()
  await steer(stage, 'use tabs')
  expect(unsentOf(stage.state()).queue).toEqual(['use tabs'])
  await deliver(stage, 'use tabs')
  expect(unsentOf(stage.state()).queue).toEqual([])
})

test('an agent that dies with the words gives them back, and says that they may have arrived', async () => {
  const stage = await inTurn()
  await steer(stage, 'use tabs')
  agent.ends.get('use tabs')?.({ how: 'unknown', message: 'zot has ended' })
  stage.backend.end({ type: 'agent_ended', code: 1, signal: null, reason: 'it fell', hint: '', expected: false })
  await stage.settle()
  expect([stage.state().editor.text, waiting(stage)]).toEqual(['use tabs', []])
  expect(JSON.stringify(stage.state().chat.entries)).toContain('It is not known whether your words')
})
