import {
  appendFileSync,
  chmodSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openHistory } from '../../../src/storage/journal/history.ts'
import type { HistoryJournal, HistoryLimits } from '../../../src/storage/journal/history.ts'
import { appendRecord } from '../../../src/storage/jsonl-write.ts'
import { makePlace, Program, type Place } from './stage.ts'

const roomy: HistoryLimits = { full: 1e9, kept: 1e9, read: 1e9, readAll: 1e9 }

/** A disk that fills up. */
const half = (to: number, bytes: Buffer): number => writeSync(to, bytes.subarray(0, bytes.length / 2))

type Opened = HistoryJournal & { problems: string[] }

/** Each call of `now` is one millisecond later. */
function open(place: Place, limits?: HistoryLimits, start = 1000): Opened {
  const problems: string[] = []
  let time = start
  const options = { ...place, now: () => (time += 1), onProblem: (words: string) => problems.push(words) }
  return { ...openHistory(limits ? { ...options, limits } : options), problems }
}

/** All files of this kind of journal. */
function files(place: Place): string[] {
  return readdirSync(place.stateFolder, { recursive: true, encoding: 'utf8' })
    .map(name => join(place.stateFolder, name))
    .filter(path => statSync(path).isFile())
    .toSorted()
}

describe('the earlier prompts of a folder', () => {
  test('are available in the next program, the newest last and each once', () => {
    const place = makePlace()
    const first = open(place)
    for (const text of ['build it', 'test it', 'two\nlines \0 \u001B[31m é 漢 \uD800', 'build it', '  \n'])
      first.append(text)
    expect(open(place).recent(10)).toEqual(['test it', 'two\nlines \0 \u001B[31m é 漢 \uD800', 'build it'])
    expect(open(place).recent(1)).toEqual(['build it'])
    expect(open(place).recent(0)).toEqual([])
    expect(first.problems).toEqual([])
  })

  test('include their images, as far as those are in files', () => {
    const place = makePlace()
    const kept = { label: '[Image #1]', at: 4, sha256: 'a'.repeat(64), path: '/p/one.png' }
    const history = open(place)
    history.append('see [Image #1] [Image #2]', [kept, { label: '[Image #2]', at: 15, sha256: 'b'.repeat(64) }])
    history.append('without')
    expect(open(place).images(9)).toEqual(new Map([['see [Image #1] [Image #2]', [kept]]]))
    expect(open(place).recent(9)).toEqual(['see [Image #1] [Image #2]', 'without'])
  })

  test.skipIf(process.platform === 'win32')('are readable by their owner only', () => {
    const place = makePlace()
    open(place).append('secret')
    const [file = ''] = files(place)
    const modes = [file, join(file, '..'), place.stateFolder].map(path => statSync(path).mode & 0o777)
    expect(modes).toEqual([0o600, 0o700, 0o700])
  })

  test('are kept apart from another folder of the same name, and Ctrl+R finds both', () => {
    const place = makePlace()
    const other = { ...place, projectFolder: join(place.projectFolder, 'project') }
    open(place, roomy, 100).append('here')
    open(other, roomy, 200).append('there')
    open(place, roomy, 300).append('both')
    open(other, roomy, 400).append('both')
    expect(open(place).recent(9)).toEqual(['here', 'both'])
    expect(open(other).recent(9)).toEqual(['there', 'both'])
    expect(open(place).all(9)).toEqual([
      { text: 'here', folder: place.projectFolder, at: 101 },
      { text: 'there', folder: other.projectFolder, at: 201 },
      { text: 'both', folder: other.projectFolder, at: 401 },
    ])
    expect(open(place).all(1)).toHaveLength(1)
  })

  test('are empty at first, and reading them creates no file', () => {
    const place = makePlace()
    const history = open(place)
    expect(history.recent(5)).toEqual([])
    expect(history.all(5)).toEqual([])
    expect(history.problems).toEqual([])
    expect(() => statSync(place.stateFolder)).toThrow('ENOENT')
  })
})

describe('a history file with problems', () => {
  test('loses only the prompt of a truncated line', () => {
    const place = makePlace()
    open(place).append('before')
    const [file = ''] = files(place)
    const whole = statSync(file).size
    open(place).append('torn é one')
    const end = statSync(file).size
    for (let cut = end; cut >= whole; cut -= 1) {
      truncateSync(file, cut)
      const saved = readFileSync(file)
      open(place, roomy, 5000).append('after')
      const found = open(place).recent(9)
      expect(found.filter(text => text !== 'torn é one')).toEqual(['before', 'after'])
      writeFileSync(file, saved)
    }
  })

  test('keeps unknown lines', () => {
    const place = makePlace()
    open(place).append('mine')
    const [file = ''] = files(place)
    appendFileSync(
      file,
      '{}\nnull\n[1]\n{"text":1,"at":2,"folder":""}\nhello\n\xff\xfe\n{"text":"no time","folder":""}\n',
    )
    open(place).append('mine too')
    expect(open(place).recent(9)).toEqual(['mine', 'mine too'])
  })

  test('in a read-only folder is reported once, without an exception', () => {
    const place = makePlace()
    // A file where the folder should be: refused to root as well.
    writeFileSync(place.stateFolder, '')
    const history = open(place)
    history.append('one')
    history.append('two')
    expect(history.recent(9)).toEqual([])
    expect(history.problems).toHaveLength(1)
    expect(history.problems[0]).toContain('The prompt history cannot be saved')
  })

  test.skipIf(process.getuid?.() === 0)('a file that may not be read is a problem too', () => {
    const place = makePlace()
    open(place).append('x')
    const [file = ''] = files(place)
    chmodSync(file, 0)
    const history = open(place)
    expect([history.recent(9), history.all(9), history.problems.length]).toEqual([[], [], 1])
  })

  test('with a partly written record is not damaged further by the next one', () => {
    const place = makePlace()
    open(place).append('before')
    const [file = ''] = files(place)
    expect(() => appendRecord(file, { text: 'half', folder: '/', at: 1 }, half)).toThrow(/only \d+ of \d+ bytes/)
    open(place).append('after')
    expect(open(place).recent(9)).toEqual(['before', 'after'])
  })

  test('that is moved away during a write gets the prompt in the new file', () => {
    const place = makePlace()
    open(place).append('before')
    const [file = ''] = files(place)
    let moved = false
    appendRecord(file, { text: 'meanwhile', folder: '/', at: 2000 }, (to, bytes) => {
      if (!moved) renameSync(file, `${file}.gone`)
      moved = true
      return writeSync(to, bytes)
    })
    expect(open(place).recent(9)).toEqual(['meanwhile'])
  })

  test.runIf(process.platform === 'linux')('on a full disk is reported, and keeps its content', () => {
    expect(() => appendRecord('/dev/full', { text: 'x' })).toThrow('ENOSPC')
  })
})

