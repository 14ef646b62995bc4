import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createFinder, type FileResults, type Finder } from '../../../src/platform/files/finder.ts'
import { makeProject } from './project.ts'

type Watched = Finder & {
  clock: { time: number }
  /** The results when they are the last word. */
  settled: (query: string) => Promise<FileResults>
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
  return {
    ...finder,
    clock,
    changed,
    async settled(query) {
      for (;;) {
        const change = changed()
        const results = finder.search(query)
        if (results.isComplete) return results
        await change
      }
    },
  }
}

const paths = ({ matches }: FileResults): string[] => matches.map(match => match.path)

test('typing a few letters of a name, one too many, and deleting it finds the file', async () => {
  const project = makeProject()
  project.write('src/app/main.ts', 'src/app/main-window.ts', 'test/main.test.ts', 'README.md')
  const finder = find(project.folder)
  expect(finder.search('')).toEqual({ matches: [], total: 0, isComplete: false })
  finder.open()
  expect(paths(await finder.settled(''))).toEqual([
    'src/',
    'test/',
    'README.md',
    'src/app/',
    'test/main.test.ts',
    'src/app/main.ts',
    'src/app/main-window.ts',
  ])
  expect(paths(finder.search('m')).slice(0, 2)).toEqual(['src/app/main.ts', 'test/main.test.ts'])
  expect(paths(finder.search('mw'))).toEqual(['src/app/main-window.ts'])
  expect(finder.search('mwx')).toEqual({ matches: [], total: 0, isComplete: true })
  expect(finder.search('mw')).toEqual({
    matches: [{ path: 'src/app/main-window.ts', positions: [8, 13] }],
    total: 1,
    isComplete: true,
  })
  expect(paths(finder.search('READ'))).toEqual(['README.md'])
})

test('recently used files come first, as of the opening', async () => {
  const project = makeProject()
  project.write('a.ts', 'b.ts', 'sub/c.ts')
  const recent = ['sub/c.ts']
  const finder = find(project.folder, { recent })
  finder.open()
  expect(paths(await finder.settled(''))[0]).toBe('sub/c.ts')
  recent.unshift('b.ts', 'gone.ts')
  finder.open()
  expect(paths(await finder.settled('')).slice(0, 2)).toEqual(['b.ts', 'sub/c.ts'])
})

test('no key waits for more than a slice of the search, and the best results are complete in the end', async () => {
  const project = makeProject()
  project.write(...Array.from({ length: 3000 }, (_, at) => `file-${at}.ts`))
  // Each look at the clock is 3 ms later, so that a stretch is over after a few hundred paths.
  const finder = find(project.folder, { tick: 3 })
  finder.open()
  await finder.settled('')
  const first = finder.search('2999')
  expect(first.isComplete).toBe(false)
  const last = await finder.settled('2999')
  expect(paths(last)).toEqual(['file-2999.ts'])
  expect((await finder.settled('file')).total).toBe(3000)
})

test('new and deleted files are noticed at the next opening', async () => {
  const project = makeProject()
  project.write('old.ts', 'other.ts')
  const finder = find(project.folder)
  finder.open()
  expect(paths(await finder.settled('o'))).toEqual(['old.ts', 'other.ts'])
  project.write('odd.ts')
  rmSync(join(project.folder, 'other.ts'))
  finder.clock.time = 10_000
  const changed = finder.changed()
  finder.open()
  expect(paths(finder.search('o'))).toEqual(['old.ts', 'other.ts'])
  await changed
  expect(paths(await finder.settled('o'))).toEqual(['odd.ts', 'old.ts'])
})

test('an unreadable folder gives a final empty result', async () => {
  const finder = find(join(makeProject().folder, 'nowhere'))
  finder.open()
  expect(await finder.settled('x')).toEqual({ matches: [], total: 0, isComplete: true })
})
