/** The value that holds, and the settings that a project may not change by itself. */
import { describe, expect, test } from 'vitest'
import { needingTrust, noLayer, resolveSettings, type Layer } from '../../src/config/layers.ts'
import { defaultSettings, settingNames, type SettingName, type Settings } from '../../src/config/schema.ts'
import { readTyped, readVariables, variableOf } from '../../src/config/typed.ts'

function layer(values: Partial<Settings>, place: string): Layer {
  return { ...noLayer, values, places: new Map(Object.keys(values).map(name => [name as SettingName, place])) }
}

const none = { user: noLayer, project: noLayer, environment: noLayer, flag: noLayer }

describe('of several values of a setting', () => {
  test('a flag wins over the environment, then the project, the user and the default', () => {
    const all = {
      user: layer({ theme: 'user', detail: 'full', compactAt: 1, ascii: true }, 'config.json line 1'),
      project: layer({ theme: 'project', detail: 'names', compactAt: 2 }, '.zotui/config.json line 1'),
      environment: layer({ theme: 'environment', detail: 'short' }, 'ZOTUI_X'),
      flag: layer({ theme: 'flag' }, '--theme'),
    }
    const { values, sources } = resolveSettings(all, () => true)
    expect(values).toMatchObject({ theme: 'flag', detail: 'short', compactAt: 2, ascii: true, memoryTokens: 60_000 })
    expect([sources.theme, sources.detail, sources.compactAt, sources.ascii, sources.memoryTokens]).toEqual([
      { kind: 'flag', place: '--theme', folder: null },
      { kind: 'environment', place: 'ZOTUI_X', folder: null },
      { kind: 'project', place: '.zotui/config.json line 1', folder: null },
      { kind: 'user', place: 'config.json line 1', folder: null },
      { kind: 'default', place: '', folder: null },
    ])
  })

  test('those that need trust are ignored without it, and no others', () => {
    const project = layer({ zot: './evil', theme: 'dark' }, 'here')
    expect(resolveSettings({ ...none, project }, () => false)).toMatchObject({
      values: { zot: null, theme: 'dark' },
      needingTrust: ['zot'],
    })
    expect(resolveSettings({ ...none, project }, () => true)).toMatchObject({
      values: { zot: './evil' },
      needingTrust: ['zot'],
    })
  })
})

test('the limit of a day is that of the user, whatever a trusted project says', () => {
  const layers = {
    ...none,
    user: layer({ maxCostPerDayUsd: 10 }, 'mine'),
    project: layer({ maxCostPerDayUsd: 99 }, 'here'),
  }
  expect(resolveSettings(layers, () => true)).toMatchObject({
    values: { maxCostPerDayUsd: 10 },
    sources: { maxCostPerDayUsd: { kind: 'user' } },
    needingTrust: [],
  })
})

