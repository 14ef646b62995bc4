/** Another program, such as one in a box, swaps a folder of the project for a link that leads out while zotui's tools work in it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { zotTools } from '../../src/local-tools/as-zot/zot-tools.ts'
import { writeFiles, type PlannedFile } from '../../src/checkpoints/restore.ts'
import { createLocalTools } from '../../src/local-tools/local-tools.ts'
import type { ToolOutcome } from '../../src/local-tools/tool.ts'
import { heldPlaces } from '../../src/platform/held-places.ts'
import { project } from './folder.ts'

const SWAPPING = fileURLToPath(new URL('swapping.ts', import.meta.url))
const TIMES = 1000
const SECRET = 'only-the-person-reads-this'

/** A project whose folder `a/b` is, every now and then, a link to a folder outside. */
async function swapped() {
  const { folder, outside, at } = project({ 'a/b/file.txt': 'inside\n', 'a/b/deep/other.txt': 'inside\n' })
  mkdirSync(join(outside, 'deep'))
  for (const name of ['file.txt', 'secret.txt', 'deep/other.txt']) writeFileSync(join(outside, name), `${SECRET}\n`)
  symlinkSync(outside, at('a/way-out'))
  const child = spawn(process.execPath, [SWAPPING, at('a/b'), at('a/way-out'), at('a/aside')], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(async () => {
    if (child.exitCode !== null) throw new Error('The program that swaps has ended by itself')
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  })
  await once(child.stdout, 'data')
  return { folder, at, outside }
}

/** All that is in a folder: names, modes and contents. */
function stateOf(folder: string): unknown {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map(name => {
      const stats = statSync(join(folder, name))
      return [name, stats.mode, stats.nlink, stats.isFile() ? readFileSync(join(folder, name), 'utf8') : null]
    })
}

const words = ({ content }: ToolOutcome): string => JSON.stringify(content)

/** The outcomes of many calls, and how many of them succeeded. */
async function outcomes(call: (at: number) => Promise<ToolOutcome>, times = TIMES) {
  const all: ToolOutcome[] = []
  for (let at = 0; at < times; at += 1) all.push(await call(at))
  return { said: all.map(words), succeeded: all.filter(({ isError }) => !isError).length }
}

describe.skipIf(process.platform === 'win32')('while a folder is swapped for a link that leads out', () => {
  test.each([
    ['a new file', (at: number) => ({ path: `a/b/new-${at}.txt`, content: 'x' })],
    ['a file that is there', () => ({ path: 'a/b/file.txt', content: 'x' })],
    ['a new folder', (at: number) => ({ path: `a/b/new-${at}/file.txt`, content: 'x' })],
    ['a folder below it', (at: number) => ({ path: 'a/b/deep/other.txt', content: String(at) })],
  ])('no write of %s reaches the outside', async (_name, args) => {
    const { folder, outside } = await swapped()
    const before = stateOf(outside)
    const tools = createLocalTools({ folder, env: process.env })
    const { succeeded } = await outcomes(at => tools.run('write', args(at)))
    expect(stateOf(outside)).toEqual(before)
    expect(succeeded).toBeGreaterThan(0)
  })

  test.each([
    ['read', 'zotui', { path: 'a/b/file.txt' }],
    ['read', 'zot', { path: 'a/b/file.txt' }],
    ['list', 'zotui', { path: 'a/b' }],
    ['search', 'zotui', { pattern: 'person', path: 'a' }],
    ['glob', 'zot', { pattern: '**/*.txt', path: 'a' }],
    ['edit', 'zotui', { path: 'a/b/file.txt', edits: [{ oldText: 'person', newText: 'x' }] }],
  ])('%s of %s says nothing of what is outside', async (tool, whose, args) => {
    const { folder, outside } = await swapped()
    const before = stateOf(outside)
    const tools = createLocalTools({ folder, env: process.env, ...(whose === 'zot' && { tools: zotTools }) })
    const call = (): Promise<ToolOutcome> => tools.run(tool, args)
    // Each search starts a thread.
    const { said } = await outcomes(call, tool === 'search' ? 100 : TIMES)
    expect(said.filter(each => each.includes(SECRET) || each.includes('secret.txt'))).toEqual([])
    expect(stateOf(outside)).toEqual(before)
  })

  test('the preview of an edit shows nothing of what is outside', async () => {
    const { folder } = await swapped()
    const tools = createLocalTools({ folder, env: process.env })
    const shown: string[] = []
    for (let at = 0; at < TIMES; at += 1) {
      const preview = await tools.preview('write', { path: 'a/b/file.txt', content: 'x' })
      if (preview.ok && preview.paths.every(path => path.startsWith(folder))) shown.push(preview.diff)
    }
    expect(shown.filter(diff => diff.includes(SECRET))).toEqual([])
  })

  test.each([
    ['written', '100644'],
    ['written as a link', '120000'],
    ['deleted', null],
  ])('no file that a checkpoint has %s is one outside', async (_name, mode) => {
    const { folder, outside } = await swapped()
    const before = stateOf(outside)
    const what = mode === null ? 'deleted' : 'restored'
    const entry = mode === null ? null : { mode, oid: '1' }
    const files: PlannedFile[] = ['a/b/file.txt', 'a/b/deep/other.txt'].map(path => {
      return { path, what, added: null, removed: null, byUser: false, entry }
    })
    const place = {
      root: folder,
      contentOf: async () => Buffer.from('restored'),
      variables: {},
      unfinished: '.zotui-restoring',
    }
    for (let at = 0; at < TIMES; at += 1) await writeFiles(place, files, {})
    expect(stateOf(outside)).toEqual(before)
  })

  test('nothing outside is removed with what a command has left', async () => {
    const { folder, outside, at } = await swapped()
    const before = stateOf(outside)
    const tools = createLocalTools({ folder, env: process.env })
    const places = heldPlaces(folder, join(folder, '..', 'state'))
    const path = at('a/b/deep')
    for (let time = 0; time < TIMES; time += 1) {
      places.hold([{ path, kind: 'protected', isNew: true }])
      await places.answer(path, 'remove')
      await tools.run('write', { path: 'a/b/deep/other.txt', content: 'x' })
    }
    expect(stateOf(outside)).toEqual(before)
  })
})
