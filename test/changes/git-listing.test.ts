import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseListing, type GitListedFile } from '../../src/changes/git-listing.ts'

const id = 'a'.repeat(40)
const none = '0'.repeat(40)

const listed = (path: string, rest: Partial<GitListedFile> = {}): GitListedFile => ({
  path,
  from: null,
  status: 'M',
  modes: ['100644', '100644'],
  added: 1,
  removed: 2,
  isLeft: false,
  ...rest,
})

/** As git writes it. */
function written(files: readonly GitListedFile[]): string {
  const raw = files.map(({ path, from, status, modes }) => {
    const letter = status === 'R' ? 'R086' : status
    return `:${modes[0]} ${modes[1]} ${id} ${none} ${letter}\0${from === null ? '' : `${from}\0`}${path}\0`
  })
  const counts = files.map(({ path, from, added, removed }) => {
    const numbers = `${added ?? '-'}\t${removed ?? '-'}\t`
    return from === null ? `${numbers}${path}\0` : `${numbers}\0${from}\0${path}\0`
  })
  return [...raw, ...counts].join('')
}

/** Any name that a file can have: all but a NUL. */
const name = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1 }).map(text => text.replaceAll('\0', 'x')),
  fc.constantFrom(':100644 100644 aaaa bbbb M', '1\t2\tx', '-\t-\t', '\n', '"a"', ' ', 'a => b', '\u001B[31m', '../x'),
)
const count = fc.oneof(fc.constant(null), fc.nat(1_000_000))

const file: fc.Arbitrary<GitListedFile> = fc
  .record({
    path: name,
    from: fc.option(name),
    status: fc.constantFrom('A' as const, 'D' as const, 'M' as const, 'T' as const),
    added: count,
    modes: fc.constantFrom(['100644', '100755'] as const, ['000000', '120000'] as const, ['160000', '160000'] as const),
  })
  .map(({ path, from, status, added, modes }) =>
    listed(path, { from, status: from === null ? status : 'R', added, removed: added, modes }),
  )

describe("git's list", () => {
  test('returns every name unchanged', () => {
    fc.assert(
      fc.property(fc.uniqueArray(file, { selector: ({ path }) => path }), files => {
        expect(parseListing(written(files))).toEqual(files)
      }),
    )
  })

  test('never throws, and contains no file twice', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(name, fc.constantFrom(':100644 100644 aa bb R100', '1\t1\t')), { maxLength: 8 }),
        fields => {
          const paths = parseListing(fields.join('\0')).map(({ path }) => path)
          expect(new Set(paths).size).toBe(paths.length)
        },
      ),
    )
  })

  test('contains an unmerged file once', () => {
    const text = `:100644 000000 ${id} ${none} U\0a\0:100644 100644 ${id} ${none} M\0a\x003\t1\ta\0`
    expect(parseListing(text)).toEqual([listed('a', { added: 3, removed: 1 })])
    const other = `:100644 100644 ${id} ${none} M\0a\0:100644 000000 ${id} ${none} U\0a\0`
    expect(parseListing(other).map(({ status }) => status)).toEqual(['M'])
  })

  test('contains a copy as a new file', () => {
    const text = `:100644 100644 ${id} ${id} C100\0a\0b\x000\t0\t\0a\0b\0`
    expect(parseListing(text)).toEqual([listed('b', { status: 'A', added: 0, removed: 0 })])
  })
})
