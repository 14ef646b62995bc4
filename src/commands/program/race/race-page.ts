/** Opens the page of a race, and does what it asks for with conversations and worktrees. */
import type { CommandApp } from '../../../app/command-app.ts'
import type { RaceRun } from '../../../app/race/race-run.ts'
import type { Races } from '../../../app/race/races.ts'
import type { Entrant } from '../../../race/race-record.ts'
import { isAtWork } from '../../../race/race-steps.ts'
import { sentence } from '../../../text/sentence.ts'
import type { TakingWay } from '../../../worktrees/preview.ts'
import type { Worktrees } from '../../../worktrees/worktrees.ts'
import { askDiscardOthers } from './discard-others.ts'

export function openRacePage(app: CommandApp, races: Races, run: RaceRun): void {
  const { context, pages } = app
  const { worktrees } = context
  if (!worktrees) return
  pages.open('race', {
    run,
    attach: at => void attach(app, entrantAt(run, at)),
    pick: at => askPick(app, worktrees, run, at),
    discardOthers: at => void askDiscardOthers(app, { worktrees, races, run, chosen: at }),
    diffOf(at) {
      const folder = entrantAt(run, at)?.worktree?.folder
      const known = folder === undefined ? null : worktrees.at(folder)
      if (!known) return null
      return {
        subject: { kind: 'worktree', name: known.branch },
        collect: () => worktrees.changes(worktrees.at(known.folder) ?? known),
      }
    },
  })
}

const entrantAt = (run: RaceRun, at: number): Entrant | undefined => run.view().race.entrants[at]

async function attach({ context }: CommandApp, entrant: Entrant | undefined): Promise<void> {
  const reply = await context.conversations?.attach(entrant?.session ?? '')
  if (reply?.ok === false) context.hint(`It is not shown: ${sentence(reply.message)}`)
}

function askPick(app: CommandApp, worktrees: Worktrees, run: RaceRun, at: number): void {
  const { context, choicePrompt } = app
  const entrant = entrantAt(run, at)
  const known = entrant?.worktree ? worktrees.at(entrant.worktree.folder) : null
  if (!entrant || !known) return context.hint('There is no worktree to take.')
  if (isAtWork(entrant))
    return context.hint(`${entrant.name} still works. ${context.keyed('{race.stop} on its page stops it.')}`.trim())
  const take = (way: TakingWay): void => void takeOne(app, { worktrees, run, at, way })
  choicePrompt.ask({
    title: `take ${known.branch}`,
    answers: [
      { label: 'Merge', detail: 'into your branch, with a merge commit', run: () => take('merge') },
      { label: 'Rebase', detail: 'its commits on top of your branch', run: () => take('rebase') },
      { label: 'Cherry-pick', detail: 'into your files, uncommitted', run: () => take('pick') },
      { label: 'Leave it', detail: 'nothing is changed', run: () => undefined },
    ],
  })
}

type Taken = { worktrees: Worktrees; run: RaceRun; at: number; way: TakingWay }

async function takeOne(
  { context, choicePrompt, redraw }: CommandApp,
  { worktrees, run, at, way }: Taken,
): Promise<void> {
  const entrant = entrantAt(run, at)
  const known = entrant?.worktree ? worktrees.at(entrant.worktree.folder) : null
  if (!entrant || !known) return context.hint('The worktree is gone.')
  const { createTaking } = await import('../worktrees/taking.ts')
  const noting: Worktrees = {
    ...worktrees,
    async take(worktree, preview) {
      const answer = await worktrees.take(worktree, preview)
      if (answer.ok) run.picked(at)
      return answer
    },
  }
  await createTaking({ context, worktrees: noting, choicePrompt, say, redraw })(known, way)

  /** Its own agent resolves conflicts, in a conversation that continues its session. */
  function say(prompt: string): void {
    const { conversations } = context
    const resumes = entrant?.session ?? true
    const folder = entrant?.worktree?.work ?? ''
    void conversations
      ?.open({ folder, resumes, prompt, isShown: true })
      .then(reply => (reply.ok ? undefined : context.addNotice('error', notOpened(reply.message))))
  }
}

const notOpened = (message: string): string => `No conversation was opened: ${sentence(message)}`
