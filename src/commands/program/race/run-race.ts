/** Begins a race after a question, or shows the races that there are. */
import type { CommandApp } from '../../../app/command-app.ts'
import { racePartsOf } from '../../../app/race/race-parts.ts'
import { racesOf } from '../../../app/race/races.ts'
import { isOfBranch, type UnusedSetting } from '../../../app/worktrees/setup-settings.ts'
import { NOT_DONE } from '../../../state/slash.ts'
import { statePath } from '../../../storage/log.ts'
import { typedPrompt } from '../open-conversation.ts'
import { askRace } from './race-question.ts'
import { listRaces } from './race-list.ts'
import { openRacePage } from './race-page.ts'
import { readRaceWords, type NamedEntrant } from '../../../race/race-words.ts'
import type { RacePlan } from '../../../race/race-record.ts'

export async function runRace(app: CommandApp, typed: string): Promise<unknown> {
  const { context } = app
  if (context.state().startup.demo) return (await import('./demo-race.ts')).runDemoRace(app, typed)
  const parts = racePartsOf(context, statePath())
  if (!parts) {
    context.addNotice('warn', 'A race needs git worktrees and conversations in the background, which are not here.')
    return NOT_DONE
  }
  const races = racesOf(parts)
  if (typed.trim() === '') return listRaces(app, races)
  const words = readRaceWords(typedPrompt(context, typed) ?? '')
  const named = words.ok ? await entrantsOf(app, words.entrants) : words
  if (!words.ok || !named.ok) {
    context.addNotice('warn', named.ok ? '' : named.why)
    return NOT_DONE
  }
  const unused: UnusedSetting[] = [...parts.setup().ignored]
  if (isOfBranch(context.settings, 'raceCheck', parts.worktrees.at)) unused.push('raceCheck')
  const plan = planOf(app, { entrants: named.entrants, prompt: words.prompt, hasCheck: !unused.includes('raceCheck') })
  return askRace(app, { plan, unused, parts, begin: () => openRacePage(app, races, races.begin(plan)) })
}

/** A check that is written in the worktree of an agent is not run. */
function planOf(
  { context }: CommandApp,
  { entrants, prompt, hasCheck }: Pick<RacePlan, 'entrants' | 'prompt'> & { hasCheck: boolean },
): RacePlan {
  const { host, settings, state } = context
  return {
    folder: host?.folder ?? '',
    prompt,
    entrants,
    checkCommand: hasCheck ? settings.values().raceCheck : null,
    mode: state().chat.permissionMode,
  }
}

type FoundEntrants = { ok: true; entrants: RacePlan['entrants'] } | { ok: false; why: string }

/** Refuses names that are no agents, and agents that are not installed, before anything is made. */
async function entrantsOf({ context }: CommandApp, named: readonly NamedEntrant[]): Promise<FoundEntrants> {
  const offered = (await context.agents?.list()) ?? []
  const { agent } = context.state().chat
  const names = offered.map(({ name }) => name)
  const entrants: RacePlan['entrants'][number][] = []
  for (const { agent: word, model } of named) {
    // One that has no name of the list is that of the command line, which the others begin with, too.
    const name = word ?? agent.name
    const known = offered.find(each => each.name === name)
    if (word !== null && !known)
      return { ok: false, why: `${word} is no agent here: ${names.join(', ')}. /race needs agents before the prompt.` }
    if (known && known.missing !== null) return { ok: false, why: `${name} is not installed: ${known.missing}` }
    entrants.push({ agent: known ? name : null, name, model })
  }
  return { ok: true, entrants }
}
