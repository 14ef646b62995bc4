/** A user's `keys.json`, from the file to the table of keys. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { allBindings } from '../../../components/pages/keymap.ts'
import { actionName } from '../../../src/config/keys/action-name.ts'
import { readKeyDocument } from '../../../src/config/keys/document.ts'
import { describeNotice, keysPath, loadKeys } from '../../../src/config/keys/load.ts'
import { rebind, type KeyTableRow } from '../../../src/config/keys/rebind.ts'

const folder = mkdtempSync(join(tmpdir(), 'zotui-keys-'))
afterAll(() => rmSync(folder, { recursive: true }))

const table: KeyTableRow[] = [
  { context: 'popup', name: 'up', keys: ['up', 'ctrl+p'] },
  { context: 'popup', name: 'close', keys: ['escape'] },
  { context: 'composer', name: 'submit', keys: ['enter'] },
  { context: 'composer', name: 'newline', keys: ['ctrl+j', 'alt+enter'] },
  { context: 'composer', name: 'force_quit', keys: ['ctrl+\\'], fixed: true },
  { context: 'composer', name: 'move_line_start', keys: ['ctrl+a'] },
  { context: 'composer', name: 'move_line_start', keys: ['home'] },
  { context: 'composer', name: 'kill_to_line_end', keys: ['ctrl+k'] },
  { context: 'composer', name: 'editor', keys: ['ctrl+g', 'ctrl+x ctrl+e'] },
  { context: 'composer', name: 'compact', keys: [] },
  { context: 'viewer', name: 'next', keys: ['n'] },
  { context: 'viewer', name: 'previous', keys: ['N'] },
]

let count = 0

/** Loads a file with this text: what each action of the table's has for keys that had others before, and the notices. */
async function load(text: string) {
  const path = join(folder, `keys-${++count}.json`)
  writeFileSync(path, text)
  const { rows, notices } = await loadKeys(table, path)
  const changed = rows.filter((row, index) => row.keys.join() !== table[index]?.keys.join())
  return {
    changed: Object.fromEntries(changed.map(row => [`${row.context} ${row.name}`, row.keys])),
    notices: notices.map(describeNotice),
  }
}

const untouched = { changed: {}, notices: [] }

describe('keys.json', () => {
  test('is read from the configuration folder', () => {
    expect(keysPath()).toMatch(/zotui.*keys\.json$/)
  })

  test('may be missing', async () => {
    expect(await loadKeys(table, join(folder, 'absent.json'))).toEqual({ rows: table, notices: [] })
  })

  test.each(['', ' \n', '{}', '{ "composer": {} }', '\uFEFF{}', '// later\n{}'])('may be empty: %o', async text => {
    expect(await load(text)).toEqual(untouched)
  })

  test('that cannot be read gives a warning', async () => {
    mkdirSync(join(folder, 'folder.json'))
    const { rows, notices } = await loadKeys(table, join(folder, 'folder.json'))
    expect(rows).toEqual(table)
    expect(notices.map(describeNotice)).toEqual(['keys.json is a folder; the file is ignored'])
  })

  test('binds keys in any spelling', async () => {
    const text = `{
      // Comments are fine, and so is a comma at the end.
      "composer": { "C-o": "newline", "M-k": "compact", "alt+shift+k": "kill-to-line-end", "ctrl+t": "killToLineEnd", },
      "popup": { "shift+tab": "up" },
      "viewer": { "j": "next", "shift+j": "previous" },
    }`
    expect(await load(text)).toEqual({
      changed: {
        'popup up': ['up', 'ctrl+p', 'shift+tab'],
        'composer newline': ['ctrl+j', 'alt+enter', 'ctrl+o'],
        'composer compact': ['alt+k'],
        'composer kill_to_line_end': ['ctrl+k', 'alt+shift+k', 'ctrl+t'],
        'viewer next': ['n', 'j'],
        'viewer previous': ['N', 'J'],
      },
      notices: [],
    })
  })

  test('unbinds keys', async () => {
    const text =
      '{ "composer": { "alt+enter": "-newline", "Home": "-move_line_start" }, "viewer": { "N": "-previous" } }'
    expect(await load(text)).toEqual({
      changed: { 'composer newline': ['ctrl+j'], 'composer move_line_start': [], 'viewer previous': [] },
      notices: [],
    })
  })

  test('moves a key to another action if it unbinds the first', async () => {
    const swap = '{ "composer": { "enter": ["-submit", "newline"], "alt+enter": ["submit", "-newline"] } }'
    expect(await load(swap)).toEqual({
      changed: { 'composer submit': ['alt+enter'], 'composer newline': ['ctrl+j', 'enter'] },
      notices: [],
    })
  })

  test('gives no warning for a key that stays the same', async () => {
    expect(await load('{ "composer": { "ctrl+j": "newline" } }')).toEqual(untouched)
  })
})

