/** The common parts of the stories: the demo, fake zots, and a look at the composer. */
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { afterAll, expect, onTestFinished } from 'vitest'
import { compiled, environment, makeHome, type Home } from '../helpers/home.ts'
import { open, type OpenOptions, type Screen } from '../helpers/screen.ts'

export const program = fileURLToPath(new URL('../../dist/zotui.js', import.meta.url))

/** The status line of a fake zot that can be talked to. */
export const ready = /^ {2}(?:anthropic\/)?sonnet/m

/** A demo so fast that nobody waits for the end of a turn. A story that acts in the middle of a turn needs its own pace. */
export const quick = { ZOTUI_DEMO_SPEED: '10' }

/** For a story about checkpoints: files are saved before each prompt, as the settings say. */
export const withCheckpoints = { ZOTUI_CHECKPOINTS: undefined }

/** Opens the demo and waits until it can be talked to. */
export async function openDemo({ args = [], ...options }: OpenOptions = {}): Promise<Screen> {
  const zotui = await open({ ...options, args: ['--demo', ...args] })
  // A list may stand in the place of the status line.
  await zotui.see(/demo-large|demo \d/)
  return zotui
}

/** Opens a `quick` demo. */
export async function openQuickDemo({ env, ...options }: OpenOptions = {}): Promise<Screen> {
  return openDemo({ ...options, env: home => ({ ...quick, ...(typeof env === 'function' ? env(home) : env) }) })
}

/** Fakes that make no calls: a guard beside them asks nothing, and costs a quarter of a start. */
const WITHOUT_CALLS = new Set(['echo', 'deaf', 'gated', 'streaming', 'logging-in', 'keyless'])

/** Opens zotui on one of the fake zots of `test/fixtures/agents`. A guard is beside those that make calls, unless `isGuarded` says. */
export async function openZot(
  agent: string,
  { env, args = [], isGuarded = !WITHOUT_CALLS.has(agent), ...options }: OpenOptions & { isGuarded?: boolean } = {},
): Promise<Screen> {
  const variables = (home: Home) => ({
    ZOTUI_ZOT: installZot(home, agent),
    ...(typeof env === 'function' ? env(home) : env),
  })
  return open({ ...options, args: isGuarded ? args : ['--no-guard', ...args], env: variables })
}

/** Opens the zot that says what it was told, and waits until it can be talked to. */
export async function openEcho(options: OpenOptions = {}): Promise<Screen> {
  const zotui = await openZot('echo', options)
  await zotui.see(ready)
  return zotui
}

/** A home that several programs may use, one after the other. It is removed after the test. */
export function lastingHome(): Home {
  const home = makeHome()
  onTestFinished(() => home.remove())
  return home
}

/**
 * A home in which something has happened that several tests begin with. It happens once, and each test finds the home as it was left,
 * at the same path, since sessions know theirs. Called beside the tests.
 */
export function homeAfter(happened: (home: Home) => Promise<void>): () => Promise<Home> {
  let home: Home | null = null
  afterAll(() => {
    home?.remove()
    if (home) rmSync(original(home), { recursive: true, force: true })
  })
  return async () => {
    if (home) {
      copyFolder(original(home), home.path)
      return home
    }
    const made = makeHome()
    await happened(made)
    copyFolder(made.path, original(made))
    home = made
    return home
  }
}

const original = ({ path }: Home): string => `${path}-original`

