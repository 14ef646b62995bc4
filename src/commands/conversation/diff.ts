/** `/diff`: opens the page with the changes of this session, or with those since a prompt, a branch, in a pull request or a worktree. */
import type { CommandApp } from '../../app/command-app.ts'
import type { Checkpoints } from '../../checkpoints/checkpoints.ts'
import type { CollectedChanges } from '../../changes/collect.ts'
import { turnHeading } from '../../conversation/queries/shown-prompt.ts'
import type { ArgumentChoice } from '../../state/completion/argument-completer.ts'
import type { AppState } from '../../state/state.ts'
import { slashCommand } from '../slash-command.ts'

export const diff = slashCommand({
  name: 'diff',
  aliases: ['changes'],
  argument: '[since|rev|#N]',
  completes: { choices, load: sources => void sources.branches() },
  help: 'what changed in this session, a branch or a PR; ? lists the keys',
  group: 'conversation',
  needs: ['host'],
  run(app, argument) {
    const { changes, pages } = app
    if (!changes) return
    if (argument === '')
      return pages.open('diff', {
        subject: { kind: 'session' },
        collect: changes.collect,
        first: changes.fromCalls,
      })
    const [word, ...rest] = argument.split(/\s+/)
    if (word === 'since') return askSince(app, rest.join(' '))
    if (word === 'worktree' && rest.length === 0) return askWorktree(app)
    return openSubject(app, argument)
  },
})

/** The branches are known when git has listed them. */
function choices({ branches }: AppState): readonly ArgumentChoice[] {
  return [
    { label: 'since', detail: 'asks for the prompt to compare with' },
    { label: 'worktree', detail: 'the work in a worktree' },
    { label: '#', detail: 'a pull request by its number', sends: false },
    ...branches.map(label => ({ label, detail: '' })),
  ]
}

/** Asks for the prompt to compare with, in a list that `filter` narrows. */
function askSince({ context: { checkpoints, hint, state }, choicePrompt, pages }: CommandApp, filter: string): void {
  const { entries, open } = state().chat
  const turns = [...entries, ...(open ? [open] : [])].flatMap(entry => (entry.kind === 'turn' ? [entry] : []))
  const answers = turns.toReversed().flatMap(turn => {
    const { checkpoint } = turn
    if (checkpoint === null || !checkpoints) return []
    const words = turnHeading(turn).trim()
    const run = (): void =>
      pages.open('diff', {
        subject: { kind: 'checkpoint', id: checkpoint, words },
        collect: () => changesSince(checkpoints, checkpoint, state().chat.folders),
      })
    return [{ label: words, detail: '', run }]
  })
  if (answers.length === 0) return hint('This session has no checkpoints yet.')
  choicePrompt.ask({ title: 'changes since', answers, filter })
}

/** That of this conversation, or one from a list. */
async function askWorktree(app: CommandApp): Promise<void> {
  const { context, choicePrompt } = app
  const { worktrees, host, hint } = context
  if (!worktrees || !host) return hint('There are no worktrees here.')
  const own = worktrees.at(host.folder)
  if (own) return openSubject(app, `worktree ${own.branch}`)
  const listed = await worktrees.list(host.folder)
  if (!listed.ok) return hint(`There are no worktrees: ${listed.why}.`)
  const answers = listed.value.map(({ worktree: { branch, prompt } }) => ({
    label: branch,
    detail: prompt,
    run: () => void openSubject(app, `worktree ${branch}`),
  }))
  if (answers.length === 0) return hint('This project has no worktrees: /spawn --worktree begins one.')
  choicePrompt.ask({ title: 'changes in the worktree', answers })
}

/** A wrong name opens nothing, and is named in one line. */
async function openSubject({ context, pages }: CommandApp, argument: string): Promise<void> {
  const { host, hint } = context
  if (!host) return
  const { requestFor, subjectOf } = await import('../../app/changes/diff-subjects.ts')
  const subject = subjectOf(argument)
  const answer = subject.ok ? await requestFor(subject.value, context, host) : subject
  if (answer.ok) pages.open('diff', answer.request)
  else hint(answer.why)
}

async function changesSince(
  checkpoints: Checkpoints,
  id: string,
  folders: readonly string[],
): Promise<CollectedChanges> {
  return (await import('../../app/changes/checkpoint-changes.ts')).changesSince(checkpoints, id, folders)
}
