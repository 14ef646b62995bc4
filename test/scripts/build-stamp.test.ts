/** `npm start` and `npm test` build only what has changed. */
import { mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isBuilt, removeStamp, sourcesOf, writeStamp } from '../../scripts/build-stamp.ts'

let root = ''
const LOCK = 'node_modules/.package-lock.json'
const MODULE = 'node_modules/ink/build/ink.js'

function write(name: string, text: string): void {
  mkdirSync(dirname(join(root, name)), { recursive: true })
  writeFileSync(join(root, name), text)
}

/** A build, as far as the stamp sees it; `meanwhile` happens while it runs. */
function build(meanwhile = (): void => undefined): void {
  const sources = sourcesOf(root)
  removeStamp(root)
  rmSync(join(root, 'dist'), { recursive: true, force: true })
  meanwhile()
  write('dist/zotui.js', 'built')
  write('dist/chunks/ui.js', 'built')
  writeStamp(root, sources, [join(root, 'src/a/b.ts'), join(root, MODULE), '\0rolldown/runtime.js'])
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'built-'))
  for (const name of [
    'bin/zotui.ts',
    'src/a/b.ts',
    'components/App.tsx',
    'themes/dark.json',
    'scripts/build.ts',
    MODULE,
  ])
    write(name, 'text')
  write('package.json', '{}')
  write(LOCK, '{}')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

test('nothing was built before the first build', () => {
  expect(isBuilt(root)).toBe(false)
})

test('after a build nothing is left to do, also when all files get another time', () => {
  build()
  expect(isBuilt(root)).toBe(true)
  for (const name of ['bin/zotui.ts', 'package.json', MODULE, 'dist/zotui.js']) utimesSync(join(root, name), 1, 1)
  expect(isBuilt(root)).toBe(true)
})

test.each([
  'bin/zotui.ts',
  'src/a/b.ts',
  'components/App.tsx',
  'themes/dark.json',
  'scripts/build.ts',
  'package.json',
  LOCK,
  MODULE,
])('%s is changed, and then removed: both times there is something to build', name => {
  build()
  // As long as before, with the same time.
  const { atime, mtime } = statSync(join(root, name))
  writeFileSync(join(root, name), name.endsWith('.json') && name !== 'themes/dark.json' ? '[]' : 'texT')
  utimesSync(join(root, name), atime, mtime)
  expect(isBuilt(root)).toBe(false)
  build()
  expect(isBuilt(root)).toBe(true)
  rmSync(join(root, name))
  expect(isBuilt(root)).toBe(false)
})

test.each(['src/new.ts', 'src/a/deep/new.tsx', 'bin/new.ts', 'themes/new.json'])(
  'a new file %s has to be built',
  name => {
    build()
    write(name, '')
    expect(isBuilt(root)).toBe(false)
  },
)

test('a file of what was built is changed, removed or added: it is built again', () => {
  for (const spoil of [
    () => write('dist/zotui.js', 'other'),
    () => rmSync(join(root, 'dist/chunks/ui.js')),
    () => write('dist/chunks/old.js', 'left over'),
  ]) {
    build()
    spoil()
    expect(isBuilt(root)).toBe(false)
  }
})

test('a file that is edited while the build runs has to be built again', () => {
  build(() => write('src/a/b.ts', 'edited'))
  expect(isBuilt(root)).toBe(false)
})

test('a build that fails half-way, and a stamp that was cut off, count for nothing', () => {
  build()
  expect(() =>
    build(() => {
      throw new Error('a mistake in a source')
    }),
  ).toThrow('a mistake')
  expect(isBuilt(root)).toBe(false)
  build()
  write('node_modules/.cache/zotui-build.json', '{"sources":{')
  expect(isBuilt(root)).toBe(false)
})

test('a build that reads a file outside of the project fails, since its changes would not be seen', () => {
  expect(() => writeStamp(root, sourcesOf(root), [join(root, 'extras/a.ts')])).toThrow('The build read extras/a.ts.')
})
