/**
 * Holds the reading table against the real programs, row by row and option by option: what is allowed prints nothing from outside of the
 * folder, nothing that a rule denies, and reaches no farther below a folder than its row says.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { decide } from '../../src/permissions/decide.ts'
import type { Place } from '../../src/permissions/policy.ts'
import { reachOf } from '../../src/permissions/reading/reach.ts'
import { findTests, readingCommands, type ReadingProgram } from '../../src/permissions/reading/reading-table.ts'
import { parseLine } from '../../src/permissions/shell/parse.ts'
import { entriesIn } from '../../src/platform/folders.ts'
import { isThere, realPath } from '../../src/platform/real-path.ts'
import { bash, place as usual, rule } from './policy.ts'
import { CANARY, DEEP_NAME, DEEP_TEXT, DENIED, makeTrappedFolder, pathOfShell } from './trapped-folder.ts'

const traps = makeTrappedFolder()
afterAll(() => traps.remove())
const { folder, home } = traps
const place: Place = { folder, home, own: [], resolve: realPath, list: entriesIn, exists: isThere, git: usual.git }

const isAllowed = (line: string, at: Place, deny: readonly string[] = []): boolean =>
  decide({ mode: 'ask', rules: deny.map(text => rule('deny', text)), place: at }, { ...bash(line), folder }).verdict ===
  'allow'

/** Files, folders, links, globs, and none. */
const paths =
  '|.|sub|README|links|links/out|links/plain|links/in|./*|*|sub/*|links/*|*/*|sub/deep/*|inner twin|links twin|links/out twin|README links'.split(
    '|',
  )

/** Each option of a row alone, and below a folder where another option leads there. */
function optionsOf({ short, long = [], reachWith = {} }: ReadingProgram): string[] {
  const letters = [...short.matchAll(/([^:])(:?)(:?)/g)].map(([, letter, value]) => `-${letter}${value && '1'}`)
  const names = long.map(name => (name.endsWith('=') ? `--${name}1` : `--${name}`))
  const [far] = Object.keys(reachWith)
  const below = far === undefined ? [] : letters.map(each => `${far} ${each}`)
  return ['', ...letters, ...names, ...Object.keys(reachWith), ...below]
}

/** Options with a value in which other letters stand in the same word: they may be options, and the value may be the next word. */
function hiddenOptionsOf({ short }: ReadingProgram): string[] {
  const valued = [...short.matchAll(/([^:]):/g)].flatMap(([, letter = '']) => letter)
  return valued.flatMap(letter => 'fFHlLoprRwz'.split('').flatMap(more => [`-${letter}${more}`, `-${letter}${more} 1`]))
}

function linesOf(name: string, program: ReadingProgram): string[] {
  const word = program.operands === 'word then paths' ? (name === 'sed' ? '1,9p' : 'e') : ''
  if (name !== 'find')
    return [
      ...optionsOf(program).flatMap(option => paths.map(path => `${name} ${option} ${word} ${path}`)),
      ...hiddenOptionsOf(program).flatMap(option =>
        ['README', 'links'].map(path => `${name} ${option} ${word} ${path}`),
      ),
    ]
  const tests = [...findTests].map(([each, values]) => (values === 1 ? `${each} 1` : each))
  return tests.flatMap(each => paths.map(path => `find ${path} '${each.replace(' ', "' '")}'`))
}

/** The lines whose output has one of the words. */
function linesThatPrint(outputs: ReadonlyMap<string, string>, words: readonly string[]): string[] {
  return [...outputs].flatMap(([line, output]) => (words.some(word => output.includes(word)) ? [line] : []))
}

/** The programs of a machine: a folder, and whether they are names of one file, as in Alpine. */
type System = { bin: string; isOneForMany: boolean }

const busybox = ['/bin/busybox', '/usr/bin/busybox'].find(existsSync)
const applets = join(home, 'applets')
mkdirSync(applets)
if (busybox) {
  const known = new Set(execFileSync(busybox, ['--list'], { encoding: 'utf8' }).split('\n'))
  for (const name of Object.keys(readingCommands)) if (known.has(name)) symlinkSync(busybox, join(applets, name))
}
const systems: readonly System[] = [
  { bin: '/usr/bin', isOneForMany: false },
  { bin: applets, isOneForMany: true },
]

const isBuiltin = (name: string): boolean => /^(?:echo|printf|true|false|pwd|type)$/.test(name)

describe.each(systems)(
  'each option of a row in $bin, with files, folders, links and globs',
  ({ bin, isOneForMany }) => {
    const there = { ...place, isOneForMany: () => isOneForMany }
    const hasProgram = (name: string): boolean =>
      pathOfShell('bash') !== null && (isBuiltin(name) ? !isOneForMany : existsSync(join(bin, name)))

    for (const [name, program] of Object.entries(readingCommands)) {
      test.skipIf(!hasProgram(name))(
        `${name} prints nothing else than its row says`,
        () => {
          const lines = linesOf(name, program).filter(line => isAllowed(line, there))
          expect(lines.length).toBeGreaterThan(0)
          const outputs = traps.outputs(lines, bin)
          expect(linesThatPrint(outputs, [CANARY])).toEqual([])
          const reaches = new Map(
            lines.map(line => [line, reachOf(parseLine(line).commands[0] ?? { words: [] }, there)?.reach]),
          )
          const of = (...reach: readonly string[]): ReadonlyMap<string, string> =>
            new Map([...outputs].filter(([line]) => !/deep|\*/.test(line) && reach.includes(reaches.get(line) ?? '')))
          expect(linesThatPrint(of('nothing', 'entries'), [DEEP_NAME])).toEqual([])
          expect(linesThatPrint(of('nothing', 'entries', 'names'), [DEEP_TEXT])).toEqual([])
          const printed = linesThatPrint(outputs, [DEEP_NAME, DEEP_TEXT, DENIED])
          const deny = ['Read(sub/deep/**)', 'Read(secret.env)']
          expect(printed.filter(line => isAllowed(line, there, deny))).toEqual([])
        },
        300_000,
      )
    }
  },
)

test.skipIf(pathOfShell('bash') === null)('what is not allowed shows', () => {
  const lines = [
    'ls links/in',
    'ls links/out',
    'cat links/plain',
    'diff twin links',
    'grep -R e links',
    'find sub',
    'grep -r e sub',
  ]
  const outputs = traps.outputs(lines, '/usr/bin')
  expect(linesThatPrint(outputs, [CANARY])).toEqual(lines.slice(1, 5))
  expect(linesThatPrint(outputs, [DEEP_NAME])).toEqual(lines.slice(4))
  expect(linesThatPrint(outputs, [DEEP_TEXT])).toEqual(['grep -R e links', 'grep -r e sub'])
})
