/** The races of this folder, the newest first. */
import type { CommandApp } from '../../../app/command-app.ts'
import type { Races } from '../../../app/race/races.ts'
import { labelsOf } from '../../../race/labels.ts'
import type { Race } from '../../../race/race-record.ts'
import { isAtWork } from '../../../race/race-steps.ts'
import { formatAge } from '../../../text/format.ts'
import { openRacePage } from './race-page.ts'

export async function listRaces(app: CommandApp, races: Races): Promise<void> {
  const { context, choicePrompt } = app
  const found = await races.list(context.host?.folder ?? '')
  const [only] = found
  if (!only) return context.hint('There is no race here yet: /race claude,codex fix the failing tests')
  if (found.length === 1) return show(app, races, only)
  choicePrompt.ask({
    title: 'races',
    answers: found.map(race => ({
      label: race.prompt,
      detail: `${stateWords(race)}, ${formatAge(context.now() - race.at)}`,
      run: () => void show(app, races, race),
    })),
  })
}

async function show(app: CommandApp, races: Races, { id }: Race): Promise<void> {
  app.context.hint('Looking at the race…')
  const run = await races.open(id)
  app.context.dispatch({ type: 'hinted', hint: null })
  if (run) return openRacePage(app, races, run)
  app.context.hint('This race is gone.')
}

function stateWords({ entrants }: Race): string {
  const working = entrants.filter(isAtWork).length
  const done = entrants.filter(({ step }) => step === 'done').length
  const picked = entrants.findIndex(({ isPicked }) => isPicked)
  if (picked >= 0) return `${labelsOf(entrants)[picked]} was taken`
  return working > 0 ? `${working} of ${entrants.length} at work` : `${done} of ${entrants.length} done`
}
