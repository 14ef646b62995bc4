import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openDrafts, type Drafts, type Unsent } from '../../../src/storage/journal/drafts.ts'
import { ownName } from '../../../src/platform/owner.ts'
import { HeldTimers } from '../../agents/demo/held-timers.ts'
import { makePlace, Program, until, type Place } from './stage.ts'

type Opened = Drafts & { timers: HeldTimers; remembered: string[]; problems: string[] }

function open(place: Place, timers = new HeldTimers()): Opened {
  const remembered: string[] = []
  const problems: string[] = []
  const drafts = openDrafts({
    ...place,
    now: () => timers.now(),
    timers,
    remember: text => remembered.push(text),
    onProblem: words => problems.push(words),
  })
  return { ...drafts, timers, remembered, problems }
}

const typed = (draft: string, ...queue: string[]): Unsent => ({ draft, queue, held: false })

/** The folders of the journals that there are. */
function journals(place: Place): string[] {
  return paths(place).filter(path => /^(?:left|[\da-f]{8})-/.test(basename(path)))
}

function paths(place: Place): string[] {
  const root = join(place.stateFolder, 'drafts')
  try {
    return readdirSync(root, { recursive: true, encoding: 'utf8' }).map(name => join(root, name))
  } catch {
    // Nothing was ever kept there.
    return []
  }
}

/** Says of a program of this process that its process is gone, as after a kill. */
function killed(place: Place): void {
  for (const path of journals(place)) renameSync(path, join(dirname(path), ownName().replace(/-\d+-/, `-${gonePid}-`)))
}

const gonePid = spawnSync(process.execPath, ['-e', '']).pid

describe('a typed draft', () => {
  test('is on disk within 200 ms of the first key, however long the typing goes on', () => {
    const place = makePlace()
    const { save, timers } = open(place)
    for (let key = 1; key <= 20; key += 1) {
      save(typed('x'.repeat(key)))
      timers.pass(10)
    }
    const before = timers.now()
    timers.step()
    expect(timers.now() - before).toBeLessThanOrEqual(200)
    expect(timers.idle).toBe(true)
    killed(place)
    expect(open(place).adopted).toEqual({ draft: 'x'.repeat(20), queue: [] })
  })

  test('is on disk at once when it begins, and again after a pause', () => {
    const place = makePlace()
    const { save, timers } = open(place)
    const onDisk = (): string =>
      paths(place)
        .filter(path => path.endsWith('state.json'))
        .map(path => readFileSync(path, 'utf8'))
        .join()
    /** Milliseconds until the next write. */
    const write = (): number => {
      const before = timers.now()
      timers.step()
      return timers.now() - before
    }
    save(typed('a'))
    expect([write(), onDisk()]).toEqual([0, expect.stringContaining('"draft":"a"')])
    save(typed('ab'))
    expect([write(), onDisk()]).toEqual([170, expect.stringContaining('"draft":"ab"')])
    timers.pass(500)
    save(typed('abc'))
    expect([write(), onDisk()]).toEqual([0, expect.stringContaining('"draft":"abc"')])
  })

  test('is written once for many changes, and not again without changes', () => {
    const place = makePlace()
    const { save, timers } = open(place)
    save(typed('a'))
    timers.step()
    const file = paths(place).find(path => path.endsWith('.json')) ?? ''
    const first = statSync(file).ino
    save(typed('b'))
    save(typed('a'))
    timers.step()
    expect(statSync(file).ino).toBe(first)
  })

  test('is written in a pause of typing if it is huge', () => {
    const place = makePlace()
    const { save, timers } = open(place)
    const huge = 'x'.repeat(1_000_000)
    const start = timers.now()
    for (let key = 0; key < 10; key += 1) {
      save(typed(huge + 'y'.repeat(key)))
      timers.pass(100)
    }
    timers.step()
    expect(paths(place).filter(path => path.endsWith('.json'))).toHaveLength(1)
    expect(timers.now() - start).toBeLessThanOrEqual(1100)
  })

  test('is no longer on disk when everything was sent', () => {
    const place = makePlace()
    const { save, flushSync } = open(place)
    save(typed('a', 'b'))
    flushSync()
    expect(journals(place)).toHaveLength(1)
    save(typed('  \n'))
    flushSync()
    expect(journals(place)).toEqual([])
  })

  test('leaves no file if nothing was typed', () => {
    const place = makePlace()
    open(place).close()
    expect(() => statSync(place.stateFolder)).toThrow('ENOENT')
  })

  test('is saved while leaving, and nothing after that', () => {
    const place = makePlace()
    const { save, close } = open(place)
    save(typed('unsent', 'queued'))
    close()
    save(typed('too late'))
    close()
    const next = open(place)
    expect(next.adopted).toEqual({ draft: 'unsent', queue: ['queued'] })
    next.close()
    expect(open(place).adopted).toEqual({ draft: 'unsent', queue: ['queued'] })
  })

  test('is readable by its owner only', () => {
    const place = makePlace()
    const { save, flushSync } = open(place)
    save(typed('secret'))
    flushSync()
    const modes = paths(place).map(path => [basename(path), statSync(path).mode & 0o777])
    expect(modes.filter(([name, mode]) => mode !== (name === 'state.json' ? 0o600 : 0o700))).toEqual([])
  })

  test('does not appear in another folder', () => {
    const place = makePlace()
    const { save, close } = open(place)
    save(typed('here'))
    close()
    expect(open({ ...place, projectFolder: '/elsewhere' }).adopted).toBeNull()
  })
})

