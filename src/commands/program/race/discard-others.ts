/** Removes the worktrees of those that were not taken, after a question that says what would be lost. */
import type { CommandApp } from '../../../app/command-app.ts'
import type { ChoiceAnswer } from '../../../app/context/choice-prompt.ts'
import type { RaceRun } from '../../../app/race/race-run.ts'
import type { Races } from '../../../app/race/races.ts'
import type { Entrant } from '../../../race/race-record.ts'
import { counted } from '../../../text/counted.ts'
import { isNothing, type WorktreeLoss } from '../../../worktrees/discard.ts'
import type { Worktrees } from '../../../worktrees/worktrees.ts'
import { lossText } from '../worktrees/worktree-words.ts'

/** `chosen` is the one that stays if none was taken; -1 for none. */
type Discarding = { worktrees: Worktrees; races: Races; run: RaceRun; chosen: number }

type Doomed = { at: number; entrant: Entrant; loss: WorktreeLoss | null }

export async function askDiscardOthers(app: CommandApp, discarding: Discarding): Promise<void> {
  const { context, choicePrompt } = app
  const { run, races } = discarding
  const { race, isOwn, note } = run.view()
  if (!isOwn) return context.hint(note)
  const doomed = await doomedOf(discarding)
  const forget: ChoiceAnswer = {
    label: 'Take the race off the list',
    detail: 'sessions and worktrees stay: /resume, /worktrees',
    run: () => races.forget(race.id),
  }
  if (doomed.length === 0)
    return choicePrompt.ask({ title: 'no worktree is left to discard', answers: [nothing('Keep the race'), forget] })
  const empty = doomed.filter(isEmpty)
  context.addProgramNotice('info', doomed.map(lossLine).join('\n'))
  const work = doomed.length - empty.length
  choicePrompt.ask({
    title: `discard ${counted(doomed.length, 'worktree')}`,
    answers: [
      nothing('Keep them'),
      ...(empty.length > 0 && work > 0
        ? [answer(app, run, `Discard ${counted(empty.length, 'worktree')} without work`, empty, 'nothing is lost')]
        : []),
      answer(
        app,
        run,
        `Discard all ${doomed.length}`,
        doomed,
        work > 0 ? `the work of ${work} is lost` : 'nothing is lost',
      ),
      forget,
    ],
  })
}

const nothing = (label: string): ChoiceAnswer => ({ label, detail: 'nothing is changed', run: () => undefined })

function answer(
  { context }: CommandApp,
  run: RaceRun,
  label: string,
  doomed: readonly Doomed[],
  detail: string,
): ChoiceAnswer {
  const discard = async (): Promise<void> => {
    for (const { at } of doomed) context.addProgramNotice('info', await run.discard(at))
  }
  return { label, detail: `${detail}; sessions stay`, run: () => void discard() }
}

async function doomedOf({ worktrees, run, chosen }: Discarding): Promise<Doomed[]> {
  const { entrants } = run.view().race
  const isAnyPicked = entrants.some(({ isPicked }) => isPicked)
  const others = entrants.flatMap((entrant, at) => {
    const stays = isAnyPicked ? entrant.isPicked : at === chosen
    return stays || entrant.isDiscarded ? [] : [{ at, entrant }]
  })
  return Promise.all(
    others.map(async ({ at, entrant }) => {
      const known = entrant.worktree && worktrees.at(entrant.worktree.folder)
      return { at, entrant, loss: known ? await worktrees.loss(known) : null }
    }),
  )
}

/** One without a worktree has nothing to lose. */
const isEmpty = ({ loss }: Doomed): boolean => loss === null || isNothing(loss)

function lossLine({ entrant, loss }: Doomed): string {
  const what = loss === null ? 'it has no worktree' : lossText(loss)
  return `${entrant.worktree?.branch ?? entrant.name}: ${what}${entrant.step === 'working' ? ', and it still works' : ''}`
}
