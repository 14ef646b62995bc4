import { expect, test } from 'vitest'
import type { Reply } from '../../../src/agent/backend.ts'
import type { OpenedFolder } from '../../../src/app/context/host.ts'
import { openPicker } from '../../../src/state/pickers/picker.ts'
import type { FakeBackend } from '../../app/fake-backend.ts'
import { startedStage, type Stage } from '../../app/stage.ts'

type Wanted = { openFolder?: (path: string) => Promise<OpenedFolder>; reply?: Reply<string | null> }

const real = async (path: string): Promise<OpenedFolder> =>
  path === '/nope' ? { ok: false, reason: 'does not exist' } : { ok: true, path: `/real${path}` }

/** A program whose agent takes folders. */
async function stageWith({ openFolder = real, reply = { ok: true, value: null } }: Wanted = {}): Promise<Stage> {
  const host = {
    folder: '/work',
    home: '/home/ann',
    env: {},
    platform: 'linux' as const,
    lendTerminal: (run: () => Promise<void>) => run(),
    suspend: null,
    openFolder,
  }
  const withFolders = (backend: FakeBackend): FakeBackend =>
    backend.with({
      async setFolders(folders: readonly string[]): Promise<Reply<string | null>> {
        if (reply.ok) backend.tell({ type: 'folders_changed', folders: [...folders] })
        return reply
      },
    })
  return startedStage(withFolders, { host })
}

const last = ({ entries }: Stage): string => entries().at(-1) ?? ''

async function say(stage: Stage, words: string): Promise<void> {
  await stage.say(words)
  await stage.settle()
}

test('/add-dir opens a folder, and /add-dir without a path closes it', async () => {
  const stage = await stageWith()
  await say(stage, '/add-dir /other')
  await expect.poll(() => stage.state().chat.folders).toEqual(['/real/other'])
  expect(last(stage)).toContain('Opened /real/other for this session.')
  await say(stage, '/add-dir')
  expect(openPicker(stage.state().picker, 'choice')?.choices).toMatchObject([
    { label: '/real/other', detail: 'close it' },
  ])
  await stage.press('enter')
  await expect.poll(() => stage.state().chat.folders).toEqual([])
})

test('/add-dir without a path says how to open one where none is open', async () => {
  const stage = await stageWith()
  await say(stage, '/add-dir')
  expect(stage.state().hint).toContain('/add-dir PATH opens one')
})

test('/add-dir says why a folder cannot be opened', async () => {
  const stage = await stageWith()
  await say(stage, '/add-dir /nope')
  expect(last(stage)).toContain('/nope cannot be opened: it does not exist.')
  expect(stage.state().chat.folders).toEqual([])
})

test('/add-dir says that the agent has refused', async () => {
  const stage = await stageWith({ reply: { ok: false, message: 'it is busy' } })
  await say(stage, '/add-dir /other')
  expect(last(stage)).toContain('The folders were not changed: It is busy.')
})

test('/add-dir says that a folder is opened and closed only when the agent starts again', async () => {
  const stage = await stageWith({ reply: { ok: true, value: 'it cannot open earlier sessions' } })
  await say(stage, '/add-dir /other')
  expect(last(stage)).toContain(
    '/real/other is open from the next start of zot on (/restart). Until then it does not work there.',
  )
  expect(last(stage)).toContain('It cannot open earlier sessions.')
  await expect.poll(() => stage.state().chat.folders).toEqual(['/real/other'])
  await say(stage, '/add-dir')
  await stage.press('enter')
  await expect
    .poll(() => last(stage))
    .toContain('/real/other is closed from the next start of zot on (/restart). Until then it still works there.')
})

test('/add-dir is not offered for an agent that takes none', async () => {
  const stage = await startedStage()
  await say(stage, '/add-dir /other')
  expect(JSON.stringify(stage.state())).toContain('zot does not support /add-dir.')
})
