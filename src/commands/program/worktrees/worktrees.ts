import { slashCommand } from '../../slash-command.ts'

export const worktrees = slashCommand({
  name: 'worktrees',
  help: 'the git worktrees of this project; go to one, or discard it',
  group: 'program',
  needs: ['worktrees'],
  /** The argument narrows the list. */
  async run(app, argument) {
    const { worktrees: all, host, conversations, hint } = app.context
    if (!all || !host || !conversations) return hint('There are no worktrees here.')
    hint('Looking for worktrees…')
    const { listWorktrees } = await import('./worktree-list.ts')
    void listWorktrees(app, all, argument)
  },
})
