import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AgentEvent } from '../../../src/agent/event.ts'
import { CommandChanges } from '../../../src/app/changes/command-changes.ts'
import type { AppContext } from '../../../src/app/context/context.ts'
import type { TouchedFile } from '../../../src/changes/by-commands.ts'
import { reduce } from '../../../src/conversation/reduce.ts'
import { initialChat } from '../../../src/conversation/state.ts'
import { accepted, calls, ended, prompt, returns, step, timed, type Told } from '../../conversation/events.ts'
import { stateWith } from '../../components/stage.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const touched = (...names: readonly string[]): TouchedFile[] =>
  names.map(name => ({ file: `/work/${name}`, path: name, added: 1, removed: 0 }))

/** A turn that is told to it, and a git that answers when it is let. */
function stage() {
  let chat = initialChat
  const remarks: string[] = []
  const asked: number[] = []
  let answer: ((files: TouchedFile[] | null) => void) | undefined
  const fold = (events: readonly AgentEvent[]): void => {
    chat = events.reduce(reduce, chat)
  }
  const context = {
    state: () => stateWith({ chat }),
    report: fold,
    addNotice: (_level: string, text: string) => remarks.push(text),
    now: () => Date.now(),
    elapsed: () => Date.now(),
  } as unknown as AppContext
  const source = {
    touchedSince() {
      asked.push(Date.now())
      return new Promise<TouchedFile[] | null>(resolve => {
        answer = resolve
      })
    },
  }
  const changes = new CommandChanges(context, '/work', source)
  return {
    remarks,
    asked,
    tell: (...events: readonly Told[]): void => {
      for (const event of timed(events)) {
        changes.onEvent(event)
        fold([event])
      }
    },
    answers: async (files: TouchedFile[] | null, after = 0): Promise<void> => {
      await vi.advanceTimersByTimeAsync(after)
      answer?.(files)
      await vi.advanceTimersByTimeAsync(0)
    },
    named: () => {
      const turn = chat.open ?? chat.entries.at(-1)
      return turn?.kind === 'turn' ? turn.byCommands.files.map(({ path }) => path) : []
    },
  }
}

const begun = [prompt('go'), accepted, step(1)]
const runs = (id: string): Told[] => [calls(id, 'bash', { command: 'make' }), returns(id, 'done')]

test('git is not run after a turn without commands', async () => {
  const { tell, asked } = stage()
  tell(...begun, calls('e', 'edit', { path: 'a' }), returns('e', 'ok'), ended)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(asked).toEqual([])
})

test('git is run once for several commands, and files changed by edits are left out', async () => {
  const { tell, asked, answers, named, remarks } = stage()
  tell(...begun, calls('e', 'edit', { path: 'src/a' }), returns('e', 'ok'), ...runs('b'), ...runs('c'))
  await vi.advanceTimersByTimeAsync(1_000)
  expect(asked).toHaveLength(1)
  await answers(touched('src/a', 'b'))
  await vi.waitFor(() => expect(named()).toEqual(['b']))
  tell(ended)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(asked).toHaveLength(1)
  expect(remarks).toEqual([])
})

test('a slow git rests for ten times its duration, and is run again at the end of the turn', async () => {
  const { tell, asked, answers, named, remarks } = stage()
  tell(...begun, ...runs('b'))
  await vi.advanceTimersByTimeAsync(1_000)
  tell(...runs('c'))
  await answers(touched('b'), 1_000)
  await vi.advanceTimersByTimeAsync(15_000)
  expect(asked).toHaveLength(1)
  tell(ended)
  expect(asked).toHaveLength(2)
  await answers(touched('b', 'c'))
  expect(named()).toEqual(['b'])
  expect(remarks).toEqual(['Commands changed 1 file: c. /diff shows what.'])
})

test('a git that was slow once is run again', async () => {
  const { tell, asked, answers, named } = stage()
  tell(...begun, ...runs('b'))
  await vi.advanceTimersByTimeAsync(1_000)
  await answers(null, 3_000)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(asked).toHaveLength(2)
  await answers(touched('b'))
  expect(named()).toEqual(['b'])
})

test('a git that does not answer twice delays nothing, and is not run again for minutes', async () => {
  const { tell, asked, answers, remarks } = stage()
  tell(...begun, ...runs('b'))
  await vi.advanceTimersByTimeAsync(1_000)
  tell(ended, ...begun, ...runs('c'), ended)
  expect(asked).toHaveLength(1)
  await answers(null, 3_000)
  await answers(null, 3_000)
  tell(...begun, ...runs('d'))
  await vi.advanceTimersByTimeAsync(60_000)
  tell(ended)
  expect(asked).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(300_000)
  tell(...begun, ...runs('e'), ended)
  expect(asked).toHaveLength(3)
  expect(remarks).toEqual([])
})

test('the next turn runs git only after the previous run has ended', async () => {
  const { tell, asked, answers, remarks } = stage()
  tell(...begun, ...runs('b'), ended, ...begun, ...runs('c'), ended)
  expect(asked).toHaveLength(1)
  await answers(touched('b'))
  expect(asked).toHaveLength(2)
  await answers(touched('c'))
  expect(remarks).toEqual([
    'Commands changed 1 file: b. /diff shows what.',
    'Commands changed 1 file: c. /diff shows what.',
  ])
})
