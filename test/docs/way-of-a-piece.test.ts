/**
 * The page of the architecture names all functions through which a piece of text comes from zot to the state. Here real pieces take
 * that way, from a process to the store of the UI, while V8 counts the calls of each function.
 */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import type { Backend } from '../../src/agent/backend.ts'
import { createAgentSwitch } from '../../src/agents/switching.ts'
import { createZotBackend } from '../../src/agents/zot/backend.ts'
import { launchZot } from '../../src/agents/zot/program/zot-process.ts'
import { pickerTable } from '../../components/picker/table.ts'
import { slashCommands } from '../../src/commands/table.ts'
import { createController } from '../../src/app/controller.ts'
import { hookedAgent } from '../../src/hooks/hooked-agent.ts'
import { createHooks } from '../../src/hooks/hooks.ts'
import { createAppStore, type ConversationStore } from '../../src/state/app-store.ts'
import { initialState } from '../../src/state/state.ts'
import { spokenPages } from '../app/pages.ts'
import { makeHome } from '../helpers/home.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const agent = join(root, 'test/fixtures/agents/pieces.ts')
const PIECES = 400
const LONGEST_FUNCTION = 80

/** What V8 made while it was asked, a sample for each; the types of Node leave it out. */
type Allocations = { samples: readonly { size: number }[] }

type Station = { often: string; file: string; names: string[]; copy: string }

/** The rows of the table, in order. */
const stations: Station[] = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
  .split('\n')
  .flatMap(line => {
    const [, often = '', file = '', names = '', copy = ''] =
      /^\| (piece|frame) \| `([^`]+)` \| ([^|]+) \| ?([^|]*?) ?\|$/.exec(line) ?? []
    return file === ''
      ? []
      : [{ often, file: `src/${file}`, names: [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name), copy }]
  })

const namesOf = (often: string): string[] =>
  stations.filter(each => each.often === often).flatMap(({ file, names }) => names.map(name => `${file} ${name}`))

/** The UI without a screen, with an agent that is a process, as the program puts them together. */
function start(): { backend: Backend; store: ConversationStore } {
  const home = makeHome()
  onTestFinished(() => home.remove())
  const path = join(home.path, 'zot')
  writeFileSync(path, `#!/bin/sh\nexec '${process.execPath}' '${agent}' "$@"\n`)
  chmodSync(path, 0o755)
  const env = { PATH: process.env['PATH'], HOME: home.path }
  const zot = createZotBackend({ connect: () => launchZot({ path, options: { cwd: home.project }, env }) })
  const hooks = createHooks({
    written: () => [],
    facts: () => ({ session_id: null, cwd: home.project, machine: null, agent: 'zot', permission_mode: null }),
    folder: home.project,
    env,
    now: Date.now,
    onMessage: () => {},
  })
  const { backend } = hookedAgent({ backend: createAgentSwitch(zot).backend, hooks, now: Date.now })
  const store = createAppStore(initialState({ version: '1.2.3', folder: '~', branch: null, demo: false }, 0))
  createController({
    slashCommands,
    pickers: pickerTable,
    store,
    backend,
    pages: spokenPages,
    permissions: null,
    now: Date.now,
    composerWidth: () => 78,
    screenRows: () => 24,
    redraw: () => {},
    onLeave: () => {},
  })
  onTestFinished(() => backend.close())
  return { backend, store }
}

/** How often each function of ours with a name was called for an answer of so many pieces. */
async function callsFor(pieces: number): Promise<Map<string, number>> {
  const { backend } = start()
  await backend.open()
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await backend.prompt({ text: `${pieces} 40`, images: [] })
  const { result } = await session.post('Profiler.takePreciseCoverage')
  await session.post('Profiler.stopPreciseCoverage')
  session.disconnect()
  const calls = new Map<string, number>()
  for (const { url, functions } of result) {
    const file = /\/(src\/.*)$/.exec(url)?.[1]
    if (!url.includes(root) || file === undefined) continue
    for (const { functionName, ranges } of functions) {
      const name = `${file} ${functionName}`
      if (functionName !== '') calls.set(name, (calls.get(name) ?? 0) + (ranges[0]?.count ?? 0))
    }
  }
  return calls
}

