/** Going on with a session, without a terminal: what was shown is shown again, and is told the session. */
import { describe, expect, test, vi } from 'vitest'
import type { Entry } from '../../../src/conversation/state.ts'
import { ended, prompt, says, started, stops } from '../../conversation/events.ts'
import { makePlace, openProgram, type Place } from '../../storage/sessions/stage.ts'
import { createStage, type Stage, type StageParts, queueOf } from '../stage.ts'
import { promptEntry } from '../../../src/state/composer/queue-entry.ts'

const KEY = 'sk-ant-0123456789'

async function open(
  place: Place,
  session: Parameters<Stage['controller']['start']>[1] = null,
): Promise<Stage & StageParts> {
  const { sessions } = openProgram(place)
  const stage = createStage(undefined, { sessions, secrets: [KEY] })
  stage.controller.start(null, session)
  await stage.settle()
  return { ...stage, sessions }
}

/** A program that continues with a session of a few megabytes, and has begun to read it. */
async function opening(): Promise<{ stage: Stage & StageParts; id: string }> {
  const place = makePlace()
  const { sessions, tell } = openProgram(place)
  tell(started)
  for (let turn = 0; turn < 100; turn += 1) tell(prompt(`${turn}`), says('word '.repeat(8000)), stops('end'), ended)
  sessions.close()
  const { id } = sessions.current()
  return { stage: await open(place, { kind: 'resume', id }), id }
}

/** The words and remarks; what zotui says at a start stands at its place and not in the session. */
const talkOf = (entries: readonly Entry[]): Entry[] => {
  const first = entries.findIndex(entry => entry.kind === 'turn')
  return entries.slice(first)
}

describe('a session that is resumed', () => {
  test('has everything that was shown, including messages of zotui, and no secret', async () => {
    const place = makePlace()
    const before = await open(place)
    await before.say(`use ${KEY}`)
    await before.done()
    await before.say('/usage')
    await before.say('go on')
    await before.done('failed')
    const shown = talkOf(before.state().chat.entries)
    expect(JSON.stringify(shown)).not.toContain(KEY)
    expect(before.backend.prompts[0]?.text).toBe(`use ${KEY}`)
    const id = before.sessions?.current().id ?? ''
    before.sessions?.close()

    const after = await open(place, { kind: 'resume', id })
    expect(after.state().chat.entries.slice(0, shown.length)).toEqual(shown)
    expect(after.entries()[shown.length]).toMatch(/Resumed the session: 2 turns\./)
    expect(after.state().chat.usage).toEqual(before.state().chat.usage)
    await after.say('and more')
    await after.done()
    expect(after.sessions?.read(id)?.events.filter(event => event.type === 'prompt_sent')).toHaveLength(3)
  })

  test('with /resume makes the agent forget the current conversation first', async () => {
    const place = makePlace()
    const before = await open(place)
    await before.say('one')
    await before.done()
    before.sessions?.close()
    const stage = await open(place)
    await stage.say('two')
    await stage.done()
    stage.asked()
    await stage.say('/resume')
    await stage.type('one')
    await stage.press('enter')
    expect(stage.asked()).toEqual(['clear'])
    expect(talkOf(stage.state().chat.entries)).toMatchObject([{ prompt: 'one' }, { kind: 'notice' }])
  })

  test('gets a prompt that was sent before the agent had forgotten', async () => {
    const place = makePlace()
    const before = await open(place)
    await before.say('one')
    await before.done()
    before.sessions?.close()
    const stage = await open(place)
    await stage.say('two')
    await stage.done()
    const { promise, resolve } = Promise.withResolvers<undefined>()
    const { backend } = stage
    const clear = backend.clear.bind(backend)
    backend.clear = () => promise.then(clear)
    await stage.say('/resume')
    await stage.type('one')
    await stage.press('enter')
    await stage.say('three')
    expect(queueOf(stage.state()).entries).toEqual(['three'])
    resolve(undefined)
    await stage.settle()
    expect(stage.state().chat.entries.find(entry => entry.kind === 'turn')).toMatchObject({ prompt: 'one' })
    expect(stage.state().chat.open).toMatchObject({ prompt: 'three' })
    expect(stage.backend.prompts.at(-1)?.memory?.text).toContain('The user:\none')
  })

  test('has no secret in its name', async () => {
    const stage = await open(makePlace())
    await stage.say('one')
    await stage.done()
    await stage.say(`/rename about ${KEY}`)
    expect(stage.sessions?.current().title()).toBe('about sk-[hidden]')
  })

  describe('and is long is read in the background', () => {
    test('a prompt waits for it', async () => {
      const { stage } = await opening()
      expect(stage.state().opening).toBeGreaterThan(0)
      await stage.say('and more')
      await stage.say('!ls')
      expect(stage.state()).toMatchObject({ queue: { entries: [promptEntry('and more')] }, editor: { text: '!ls' } })
      expect(stage.state().hint).toMatch(/still being loaded/)
      await vi.waitFor(() => expect(stage.state().opening).toBeNull())
      await stage.settle()
      expect(stage.state().chat.entries.filter(entry => entry.kind === 'turn')).toHaveLength(100)
      expect(stage.backend.prompts.map(({ text }) => text)).toEqual(['and more'])
    })

    test('Esc stops it and pauses the queue', async () => {
      const { stage, id } = await opening()
      await stage.say('and more')
      await stage.press('escape')
      await vi.waitFor(() => expect(stage.state().opening).toBeNull())
      await stage.settle()
      expect(stage.state()).toMatchObject({ queue: { entries: [promptEntry('and more')], paused: true } })
      expect(stage.state().hint).toMatch(/Stopped/)
      expect(stage.backend.prompts).toEqual([])
      expect(stage.sessions?.current().id).not.toBe(id)
    })

    test('three Ctrl+C exit while it is read', async () => {
      const { stage } = await opening()
      // Pressed at once: nothing of it is read meanwhile.
      for (const key of ['ctrl+c', 'ctrl+c', 'ctrl+c']) stage.controller.press(key)
      await vi.waitFor(() => expect(stage.exits).toEqual([0]))
    })
  })

  test('is not resumed while the agent works', async () => {
    const place = makePlace()
    const before = await open(place)
    await before.say('one')
    await before.done()
    before.sessions?.close()
    const stage = await open(place)
    await stage.say('two')
    await stage.say('/resume')
    await stage.type('one')
    await stage.press('enter')
    expect(stage.state().hint).toMatch(/The agent is working/)
    expect(stage.state().chat.open).toMatchObject({ prompt: 'two' })
  })
})
