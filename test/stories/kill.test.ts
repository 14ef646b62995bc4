/** However the program ends, at whatever moment: the terminal is as it was, nothing goes on behind it, nothing is lost. */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Home } from '../helpers/home.ts'
import { alive, descendants, type Process } from '../helpers/processes.ts'
import type { OpenOptions, Screen } from '../helpers/screen.ts'
import { isLong } from '../helpers/length.ts'
import { expectDraft, lastingHome, logged, openQuickDemo, openZot, ready, send, unsent } from './stage.ts'

type Stage = {
  name: string
  agent: string
  /** Brings the program there. */
  reach: (zotui: Screen) => Promise<void>
  /** The text that must be there at the next start; the draft alone by default. */
  queue?: string
}

const toolRunning: Stage = { name: 'tool running', agent: 'busy', queue: 'the queued', reach: reachTool('tool') }

const stages: readonly Stage[] = [
  { name: 'start', agent: 'gated', reach: zotui => zotui.see(/starting zot/) },
  { name: 'idle', agent: 'busy', reach: zotui => zotui.see(ready) },
  {
    name: 'streaming',
    agent: 'busy',
    queue: 'the queued',
    async reach(zotui) {
      await zotui.see(ready)
      await send(zotui, 'stream')
      await zotui.see('And on. And on.')
      await zotui.until('the answer on disk', { check: () => logged(zotui.home).includes('And on.') })
    },
  },
  toolRunning,
  {
    name: 'editor open',
    agent: 'busy',
    reach: zotui => zotui.see(ready),
  },
  {
    name: 'picker open',
    agent: 'busy',
    reach: zotui => zotui.see(ready),
  },
  {
    name: 'viewer open',
    agent: 'busy',
    reach: zotui => zotui.see(ready),
  },
]

function reachTool(prompt: string): Stage['reach'] {
  return async zotui => {
    await zotui.see(ready)
    await send(zotui, prompt)
    await zotui.see('a shell sleeps')
    await zotui.until('both sleeps', { check: () => sleeps(zotui).length === 2 })
  }
}

const sleeps = (zotui: Screen): Process[] => zotui.children().filter(({ command }) => command.startsWith('sleep 70'))

/** An editor that says that it is there. */
function editorIn(home: Home): string {
  const path = join(home.path, 'editor')
  writeFileSync(path, '#!/bin/sh\necho the editor is open\nread -r line || exit 1\necho "$line" >"$1"\n')
  chmodSync(path, 0o755)
  return path
}

/** The program at a stage, with a draft, and a queue where there can be one. */
async function openAt(stage: Stage, home: Home, options: OpenOptions): Promise<Screen> {
  const zotui = await openZot(stage.agent, { home, env: { EDITOR: editorIn(home) }, ...options })
  await stage.reach(zotui)
  if (stage.queue) {
    await send(zotui, stage.queue)
    await zotui.see(/1 queued/)
  }
  await zotui.type('half a draft')
  await expectDraft(zotui, 'half a draft')
  if (stage.name === 'picker open') {
    await zotui.press('alt+p')
    await zotui.see(/haiku/)
  }
  if (stage.name === 'viewer open') {
    await zotui.press('ctrl+o')
    await zotui.see('q closes')
    await zotui.until('all modes of the viewer', { check: () => [1049, 1000, 1006].every(mode => zotui.mode(mode)) })
  }
  if (stage.name === 'editor open') {
    await zotui.press('ctrl+g')
    await zotui.see('the editor is open')
  }
  await zotui.until('the draft on disk', { check: () => unsent(home).includes('half a draft') })
  return zotui
}

async function expectGone(processes: readonly Process[]): Promise<void> {
  await expect.poll(() => processes.filter(alive).map(({ command }) => command), { timeout: 8000 }).toEqual([])
}

/** The rules that hold after every end but that of the terminal itself. */
async function expectOrder({ home }: Screen, stage: Stage, running: readonly Process[]): Promise<void> {
  await expectGone(running)
  expect(existsSync(join(home.path, '.local', 'state', 'zotui', 'zotui.log'))).toBe(false)
  const left = unsent(home)
  expect(left).toContain('half a draft')
  expect(left).toContain(stage.queue ?? '')
}

