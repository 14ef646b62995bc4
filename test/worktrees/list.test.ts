/** Lists the worktrees of a project, and knows which of them are in use. */
import { rmSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { recordPath } from '../../src/worktrees/record.ts'
import { refusal, value, worktreeStage } from './stage.ts'

test('each worktree is listed with its state, the newest first, also from inside of one', async () => {
  const { folder, worktrees, begun, commit } = worktreeStage()
  const [first, second, third] = [await begun(), await begun({ 'a.txt': 'agent\n', 'b.txt': 'b\n' }), await begun()]
  commit({ 'c.txt': 'c\n' }, second.folder)
  writeFileSync(`${second.folder}/d.txt`, 'd\n')
  rmSync(first.folder, { recursive: true })
  const listed = await value(worktrees.list(folder))
  expect(listed.map(({ worktree: { branch }, ...state }) => ({ branch, ...state }))).toEqual([
    { branch: third.branch, isThere: true, isUsed: false, ahead: 0, uncommitted: 0 },
    { branch: second.branch, isThere: true, isUsed: false, ahead: 1, uncommitted: 1 },
    { branch: first.branch, isThere: false, isUsed: false, ahead: null, uncommitted: null },
  ])
  expect(await value(worktrees.list(second.folder))).toEqual(listed)
})

test('a worktree in use is not thrown away, until the last conversation there has ended', async () => {
  const { worktrees, begun } = worktreeStage()
  const worktree = await begun()
  const ends = [worktrees.use(worktree.folder), worktrees.use(worktree.folder)]
  for (const end of ends) {
    expect(await refusal(worktrees.discard(worktree))).toBe('a conversation is still working there')
    end()
  }
  expect(await value(worktrees.discard(worktree))).toBeNull()
})

test('a damaged record is left out, and a folder outside of a repository has a reason', async () => {
  const { folder, worktrees, begun, top } = worktreeStage()
  const worktree = await begun()
  for (const text of ['{', '{"version":2}', '[]', '']) {
    writeFileSync(recordPath(worktree.folder), text)
    expect(await value(worktrees.list(folder))).toEqual([])
    expect(worktrees.at(worktree.folder)).toBeNull()
  }
  expect(await refusal(worktrees.list(top))).toBe('this folder is not in a git repository')
})
