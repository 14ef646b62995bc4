/** `/race` in the demo: a made-up race, with the question before it, its page, and what is done with those who run. */
import type { CommandApp } from '../../../app/command-app.ts'
import { CHECK_COMMAND } from '../../../app/race/demo-entrants.ts'
import { DemoRace } from '../../../app/race/demo-race.ts'
import { quietTimers } from '../../../platform/timers.ts'
import { labelsOf } from '../../../race/labels.ts'
import { readRaceWords } from '../../../race/race-words.ts'
import { isAtWork } from '../../../race/race-steps.ts'
import { counted } from '../../../text/counted.ts'
import { NOT_DONE } from '../../../state/slash.ts'
import { statePath } from '../../../storage/log.ts'
import { typedPrompt } from '../open-conversation.ts'
import { NO_RACE } from './race-list.ts'
import { askRace } from './race-question.ts'

/** The race of this zotui. */
const known = new WeakMap<object, DemoRace>()

export async function runDemoRace(app: CommandApp, typed: string): Promise<unknown> {
  const { context } = app
  const { conversations, host, state, now } = context
  if (!conversations) return NOT_DONE
  if (typed.trim() === '') {
    const last = known.get(conversations)
    return last ? openDemoRace(app, last) : context.hint(NO_RACE)
  }
  const words = readRaceWords(typedPrompt(context, typed) ?? '')
  if (!words.ok) {
    context.addNotice('warn', words.why)
    return NOT_DONE
  }
  const plan = {
    folder: host?.folder ?? '',
    prompt: words.prompt,
    checkCommand: CHECK_COMMAND,
    mode: state().chat.permissionMode,
    entrants: words.entrants.map(({ agent, model }) => ({ agent, model, name: agent ?? 'demo' })),
  }
  return askRace(app, {
    plan,
    unused: [],
    parts: {
      stateFolder: statePath(),
      host: { env: host?.env ?? {} },
      dayCost: null,
      setup: () => ({ files: [], command: null, ignored: [] }),
      worktrees: { isDirty: async () => ({ ok: true, value: false }) },
    },
    begin() {
      known.get(conversations)?.close()
      const run = new DemoRace(plan, { now, after: quietTimers.after })
      known.set(conversations, run)
      openDemoRace(app, run)
    },
  })
}

function openDemoRace(app: CommandApp, run: DemoRace): void {
  const { context, pages } = app
  pages.open('race', {
    run,
    attach: () => context.hint('The demo makes the race up: there is no conversation to go to.'),
    pick: at => askPick(app, run, at),
    discardOthers: at => askDiscard(app, run, at),
    diffOf(at) {
      const branch = run.view().race.entrants[at]?.worktree?.branch
      if (branch === undefined) return null
      return { subject: { kind: 'worktree', name: branch }, collect: async () => run.changesOf(at) }
    },
  })
}

function askPick({ context, choicePrompt }: CommandApp, run: DemoRace, at: number): void {
  const entrant = run.view().race.entrants[at]
  if (!entrant?.worktree) return context.hint('There is no worktree to take.')
  const label = labelsOf(run.view().race.entrants)[at] ?? ''
  if (isAtWork(entrant)) return context.hint(`${label} still works${context.keyed(': {race.stop} stops it')}.`)
  const take = (): void => {
    run.picked(at)
    context.addProgramNotice('success', `The work of ${label} counts as taken. The demo has changed no file.`)
  }
  choicePrompt.ask({
    title: `take ${entrant.worktree.branch}`,
    answers: [
      { label: 'Merge', detail: 'into your branch, with a merge commit', run: take },
      { label: 'Rebase', detail: 'its commits on top of your branch', run: take },
      { label: 'Cherry-pick', detail: 'into your files, uncommitted', run: take },
      { label: 'Leave it', detail: 'nothing is changed', run: () => undefined },
    ],
  })
}

function askDiscard({ context, choicePrompt }: CommandApp, run: DemoRace, chosen: number): void {
  const { entrants } = run.view().race
  const isAnyPicked = entrants.some(({ isPicked }) => isPicked)
  const others = [...entrants.entries()].flatMap(([at, { isPicked, isDiscarded }]) =>
    isDiscarded || (isAnyPicked ? isPicked : at === chosen) ? [] : [at],
  )
  if (others.length === 0) return context.hint('No worktree is left to discard.')
  const discard = async (): Promise<void> => {
    for (const at of others) context.addProgramNotice('info', await run.discard(at))
  }
  choicePrompt.ask({
    title: `discard ${counted(others.length, 'worktree')}`,
    answers: [
      { label: 'Keep them', detail: 'nothing is changed', run: () => undefined },
      { label: `Discard all ${others.length}`, detail: 'their work is lost; sessions stay', run: () => void discard() },
    ],
  })
}
