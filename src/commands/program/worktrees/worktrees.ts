import { slashCommand } from '../../slash-command.ts'

export const worktrees = slashCommand({
  name: 'worktrees',
  help: 'the git worktrees of this project; go to one, or discard it',
  group: 'program',
  needs: ['worktrees'],
  /** The argument narrows the list. */
  run(app, argument) {
    const { worktrees: all, host, conversations, hint } = app.context
    if (!all || !host || !conversations) return hint('There are no worktrees here.')
    hint('Looking for worktrees…')
    void import('./worktree-list.ts').then(({ listWorktrees }) => listWorktrees(app, all, argument))
  },
})