describe('the journals of several programs', () => {
  test('are merged: the newest draft, older ones into the history, queues oldest first', () => {
    const place = makePlace()
    const timers = new HeldTimers()
    const states = [typed('oldest', 'q1', 'q2'), typed('', 'q3'), typed('newest'), typed('newest', 'q4')]
    // All run at once, so that none adopts another.
    const programs = states.map(() => open(place, timers))
    for (const [at, program] of programs.entries()) {
      program.save(states[at] ?? typed(''))
      timers.step()
      timers.pass(1000)
    }
    for (const program of programs) program.close()
    const next = open(place)
    expect(next.adopted).toEqual({ draft: 'newest', queue: ['q1', 'q2', 'q3', 'q4'] })
    expect(next.remembered).toEqual(['oldest'])
    next.close()
    expect(open(place).adopted).toEqual(next.adopted)
    expect(journals(place)).toHaveLength(1)
  })

  test('of another machine are not adopted for an hour, because its processes are not visible', () => {
    const place = makePlace()
    const { save, flushSync, timers } = open(place)
    save(typed('far away'))
    flushSync()
    const [path = ''] = journals(place)
    const far = join(dirname(path), basename(path).replace(/^[\da-f]{8}/, '01234567'))
    renameSync(path, far)
    utimesSync(far, timers.now() / 1000, timers.now() / 1000)
    expect(open(place, timers).adopted).toBeNull()
    timers.pass(3_700_000)
    expect(open(place, timers).adopted).toEqual({ draft: 'far away', queue: [] })
  })

  test.runIf(process.platform === 'linux')('whose process id was reused are orphans', () => {
    const place = makePlace()
    const { save, flushSync } = open(place)
    save(typed('mine'))
    flushSync()
    expect(open(place).adopted).toBeNull()
    const [path = ''] = journals(place)
    renameSync(path, path.replace(/-\d+-([\da-f]+)$/, '-1-$1'))
    expect(open(place).adopted).toEqual({ draft: 'mine', queue: [] })
  })

  test('do not include other files, which stay', () => {
    const place = makePlace()
    const { save, close } = open(place)
    save(typed('x'))
    close()
    const parent = dirname(journals(place)[0] ?? '')
    writeFileSync(join(parent, 'notes.txt'), 'hello')
    mkdirSync(join(parent, 'left-0badc0de'))
    expect(open(place).adopted).toEqual({ draft: 'x', queue: [] })
    expect(readFileSync(join(parent, 'notes.txt'), 'utf8')).toBe('hello')
  })
})