describe('a key conflict is reported with both names', () => {
  test('with the built-in table', async () => {
    expect(await load('{ "composer": {\n"ctrl+k": "submit" } }')).toEqual({
      changed: { 'composer submit': ['enter', 'ctrl+k'], 'composer kill_to_line_end': [] },
      notices: [
        'keys.json line 2: composer: ctrl+k now does submit instead of kill_to_line_end; add "-kill_to_line_end" to confirm this',
      ],
    })
  })

  test.each([
    ['two spellings', '{ "composer": {\n"C-o": "submit",\n"ctrl+O": "newline" } }', 2],
    ['one key twice', '{ "composer": {\n"ctrl+o": "submit",\n"ctrl+o": "newline" } }', 2],
    ['a list', '{ "composer": {\n\n"ctrl+o": ["submit", "newline"] } }', 3],
  ])('within the file: %s', async (_, text, line) => {
    expect(await load(text)).toEqual({
      changed: { 'composer newline': ['ctrl+j', 'alt+enter', 'ctrl+o'] },
      notices: [`keys.json line 3: composer: ctrl+o is bound to submit (line ${line}) and to newline; newline is used`],
    })
  })

  test('of a key with the first of two keys', async () => {
    expect(await load('{ "composer": { "ctrl+x": "submit" } }')).toEqual({
      changed: { 'composer submit': ['enter', 'ctrl+x'], 'composer editor': ['ctrl+g'] },
      notices: ['keys.json line 1: composer: ctrl+x ctrl+e no longer does editor, since ctrl+x does submit'],
    })
    expect(await load('{ "composer": { "ctrl+k ctrl+k": "compact" } }')).toEqual({
      changed: { 'composer kill_to_line_end': [], 'composer compact': ['ctrl+k ctrl+k'] },
      notices: ['keys.json line 1: composer: ctrl+k no longer does kill_to_line_end, since ctrl+k ctrl+k does compact'],
    })
  })

  test('but not for one key in two contexts', async () => {
    expect((await load('{ "popup": { "ctrl+k": "up" } }')).notices).toEqual([])
  })
})

