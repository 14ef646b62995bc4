import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readPatch } from '../../../src/changes/patch.ts'
import {
  byteHunk,
  changedLines,
  ended,
  joinLines,
  mixed,
  rangeIn,
  replacedLines,
  reverted,
  splitLines,
  takenIn,
  type ByteHunk,
} from '../../../src/changes/hunks/byte-hunks.ts'
import { makeRepository, type Folder } from '../repositories.ts'

/** Few different lines, so that many are the same: empty ones, with returns, with bytes that are not UTF-8. */
const aLine = fc.constantFrom(
  'a',
  'b',
  'c',
  '',
  '}',
  'a\r',
  '\r',
  'ü',
  '\u0085x\u2028',
  '-- a',
  '++ b',
  '@@ -1 +1 @@',
  'x\u00ff',
)

const aFile = fc
  .record({ lines: fc.array(aLine, { maxLength: 30 }), isEnded: fc.boolean(), isLatin: fc.boolean() })
  .map(({ lines, isEnded, isLatin }) =>
    Buffer.from(lines.join('\n') + (isEnded && lines.length > 0 ? '\n' : ''), isLatin ? 'latin1' : 'utf8'),
  )

/** Some lines of a file are replaced, a few times. */
const anEdit = fc.record({ at: fc.nat(30), remove: fc.nat(4), insert: fc.array(aLine, { maxLength: 4 }) })
const aPair = fc
  .tuple(aFile, fc.array(anEdit, { minLength: 1, maxLength: 4 }), fc.boolean())
  .map(([old, edits, flips]) => {
    const lines = splitLines(old)
    for (const { at, remove, insert } of edits)
      lines.splice(
        Math.min(at, lines.length),
        remove,
        ...insert.map(text => `${Buffer.from(text).toString('latin1')}\n`),
      )
    const joined = ended(lines)
    const last = joined.at(-1)
    if (flips && last !== undefined) joined.splice(-1, 1, last.endsWith('\n') ? last.slice(0, -1) : `${last}\n`)
    return { old, fresh: joinLines(joined.filter(line => line !== '')) }
  })

type Case = { name: string; old: Buffer; fresh: Buffer; patch: Buffer; pick: number }

const nameOf = (index: number): string => `f${String(index).padStart(5, '0')}`

/** A repository with the old files committed and the new ones in its folder, and git's patch of each. */
function repositoryOf(pairs: readonly { old: Buffer; fresh: Buffer }[]): { folder: Folder; cases: Case[] } {
  const folder = makeRepository(Object.fromEntries(pairs.map(({ old }, index) => [nameOf(index), old])))
  for (const [index, { fresh }] of pairs.entries()) writeFileSync(join(folder.path, nameOf(index)), fresh)
  const all = bytesOf(folder, 'diff').toString('latin1')
  const patches = new Map(
    all.split(/^(?=diff --git a\/f\d{5} )/m).map(patch => [/^diff --git a\/(f\d{5}) /.exec(patch)?.[1] ?? '', patch]),
  )
  const cases = pairs.flatMap(({ old, fresh }, index) => {
    const patch = patches.get(nameOf(index))
    if (patch === undefined || !patch.includes('\n@@ ')) return []
    return [{ name: nameOf(index), old, fresh, patch: Buffer.from(patch, 'latin1'), pick: index }]
  })
  return { folder, cases }
}

function bytesOf({ path, env }: Folder, command: string, ...args: string[]): Buffer {
  return execFileSync('git', [command, ...args], { cwd: path, env, maxBuffer: 2 ** 28, stdio: 'pipe' })
}

function hunksOf({ patch }: Case): ByteHunk[] {
  const { hunks, exact } = readPatch(patch)
  return hunks.map(hunk => byteHunk(hunk, exact?.encoding ?? 'utf8')).filter(hunk => hunk !== null)
}

/** The patch of git with one of its hunks only. */
function withHunk({ patch }: Case, nth: number): string {
  const [head = '', ...hunks] = patch.toString('latin1').split(/^(?=@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@)/m)
  return head + hunks[nth]
}

const all = (hunk: ByteHunk): Set<number> => new Set(changedLines(hunk))

/** The hunk heads in the lines of some files would be cut as heads of git. */
const isPlain = (one: Case): boolean => hunksOf(one).length === withoutHead(one)
const withoutHead = ({ patch }: Case): number =>
  patch.toString('latin1').split(/^(?=@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@)/m).length - 1

const blob = (bytes: Buffer): string => createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')

function indexOf(folder: Folder): Map<string, string> {
  const rows = bytesOf(folder, 'ls-files', '-s').toString().trim().split('\n')
  return new Map(rows.map(row => [row.slice(row.indexOf('\t') + 1), row.split(' ')[1] ?? '']))
}