test('the page names each function that is called for a piece, and no other', async () => {
  const [many, few] = [await callsFor(PIECES), await callsFor(PIECES / 4)]
  const called = [...many].flatMap(([name, count]) => (count - (few.get(name) ?? 0) >= PIECES / 2 ? [name] : []))
  expect(called.toSorted()).toEqual(namesOf('piece').toSorted())
  // For a frame each is called, and less often than for a piece.
  for (const name of namesOf('frame')) {
    const count = many.get(name) ?? 0
    expect({ name, isCalled: count > 0, isRare: count < PIECES / 2 }).toEqual({ name, isCalled: true, isRare: true })
  }
})

test('the functions are named in the order in which a piece comes to them', async () => {
  const { backend, store } = start()
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 100
  const ways: string[][] = []
  const note = (): void => void ways.push(placesIn(new Error('here').stack ?? ''))
  backend.subscribe(event => void (event.type === 'text_received' && note()))
  store.subscribe(note)
  await backend.open()
  await backend.prompt({ text: '50 40', images: [] })
  Error.stackTraceLimit = stackTraceLimit
  const known = stations.map(({ file }) => file)
  const passed = new Set<string>()
  for (const way of ways) {
    const places = way.flatMap(file => (known.includes(file) ? [known.indexOf(file)] : []))
    for (const file of way) passed.add(file)
    const isWhole = way.some(file => file.endsWith('/lines.ts'))
    expect(isWhole ? places : []).toEqual(isWhole ? places.toSorted((a, b) => a - b) : [])
  }
})

/** The files of ours on a stack, the outermost first. Files that are on it twice count where they were first. */
function placesIn(stack: string): string[] {
  const files = stack
    .split('\n')
    .flatMap(line => (line.includes(root) ? [/\/(src\/[\w/.-]+\.ts)/.exec(line)?.[1] ?? ''] : []))
  return [...new Set(files.filter(file => file !== '').toReversed())]
}

test('the text of a piece is copied three times: to the line, out of its JSON, and with the others of its frame', async () => {
  const length = 20_000
  const { backend } = start()
  await backend.open()
  const session = new Session()
  session.connect()
  const collected = { includeObjectsCollectedByMajorGC: true, includeObjectsCollectedByMinorGC: true }
  await session.post('HeapProfiler.startSampling', { samplingInterval: 64, ...collected })
  await backend.prompt({ text: `${PIECES} ${length}`, images: [] })
  const { profile } = await session.post('HeapProfiler.stopSampling')
  session.disconnect()
  // The whole answer comes once more when it is finished: those are the longest.
  const { samples } = profile as unknown as Allocations
  const texts = samples.map(({ size }) => size).filter(size => size >= length && size < (length * PIECES) / 2)
  const copied = texts.reduce((sum, size) => sum + size, 0) / (length * PIECES)
  expect(copied).toBeGreaterThan(2)
  expect(copied).toBeLessThan(3.2)
})

test('no function on the way has more than 80 lines, and the way has six copies at most', () => {
  for (const { file, names } of stations) {
    const lines = readFileSync(join(root, file), 'utf8').split('\n')
    for (const name of names) {
      const begins = new RegExp(
        String.raw`^(\s*)(?:export |return )?(?:protected |override )*(?:(?:async )?function |const )?${name}(?:<.*>)?(?:\(|:|,| = )`,
      )
      const first = lines.findIndex(line => begins.test(line))
      expect([file, name, first >= 0]).toEqual([file, name, true])
      const indent = begins.exec(lines[first] ?? '')?.[1] ?? ''
      const rest = lines.slice(first + 1)
      const length = rest.findIndex(line => new RegExp(`^${indent}\\S`).test(line)) + 2
      expect([file, name, length <= LONGEST_FUNCTION]).toEqual([file, name, true])
    }
  }
  expect(stations.filter(({ copy }) => copy !== '').length).toBeLessThanOrEqual(6)
})
