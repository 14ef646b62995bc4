/** The question before a race: who runs, what it may cost, and which command is run. */
import type { CommandApp } from '../../../app/command-app.ts'
import { pastCosts } from '../../../app/race/past-costs.ts'
import type { RaceParts } from '../../../app/race/race-parts.ts'
import type { Races } from '../../../app/race/races.ts'
import { notUsed, type UnusedSetting } from '../../../app/worktrees/setup-settings.ts'
import { messageOf } from '../../../platform/errors.ts'
import type { CostEstimate } from '../../../race/estimate.ts'
import { labelsOf } from '../../../race/labels.ts'
import type { RacePlan } from '../../../race/race-record.ts'
import { RAISE_DAY } from '../../../storage/usage/raise-day.ts'
import { counted } from '../../../text/counted.ts'
import { inlineCode } from '../../../text/fence.ts'
import { formatCost } from '../../../text/format.ts'
import { oneLine, sanitize } from '../../../text/sanitize.ts'
import { sentence } from '../../../text/sentence.ts'
import { openRacePage } from './race-page.ts'

export type RaceStart = { plan: RacePlan; unused: readonly UnusedSetting[]; parts: RaceParts; races: Races }

export async function askRace(app: CommandApp, start: RaceStart): Promise<void> {
  const { context, choicePrompt, redraw } = app
  const { plan, parts } = start
  if (parts.dayCost?.isReached())
    return context.addNotice('warn', `No race begins: ${sentence(parts.dayCost.why())}`, RAISE_DAY)
  context.hint('Looking at what earlier turns have cost…')
  const { env } = parts.host
  const place = { stateFolder: parts.stateFolder, folder: plan.folder, env, now: context.now() }
  const [costs, dirty] = await Promise.all([
    pastCosts({ ...place, ledger: context.ledger }),
    parts.worktrees.isDirty(plan.folder),
  ])
  context.dispatch({ type: 'hinted', hint: null })
  if (!dirty.ok) return context.addNotice('error', `There is no race here: ${sentence(dirty.why)}`)
  const estimates = plan.entrants.map(({ name, model }) => costs.estimate({ agent: name, model }))
  const cancelled = context.preview(questionText(start, estimates, dirty.value))
  const cancel = (): void => {
    cancelled('No race was begun.')
    redraw()
  }
  choicePrompt.ask({
    title: `a race of ${plan.entrants.length}`,
    answers: [
      { label: 'Do not begin', detail: 'nothing is made', run: cancel },
      { label: 'Begin the race', detail: totalText(estimates), run: () => begin(app, start) },
    ],
    otherwise: cancel,
  })
}

function begin(app: CommandApp, { plan, races }: RaceStart): void {
  try {
    openRacePage(app, races, races.begin(plan))
  } catch (error) {
    app.context.addNotice('error', `The race cannot be saved, so it was not begun: ${sentence(messageOf(error))}`)
  }
}

function questionText(
  { plan, unused, parts }: RaceStart,
  estimates: readonly (CostEstimate | null)[],
  isDirty: boolean,
): string {
  const names = labelsOf(plan.entrants)
  const width = Math.max(...names.map(name => name.length))
  const rows = names.map((name, at) => `${name.padEnd(width)}  ${estimateText(estimates[at] ?? null)}`)
  const { checkCommand, mode } = plan
  const setup = parts.setup().command
  const facts = [
    ...(setup === null ? [] : [`First in each worktree, before its agent starts: ${inlineCode(setup)}`]),
    ...unused.map(notUsed),
    checkCommand === null
      ? unused.includes('raceCheck')
        ? 'No check runs.'
        : 'No check runs: the setting `raceCheck` names a command, such as `npm test`.'
      : `Then once in each worktree, outside of any sandbox, on what the agents have written: ${inlineCode(checkCommand)}`,
    ...(mode === null ? [] : [`Permission mode of all: ${mode}.`]),
    ...(isDirty ? ['Your uncommitted changes are not in the worktrees.'] : []),
  ]
  const [who, more] = [rows, facts].map(lines => lines.map(line => oneLine(sanitize(line))))
  // Sentences are wrapped at words, which a fence does not do.
  const list = more?.map(line => `- ${line}`).join('\n') ?? ''
  return `A race of ${plan.entrants.length}, each in a git worktree of its own and in the background:\n\n\`\`\`text\n${who?.join('\n') ?? ''}\n\`\`\`\n\n${list}`
}

function estimateText(estimate: CostEstimate | null): string {
  if (estimate === null) return 'cost unknown: no earlier turn here to go by'
  const { median, high, turns } = estimate
  return `about ${formatCost(median)}, 9 of 10 at most ${formatCost(high)} (${counted(turns, 'turn')})`
}

/** The sum of what is known; what is not known is said. */
function totalText(estimates: readonly (CostEstimate | null)[]): string {
  const known = estimates.filter(estimate => estimate !== null)
  if (known.length === 0) return 'its cost is unknown'
  const [median, high] = [
    known.reduce((sum, one) => sum + one.median, 0),
    known.reduce((sum, one) => sum + one.high, 0),
  ]
  const others = estimates.length - known.length
  const rest = others === 0 ? '' : `, and ${others} of unknown cost`
  return `about ${formatCost(median)}, perhaps ${formatCost(high)}${rest}`
}
