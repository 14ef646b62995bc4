import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createFinder, type Finder } from '../../../src/platform/files/finder.ts'
import { makeProject } from './project.ts'

type Watched = Finder & {
  clock: { time: number }
  /** The paths that a query finds. */
  paths: (query: string) => string[]
  /** Resolves when a query finds so many paths. */
  found: (query: string, count: number) => Promise<string[]>
  changed: () => Promise<void>
}

/** With each look at the clock, `tick` milliseconds pass. */
function find(folder: string, { recent = [] as readonly string[], limit = 10, tick = 0 } = {}): Watched {
  const clock = { time: 0 }
  const waiting: (() => void)[] = []
  const finder = createFinder({
    folder,
    recent: () => recent,
    limit,
    now: () => (clock.time += tick),
    onChange: () => waiting.splice(0).forEach(resolve => resolve()),
  })
  onTestFinished(finder.close)
  const changed = (): Promise<void> => new Promise(resolve => void waiting.push(resolve))
  const paths = (query: string): string[] => finder.search(query).map(({ path }) => path)
  return {
    ...finder,
    clock,
    changed,
    paths,
    async found(query, count) {
      for (;;) {
        const change = changed()
        const found = paths(query)
        if (found.length === count) return found
        await change
      }
    },
  }
}

test('typing a few letters of a name, one too many, and deleting it finds the file', async () => {
  const project = makeProject()
  project.write('src/app/main.ts', 'src/app/main-window.ts', 'test/main.test.ts', 'README.md')
  const finder = find(project.folder)
  expect(finder.search('')).toEqual([])
  finder.open()
  expect(await finder.found('', 7)).toEqual([
    'src/',
    'test/',
    'README.md',
    'src/app/',
    'test/main.test.ts',
    'src/app/main.ts',
    'src/app/main-window.ts',
  ])
  expect(finder.paths('m').slice(0, 2)).toEqual(['src/app/main.ts', 'test/main.test.ts'])
  expect(finder.paths('mw')).toEqual(['src/app/main-window.ts'])
  expect(finder.search('mwx')).toEqual([])
  expect(finder.search('mw')).toEqual([{ path: 'src/app/main-window.ts', positions: [8, 13] }])
  expect(finder.paths('READ')).toEqual(['README.md'])
})

test('recently used files come first, as of the opening', async () => {
  const project = makeProject()
  project.write('a.ts', 'b.ts', 'sub/c.ts')
  const recent = ['sub/c.ts']
  const finder = find(project.folder, { recent })
  finder.open()
  expect((await finder.found('', 4))[0]).toBe('sub/c.ts')
  recent.unshift('b.ts', 'gone.ts')
  finder.open()
  expect((await finder.found('', 4)).slice(0, 2)).toEqual(['b.ts', 'sub/c.ts'])
})

test('no key waits for more than a slice of the search, and the best results are complete in the end', async () => {
  const project = makeProject()
  project.write(...Array.from({ length: 3000 }, (_, at) => `file-${at}.ts`))
  // Each look at the clock is 3 ms later, so that a stretch is over after a few hundred paths.
  const finder = find(project.folder, { tick: 3, limit: 5000 })
  finder.open()
  await finder.found('', 3000)
  expect(finder.paths('file').length).toBeLessThan(2000)
  expect(await finder.found('file', 3000)).toContain('file-2999.ts')
  expect(await finder.found('2999', 1)).toEqual(['file-2999.ts'])
})

test('new and deleted files are noticed at the next opening', async () => {
  const project = makeProject()
  project.write('old.ts', 'other.ts')
  const finder = find(project.folder)
  finder.open()
  expect(await finder.found('o', 2)).toEqual(['old.ts', 'other.ts'])
  project.write('odd.ts', 'odder.ts')
  rmSync(join(project.folder, 'other.ts'))
  finder.clock.time = 10_000
  const changed = finder.changed()
  finder.open()
  expect(finder.paths('o')).toEqual(['old.ts', 'other.ts'])
  await changed
  expect(await finder.found('o', 3)).toEqual(['odd.ts', 'old.ts', 'odder.ts'])
})

test('an unreadable folder gives an empty result', async () => {
  const finder = find(join(makeProject().folder, 'nowhere'))
  const changed = finder.changed()
  finder.open()
  finder.search('x')
  await changed
  expect(finder.search('x')).toEqual([])
})
