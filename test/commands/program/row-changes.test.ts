/** What stands against a merge from the board, in a real repository. */
import { expect, test } from 'vitest'
import { mergeOfRow } from '../../../src/commands/program/board/row-changes.ts'
import { boardRow } from '../../fleet/rows.ts'
import { stageWithWorktree } from '../../worktrees/stage.ts'

async function refusal(mine: 'committed' | 'uncommitted') {
  const { stage, worktree } = await stageWithWorktree({ 'a.txt': 'theirs\n' })
  if (mine === 'committed') stage.commit({ 'a.txt': 'mine\n' }, stage.folder, 'mine')
  else stage.put({ 'a.txt': 'mine\n' }, stage.folder)
  const { worktrees } = stage
  return mergeOfRow(boardRow({ folder: worktree.folder }), { worktrees, home: '/home/me' })
}

test('conflicts are asked about in its conversation, and uncommitted changes are for the person', async () => {
  expect(await refusal('committed')).toEqual({
    ok: false,
    why: 'There are conflicts in a.txt.',
    isAskedThere: true,
  })
  expect(await refusal('uncommitted')).toEqual({
    ok: false,
    why: 'Nothing was changed: you have changed a.txt, too. Commit or stash that first.',
  })
})
