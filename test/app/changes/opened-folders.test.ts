/** The changes in folders that the user has opened beside the project's. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { AgentEvent } from '../../../src/agent/event.ts'
import { ChangeSource } from '../../../src/app/changes/change-source.ts'
import type { AppContext } from '../../../src/app/context/context.ts'
import { reduce } from '../../../src/conversation/reduce.ts'
import { initialChat } from '../../../src/conversation/state.ts'
import { inShort, linesOf, makeFolder, makeRepository, type Folder } from '../../changes/repositories.ts'
import { stateWith } from '../../components/stage.ts'

const lendTerminal = async (): Promise<void> => undefined

/** A conversation in the folder, whose folders can be opened. */
function stage({ path, env }: Folder) {
  let chat = initialChat
  const context = { state: () => stateWith({ chat }), now: () => Date.now() } as unknown as AppContext
  const source = new ChangeSource(context, {
    folder: path,
    home: '/',
    env,
    platform: 'linux',
    lendTerminal,
    suspend: null,
  })
  source.begin()
  const open = async (...folders: string[]): Promise<void> => {
    const event: AgentEvent = { type: 'folders_changed', at: Date.now(), folders }
    source.onEvent(event)
    chat = reduce(chat, event)
    // The state of the folders is known then.
    await source.collect()
  }
  return { source, open }
}

test('what commands change in an opened folder is listed with its whole path, and what was there before is not', async () => {
  const [project, lib] = [makeRepository({ 'a.txt': 'one\n' }), makeRepository({ 'b.txt': 'one\n', 'c.txt': 'one\n' })]
  const { source, open } = stage(project)
  lib.put({ 'c.txt': 'mine\n' })
  await open(lib.path)
  project.put({ 'a.txt': 'two\n' })
  lib.put({ 'b.txt': 'two\n', 'new.txt': 'new\n' })
  const found = await source.collect()
  expect(inShort(found.list.session).toSorted()).toEqual(
    ['a.txt +1 -1', `${join(lib.path, 'b.txt')} +1 -1`, `new ${join(lib.path, 'new.txt')} +1 -0`].toSorted(),
  )
  expect(await linesOf(found, join(lib.path, 'b.txt'))).toEqual(['-one', '+two'])
  const touched = await source.touchedSince(0)
  expect(touched?.map(({ path }) => path)).toContain(join(lib.path, 'new.txt'))
  source.stop()
})

test('of a repository that an opened folder is in, only that folder is listed', async () => {
  const [project, whole] = [
    makeRepository({ 'a.txt': 'one\n' }),
    makeRepository({ 'b.txt': 'one\n', 'part/c.txt': 'one\n' }),
  ]
  const { source, open } = stage(project)
  await open(join(whole.path, 'part'))
  whole.put({ 'b.txt': 'two\n', 'part/c.txt': 'two\n' })
  expect(inShort((await source.collect()).list.session)).toEqual([`${join(whole.path, 'part/c.txt')} +1 -1`])
  expect((await source.touchedSince(0))?.map(({ path }) => path)).toEqual([join(whole.path, 'part/c.txt')])
  source.stop()
})

test('a folder that was closed is not listed, and one without a repository is named', async () => {
  const [project, lib, plain] = [
    makeRepository({ 'a.txt': 'one\n' }),
    makeRepository({ 'b.txt': 'one\n' }),
    makeFolder(),
  ]
  const { source, open } = stage(project)
  await open(lib.path, plain.path)
  await open(plain.path)
  lib.put({ 'b.txt': 'two\n' })
  const { session, notes } = (await source.collect()).list
  expect([session, notes]).toEqual([[], [`Changes made by commands in ${plain.path} are not listed.`]])
  source.stop()
})
