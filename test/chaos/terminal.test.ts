/** The terminal fails: too small, dragged about, slow, or not read by anybody any more. */
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { usageOf } from '../../bench/process-usage.ts'
import { isLong } from '../helpers/length.ts'
import { alive } from '../helpers/processes.ts'
import type { Screen } from '../helpers/screen.ts'
import { expectDraft, logged, openQuickDemo, openZot, ready, send, unsent } from '../stories/stage.ts'

describe('a terminal size', () => {
  test.each([
    [1, 1],
    [20, 5],
    [5, 20],
    [500, 3],
  ])('of %i by %i sends what is typed, and Ctrl+L shows everything after it grows', async (columns, rows) => {
    const zotui = await openZot('echo', { columns, rows })
    await zotui.until('the agent', { check: () => zotui.children().length > 0 })
    await pause(300)
    await zotui.type('hello')
    await zotui.press('enter')
    await zotui.until('the end of the turn', { check: () => logged(zotui.home).includes('turn_ended') })
    zotui.resize(80, 24)
    await zotui.press('ctrl+l')
    await zotui.see('You said: hello.')
    await zotui.type('a draft')
    await expectDraft(zotui, 'a draft')
  })

  test('that changes a thousand times in a second is survived', async () => {
    const zotui = await openQuickDemo()
    for (let step = 0; step < 1000; step += 1) {
      zotui.resize(40 + (step % 60), 10 + (step % 30))
      if (step % 10 === 0) await pause(10)
    }
    zotui.resize(80, 24)
    await zotui.see(/^ {2}demo/m)
    await send(zotui, 'thanks')
    await zotui.see('You are welcome')
  })
})

/** A long answer in a terminal that nobody reads any more: more than it and all on the way to it can hold. */
async function openUnread(fault: string): Promise<Screen> {
  const zotui = await openZot('chaos', { rows: 40 })
  await zotui.see(ready)
  await zotui.type(fault)
  await expectDraft(zotui, fault)
  zotui.stopReading()
  await zotui.press('enter')
  await expectLogged(zotui, 'line 1900')
  return zotui
}

/** The program's own knowledge, whatever the terminal shows. */
async function expectLogged(zotui: Screen, words: string): Promise<void> {
  await expect.poll(() => logged(zotui.home).includes(words), { timeout: 15_000 }).toBe(true)
}

/** Ended is what is asked of it, not what the terminal shows: nobody reads that. */
async function expectEnded(zotui: Screen, milliseconds: number): Promise<void> {
  const itself = zotui.itself()
  const began = performance.now()
  zotui.kill('SIGTERM')
  await expect.poll(() => alive(itself), { timeout: 15_000 }).toBe(false)
  expect(performance.now() - began).toBeLessThan(milliseconds)
  zotui.readOn()
  expect(await zotui.exit()).toEqual({ code: 143, signal: null })
}

describe('a terminal that does not read', () => {
  test('for a while delays neither keys nor the agent, and then gets everything once', async () => {
    const zotui = await openUnread('2500 lines')
    await zotui.type('a draft')
    await expect.poll(() => unsent(zotui.home).includes('a draft')).toBe(true)
    await expectLogged(zotui, 'turn_ended')
    if (isLong) await pause(10_000)
    zotui.readOn()
    await expectDraft(zotui, 'a draft')
    await zotui.see('After it.')
    const lines = zotui
      .history()
      .join('\n')
      .match(/line \d+\. and/g)
    expect(lines).toEqual(Array.from({ length: 2500 }, (_, line) => `line ${line}. and`))
    zotui.committedOnce(['After it.'])
    expect(usageOf(zotui.pid).peakMemory / 2 ** 20).toBeLessThan(500)
  })

  test('for a while may be resized meanwhile, and ever again does not delay SIGTERM in the viewer', async () => {
    const zotui = await openUnread('2500 lines')
    for (const columns of [100, 60, 90]) {
      zotui.resize(columns, 30)
      await pause(200)
    }
    zotui.readOn()
    await zotui.see('After it')
    await zotui.type('a draft')
    await expectDraft(zotui, 'a draft')
    await zotui.press('ctrl+o')
    await zotui.see('q closes')
    zotui.stopReading()
    for (let page = 0; page < 100; page += 1) await zotui.press('pageup')
    await expectEnded(zotui, 3000)
  })

  test('for a while does not prevent a key from stopping the agent', async () => {
    const zotui = await openUnread('endless lines')
    await zotui.press('esc')
    await expectLogged(zotui, 'abort_requested')
    zotui.readOn()
    await zotui.see('stopping')
  })

  test('ever again does not delay SIGTERM, and the terminal is restored once it is read', async () => {
    const zotui = await openUnread('2500 lines')
    await expectLogged(zotui, 'turn_ended')
    await expectEnded(zotui, 3000)
  })
})
