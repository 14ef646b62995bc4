/**
 * Links, pipes, sockets and devices of an agent, in the place of files, of folders and beside them, in every way one after the other: nothing is
 * read or written through them, nothing waits for them, the files around them are kept and come back, and an undo brings back what was there.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, linkSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'
import { expect, onTestFinished, test } from 'vitest'
import { filesIn, stage, value } from '../checkpoints/stage.ts'
import { isLong } from '../helpers/length.ts'

type Special = { kind: string; make: (path: string, top: string) => Promise<void> | void }

const specials: readonly Special[] = [
  { kind: 'a pipe', make: path => void execFileSync('mkfifo', [path]) },
  {
    kind: 'a socket',
    async make(path) {
      const server = createServer()
      await new Promise<void>(resolve => void server.listen(path, resolve))
      onTestFinished(() => void server.close())
    },
  },
  { kind: 'a link to a device without an end', make: path => symlinkSync('/dev/zero', path) },
  { kind: 'a link to itself', make: path => symlinkSync(path, path) },
  { kind: 'a link to nothing', make: path => symlinkSync('nothing/at/all', path) },
  { kind: 'a link to the folder above', make: path => symlinkSync('..', path) },
  { kind: 'a link to a folder outside', make: (path, top) => symlinkSync(join(top, 'outside'), path) },
  { kind: 'a link to a file outside', make: (path, top) => symlinkSync(join(top, 'outside', 'secret'), path) },
  { kind: 'a second name of a file outside', make: (path, top) => linkSync(join(top, 'outside', 'secret'), path) },
  ...(process.getuid?.() === 0
    ? [{ kind: 'a device', make: (path: string) => void execFileSync('mknod', [path, 'c', '1', '5']) }]
    : []),
]

const FILES = { 'a.txt': 'a\n', file: 'file\n', 'folder/one': 'one\n', 'folder/two': 'two\n' }
const PLACES = ['file', 'folder', 'new', 'folder/one', 'folder/new'] as const

/** The kinds of all that stands at the places, which `filesIn` does not show. */
const kindsAt = (folder: string): string[] => PLACES.map(place => `${place} ${kindOf(join(folder, place))}`)

function kindOf(path: string): string {
  try {
    return (lstatSync(path).mode & 0o170_000).toString(8)
  } catch {
    return 'not there'
  }
}

const all = specials.flatMap(({ kind, make }) => PLACES.map(place => ({ kind, make, place })))
/** All of them in the long run; a few others in each short one. */
const cases = isLong ? all : all.filter(() => Math.random() < 3 / all.length)

type Case = (typeof all)[number]

/** Restores the first checkpoint over it, and undoes that. */
async function expectHeld(here: ReturnType<typeof stage>, first: string, { kind, make, place }: Case): Promise<void> {
  const { top, folder, at, checkpoints } = here
  const outside = join(top, 'outside')
  const before = here.files()
  const where = `${kind} at ${place}`
  rmSync(at(place), { recursive: true, force: true })
  await make(at(place), top)
  writeFileSync(at('a.txt'), `of the agent: ${where}\n`)
  const [files, kinds] = [here.files(), kindsAt(folder)]
  await here.make('agent')
  const restored = await value(checkpoints.restore(first, { session: 's' }))
  // A pipe, a socket or a device is nobody's file: it stays, and is named.
  const isLeft = restored.failed.length > 0
  const isRestored = !isLeft && place !== 'new' && place !== 'folder/new'
  expect({ where, files: here.files() }).toEqual({ where, files: isRestored ? before : here.files() })
  expect({ where, a: readFileSync(at('a.txt'), 'utf8') }).toEqual({ where, a: 'a\n' })
  const undo = await value(checkpoints.lastUndo())
  await value(checkpoints.restore(undo ?? '', { session: 's' }))
  expect({ where, files: here.files() }).toEqual({ where, files })
  // An undo that has to make a pipe, a socket or a device leaves it out.
  const isBack = isLeft || kind.includes('link')
  expect({ where, kinds: kindsAt(folder) }).toEqual({ where, kinds: isBack ? kinds : kindsAt(folder) })
  expect({ where, outside: filesIn(outside) }).toEqual({ where, outside: { secret: '644 secret\n' } })
  rmSync(at(place), { recursive: true, force: true })
  await value(checkpoints.restore(first, { session: 's' }))
  for (const name of ['new', 'folder/new']) rmSync(at(name), { force: true })
  expect({ where, files: here.files() }).toEqual({ where, files: before })
  expect(existsSync(join(folder, 'secret'))).toBe(false)
}

test.each([
  ['a repository', true],
  ['a plain folder', false],
])('%s', { timeout: 300_000 }, async (_, isGit) => {
  const here = stage(FILES, isGit)
  mkdirSync(join(here.top, 'outside'))
  writeFileSync(join(here.top, 'outside', 'secret'), 'secret\n')
  const first = await here.make()
  for (const each of cases) await expectHeld(here, first, each)
  expect(here.files()).toEqual(Object.fromEntries(Object.entries(FILES).map(([name, text]) => [name, `644 ${text}`])))
})
