/** The folders of a conversation that is continued. */
import { expect, test } from 'vitest'
import type { Reply } from '../../../../src/agent/backend.ts'
import type { OpenedFolder } from '../../../../src/app/context/host.ts'
import { ended, prompt, says, started, stops } from '../../../conversation/events.ts'
import { makePlace, openProgram, type Place } from '../../../storage/sessions/stage.ts'
import { createStage, type Stage } from '../../stage.ts'

/** A session in which these folders were opened. */
function sessionWith(place: Place, folders: string[]): string {
  const { sessions, tell } = openProgram(place)
  tell(
    started,
    { type: 'folders_changed', folders },
    prompt(folders.length === 0 ? 'plain' : 'hello'),
    says('Hello.'),
    stops('end'),
    ended,
  )
  sessions.close()
  return sessions.current().id
}

/** What is there now: one folder is gone, and another one is a link. */
const openFolder = async (path: string): Promise<OpenedFolder> => {
  if (path === '/gone') return { ok: false, reason: 'does not exist' }
  return { ok: true, path: path === '/link' ? '/elsewhere' : path }
}

/** A program that continues with a session, and the folders that its agent got. */
async function continued(place: Place, id: string, reply: Reply<string | null> = { ok: true, value: null }) {
  const passed: string[] = []
  const host = {
    folder: '/work',
    home: '/home/ann',
    env: {},
    platform: 'linux' as const,
    lendTerminal: (run: () => Promise<void>) => run(),
    suspend: null,
    openFolder,
  }
  const setFolders = async (folders: readonly string[]): Promise<Reply<string | null>> => {
    passed.push(folders.join(' '))
    return reply
  }
  const stage: Stage = createStage(backend => backend.with({ setFolders }), {
    sessions: openProgram(place).sessions,
    host,
  })
  stage.controller.start(null, { kind: 'resume', id })
  await expect.poll(() => stage.state().chat.agent.phase).toBe('ready')
  await stage.settle()
  return { stage, passed }
}

test('the agent gets them again', async () => {
  const place = makePlace()
  const { stage, passed } = await continued(place, sessionWith(place, ['/other', '/more']))
  expect(passed.at(-1)).toBe('/other /more')
  expect(stage.state().chat.folders).toEqual(['/other', '/more'])
})

test('one that is not what it was is closed, and a line says so', async () => {
  const place = makePlace()
  const { stage, passed } = await continued(place, sessionWith(place, ['/other', '/gone', '/link']))
  expect(passed.at(-1)).toBe('/other')
  await expect.poll(() => stage.state().chat.folders).toEqual(['/other'])
  const lines = stage.entries().join('\n')
  expect(lines).toContain('A folder that you opened is closed: /gone does not exist.')
  expect(lines).toContain('A folder that you opened is closed: /link is another folder now.')
})

test('all of them are closed where the agent takes none', async () => {
  const place = makePlace()
  const { stage } = await continued(place, sessionWith(place, ['/other']), { ok: false, message: 'it takes none' })
  await expect.poll(() => stage.state().chat.folders).toEqual([])
  expect(stage.entries().join('\n')).toContain('The folders that you opened with /add-dir are closed: It takes none.')
})

test('another session closes those of the one before it', async () => {
  const place = makePlace()
  sessionWith(place, [])
  const other = sessionWith(place, ['/other'])
  const { stage, passed } = await continued(place, other)
  await stage.say('/resume')
  await stage.type('plain')
  await stage.press('enter')
  await expect.poll(() => [stage.state().chat.folders, passed.at(-1)]).toEqual([[], ''])
})