describe('a kill -9', () => {
  test('at any byte of a write leaves the old or the new state', () => {
    const text = fc.string({ unit: 'binary', maxLength: 6 })
    const state = fc.record({ draft: text, queue: fc.array(text, { maxLength: 2 }), held: fc.boolean() })
    const { stateFolder } = makePlace()
    const filled = state.filter(({ draft, queue }) => draft.trim() !== '' || queue.length > 0)
    fc.assert(
      fc.property(filled, filled, (before, after) => {
        const place = { stateFolder: mkdtempSync(join(stateFolder, '..', 'run-')), projectFolder: '/p' }
        const [old, next] = [before, after].map(each => {
          const { save, close } = open(place)
          save(each)
          close()
          const [folder = ''] = journals(place)
          const bytes = readFileSync(join(folder, 'state.json'))
          rmSync(folder, { recursive: true })
          return bytes
        })
        if (!old || !next) throw new Error('nothing was written')
        for (let cut = 0; cut <= next.length; cut += 1) {
          const folder = join(place.stateFolder, 'drafts', basename(dirname(journalOf(place))), 'left-aa')
          mkdirSync(folder, { recursive: true })
          writeFileSync(join(folder, 'state.json'), old)
          writeFileSync(join(folder, 'state.json.next'), next.subarray(0, cut))
          const expected = cut === next.length ? after : before
          const found = open(place)
          expect(found.adopted).toEqual({ draft: shown(expected.draft), queue: expected.queue })
          expect(found.problems).toEqual([])
          for (const path of journals(place)) rmSync(path, { recursive: true })
        }
      }),
      { numRuns: 2 },
    )
  })

  test('and a truncated file never prevent the next start', () => {
    const place = makePlace()
    const { save, close } = open(place)
    save(typed('some é text', 'a queue'))
    close()
    const [folder = ''] = journals(place)
    const whole = readFileSync(join(folder, 'state.json'))
    rmSync(folder, { recursive: true })
    for (let cut = 0; cut < whole.length; cut += 1) {
      mkdirSync(folder)
      writeFileSync(join(folder, 'state.json'), whole.subarray(0, cut))
      const found = open(place)
      expect([found.adopted, found.problems, journals(place)]).toEqual([null, [], []])
    }
  })

  test('while adopting neither loses nor duplicates anything', () => {
    const place = makePlace()
    const programs = [open(place), open(place)]
    programs[0]?.save(typed('', 'q1'))
    programs[1]?.save(typed('draft', 'q2'))
    for (const program of programs) program.close()
    const adopter = open(place)
    const [folder = ''] = journals(place)
    const merged = readFileSync(join(folder, 'state.json'))
    // Killed before what it took over was deleted: as named in the state, it still lies there.
    const { includes } = JSON.parse(merged.toString()) as { includes: string[] }
    expect(includes).toHaveLength(2)
    for (const name of includes) {
      mkdirSync(join(folder, name))
      writeFileSync(join(folder, name, 'state.json'), merged)
    }
    killed(place)
    const next = open(place)
    expect(next.adopted?.draft).toBe('draft')
    expect(next.adopted?.queue.toSorted()).toEqual(['q1', 'q2'])
    expect(next.adopted).toEqual(adopter.adopted)

    // Killed before its own state was written: all of it is still what it took over.
    next.close()
    const [left = ''] = journals(place)
    const between = join(dirname(left), ownName().replace(/-\d+-/, `-${gonePid}-`))
    mkdirSync(between)
    renameSync(left, join(between, 'from-aa'))
    expect(open(place).adopted).toEqual(adopter.adopted)
  })
})