type Way = {
  name: string
  end: (zotui: Screen) => void | Promise<void>
  /** The words of the shell then; null if there is none any more. */
  said: RegExp | null
  job?: OpenOptions['job']
  /** Not while another program has the terminal: it is for that one. */
  exceptInEditor?: true
}

const signal = (name: NodeJS.Signals, code: number): Way => ({
  name,
  end: zotui => zotui.kill(name),
  said: new RegExp(`ended with ${code}, as it was`),
})

const ways: readonly Way[] = [
  { ...signal('SIGINT', 130), exceptInEditor: true },
  signal('SIGTERM', 143),
  signal('SIGHUP', 129),
  { ...signal('SIGQUIT', 131), exceptInEditor: true },
  signal('SIGKILL', 137),
  { name: 'the terminal is closed', end: zotui => zotui.hangUp(), said: null },
  { name: 'the shell is killed', end: zotui => zotui.killParent(), said: null },
  {
    name: 'what started it is killed',
    end: zotui => zotui.killParent(),
    said: /ended with 137/,
    job: 'below another',
  },
  { name: 'the input ends', end: endInput, said: /ended with 0, as it was/, exceptInEditor: true },
]

/** As Ctrl+D does where the terminal gathers lines: a read gives nothing. */
async function endInput(zotui: Screen): Promise<void> {
  execFileSync('stty', ['-F', `/proc/${zotui.pid}/fd/0`, 'icanon', 'eof', '^D'])
  await zotui.raw('\u0004')
}

/**
 * All ways with a running tool; at each other stage a signal that zotui hears, one that it does not, and the loss of the terminal. It is
 * idle below an open list, too. `npm run test:long` takes all ways at all stages.
 */
const shortWays = new Set(['SIGTERM', 'SIGKILL', 'the terminal is closed'])
const isMet = (way: Way, stage: Stage): boolean =>
  !(way.exceptInEditor && stage.name === 'editor open') &&
  (isLong || stage === toolRunning || (shortWays.has(way.name) && stage.name !== 'idle'))

describe.each(ways)('$name: nothing goes on, and nothing is lost', way => {
  test.each(stages.filter(stage => isMet(way, stage)))('$name', async stage => {
    const home = lastingHome()
    const zotui = await openAt(stage, home, { job: way.job ?? 'of the shell' })
    const running = [zotui.itself(), ...descendants(zotui.pid)]
    expect(zotui.watchdogs()).toHaveLength(1)
    await way.end(zotui)
    if (way.said) await zotui.seeInHistory(way.said)
    await expectOrder(zotui, stage, running)
    if (stage.name === 'streaming') await expectAllAtNextStart(home)
  })
})

async function expectAllAtNextStart(home: Home): Promise<void> {
  const next = await openZot('busy', { home, args: ['--continue', '--no-guard'] })
  await next.seeInHistory('Restored your draft and 1 queued message (paused).')
  await next.seeInHistory('▌ stream')
  await next.seeInHistory(/I am at it\. And on\./)
  await expectDraft(next, 'half a draft')
}

describe('stopped from outside, and continued', () => {
  const short = new Set(['start', 'tool running'])
  const met = stages.filter(({ name }) => name !== 'editor open' && (isLong || short.has(name)))
  test.each(met)('$name', async stage => {
    const zotui = await openAt(stage, lastingHome(), { job: 'of the shell' })
    // Another run of it may just list the models.
    const zot = zotui.children().filter(({ command }) => !command.includes('--list-models'))
    zotui.kill('SIGTSTP')
    await zotui.see('stopped, as it was')
    expect(zotui.mode(2004)).toBe(false)
    expect(zot.filter(alive)).toEqual(zot)
    await zotui.press('enter')
    if (stage.name === 'viewer open') {
      await zotui.see('q closes')
      await zotui.type('q')
    }
    if (stage.name === 'picker open') {
      await zotui.see('Esc cancels')
      await zotui.press('esc')
    }
    await zotui.see('▌ half a draft')
    expect(zotui.mode(2004)).toBe(true)
    await zotui.type(' and more')
    await expectDraft(zotui, 'half a draft and more')
  })
})

