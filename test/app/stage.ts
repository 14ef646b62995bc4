/** The program without a terminal: a user, the controller, and an agent that does what the test says. */
import { spokenPages } from './pages.ts'
import { pickerTable } from '../../components/picker/table.ts'
import { slashCommands } from '../../src/commands/table.ts'
import { setImmediate } from 'node:timers/promises'
import { createController } from '../../src/app/controller.ts'
import type { Controller, ControllerOptions } from '../../src/app/controller-options.ts'
import { entryText } from '../../src/state/composer/queue-entry.ts'
import { initialState, type AppState } from '../../src/state/state.ts'
import { createAppStore } from '../../src/state/app-store.ts'
import { describePart, ended, stops, answering, step, says, answered, accepted, text } from '../conversation/events.ts'
import { FakeBackend } from './fake-backend.ts'

/** The queue with each entry as it was typed. */
export function queueOf({ queue }: AppState): { entries: string[]; paused: boolean } {
  return { entries: queue.entries.map(entryText), paused: queue.paused }
}

export type Stage = {
  backend: FakeBackend
  controller: Controller
  state: () => AppState
  /** The requests to the agent since the last time. */
  asked: () => string[]
  press: (...keys: readonly string[]) => Promise<void>
  /** Types a text, letter by letter. */
  type: (text: string) => Promise<void>
  /** Types a text and presses Enter. */
  say: (text: string) => Promise<void>
  paste: (text: string) => Promise<void>
  /** The turn ends: well, or as it is said. */
  done: (how?: 'done' | 'failed' | 'aborted') => Promise<void>
  /** The conversation, an entry a line. */
  entries: () => string[]
  settle: () => Promise<void>
  exits: number[]
  redraws: () => number
  clock: { now: number }
}

/** Lets all that is ready happen. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 4; turn += 1) await setImmediate()
}

/** The optional parts of a program. */
export type StageParts = Pick<
  ControllerOptions,
  | 'after'
  | 'elapsed'
  | 'checkpoints'
  | 'dayCost'
  | 'keymap'
  | 'journals'
  | 'openFinder'
  | 'openLocalServer'
  | 'sessions'
  | 'secrets'
  | 'host'
  | 'settings'
  | 'commandSources'
  | 'recentModels'
  | 'hooks'
  | 'openReview'
  | 'serving'
> &
  Partial<Pick<ControllerOptions, 'permissions'>>

/** A program that has not been started. */
export function createStage(make = (backend: FakeBackend): FakeBackend => backend, parts: StageParts = {}): Stage {
  const clock = { now: 1000 }
  const backend = make(new FakeBackend(() => clock.now))
  const store = createAppStore(initialState({ version: '1.2.3', folder: '~', branch: null, demo: false }, clock.now))
  const exits: number[] = []
  let redraws = 0
  const controller = createController({
    slashCommands,
    pickers: pickerTable,
    permissions: null,
    elapsed: () => clock.now,
    ...parts,
    store,
    backend,
    now: () => clock.now,
    composerWidth: () => 78,
    screenRows: () => 24,
    pages: spokenPages,
    redraw: () => {
      redraws += 1
    },
    onLeave: code => exits.push(code),
  })
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) {
      controller.press(key)
      await settle()
    }
  }
  const type = async (words: string): Promise<void> => {
    for (const letter of words) controller.type(letter)
    await settle()
  }
  return {
    backend,
    controller,
    state: store.get,
    asked: () => backend.asked.splice(0),
    press,
    type,
    async say(words) {
      await type(words)
      await press('enter')
    },
    async paste(words) {
      controller.paste(words)
      await settle()
    },
    async done(how = 'done') {
      const words = `re: ${backend.prompts.at(-1)?.text ?? ''}`
      backend.tell(accepted, step(1), answering, says(words))
      if (how === 'done') backend.end(answered(text(words)), stops('end'), ended)
      else if (how === 'aborted') backend.end(stops('aborted'), ended)
      else backend.end(stops('error', 'http 503'), { type: 'error_reported', message: 'http 503' }, ended)
      await settle()
    },
    entries: () =>
      store.get().chat.entries.map(entry => {
        if (entry.kind === 'turn') return `${entry.prompt}: ${entry.outcome}`
        if (entry.kind === 'notice') return describePart(entry)
        return entry.kind === 'compaction' ? `compaction: ${entry.outcome}` : entry.kind
      }),
    settle,
    exits,
    redraws: () => redraws,
    clock,
  }
}

/** A program whose agent is ready. */
export async function startedStage(make?: (backend: FakeBackend) => FakeBackend, parts?: StageParts): Promise<Stage> {
  const stage = createStage(make, parts)
  stage.controller.start(null)
  await stage.settle()
  stage.asked()
  return stage
}