describe('real programs', () => {
  test('restore a draft and a queue after kill -9, and take over none of a running program', async () => {
    const place = makePlace()
    const program = new Program(place)
    await program.tell({ do: 'open' })
    await program.tell({ do: 'save', state: typed('half a thou', 'next', 'and then') })
    await until(() => paths(place).some(path => path.endsWith('state.json')))
    expect(open(place).adopted).toBeNull()
    await program.kill()
    const next = new Program(place)
    const adopted = { draft: 'half a thou', queue: ['next', 'and then'] }
    expect(await next.tell({ do: 'open' })).toEqual({ adopted, remembered: [], problems: [] })
    // And once more, though nothing was typed since.
    await next.kill()
    expect(open(place).adopted).toEqual(adopted)
  })

  test('never lose a saved draft to a kill at a random moment', async () => {
    const place = makePlace()
    for (let run = 0; run < 8; run += 1) {
      const program = new Program(place)
      await program.tell({ do: 'open' })
      let { typed: seen = 0 } = await program.tell({ do: 'type on' })
      while (seen < run * 29) seen = (await program.hear()).typed ?? seen
      await program.kill()
      for (let more = await program.hear(); more.typed !== undefined; more = await program.hear()) seen = more.typed
      const found = open(place)
      const number = Number(found.adopted?.draft.split(' ')[0])
      expect(number - seen).toBeGreaterThanOrEqual(0)
      expect(number - seen).toBeLessThanOrEqual(1)
      expect(found.adopted?.queue).toEqual([String(number)])
      found.save(typed(''))
      found.flushSync()
    }
    expect(journals(place)).toEqual([])
  })

  test('that start together share the drafts, and none gets the same one', async () => {
    const place = makePlace()
    const left = Array.from({ length: 30 }, () => open(place))
    for (const [at, program] of left.entries()) program.save(typed(`draft ${at}`, `queued ${at}`))
    for (const program of left) program.close()
    const programs = Array.from({ length: 4 }, () => new Program(place))
    // First all are up, so that they look at the same time.
    await Promise.all(programs.map(program => program.tell({ do: 'append', name: '', count: 0, size: 1 })))
    const answers = await Promise.all(programs.map(program => program.tell({ do: 'open' })))
    const queues = answers.flatMap(answer => answer.adopted?.queue ?? [])
    expect(queues.toSorted()).toEqual(left.map((_, at) => `queued ${at}`).toSorted())
    const drafts = answers.flatMap(answer => (answer.remembered ?? []).concat(answer.adopted?.draft ?? []))
    expect(drafts.toSorted()).toEqual(left.map((_, at) => `draft ${at}`).toSorted())
  })
})

describe('a disk that cannot be written', () => {
  test('is reported once, and typing continues', () => {
    const place = makePlace()
    // A file where the folder should be: refused to root as well.
    writeFileSync(place.stateFolder, '')
    const { adopted, save, flushSync, close, problems } = open(place)
    save(typed('a'))
    flushSync()
    save(typed('b'))
    flushSync()
    close()
    expect(adopted).toBeNull()
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain('Unsent text cannot be saved')
  })

  test('and then can be written saves later drafts', () => {
    const place = makePlace()
    writeFileSync(place.stateFolder, '')
    const { save, flushSync, close } = open(place)
    save(typed('a'))
    flushSync()
    rmSync(place.stateFolder)
    save(typed('ab'))
    flushSync()
    close()
    expect(open(place).adopted).toEqual({ draft: 'ab', queue: [] })
  })

  test('while adopting keeps the drafts for the next start', () => {
    const place = makePlace()
    const first = open(place)
    first.save(typed('precious', 'q'))
    first.close()
    const [left = ''] = journals(place)
    // A folder where the state should be read from.
    renameSync(join(left, 'state.json'), join(left, 'kept'))
    mkdirSync(join(left, 'state.json'))
    const second = open(place)
    expect(second.adopted).toBeNull()
    expect(second.problems).toHaveLength(1)
    second.save(typed('other'))
    second.flushSync()
    second.save(typed(''))
    second.close()
    const again = paths(place).find(path => basename(path) === 'kept') ?? ''
    rmSync(join(dirname(again), 'state.json'), { recursive: true })
    renameSync(again, join(dirname(again), 'state.json'))
    expect(open(place).adopted).toEqual({ draft: 'precious', queue: ['q'] })
  })

  test('with a deleted state folder gets a new one', () => {
    const place = makePlace()
    const { save, flushSync, problems } = open(place)
    save(typed('a'))
    flushSync()
    rmSync(place.stateFolder, { recursive: true })
    save(typed('ab'))
    flushSync()
    expect([journals(place).length, problems]).toEqual([1, []])
  })
})