function copyFolder(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  cpSync(from, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
}

/** Opens a fake zot in a home to come back to, `echo` unless said, and waits until it can be talked to. */
export async function openIn(
  home: Home,
  { agent = 'echo', ...options }: OpenOptions & { agent?: string } = {},
): Promise<Screen> {
  const zotui = await openZot(agent, { ...options, home })
  // A list may stand in the place of the status line, and the header may have scrolled away.
  await zotui.see(/\bzot \d+\.\d|^ {2}anthropic\/sonnet/m)
  return zotui
}

/** Puts a fake zot into the folder `bin` of a home, as a program named `zot`; returns its path. */
export const installZot = (home: Home, agent: string): string => installAgent(home, { name: 'zot', agent })

/**
 * Puts an agent of `test/fixtures/agents` into the folder `bin` of a home, under this name; returns its path. `first` are commands of the
 * shell that runs before it.
 */
export function installAgent(home: Home, { name, agent, first = '' }: InstalledAgent): string {
  const folder = join(home.path, 'bin')
  const script = fileURLToPath(new URL(`../fixtures/agents/${agent}.ts`, import.meta.url))
  mkdirSync(folder, { recursive: true })
  const path = join(folder, name)
  // Stripping the types of a fake takes three times as long as all that it does else.
  const start = `NODE_COMPILE_CACHE='${join(compiled, 'agents')}' exec '${process.execPath}' '${script}'`
  writeFileSync(path, `#!/bin/sh\n${first}\n${start} "$@"\n`)
  chmodSync(path, 0o755)
  return path
}

type InstalledAgent = { name: string; agent: string; first?: string }

/** All that the sessions of a home say. */
export function logged({ path }: Home): string {
  const root = join(path, '.local', 'state', 'zotui', 'sessions')
  if (!existsSync(root)) return ''
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.jsonl'))
  return files.map(name => readFileSync(join(root, name), 'utf8')).join('')
}

/** All that the journals of drafts hold. */
export function unsent({ path }: Home): string {
  const root = join(path, '.local', 'state', 'zotui', 'drafts')
  if (!existsSync(root)) return ''
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(name => basename(name) === 'state.json')
  return files.map(name => readFileSync(join(root, name), 'utf8')).join('\n')
}

/** Lets a fake zot go on that waits for a file of this name. */
export function letGo(zotui: Screen, gate: string): void {
  writeFileSync(join(zotui.home.path, gate), '')
}

/** Types one line and, when it is on the screen, presses Enter: read together with text, that would be part of a paste. */
export async function send(zotui: Screen, text: string): Promise<void> {
  await zotui.type(text)
  await expectDraft(zotui, text)
  await zotui.press('enter')
}

/** Exits by key. A turn may go on for a moment after its last word, and meanwhile the key only asks; the title says when it is over. */
export async function exitAtRest(zotui: Screen): Promise<void> {
  await zotui.until('the turn to be over', { check: () => zotui.around.title.startsWith('zotui: ') })
  await zotui.press('ctrl+d')
}

/** Waits until the composer holds exactly this; of several lines it looks at the one with the caret. */
export async function expectDraft(zotui: Screen, text: string): Promise<void> {
  const caretLine = () => (zotui.screen()[zotui.cursor().row] ?? '').replace(/^[▌> ] ?/, '')
  await zotui.until(`the composer to hold ${JSON.stringify(text)}`, { check: () => caretLine() === text })
}

/** Brings a program that tests `share` back to an empty composer, and shows them nothing of what came before. */
export async function startAfresh(zotui: Screen): Promise<void> {
  await zotui.until('the screen of the shell', { check: () => !zotui.alternate })
  if (!/^[▌>]$/.test(zotui.screen()[zotui.cursor().row] ?? '')) await zotui.press('ctrl+c')
  await expectDraft(zotui, '')
  // The first screen stands above the composer until something is said, and then goes.
  const greeting = zotui.screen().findLastIndex(row => row.startsWith('  Welcome to zotui'))
  zotui.forget(greeting < 0 ? 0 : zotui.cursor().row - greeting)
}

/** Clears the draft, of however many lines. */
export async function clearDraft(zotui: Screen): Promise<void> {
  await zotui.press('ctrl+c')
  await expectDraft(zotui, '')
}

/** Waits until the caret stands after so many columns of the composer's text. */
export async function expectCaret(zotui: Screen, column: number): Promise<void> {
  await zotui.until(`the caret in column ${column}`, { check: () => zotui.cursor().column === column + 2 })
}

export type Outcome = { code: number | undefined; stdout: string; stderr: string }

/** Runs zotui without a terminal. */
export async function run(
  args: readonly string[],
  {
    env = {},
    node = process.execPath,
    input = '',
  }: { env?: Record<string, string>; node?: string; input?: string | Buffer } = {},
): Promise<Outcome> {
  const home = makeHome()
  const { exitCode, stdout, stderr } = await execa(node, [program, ...args], {
    cwd: home.project,
    env: environment(home.path, { ...quick, ...env }),
    extendEnv: false,
    input,
    reject: false,
    timeout: 15_000,
  })
  home.remove()
  return { code: exitCode, stdout, stderr }
}

/** Asks an agent for the command `touch made`, which must wait for the user and run once it is allowed. Closes the program. */
export async function expectAllowedCommand(zotui: Screen): Promise<void> {
  await send(zotui, 'touch made')
  await zotui.see('Run this command?')
  expect(existsSync(join(zotui.cwd, 'made'))).toBe(false)
  await zotui.see(/› .*Yes/)
  await zotui.press('enter')
  await zotui.see('It ran.')
  expect(existsSync(join(zotui.cwd, 'made'))).toBe(true)
  await zotui.close()
}

/** Asks for the command `touch made` in plan mode, where it must not run. Ends in mode ask. */
export async function expectNothingInPlanMode(zotui: Screen): Promise<void> {
  await send(zotui, '/plan')
  await zotui.see(/Mode plan/)
  await send(zotui, 'touch made')
  await zotui.see('It did not run.')
  expect(existsSync(join(zotui.cwd, 'made'))).toBe(false)
  await zotui.see(/› 1 Yes, edit files/)
  await zotui.type('n')
  await zotui.see('You rejected the plan.')
  await startAfresh(zotui)
  await send(zotui, '/permissions ask')
  await zotui.see(/Mode ask/)
}