describe('a project setting', () => {
  test.each<[project: Partial<Settings>, own: Partial<Settings>, needing: SettingName[]]>([
    [{ theme: '../../home/me/.ssh/id' }, {}, ['theme']],
    [{ theme: String.raw`\\host\share\x.json` }, {}, ['theme']],
    [{ theme: 'mine.json' }, { theme: 'mine.json' }, []],
    [{ theme: 'dark', color: false, ascii: true, reducedMotion: true }, {}, []],
    // Some people read only what is large, still, plain, or of high contrast.
    [{ theme: 'light' }, { theme: 'high-contrast' }, ['theme']],
    [
      { color: true, ascii: false, reducedMotion: false },
      { color: false, ascii: true, reducedMotion: true },
      ['color', 'ascii', 'reducedMotion'],
    ],
    [{ screenReader: true }, {}, ['screenReader']],
    [{ screenReader: false }, { screenReader: true }, ['screenReader']],
    [{ detail: 'full' }, {}, []],
    [{ detail: 'names' }, {}, ['detail']],
    [{ detail: 'names' }, { detail: 'names' }, []],
    [{ mouse: false }, {}, ['mouse']],
    [{ terminalTitle: false, progress: false, promptMarks: false }, {}, ['terminalTitle', 'progress', 'promptMarks']],
    [{ notifications: 'off', notifyAfterSeconds: 0 }, {}, ['notifications', 'notifyAfterSeconds']],
    [{ compactAt: 0, memoryTokens: 0, reasoning: 'high' }, {}, ['reasoning', 'compactAt', 'memoryTokens']],
    [{ compactAt: 85, memoryTokens: 60_000, favouriteModels: [] }, {}, []],
    [{ favouriteModels: ['a'] }, {}, ['favouriteModels']],
    [{ favouriteModels: ['a'] }, { favouriteModels: ['a'] }, []],
    [{ zot: './zot' }, {}, ['zot']],
    [{ zot: './zot' }, { zot: './zot' }, []],
    [{ provider: 'elsewhere', model: 'm' }, {}, ['provider', 'model']],
    [{ readOnly: true }, {}, []],
    [{ readOnly: false }, {}, []],
    [{ readOnly: false }, { readOnly: true }, ['readOnly']],
    [{ maxCostUsd: 5 }, {}, []],
    [{ maxCostUsd: 5 }, { maxCostUsd: 10 }, []],
    [{ maxCostUsd: 20 }, { maxCostUsd: 10 }, ['maxCostUsd']],
    [{ maxCostUsd: null }, { maxCostUsd: 10 }, ['maxCostUsd']],
    // It counts only in the user's own settings, so trust is not asked for.
    [{ maxCostPerDayUsd: 5 }, { maxCostPerDayUsd: 10 }, []],
    [{ worktreeSetup: 'npm ci', worktreeFiles: ['.env'] }, {}, ['worktreeSetup', 'worktreeFiles']],
    [{ retentionDays: 1 }, {}, ['retentionDays']],
    [{ retentionDays: 10 }, { retentionDays: 30 }, ['retentionDays']],
    [{ retentionDays: 0 }, { retentionDays: 30 }, ['retentionDays']],
    [{ retentionDays: 30 }, { retentionDays: 30 }, []],
    [{ updateNotice: true }, {}, ['updateNotice']],
    [{ updateNotice: false }, { updateNotice: true }, []],
  ])('%j, where the user has %j, needs trust for %j', (project, own, needing) => {
    expect(needingTrust(project, { ...defaultSettings, ...own })).toEqual(needing)
  })
})

describe('environment variables', () => {
  test('exist for every setting', () => {
    expect(settingNames.map(variableOf)).toContain('ZOTUI_COMPACT_AT')
    expect(new Set(settingNames.map(variableOf)).size).toBe(settingNames.length)
  })

  test('set values', () => {
    const env = {
      ZOTUI_THEME: 'dark',
      ZOTUI_COMPACT_AT: '70',
      ZOTUI_ASCII: '1',
      ZOTUI_FAVOURITE_MODELS: 'a, b',
      ZOTUI_ZOT: '',
    }
    expect(readVariables(env)).toEqual({
      values: { theme: 'dark', compactAt: 70, ascii: true, favouriteModels: ['a', 'b'] },
      names: new Map([
        ['theme', 'ZOTUI_THEME'],
        ['ascii', 'ZOTUI_ASCII'],
        ['favouriteModels', 'ZOTUI_FAVOURITE_MODELS'],
        ['compactAt', 'ZOTUI_COMPACT_AT'],
      ]),
      notices: [],
    })
  })

  test.each([
    [{ NO_COLOR: '1' }, false, 'NO_COLOR'],
    [{ NO_COLOR: '1', FORCE_COLOR: '1' }, true, 'FORCE_COLOR'],
    [{ FORCE_COLOR: '0' }, false, 'FORCE_COLOR'],
    [{ NO_COLOR: '' }, undefined, undefined],
  ])('%j sets colours as in other programs', (env, color, name) => {
    const { values, names } = readVariables(env)
    expect([values.color, names.get('color')]).toEqual([color, name])
  })

  test('with invalid values are reported and ignored', () => {
    expect(readVariables({ ZOTUI_DETAIL: 'fulll', ZOTUI_COMPACT_AT: 'soon' })).toMatchObject({
      values: {},
      notices: [
        'ZOTUI_DETAIL must be one of names, short, full; did you mean full?',
        'ZOTUI_COMPACT_AT must be a whole number from 0 to 100',
      ],
    })
  })
})

test.each<[SettingName, string, Partial<Settings> | string]>([
  ['ascii', 'on', { ascii: true }],
  ['ascii', 'No', { ascii: false }],
  ['theme', '1', { theme: '1' }],
  ['maxCostUsd', '2.50', { maxCostUsd: 2.5 }],
  ['maxCostUsd', 'none', { maxCostUsd: null }],
  ['model', 'none', { model: null }],
  ['favouriteModels', ' x ,y', { favouriteModels: ['x', 'y'] }],
  ['compactAt', '', 'must be a whole number from 0 to 100'],
])('%s is read from the text %j', (name, typed, expected) => {
  const read = readTyped(name, typed)
  expect(read.ok ? read.value : read.reason).toEqual(expected)
})