/** The path of a journal of this place. */
function journalOf(place: Place): string {
  const { save, flushSync } = open(place)
  save(typed('x'))
  flushSync()
  const [folder = ''] = journals(place)
  rmSync(folder, { recursive: true })
  return folder
}

/** A blank draft is none. */
const shown = (draft: string): string => (draft.trim() === '' ? '' : draft)

describe('an image that exists only in our file', () => {
  const bytes = Buffer.from('a picture')
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const image = (place: 'draft' | number, content: (() => Buffer | null) | null = () => bytes) => ({
    label: '[Image #1]',
    at: 0,
    in: place,
    sha256,
    ...(content && { content }),
  })
  const keptIn = (place: Place): string[] => paths(place).filter(path => basename(path).startsWith(sha256))

  test('is kept while a text refers to it, and is readable by its owner only', () => {
    const place = makePlace()
    const { save, flushSync } = open(place)
    save({ ...typed('[Image #1]'), images: [image('draft')] })
    flushSync()
    const [path = ''] = keptIn(place)
    expect(readFileSync(path)).toEqual(bytes)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(dirname(dirname(path)), 'state.json'), 'utf8')).not.toContain(bytes.toString('base64'))
    save({ ...typed('', '[Image #1]'), images: [image(0)] })
    flushSync()
    expect(keptIn(place)).toHaveLength(1)
    save(typed('words'))
    flushSync()
    expect(keptIn(place)).toEqual([])
    // An undo brings it back.
    save({ ...typed('[Image #1]'), images: [image('draft')] })
    flushSync()
    expect(keptIn(place)).toHaveLength(1)
    save(typed(''))
    flushSync()
    expect(journals(place)).toEqual([])
  })

  test('moves with its text to the adopting program, even after a kill meanwhile', () => {
    const place = makePlace()
    const { save, close } = open(place)
    save({ ...typed('[Image #1]', '[Image #1] too'), images: [image('draft'), image(0)] })
    close()
    for (let times = 0; times < 3; times += 1) {
      const next = open(place)
      const found = next.adopted?.images ?? []
      expect(found.map(each => each.in)).toEqual(['draft', 0])
      for (const { file } of found) expect(readFileSync(file)).toEqual(bytes)
      killed(place)
    }
    expect(keptIn(place)).toHaveLength(1)
    const last = open(place)
    last.save(typed(''))
    last.flushSync()
    expect(journals(place)).toEqual([])
  })

  test('of an older draft is deleted with it, and of a queue is restored', () => {
    const place = makePlace()
    const timers = new HeldTimers()
    const programs = [open(place, timers), open(place, timers)]
    programs[0]?.save({ ...typed('[Image #1]', 'a'), images: [image('draft')] })
    timers.step()
    timers.pass(1000)
    programs[1]?.save({ ...typed('newest', '[Image #1]'), images: [image(0)] })
    for (const program of programs) program.close()
    const { adopted } = open(place)
    expect(adopted).toMatchObject({ draft: 'newest', queue: ['a', '[Image #1]'], images: [{ in: 1 }] })
    expect(readFileSync(adopted?.images?.[0]?.file ?? '')).toEqual(bytes)
  })

  test.each([
    ['no list', 'x'],
    ['a name that leads elsewhere', [{ label: 'a', at: 0, in: 'draft', sha256: '../../../etc/passwd' }]],
    ['no place', [{ label: 'a', at: 0.5, in: {}, sha256 }]],
  ])('with a wrong entry loses no text: %s', (_what, images) => {
    const place = makePlace()
    const { save, close } = open(place)
    save(typed('words'))
    close()
    const path = join(journals(place)[0] ?? '', 'state.json')
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), images }))
    expect(open(place).adopted).toEqual({ draft: 'words', queue: [] })
  })
})