describe('a long history', () => {
  const small: HistoryLimits = { full: 4000, kept: 2000, read: 1000, readAll: 1500 }

  test('is read from its end only', () => {
    const place = makePlace()
    const history = open(place, { ...small, full: 1e9 })
    for (let i = 0; i < 1000; i += 1) history.append(`prompt ${i}`)
    const found = history.recent(1000)
    expect(found.at(-1)).toBe('prompt 999')
    expect(found.length).toBeGreaterThan(3)
    expect(found.length).toBeLessThan(20)
  })

  test('returns a prompt in full that is larger than one read', () => {
    const place = makePlace()
    const history = open(place, small)
    const large = 'é'.repeat(30_000)
    history.append('small')
    history.append(large)
    expect(history.recent(1)).toEqual([large])
    history.append('after')
    expect(history.recent(1)).toEqual(['after'])
  })

  test('keeps its file small, with the newest prompts', () => {
    const place = makePlace()
    const history = open(place, small)
    for (let i = 0; i < 2000; i += 1) {
      history.append(`prompt ${i}`)
      expect(history.recent(3).at(-1)).toBe(`prompt ${i}`)
    }
    expect(files(place).length).toBeLessThanOrEqual(2)
    const bytes = files(place).reduce((sum, path) => sum + statSync(path).size, 0)
    expect(bytes).toBeLessThan(8000)
    expect(history.problems).toEqual([])
  })

  test('reads and removes what a killed compaction left behind', () => {
    const place = makePlace()
    const history = open(place, { ...small, read: 1e6 })
    history.append('first')
    const [file = ''] = files(place)
    const folder = join(file, '..')
    const moved = join(folder, '000000000000001-aaaaaaaaaaaa.jsonl')
    writeFileSync(moved, readFileSync(file).toString().replace('first', 'moved away'))
    writeFileSync(join(folder, 'x.jsonl.part'), '{"text":')
    utimesSync(join(folder, 'x.jsonl.part'), 1, 1)
    expect(history.recent(9)).toEqual(['moved away', 'first'])
    const later = open(place, { ...small, read: 1e6 }, Date.now())
    for (let i = 0; i < 200; i += 1) later.append(`prompt ${i}`)
    expect(files(place)).not.toContain(moved)
    expect(files(place).filter(path => path.endsWith('.part'))).toEqual([])
  })

  test('keeps the newest prompts in every compaction', () => {
    const { stateFolder } = makePlace()
    let runs = 0
    const texts = fc.array(fc.string({ unit: 'binary', maxLength: 60 }), { maxLength: 60 })
    fc.assert(
      fc.property(texts, fc.integer({ min: 500, max: 2000 }), (prompts, full) => {
        runs += 1
        const history = open(
          { stateFolder: join(stateFolder, String(runs)), projectFolder: '/p' },
          { full, kept: 1e6, read: 1e6, readAll: 1e6 },
        )
        for (const text of prompts) history.append(text)
        const expected = prompts.filter((text, at) => text.trim() !== '' && prompts.lastIndexOf(text) === at)
        expect(history.recent(1000)).toEqual(expected)
      }),
      { numRuns: 25 },
    )
  })
})

describe('many programs in one folder', () => {
  test('lose and damage nothing while the file is moved away', async () => {
    const place = makePlace()
    const limits = { ...roomy, full: 200_000 }
    const names = ['a', 'b', 'c', 'd']
    const programs = names.map(() => new Program({ ...place, limits }))
    const answers = await Promise.all(
      programs.map((program, at) => program.tell({ do: 'append', name: names[at] ?? '', count: 60, size: 10_000 })),
    )
    expect(answers).toEqual(names.map(() => ({ problems: [] })))
    const found = new Set(
      open(place, roomy)
        .recent(10_000)
        .map(text => text.slice(0, text.lastIndexOf(' '))),
    )
    const sent = names.flatMap(name => Array.from({ length: 60 }, (_, i) => `${name} ${i}`))
    expect(sent.filter(text => !found.has(text))).toEqual([])
    expect(found.size).toBe(sent.length)
  })
})
