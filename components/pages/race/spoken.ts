/** The page of a race for people who use a screen reader: what there is, printed, and a list of what can be done. */
import type { ChoiceAnswer } from '../../../src/app/context/choice-prompt.ts'
import type { PageParts, RacePageRequest } from '../../../src/app/pages/pages.ts'
import { labelsOf } from '../../../src/race/labels.ts'
import type { RaceRun } from '../../../src/app/race/race-run.ts'
import { isOver } from '../../../src/race/race-steps.ts'
import { checkWords, spokenWords, stepWords } from './entrant-words.ts'

export function tellRace(request: RacePageRequest, { context, choicePrompt }: PageParts): void {
  const { run, attach, pick, discardOthers } = request
  const { race, live, isGoing, note } = run.view()
  const now = context.now()
  const labels = labelsOf(race.entrants)
  const all = race.entrants.map((entrant, at) =>
    spokenWords({ entrant, label: labels[at] ?? '', live: live.get(at), isGoing, now }),
  )
  followRace(run, words => context.addProgramNotice('info', words))
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

/** Those that are followed: each change is said once, however often the race is looked at. */
const followed = new WeakSet<RaceRun>()

/** Says what changes, until nothing happens any more. */
function followRace(run: RaceRun, say: (words: string) => void): void {
  if (followed.has(run) || isOver(run.view().race)) return
  followed.add(run)
  let said = changeWords(run)
  const stop = run.subscribe(() => {
    const now = changeWords(run)
    const before = new Set(said)
    said = now
    for (const words of now) if (!before.has(words)) say(words)
    if (!isOver(run.view().race)) return
    stop()
    followed.delete(run)
  })
}

/** What is new when it changes: how far each is, and its check. A worktree and a start come before every turn, and are not said. */
function changeWords(run: RaceRun): string[] {
  const { race, live, isGoing } = run.view()
  const labels = labelsOf(race.entrants)
  return race.entrants.flatMap((entrant, at) => {
    const label = labels[at] ?? ''
    const row = live.get(at)
    const isBefore = entrant.step === 'making' || entrant.step === 'starting' || entrant.step === 'waiting'
    const asked = row?.state === 'asks' ? (row.call?.subject ?? '') : ''
    const step = [stepWords({ entrant, live: row, isGoing }), asked, entrant.problem].filter(words => words !== '')
    const check = checkWords(entrant)
    const said = [isBefore ? '' : step.join(', '), check]
    return said.filter(words => words !== '').map(words => `${label}: ${words}`)
  })
}
