import { describe, expect, test } from 'vitest'
import type { Transcript } from '../../../src/export/schema.ts'
import { transcriptOfEvents } from '../../../src/export/transcript.ts'
import { whatGoesOut } from '../../../src/commands/conversation/share/what-goes-out.ts'
import {
  accepted,
  answered,
  answering,
  ended,
  prompt,
  returns,
  runsTool,
  says,
  step,
  stops,
  text,
  timed,
} from '../../conversation/events.ts'
import { fakeLocalServer, running, serveView } from '../../app/serve/fake-local-server.ts'
import { createStage, type Stage } from '../../app/stage.ts'
import { makePlace, openProgram } from '../../storage/sessions/stage.ts'

const AT = 'https://phone.example'
const LINK = `${AT}/#share=abc.secret`

/** A program with one turn and a server with this view, and what was copied. */
async function stageWith(view: Parameters<typeof serveView>[0], turns = 1) {
  const server = fakeLocalServer(serveView({ at: AT, ...view }))
  const copied: string[] = []
  const place = makePlace()
  const host = {
    folder: place.projectFolder,
    home: '/home/me',
    env: { SSH_TTY: '/dev/pts/1' },
    platform: 'linux' as const,
    lendTerminal: async () => {},
    suspend: null,
    copyThroughTerminal: async (text: string) => {
      copied.push(text)
      return 'the terminal'
    },
  }
  const { sessions } = openProgram(place)
  const stage = createStage(undefined, { sessions, host, openLocalServer: async () => server })
  stage.controller.start(null)
  await stage.settle()
  for (let turn = 0; turn < turns; turn += 1) {
    await stage.say('mend the parser')
    await stage.done()
  }
  return { stage, server, copied, session: sessions.current().id }
}

const answers = (stage: Stage): string[] => {
  const { picker } = stage.state()
  return picker?.kind === 'choice' ? picker.choices.map(({ label, detail }) => `${label}: ${detail}`) : []
}

/** Asks, and waits for the question: its code is loaded with the first one. */
async function askToShare(stage: Stage): Promise<void> {
  await stage.say('/share')
  await expect.poll(() => answers(stage)).toHaveLength(4)
}

describe('/share', () => {
  test('says what goes out, and asks for how long, with a day as the answer of Enter', async () => {
    const { stage, server } = await stageWith({})
    await askToShare(stage)
    expect(stage.entries().join('\n')).toContain('Whoever has the link reads all of this conversation')
    expect(stage.entries().join('\n')).toContain('1 prompt, 1 answer')
    expect(answers(stage).map(text => text.split(':')[0])).toEqual([
      'For an hour',
      'For a day',
      'For a week',
      'Do not share it',
    ])
    expect(server.done).toEqual([])
  })

  test('has the server make a link for this session, copies it, and says until when; the link is not on the screen', async () => {
    const { stage, server, copied, session } = await stageWith({})
    await askToShare(stage)
    await stage.press('enter')
    const endsAt = stage.clock.now + 86_400_000
    expect(server.done).toEqual([{ do: 'share', session, endsAt }])
    const other = { id: 's0', title: '', link: `${AT}/#share=other`, endsAt: endsAt + 1, readers: 0 }
    const made = { id: 's1', title: 'mend the parser', link: LINK, endsAt, readers: 0 }
    server.change(running(serveView({ at: AT, shares: [other, made] })))
    await expect.poll(() => stage.entries().join('\n')).toContain('Shared to read until')
    expect(copied).toEqual([LINK])
    expect(JSON.stringify(stage.state().chat)).not.toContain('secret')
  })

  test('does nothing if the person does not want it', async () => {
    for (const keys of [['escape'], ['down', 'down', 'enter']]) {
      const { stage, server } = await stageWith({})
      await askToShare(stage)
      await stage.press(...keys)
      expect(server.done).toEqual([])
      expect(stage.entries().join('\n')).toContain('Not shared.')
    }
  })

  test('says why there is no link, if the server makes none or ends', async () => {
    const many = await stageWith({})
    await askToShare(many.stage)
    await many.stage.press('enter')
    many.server.change(running(serveView({ at: AT, problem: 'There are too many shares. End one first.' })))
    await expect.poll(() => many.stage.entries().join()).toContain('Not shared: There are too many shares.')
    const gone = await stageWith({})
    await askToShare(gone.stage)
    await gone.stage.press('enter')
    gone.server.change({ phase: 'off' })
    await expect.poll(() => gone.stage.entries().join()).toContain('Not shared: The server has ended.')
    expect([...many.copied, ...gone.copied]).toEqual([])
  })

  test('needs a server, the address of a tunnel, and something to read', async () => {
    const off = await stageWith({})
    off.server.change({ phase: 'off' })
    await off.stage.say('/share')
    await expect.poll(() => off.stage.entries().join()).toContain('A share needs the server for browsers.')
    const here = await stageWith({ at: null })
    await here.stage.say('/share')
    await expect.poll(() => here.stage.entries().join()).toContain('A share needs the address of a tunnel')
    const empty = await stageWith({}, 0)
    await empty.stage.say('/share')
    expect(empty.stage.state().hint).toBe('There is no conversation to share yet.')
    expect([off, here, empty].flatMap(({ server }) => server.done)).toEqual([])
  })
})

describe('what goes out', () => {
  test('is counted, and no text of an agent can change how it reads', () => {
    const none: Transcript = transcriptOfEvents([], { id: null, title: '', folder: null })
    expect(whatGoesOut(none, '~/x')).toContain('- nothing else yet')
    const said = [answering, says('Hello'), answered(text('Hello'))]
    const events = [
      prompt('one'),
      accepted,
      step(1),
      ...said,
      ...runsTool('a', 'read', { path: 'x' }),
      returns('a', 'y'),
      stops('end'),
      ended,
    ]
    const words = whatGoesOut(transcriptOfEvents(timed(events), { id: 's', title: '`**x**` ``', folder: '/a' }), '~/a')
    expect(words).toContain('1 prompt, 1 answer, 1 call')
    expect(words).toContain('``` `**x**` `` ```')
  })
})