test('signals from the keyboard while an editor is open are for the editor', async () => {
  const zotui = await openQuickDemo({ env: home => ({ EDITOR: editorIn(home) }) })
  await zotui.press('ctrl+g')
  await zotui.see('the editor is open')
  zotui.kill('SIGINT')
  zotui.kill('SIGQUIT')
  await zotui.type('written in the editor')
  await zotui.press('enter')
  await expectDraft(zotui, 'written in the editor')
})

test('a repeated bug restores the terminal, is logged once, and loses nothing', async () => {
  const home = lastingHome()
  const bug = join(home.path, 'bug.mjs')
  const inZotui = "process.argv[1]?.endsWith('zotui.js')"
  writeFileSync(
    bug,
    `if (${inZotui}) process.on('SIGUSR2', () => setInterval(() => { throw new Error('a slip of ours') }))`,
  )
  const options = { under: `NODE_OPTIONS='--import ${bug}' exec "$@"` }
  const zotui = await openAt(toolRunning, home, options)
  const running = zotui.children()
  zotui.kill('SIGUSR2')
  expect(await zotui.exit()).toEqual({ code: 1, signal: null })
  await zotui.seeInHistory(/zotui: zotui crashed because of a bug\..*zotui\.log/s)
  await expectGone(running)
  expect(unsent(home)).toContain('half a draft')
  const log = readFileSync(join(home.path, '.local', 'state', 'zotui', 'zotui.log'), 'utf8')
  expect(log.match(/Error: a slip of ours/g)).toHaveLength(1)
})

/** Some systems do not let everybody see another machine than there is. */
const canHideProcesses = ((): boolean => {
  try {
    execFileSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'none', '/proc'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

describe('the watchdog', () => {
  test('kills a zot that ignores SIGTERM', async () => {
    const zotui = await openAt({ name: 'deaf', agent: 'busy', reach: reachTool('deaf') }, lastingHome(), {})
    const running = descendants(zotui.pid)
    zotui.kill('SIGKILL')
    await expectGone(running)
  })

  test.runIf(canHideProcesses)('reaches the process group of zot where there is no /proc', async () => {
    const under = `exec unshare -rm sh -c 'mount -t tmpfs none /proc && exec "$@"' sh "$@"`
    const zotui = await openZot('busy', { under })
    await zotui.see(ready)
    await send(zotui, 'tool')
    await zotui.see('a shell sleeps')
    const zot = zotui.children().filter(({ command }) => command.includes('busy.ts'))
    expect(zot).toHaveLength(1)
    zotui.kill('SIGKILL')
    await expectGone(zot)
  })

  test('ends a running ! command', async () => {
    const zotui = await openQuickDemo()
    await zotui.type('!sleep 703')
    await zotui.see('$ !sleep 703')
    await zotui.press('enter')
    await zotui.until('the command', { check: () => sleeps(zotui).length > 0 })
    const running = descendants(zotui.pid)
    zotui.kill('SIGKILL')
    await expectGone(running)
  })

  test('does not touch a terminal that was already restored', async () => {
    const zotui = await openQuickDemo({ job: 'of the shell' })
    await zotui.press('ctrl+z')
    await zotui.see('stopped, as it was')
    const before = zotui.bytes().length
    const [dog] = zotui.watchdogs()
    zotui.kill('SIGKILL')
    await expectGone(dog ? [dog] : [])
    await zotui.press('enter')
    await zotui.see(/ended with \d+, as it was/)
    expect(zotui.bytes().subarray(before).toString()).not.toContain('\u001B')
  })

  test('ZOTUI_WATCHDOG=0 turns it off', async () => {
    const zotui = await openQuickDemo({ env: { ZOTUI_WATCHDOG: '0' } })
    expect(zotui.watchdogs()).toEqual([])
  })
})