const RUNS = 1200

describe('1,000 random files', { timeout: 120_000 }, () => {
  const pairs = fc.sample(aPair, { numRuns: RUNS, seed: 45 })

  test('a hunk is reverted to the bytes that git apply -R makes of it', () => {
    const { folder, cases } = repositoryOf(pairs)
    const chosen = cases.filter(isPlain).map(one => ({ one, nth: one.pick % hunksOf(one).length }))
    expect(chosen.length).toBeGreaterThan(1000)
    const patch = Buffer.from(chosen.map(({ one, nth }) => withHunk(one, nth)).join(''), 'latin1')
    execFileSync('git', ['apply', '-R', '--whitespace=nowarn', '-'], {
      cwd: folder.path,
      env: folder.env,
      input: patch,
    })
    for (const { one, nth } of chosen) {
      const hunk = hunksOf(one)[nth]
      const lines = hunk && reverted(splitLines(one.fresh), [{ hunk, without: all(hunk) }], 'git')
      expect(joinLines(lines ?? []).toString('latin1')).toBe(
        readFileSync(join(folder.path, one.name)).toString('latin1'),
      )
    }
  })

  test('a hunk is staged to the bytes that git apply --cached makes of it, and taken back by git apply --cached -R', () => {
    const { folder, cases } = repositoryOf(pairs)
    const chosen = cases.filter(isPlain).map(one => ({ one, nth: one.pick % hunksOf(one).length }))
    const patch = Buffer.from(chosen.map(({ one, nth }) => withHunk(one, nth)).join(''), 'latin1')
    const options = { cwd: folder.path, env: folder.env, input: patch }
    execFileSync('git', ['apply', '--cached', '--whitespace=nowarn', '-'], options)
    const staged = indexOf(folder)
    for (const { one, nth } of chosen) {
      const result = withTaken(one.old, readPatch(one.patch), hunksOf(one)[nth], () => true)
      expect(blob(result ?? Buffer.from('refused'))).toBe(staged.get(one.name))
    }
    execFileSync('git', ['add', '-A'], { cwd: folder.path, env: folder.env })
    execFileSync('git', ['apply', '--cached', '-R', '--whitespace=nowarn', '-'], options)
    const unstaged = indexOf(folder)
    for (const { one, nth } of chosen) {
      const same = { hunks: [], notes: [] }
      const result = withTaken(one.fresh, same, hunksOf(one)[nth], () => false)
      expect(blob(result ?? Buffer.from('refused'))).toBe(unstaged.get(one.name))
    }
  })

  test('reverting all hunks gives back the old bytes', () => {
    const { cases } = repositoryOf(pairs)
    for (const one of cases) {
      const hunks = hunksOf(one).map(hunk => ({ hunk, without: all(hunk) }))
      const lines = reverted(splitLines(one.fresh), hunks, 'git')
      expect(joinLines(lines ?? ['refused']).toString('latin1')).toBe(one.old.toString('latin1'))
    }
  })

  test('lines that are reverted or staged one after the other, in any order, end where the whole hunk ends', () => {
    const { cases } = repositoryOf(pairs.slice(0, 400))
    for (const one of cases) {
      const [hunk] = hunksOf(one)
      if (!hunk) continue
      const changed = changedLines(hunk).toSorted((a, b) => ((a * 7) % 5) - ((b * 7) % 5))
      const taken = new Set<number>()
      for (const index of changed) {
        taken.add(index)
        const there = ended(mixed(hunk, taken))
        const found = takenIn(hunk, there, false)
        // Other changes of the same lines may look the same, but they lead to the same bytes.
        expect(texts(mixed(hunk, found ?? new Set([-1])))).toEqual(texts(there))
      }
      expect(mixed(hunk, taken)).toEqual(mixed(hunk, all(hunk)))
    }
  })
})

/** The end that a line gets which had none follows from all lines of its file. */
const texts = (lines: readonly string[]): string[] => lines.map(line => line.replace(/\r*\n?$/, ''))

/** A state of a file with all or none of the changes of a hunk; `difference` leads from it to the present one. */
function withTaken(
  state: Buffer,
  difference: ReturnType<typeof readPatch>,
  hunk: ByteHunk | undefined,
  isTaken: () => boolean,
): Buffer | null {
  const lines = splitLines(state)
  const range = hunk && rangeIn(hunk, replacedLines(difference.hunks))
  if (!hunk || !range) return null
  const there = lines.slice(range.from, range.to)
  if (takenIn(hunk, there, range.to === lines.length) === null) return null
  const fresh = mixed(hunk, isTaken() ? all(hunk) : new Set())
  return joinLines(ended([...lines.slice(0, range.from), ...fresh, ...lines.slice(range.to)]))
}
