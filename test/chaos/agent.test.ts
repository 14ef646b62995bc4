/** The agent misbehaves in every way that we could think of: what the user sees says it, and the program can be used on. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, test } from 'vitest'
import { usageOf } from '../../bench/process-usage.ts'
import { readSession } from '../../src/storage/sessions/read-session.ts'
import { initialChat } from '../../src/conversation/state.ts'
import { reduce } from '../../src/conversation/reduce.ts'
import type { Home } from '../helpers/home.ts'
import { open, type Screen } from '../helpers/screen.ts'
import { clearDraft, expectDraft, installAgent, logged, openZot, ready, send } from '../stories/stage.ts'
import { turnFaults } from './agent-faults.ts'

const MEGABYTE = 2 ** 20

/** Asks something that an agent in its senses answers, with a draft typed on the way. */
async function expectUsable(zotui: Screen, word: string): Promise<void> {
  await send(zotui, `are you there ${word}`)
  await zotui.see(new RegExp(`You said: are you there ${word}\\.`))
  await zotui.type('a draft')
  await expectDraft(zotui, 'a draft')
  await zotui.press('ctrl+u')
  await expectDraft(zotui, '')
}

/** Every line that was logged is whole, and folds; no turn is left open. */
function expectWholeLog({ path }: Home): void {
  const root = join(path, '.local', 'state', 'zotui', 'sessions')
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.jsonl'))
  const sessions = files.map(name => readSession(join(root, name))).filter(({ events }) => events.length > 0)
  expect(sessions.length).toBeGreaterThan(0)
  for (const { header, skipped, events } of sessions) {
    expect({ header: header !== null, skipped }).toEqual({ header: true, skipped: 0 })
    expect(events.reduce(reduce, initialChat).open).toBeNull()
  }
}

/** Faults at the start of the agent, and what is seen of them. */
const starts: Record<string, RegExp> = {
  'a banner': ready,
  garbage: ready,
  'early events': ready,
  'answers to nobody': ready,
  'answers twice': ready,
  'floods stderr': ready,
  'half a line': /exit code 0.*\/restart/s,
  'exits with 0': /exit code 0.*\/restart/s,
  'exits with 3': /exit code 3.*\/restart/s,
  'is killed': /SIGKILL.*\/restart/s,
  'another protocol': /version 7 of its protocol.*Upgrade the older/s,
  'a wrong token': /refused.*token/s,
  'wrong types': /^ {2}all allowed/m,
  'an empty answer': /protocol|cannot be read/,
}

/** The zot of this home commits this fault at its next start. */
const installFaulty = (home: Home, fault: string): string =>
  installAgent(home, { name: 'zot', agent: 'chaos', first: `export CHAOS_START='${fault}'` })

// After a fault that ends the agent, /restart brings the next one.
test.each([
  'a banner',
  'garbage',
  'early events',
  'floods stderr',
  'half a line, another protocol, an empty answer, wrong types',
  'exits with 0, answers twice',
  'exits with 3, is killed, a wrong token, answers to nobody',
])('at the start of the agent: %s', async words => {
  const faults = words.split(', ')
  const zotui = await open({ env: home => ({ ZOTUI_ZOT: installFaulty(home, faults[0] ?? '') }) })
  for (const [at, fault] of faults.entries()) {
    if (at > 0) {
      installFaulty(zotui.home, fault)
      await clearDraft(zotui)
      zotui.forget()
      await send(zotui, '/restart')
      await expectDraft(zotui, '')
    }
    await zotui.type('my draft')
    await zotui.see(starts[fault] ?? fault)
    await expectDraft(zotui, 'my draft')
  }
  expect(zotui.bytes().toString()).not.toContain('\u001B[2J')
})