describe('a mistake in keys.json is reported with its line, and the rest still applies', () => {
  test.each([
    ['"ctrl+o": "sumbit"', 'composer has no action sumbit; did you mean submit?'],
    ['"ctrl+o": "next"', 'composer has no action next; viewer has one'],
    ['"ctrl+o": "fly"', 'composer has no action fly'],
    ['"ctrl+entr": "submit"', 'composer: ctrl+entr is not a key; did you mean enter?'],
    ['"x": "submit"', 'composer: x types a character there and cannot be bound'],
    ['"ctrl+o": "-submit"', 'composer: ctrl+o is not bound to submit'],
    ['"ctrl+j": "-submit"', 'composer: ctrl+j is not bound to submit, but to newline'],
    [String.raw`"ctrl+\\": "-force_quit"`, String.raw`composer: ctrl+\ cannot be unbound from force_quit`],
    [
      String.raw`"ctrl+\\": "submit"`,
      String.raw`composer: ctrl+\ always does force_quit and cannot be bound to submit`,
    ],
    ['"ctrl+o": 3', 'composer: ctrl+o must be the name of an action, or a list of names'],
  ])('%s', async (entry, notice) => {
    const text = `{\n  "composer": {\n    ${entry},\n    "ctrl+t": "compact"\n  }\n}`
    expect(await load(text)).toEqual({
      changed: { 'composer compact': ['ctrl+t'] },
      notices: [`keys.json line 3: ${notice}`],
    })
  })

  test('for a key of the fixed action, also in another context', async () => {
    expect(await load(String.raw`{ "popup": { "ctrl+\\": "up", "ctrl+\\ a": "close" } }`)).toEqual({
      changed: {},
      notices: [
        String.raw`keys.json line 1: popup: ctrl+\ always does force_quit and cannot be bound to up`,
        String.raw`keys.json line 1: popup: ctrl+\ a always does force_quit and cannot be bound to close`,
      ],
    })
  })

  test('for an unknown context', async () => {
    expect(await load('{ "composr": { "ctrl+o": "submit" },\n"moon": { "ctrl+o": "submit" } }')).toEqual({
      changed: {},
      notices: [
        'keys.json line 1: there is no context composr; did you mean composer?',
        'keys.json line 2: there is no context moon; there are popup, composer, viewer',
      ],
    })
  })

  test('for a key that most terminals cannot distinguish from another', async () => {
    expect(await load('{ "composer": { "ctrl+m": "compact" } }')).toEqual({
      changed: { 'composer compact': ['ctrl+m'] },
      notices: ['keys.json line 1: composer: most terminals send enter for ctrl+m'],
    })
  })

  test.each([
    ['{\n"composer": {', 2, 14],
    ['{\n\n"composer": submit }', 3, 13],
    ['{ "composer": {} }\n}', 2, 1],
  ])('for invalid JSON: %o', async (text, line, column) => {
    expect(await load(text)).toEqual({
      changed: {},
      notices: [`keys.json line ${line}: not valid JSON near column ${column}; the file is ignored`],
    })
  })

  test.each([
    ['[]', 'must be an object of contexts and their keys'],
    ['{ "composer": [] }', 'composer must be an object of keys and their actions'],
    ['{ "composer": { "ctrl+o": [1] } }', 'composer: ctrl+o must be the name of an action, or a list of names'],
  ])('for the wrong structure: %s', async (text, notice) => {
    expect(await load(text)).toEqual({ changed: {}, notices: [`keys.json line 1: ${notice}`] })
  })
})

describe('the built-in table', () => {
  const named = allBindings.map(row => Object.assign({ name: actionName(row.context, row.action) }, row))

  test('shows one readable key name for each action of a context', () => {
    const names = new Map<string, string>()
    for (const { context, name, action } of named) {
      expect(name).toMatch(/^[a-z]+(?:_[a-z\d]+)*$/)
      const known = names.get(`${context} ${name}`) ?? JSON.stringify(action)
      expect(JSON.stringify(action)).toBe(known)
      names.set(`${context} ${name}`, known)
    }
    expect([...names.keys()]).toEqual(
      expect.arrayContaining(['composer submit', 'composer move_word_left', 'composer kill_to_line_end', 'popup take']),
    )
  })

  test('has no conflict of its own', () => {
    expect(rebind(named, [])).toEqual({ rows: named, notices: [] })
  })

  test('has no key twice in a context, whatever is bound', () => {
    const wish = fc.record({
      context: fc.constantFrom('composer', 'popup', 'picker', 'nowhere'),
      key: fc.constantFrom('ctrl+a', 'C-x', 'ctrl+x ctrl+e', 'enter', 'x', 'ctrl+\\', 'C-x C-x', '?!'),
      action: fc.constantFrom(...named.flatMap(({ name }) => [name, `-${name}`]), 'fly'),
      line: fc.integer({ min: 1, max: 9 }),
    })
    fc.assert(
      fc.property(fc.array(wish), bindings => {
        const { rows } = rebind(named, bindings)
        const keys = rows.flatMap(row => row.keys.map(key => `${row.context} ${key}`))
        expect(new Set(keys).size).toBe(keys.length)
      }),
    )
  })
})

test('no text of keys.json makes the reader throw', () => {
  const piece = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ':',
    ',',
    '"composer"',
    '"a"',
    '1',
    'null',
    '\n',
    '//',
    '/*',
    '\\',
    '"',
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(piece).map(pieces => pieces.join('')),
      ),
      text => {
        const { bindings, notices } = readKeyDocument(text)
        expect(bindings.length + notices.length).toBeGreaterThanOrEqual(0)
      },
    ),
    { numRuns: 1000 },
  )
})
