/** Permission rules in settings files: their places, their layers, and writing them. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { brokenRules, readSettingsDocument } from '../../src/config/document/document.ts'
import { readSettingsFile, writeMember } from '../../src/config/files.ts'
import { openFolderPermissions } from '../../src/config/trust/folder-permissions.ts'
import { noLayer, resolveSettings, rulesOf, type Layer } from '../../src/config/layers.ts'
import type { Settings } from '../../src/config/schema.ts'
import { unsavedSettings } from '../../src/config/settings.ts'
import { startingMode } from '../../src/config/trust/starting-mode.ts'
import { parseRules } from '../../src/permissions/rules/rule.ts'
import { realPath } from '../../src/platform/real-path.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'zotui-rules-')))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('a settings file', () => {
  test('has the line of each rule, and names broken ones', async () => {
    const { values, rules } = readSettingsDocument(
      '{\n  "allow": ["Bash(a)"],\n  "deny": [\n    "Bash(b",\n    5\n  ]\n}',
    )
    expect(rules).toEqual([
      { effect: 'allow', text: 'Bash(a)', line: 2 },
      { effect: 'deny', text: 'Bash(b', line: 4 },
      { effect: 'deny', text: 5, line: 5 },
    ])
    expect(values).toEqual({ allow: ['Bash(a)'], deny: ['Bash(b'] })
    expect((await brokenRules(rules, 'user')).map(({ line, text }) => `${line} ${text}`)).toEqual([
      expect.stringMatching(/^4 the deny rule "Bash\(b" cannot be read, so zotui asks: /),
      expect.stringMatching(/^5 the deny rule .* must be a string/),
    ])
  })
  test.each(['{ "deny": "Bash" }', '{ "deny": { "a": 1 } }', '{ "deny": ', '[]', '{ "deny": ["Bash(rm:*)"], }}'])(
    '%s asks for everything, because nobody knows what it denies',
    text => {
      const { rules } = readSettingsDocument(text)
      const parsed = parseRules(
        rules.map(({ effect, text: own }) => ({ effect, text: own, source: 'user' as const, place: '' })),
      )
      expect(
        parsed.filter(({ broken, tool, effect }) => broken !== null && tool === '*' && effect === 'ask'),
      ).toHaveLength(1)
    },
  )
  test('that cannot be read asks for everything', async () => {
    mkdirSync(join(folder, 'is-a-folder'))
    const { layer } = await readSettingsFile(join(folder, 'is-a-folder'), { label: 'x', folder })
    expect(layer.rules).toEqual([{ effect: 'deny', text: null, place: 'x' }])
  })
})

function layer(values: Partial<Settings>): Layer {
  return { ...noLayer, values, places: new Map([['deny', 'a variable']]) }
}

describe('rules of several sources', () => {
  const layers = {
    user: layer({ allow: ['Bash(a)'], deny: ['Bash(b)'], permissions: 'edits' }),
    project: layer({ allow: ['Bash(c)'], deny: ['Bash(d)'], ask: ['Bash(e)'], permissions: 'allow' }),
    environment: noLayer,
    flag: noLayer,
  }
  test('are added, and a project that is not trusted can only make it stricter', () => {
    expect(rulesOf(layers, true).map(({ text }) => text)).toEqual([
      'Bash(a)',
      'Bash(b)',
      'Bash(c)',
      'Bash(e)',
      'Bash(d)',
    ])
    expect(rulesOf(layers, false).map(({ text }) => text)).toEqual(['Bash(a)', 'Bash(b)', 'Bash(e)', 'Bash(d)'])
    expect(rulesOf(layers, false)[1]).toEqual({ effect: 'deny', text: 'Bash(b)', source: 'user', place: 'a variable' })
    expect(resolveSettings(layers, () => false).values).toMatchObject({
      permissions: 'edits',
      allow: ['Bash(a)'],
      deny: ['Bash(b)', 'Bash(d)'],
    })
    expect(resolveSettings(layers, () => true).values).toMatchObject({
      permissions: 'allow',
      allow: ['Bash(a)', 'Bash(c)'],
    })
    expect(resolveSettings(layers, () => false).needingTrust).toEqual(['permissions', 'allow'])
  })
  test('a stricter mode of a project holds at once', () => {
    const strict = { ...layers, project: layer({ permissions: 'ask' }) }
    expect(resolveSettings(strict, () => false).values.permissions).toBe('ask')
  })
})

test('a rule is added to the file, and its comments stay', async () => {
  const path = join(folder, 'config.json')
  writeFileSync(path, '{\n  // mine\n  "allow": [\n    "Bash(a)" // first\n  ],\n  "theme": "dark"\n}\n')
  await writeMember(path, 'allow', 'Bash(b:*)', 'add')
  await writeMember(path, 'allow', 'Bash(b:*)', 'add')
  await writeMember(path, 'deny', 'Bash(=rm "x")', 'add')
  const text = readFileSync(path, 'utf8')
  expect(text).toContain('// mine')
  expect(text).toContain('// first')
  expect(readSettingsDocument(text).values).toEqual({
    allow: ['Bash(a)', 'Bash(b:*)'],
    deny: ['Bash(=rm "x")'],
    theme: 'dark',
  })
})

test('a rule is removed from its list only, comments are kept, and a rule that is not there is no mistake', async () => {
  const path = join(folder, 'removing.json')
  writeFileSync(path, '{\n  // mine\n  "allow": ["Bash(a)", "Bash(b)", "Bash(a)"],\n  "deny": ["Bash(a)"]\n}\n')
  expect(await writeMember(path, 'allow', 'Bash(a)', 'remove')).toBe(true)
  expect(await writeMember(path, 'allow', 'Bash(a)', 'remove')).toBe(false)
  expect(await writeMember(path, 'ask', 'Bash(a)', 'remove')).toBe(false)
  expect(await writeMember(join(folder, 'no-such.json'), 'ask', 'Bash(a)', 'remove')).toBe(false)
  const text = readFileSync(path, 'utf8')
  expect(text).toContain('// mine')
  expect(readSettingsDocument(text).values).toEqual({ allow: ['Bash(b)'], deny: ['Bash(a)'] })
  for (const [list, rest] of [
    ['["Bash(b)", "Bash(a)"]', '["Bash(b)"]'],
    ['["Bash(a)", "Bash(b)",]', '["Bash(b)",]'],
    ['[\n    "Bash(a)",\n  ]', '[]'],
    ['[\n    "Bash(b)", // b\n    "Bash(a)"\n  ]', '[\n    "Bash(b)"\n  ]'],
    ['[5, "Bash(a)", "Bash(a)"]', '[5]'],
  ] as const) {
    writeFileSync(path, `{ "allow": ${list} }\n`)
    expect(await writeMember(path, 'allow', 'Bash(a)', 'remove')).toBe(true)
    expect(readFileSync(path, 'utf8')).toBe(`{ "allow": ${rest} }\n`)
  }
  writeFileSync(path, '{ "allow": ')
  await expect(writeMember(path, 'allow', 'Bash(b)', 'remove')).rejects.toThrow('not a JSON object')
})

test('a grant for everywhere is in effect at once', async () => {
  const settings = unsavedSettings({ allow: ['Bash(a)'] })
  await settings.addRule('allow', 'Bash(b)')
  expect(settings.rules().map(({ text }) => text)).toEqual(['Bash(a)', 'Bash(b)'])
})

describe('what was answered for a folder', () => {
  test('is kept for it, and for no other', async () => {
    const state = join(folder, 'state')
    const first = await openFolderPermissions(state, '/a/project')
    expect([first.mode(), first.rules()]).toEqual([null, []])
    await first.rememberMode('edits')
    await first.addRule('allow', 'Bash(npm test:*)')
    const again = await openFolderPermissions(state, '/a/project', () => 'FILE')
    expect([first.mode(), again.mode(), again.notices]).toEqual(['edits', 'edits', []])
    expect(again.rules()).toEqual([
      { effect: 'allow', text: 'Bash(npm test:*)', source: 'folder', place: expect.stringMatching(/^FILE line \d$/) },
    ])
    expect((await openFolderPermissions(state, '/b/project')).mode()).toBe(null)
    expect(await first.removeRule('allow', 'Bash(npm test:*)')).toBe(true)
    expect([first.mode(), first.rules()]).toEqual(['edits', []])
    const answers = join(state, 'permissions')
    for (const name of readdirSync(answers)) writeFileSync(join(answers, name), '{ "mode": "allow", ')
    const broken = await openFolderPermissions(state, '/a/project', () => 'FILE')
    expect([broken.mode(), broken.rules()]).toEqual([
      null,
      [{ effect: 'deny', text: null, source: 'folder', place: 'FILE line 1' }],
    ])
    expect(broken.notices).toHaveLength(1)
  })
})

const settings = (values: Partial<Settings>, kind: 'default' | 'user' | 'project' | 'environment' | 'flag') => ({
  values: () => ({ ...unsavedSettings().values(), ...values }),
  sourceOf: () => ({ kind, place: kind, folder: null }),
})

describe('the mode at the start', () => {
  test.each([
    [{}, 'default', null, { mode: 'ask', isChosen: false }],
    [{}, 'default', 'edits', { mode: 'edits', isChosen: true }],
    [{ permissions: 'edits' }, 'user', null, { mode: 'edits', isChosen: true }],
    [{ permissions: 'edits' }, 'user', 'plan', { mode: 'plan', isChosen: true }],
    [{ permissions: 'allow' }, 'flag', 'plan', { mode: 'allow', isChosen: true }],
    [{ permissions: 'plan' }, 'environment', 'allow', { mode: 'plan', isChosen: true }],
    [{ permissions: 'ask' }, 'project', 'allow', { mode: 'ask', isChosen: true }],
    [{ permissions: 'allow' }, 'project', 'ask', { mode: 'ask', isChosen: true }],
    [{ readOnly: true }, 'user', 'allow', { mode: 'read', isChosen: true }],
  ] as const)('%j from %s, remembered %s', (values, kind, remembered, wanted) =>
    expect(startingMode(settings(values, kind), remembered)).toMatchObject(wanted),
  )
})

test('a path is followed through links, also if it does not exist yet', () => {
  mkdirSync(join(folder, 'in'))
  symlinkSync('/', join(folder, 'in', 'root'))
  symlinkSync('../out/new', join(folder, 'in', 'dangling'))
  symlinkSync('circle', join(folder, 'in', 'circle'))
  expect(realPath(join(folder, 'in', 'root', 'no', 'such'))).toBe('/no/such')
  expect(realPath(join(folder, 'in', 'dangling', 'x'))).toBe(join(folder, 'out', 'new', 'x'))
  expect(realPath(join(folder, 'in', 'a', 'b'))).toBe(join(folder, 'in', 'a', 'b'))
  expect(realPath(join(folder, 'in', 'circle'))).toContain(folder)
})