/** The visible part of a fault in a turn; the word `After` is in each answer that comes to its end. */
const seen: Record<string, RegExp> = {
  'invalid utf-8': /Before it\. <\uFFFD\(\uFFFD+>After it/,
  'a line of 70 MB': /After it[^▌]*a line of 70\.0 MB, which is too long to read/s,
  'arguments nested too deep': /bash +ls -la.*some files[^▌]*After it/s,
  'calls without results': /bash.*not run[^▌]*After it/s,
  'says only done': /▌ says only done/,
  'refuses the prompt': /no, not today/,
}
/** Their end on the screen: to look for it in all of the long text again and again would take longer than to print it. */
const ends: Record<string, RegExp> = {
  'a flood of deltas': /word\s+After it/,
  '2500 lines': /line 2499\. [^]*After it/,
}
/** After these the agent is gone, and said to be. */
const endings: Record<string, RegExp> = {
  'exits with 0': /exit code 0.*\/restart/s,
  'exits with 3': /exit code 3.*\/restart/s,
  'is killed': /SIGKILL.*\/restart/s,
  'half a line and out': /exit code 0.*\/restart/s,
  'closes its output': /closed its output, so zotui ended it.*\/restart/s,
}
/** These end by the user only. */
const endless = new Set(['never done', 'never answers', 'endless lines'])
const survived = Object.keys(turnFaults).filter(name => !(name in endings) && !endless.has(name))

describe('faults in a turn', () => {
  test('of one agent are all survived, and each next prompt is answered', { timeout: 240_000 }, async () => {
    const { ZOTUI_TEST_LONG } = process.env
    const zotui = await openZot('chaos', {
      rows: 40,
      env: { ZOTUI_TEST_LONG, CHAOS_START: '', CHAOS_API_KEY: 'a key that is looked for' },
    })
    await zotui.see(ready)
    for (const [at, fault] of survived.entries()) {
      await send(zotui, fault)
      await zotui.see(ends[fault] ?? '', { timeout: 60_000 })
      await zotui.seeInHistory(seen[fault] ?? new RegExp(`▌ ${fault}[^▌]*After`, 's'), { timeout: 60_000 })
      await zotui.gone(/Esc stops {3}Enter queues/)
      await expectUsable(zotui, `no${at}`)
      zotui.forget()
    }
    expect(usageOf(zotui.pid).peakMemory / MEGABYTE).toBeLessThan(700)
    await zotui.press('ctrl+d')
    await zotui.exit()
    expectWholeLog(zotui.home)
  })

  test('that end the agent are reported, as is its death between turns, and /restart continues', async () => {
    const zotui = await openZot('chaos', { rows: 40 })
    await zotui.see(ready)
    for (const [fault, words] of Object.entries(endings)) {
      await send(zotui, fault)
      await zotui.see(words)
      await send(zotui, '/clear')
      await send(zotui, '/restart')
      await zotui.gone(/ended, \/restart/)
      await zotui.press('ctrl+l')
      await expectUsable(zotui, fault)
    }
    zotui.forget()
    killAgent(zotui)
    await expectRestart(zotui)
    await zotui.press('ctrl+d')
    await zotui.exit()
    expectWholeLog(zotui.home)
  })
})

test('an agent that is killed behind the viewer or a list is reported as dead, and /restart goes on', async () => {
  const zotui = await openZot('chaos', { rows: 40 })
  await zotui.see(ready)
  const deaths = () => logged(zotui.home).split('agent_ended').length
  for (const [key, words, leave] of [
    ['ctrl+o', 'q closes', 'q'],
    ['alt+p', 'haiku', 'esc'],
  ] as const) {
    await expectUsable(zotui, words)
    zotui.forget()
    await zotui.press(key)
    await zotui.see(words)
    const before = deaths()
    killAgent(zotui)
    await zotui.until('its end', { check: () => deaths() > before })
    await zotui.press(leave)
    await expectRestart(zotui)
  }
  await zotui.press('ctrl+d')
  await zotui.exit()
  expectWholeLog(zotui.home)
})

function killAgent(zotui: Screen): void {
  const agent = zotui.children().find(({ command }) => / rpc\b/.test(command))
  process.kill(agent?.pid ?? 0, 'SIGKILL')
}

/** Its death is told, and another one is started. */
async function expectRestart(zotui: Screen): Promise<void> {
  await zotui.see(/SIGKILL/)
  // Nothing is open any more, so no Esc: what is typed right after one is Alt and a letter for a program that reads both at once.
  await send(zotui, '/restart')
  await zotui.see(/^ {2}anthropic\/sonnet/m)
  await expectUsable(zotui, 'after')
}
