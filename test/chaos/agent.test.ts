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
import type { Screen } from '../helpers/screen.ts'
import { expectDraft, logged, openZot, ready, send } from '../stories/stage.ts'
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

describe('a fault at the start of the agent', () => {
  test.each([
    ['a banner', ready],
    ['garbage', ready],
    ['early events', ready],
    ['answers to nobody', ready],
    ['answers twice', ready],
    ['floods stderr', ready],
    ['half a line', /exit code 0.*\/restart/s],
    ['exits with 0', /exit code 0.*\/restart/s],
    ['exits with 3', /exit code 3.*\/restart/s],
    ['is killed', /SIGKILL.*\/restart/s],
    ['another protocol', /version 7 of its protocol.*Upgrade the older/s],
    ['a wrong token', /refused.*token/s],
    ['wrong types', /^ {2}\S+/m],
    ['an empty answer', /protocol|cannot be read/],
  ])('%s', async (fault, words) => {
    const zotui = await openZot('chaos', { env: { CHAOS_START: fault } })
    await zotui.type('my draft')
    await zotui.see(words)
    await expectDraft(zotui, 'my draft')
    expect(zotui.bytes().toString()).not.toContain('\u001B[2J')
  })
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
const ends: Record<string, RegExp> = { '200000 deltas': /word\s+After it/, '5000 lines': /line 4999\. [^]*After it/ }
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
    const zotui = await openZot('chaos', {
      rows: 40,
      env: { CHAOS_START: '', CHAOS_API_KEY: 'a key that is looked for' },
    })
    await zotui.see(ready)
    for (const [at, fault] of survived.entries()) {
      await send(zotui, fault)
      await zotui.see(ends[fault] ?? '', { timeout: 60_000 })
      await zotui.seeInHistory(seen[fault] ?? new RegExp(`▌ ${fault}[^▌]*After`, 's'), { timeout: 60_000 })
      await zotui.gone(/Esc stops {3}Enter queues/)
      await expectUsable(zotui, `no${at}`)
    }
    expect(usageOf(zotui.pid).peakMemory / MEGABYTE).toBeLessThan(700)
    await zotui.press('ctrl+d')
    await zotui.exit()
    expectWholeLog(zotui.home)
  })

  test('that end the agent are reported, and /restart continues', async () => {
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
    await zotui.press('ctrl+d')
    await zotui.exit()
    expectWholeLog(zotui.home)
  })
})

describe('an agent that is killed between turns', () => {
  /** Each is open when the agent dies. */
  const places: Record<string, { open?: (zotui: Screen) => Promise<void>; leave?: string }> = {
    idle: {},
    'a picker open': {
      async open(zotui) {
        await zotui.press('alt+p')
        await zotui.see(/haiku/)
      },
      leave: 'esc',
    },
    'the viewer open': {
      async open(zotui) {
        await zotui.press('ctrl+o')
        await zotui.see('q closes')
      },
      leave: 'q',
    },
  }

  test.each(Object.entries(places))('%s: its death is told, and /restart goes on', async (_, { open, leave }) => {
    const zotui = await openZot('chaos', { rows: 40 })
    await zotui.see(ready)
    await expectUsable(zotui, 'before')
    await open?.(zotui)
    const agent = zotui.children().find(({ command }) => / rpc\b/.test(command))
    process.kill(agent?.pid ?? 0, 'SIGKILL')
    if (leave) await zotui.until('its end', { check: () => logged(zotui.home).includes('agent_ended') })
    if (leave) await zotui.press(leave)
    await zotui.see(/SIGKILL/)
    // Nothing is open any more, so no Esc: what is typed right after one is Alt and a letter for a program that reads both at once.
    await send(zotui, '/restart')
    await zotui.see(/^ {2}anthropic\/sonnet/m)
    await expectUsable(zotui, 'after')
    await zotui.press('ctrl+d')
    await zotui.exit()
    expectWholeLog(zotui.home)
  })
})
