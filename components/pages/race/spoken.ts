/** The page of a race for people who use a screen reader: what there is, printed, and a list of what can be done. */
import type { ChoiceAnswer } from '../../../src/app/context/choice-prompt.ts'
import type { PageParts, RacePageRequest } from '../../../src/app/pages/pages.ts'
import { labelsOf } from '../../../src/race/labels.ts'
import { spokenWords } from './entrant-words.ts'

export function tellRace(request: RacePageRequest, { context, choicePrompt }: PageParts): void {
  const { run, attach, pick, discardOthers } = request
  const { race, live, isGoing, note } = run.view()
  const now = context.now()
  const labels = labelsOf(race.entrants)
  const all = race.entrants.map((entrant, at) =>
    spokenWords({ entrant, label: labels[at] ?? '', live: live.get(at), isGoing, now }),
  )
  context.addProgramNotice('info', [`A race: ${race.prompt}`, note, ...all].filter(words => words !== '').join('\n'))
  const answers: ChoiceAnswer[] = []
  for (const [at, entrant] of race.entrants.entries()) {
    const name = labels[at] ?? ''
    if (live.has(at)) answers.push({ label: `go to ${name}`, detail: '', run: () => attach(at) })
    if (entrant.worktree !== null && !entrant.isDiscarded)
      answers.push({ label: `take ${name}`, detail: 'asks first', run: () => pick(at) })
  }
  choicePrompt.ask({
    title: 'race',
    answers: [
      { label: 'close this list', detail: 'the race goes on', run: () => undefined },
      ...answers,
      ...(isGoing ? [] : [{ label: 'begin those that wait', detail: '', run: () => run.go() }]),
      {
        label: 'discard the worktrees',
        detail: 'of those that were not taken; asks first',
        run: () => discardOthers(-1),
      },
    ],
  })
}
