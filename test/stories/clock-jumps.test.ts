/** Somebody sets the clock of the day, forwards by a day or backwards by an hour, while something is going on: times that are counted go on. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { Screen } from '../helpers/screen.ts'
import { lastingHome, letGo, openZot, ready, send } from './stage.ts'

const preload = fileURLToPath(new URL('../fixtures/jump-clock.ts', import.meta.url))
const HOUR = 3_600_000
const jumps = [
  ['forwards by a day', 24 * HOUR],
  ['backwards by an hour', -HOUR],
] as const

const clockOf = ({ home }: Pick<Screen, 'home'>): string => join(home.path, 'clock')
const setClock = (zotui: Pick<Screen, 'home'>, by: number): void => writeFileSync(clockOf(zotui), String(by))
const withClock = (path: string) => ({ NODE_OPTIONS: `--import=${preload}`, CLOCK_OFF: join(path, 'clock') })

/** Seconds of the counted time at the end of the line about the work. */
function seconds(zotui: Screen): number | null {
  const line = zotui.screen().find(row => /^\S (?:answering|running your command)/.test(row)) ?? ''
  const [, found] = / (\d+(?:\.\d)?)s(?: |$)/.exec(line) ?? []
  return found === undefined ? null : Number(found)
}

describe.each(jumps)('the clock is set %s', (_, by) => {
  test('while the agent works: the time of the turn goes on, and so do the next turn and the session', async () => {
    const home = lastingHome()
    const zotui = await openZot('long-lived', { home, env: withClock(home.path) })
    await zotui.see(ready)
    await send(zotui, 'wait')
    await zotui.see('You said: wait.')
    await zotui.until('a counted time', { check: () => seconds(zotui) !== null })
    const before = seconds(zotui) ?? 0
    setClock(zotui, by)
    await zotui.until('the time to go on', { check: () => (seconds(zotui) ?? 0) > before + 0.5 })
    expect(seconds(zotui)).toBeLessThan(60)
    letGo(zotui, 'wait')
    await zotui.until('the turn to be over', { check: () => zotui.around.title.startsWith('zotui: ') })
    expect(zotui.history().join('\n')).not.toMatch(/\d+[hd]\d\d/)
    await send(zotui, 'again')
    await zotui.see('You said: again.')
    await zotui.until('the turn to be over', { check: () => zotui.around.title.startsWith('zotui: ') })
    await zotui.close()
    expect(timesIn(zotui)).toEqual([expect.closeTo(0, -4), expect.closeTo(by, -4)])
  })

  test('while a command of the user runs: its time goes on', async () => {
    const home = lastingHome()
    const zotui = await openZot('echo', { home, env: withClock(home.path) })
    await zotui.see(ready)
    await zotui.type('!!until [ -e ~/go ]; do sleep 0.1; done; echo over')
    await zotui.see(/echo over$/m)
    await zotui.press('enter')
    await zotui.until('a counted time', { check: () => seconds(zotui) !== null })
    const before = seconds(zotui) ?? 0
    setClock(zotui, by)
    await zotui.until('the time to go on', { check: () => (seconds(zotui) ?? 0) > before + 0.5 })
    expect(seconds(zotui)).toBeLessThan(60)
    letGo(zotui, 'go')
    await zotui.see(/^ +over$/m)
    expect(zotui.history().join('\n')).not.toMatch(/\d+[hd]\d\d/)
    await zotui.close()
  })
})

/** By how much the times of the prompts differ from the real ones: the session's file says when they came. */
function timesIn({ home }: Screen): number[] {
  const root = join(home.path, '.local', 'state', 'zotui', 'sessions')
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' })
  const file = names.find(name => name.endsWith('.jsonl')) ?? ''
  const events = readFileSync(join(root, file), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line) as { type?: string; at?: number; event?: { type: string; at: number } })
    .map(line => line.event ?? line)
  return events.flatMap(({ type, at }) => (type === 'prompt_sent' && at !== undefined ? [at - Date.now()] : []))
}
