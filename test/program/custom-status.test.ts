/** When the command of `statusLine` runs, and what becomes of its output. */
import { setImmediate as settled } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { unsavedSettings } from '../../src/config/settings.ts'
import { followCustomStatus, type CustomStatusOptions } from '../../src/program/custom-status.ts'
import { reduceApp } from '../../src/state/reduce.ts'
import { createShownStore, createAppStore } from '../../src/state/app-store.ts'
import { stateWith, withChat } from '../components/stage.ts'
import { chatAfter, costs, ended, prompt, started } from '../conversation/events.ts'

type Printed = Awaited<ReturnType<CustomStatusOptions['run']>>

/** A status line on a clock that moves by hand, and on a command that answers by hand. */
function openLine(command: string | null = 'mine') {
  const settings = unsavedSettings({ statusLine: command })
  const first = createAppStore(stateWith(), reduceApp)
  const store = createShownStore(first)
  const runs: { command: string; input: Record<string, unknown>; signal: AbortSignal }[] = []
  const answers: ((printed: Printed) => void)[] = []
  let time = 0
  let timers: { at: number; run: () => void }[] = []
  const close = followCustomStatus({
    store,
    settings,
    place: () => ({ folder: '/p', machine: null, session: 's' }),
    run(command, input, signal) {
      runs.push({ command, input: JSON.parse(input) as Record<string, unknown>, signal })
      return new Promise(resolve => answers.push(resolve))
    },
    after(milliseconds, run) {
      const timer = { at: time + milliseconds, run }
      timers.push(timer)
      return () => {
        timers = timers.filter(each => each !== timer)
      }
    },
    now: () => time,
  })
  return {
    store,
    first,
    settings,
    runs,
    close,
    custom: () => store.get().customStatus,
    timers: () => timers.length,
    spend: (costUsd: number) =>
      store.dispatch({
        type: 'conversation_folded',
        chat: chatAfter(started, prompt('x'), costs({ costUsd }), ended),
      }),
    async pass(milliseconds: number) {
      time += milliseconds
      const due = timers.filter(({ at }) => at <= time)
      timers = timers.filter(({ at }) => at > time)
      for (const { run } of due) run()
      await settled()
    },
    async answer(printed: Printed | string) {
      answers.shift()?.(typeof printed === 'string' ? { ok: true, output: printed } : printed)
      await settled()
    },
  }
}

describe('the custom status line', () => {
  test('runs at the start and shows the first line', async () => {
    const line = openLine()
    await line.pass(0)
    expect(line.runs.map(({ command }) => command)).toEqual(['mine'])
    expect(line.runs[0]?.input).toMatchObject({ hook_event_name: 'Status', session_id: 's', cwd: '/p' })
    await line.answer('one\ntwo\n')
    expect(line.custom()).toEqual({ text: 'one', problem: null })
  })

  test('runs again only when its input has changed, and at most once a second', async () => {
    const line = openLine()
    await line.pass(0)
    await line.answer('a')
    await line.pass(5000)
    expect(line.runs).toHaveLength(1)
    expect(line.timers()).toBe(0)
    line.store.dispatch({ type: 'ticked', now: 1 })
    await line.pass(5000)
    expect(line.runs).toHaveLength(1)
    for (const costUsd of [1, 2, 3]) {
      line.spend(costUsd)
      await line.pass(0)
      await line.answer('b')
      await line.pass(300)
    }
    expect(line.runs).toHaveLength(2)
    await line.pass(700)
    expect(line.runs.map(({ input }) => input['cost'])).toEqual([
      { total_cost_usd: 0 },
      { total_cost_usd: 1 },
      { total_cost_usd: 3 },
    ])
  })

  test('never runs twice at once, and a slow run is followed by one with the newest facts', async () => {
    const line = openLine()
    await line.pass(0)
    line.spend(1)
    await line.pass(3000)
    expect(line.runs).toHaveLength(1)
    await line.answer({ ok: false, problem: 'did not answer within 5.0s' })
    expect(line.custom()).toEqual({ text: '', problem: 'did not answer within 5.0s' })
    await line.pass(0)
    expect(line.runs).toHaveLength(2)
  })

  test('belongs to the conversation that it was asked for', async () => {
    const line = openLine()
    const other = createAppStore(withChat(chatAfter(started), {}), reduceApp)
    await line.pass(0)
    line.store.show(other)
    await line.answer('of the first')
    expect(line.first.get().customStatus?.text).toBe('of the first')
    expect(other.get().customStatus).toBeNull()
    await line.pass(1000)
    await line.answer('of the other')
    expect(other.get().customStatus?.text).toBe('of the other')
  })

  test('comes and goes with the setting', async () => {
    const line = openLine(null)
    await line.pass(2000)
    expect([line.runs.length, line.custom()]).toEqual([0, null])
    await line.settings.change('statusLine', 'other')
    expect(line.custom()).toEqual({ text: '', problem: null })
    await line.pass(0)
    expect(line.runs[0]?.command).toBe('other')
    await line.settings.change('statusLine', null)
    await line.answer('late')
    expect(line.custom()).toBeNull()
  })

  test('is ended with zotui', async () => {
    const line = openLine()
    await line.pass(0)
    line.close()
    expect(line.runs[0]?.signal.aborted).toBe(true)
    line.spend(2)
    await line.answer('late')
    await line.pass(2000)
    expect([line.runs.length, line.timers(), line.custom()]).toEqual([1, 0, null])
  })
})
