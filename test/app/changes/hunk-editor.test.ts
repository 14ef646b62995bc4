/** Which checkpoints the user is told about when a change of a file is reverted. */
import { realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openHunkEditor } from '../../../src/app/changes/hunk-editor.ts'
import type { AppContext } from '../../../src/app/context/context.ts'
import { begin, makeRepository, type Folder } from '../../changes/repositories.ts'
import { stateWith } from '../../components/stage.ts'

async function reverting(folder: Folder, host: string): Promise<{ words: string; made: string[] }> {
  const made: string[] = []
  const context = {
    host: { folder: host, env: folder.env },
    checkpoints: { make: async ({ label }: { label: string }) => made.push(label) && { ok: true } },
    settings: { values: () => ({ checkpoints: true }) },
    state: () => stateWith({}),
    redact: (text: string) => text,
    sessionId: () => null,
  } as unknown as AppContext
  const begun = await begin(folder)
  writeFileSync(join(folder.path, 'a'), 'two\n')
  const { list, diffOf } = await begun.collect()
  const [change] = list.session
  if (!change) throw new Error('nothing changed')
  const shown = await diffOf(change)
  const request = { change, shown, fresh: () => diffOf(change), redact: () => shown, lines: null }
  const answer = await openHunkEditor(context)?.revert(request)
  return { words: answer?.ok === true ? answer.words : '', made }
}

test('a file of the project is in a checkpoint, also beside the folder', async () => {
  const folder = makeRepository({ a: 'one\n', 'in/b': 'b\n' })
  const { words, made } = await reverting(folder, join(folder.path, 'in'))
  expect(words).toBe('Reverted a change of a.')
  expect(made).toEqual(['Before reverting a'])
})

test('a file of another worktree is in none, and the user is told', async () => {
  const folder = makeRepository({ a: 'one\n' })
  folder.git('worktree', 'add', '-q', '../other')
  const path = realpathSync(join(folder.path, '../other'))
  const { words, made } = await reverting({ ...folder, path }, folder.path)
  expect(words).toBe('Reverted a change of a. No checkpoint was made: the file is outside of what they keep.')
  expect(made).toEqual([])
})
