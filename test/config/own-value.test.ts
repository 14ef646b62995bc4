/** A setting that a running zotui takes from the user's own file when that changes: the cost limit of the day. */
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { projectSettingsPath } from '../../src/config/files.ts'
import { followOwnValue } from '../../src/config/own-value.ts'
import { loadSettings, type LoadOptions, type SettingsStore } from '../../src/config/settings.ts'
import { userSettingsPath } from '../../src/config/user-settings-path.ts'

let top = ''

beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'zotui-own-value-')))
  vi.stubEnv('XDG_CONFIG_HOME', join(top, 'config'))
  onTestFinished(() => {
    vi.unstubAllEnvs()
    rmSync(top, { recursive: true, force: true })
  })
})

const path = userSettingsPath
const write = (text: string): void => writeAt(path(), text)

function writeAt(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** A zotui that has started with this file of the user; null for none. */
async function started(
  text: string | null,
  options: Partial<LoadOptions> = {},
): Promise<{ settings: SettingsStore; limit: () => number | null }> {
  if (text !== null) write(text)
  const { settings } = await loadSettings({
    projectFolder: null,
    stateFolder: join(top, 'state'),
    env: {},
    flags: { values: {}, names: new Map() },
    label: () => 'config.json',
    home: '/',
    ...options,
  })
  const limit = followOwnValue(settings, 'maxCostPerDayUsd')
  await vi.dynamicImportSettled()
  return { settings, limit }
}

describe('the limit of a zotui that runs', () => {
  test('is the one that the file has now, with its line, and the other settings stay', async () => {
    const { settings, limit } = await started('{ "maxCostPerDayUsd": 5, "theme": "dark" }')
    expect(limit()).toBe(5)
    write('{\n// less\n"maxCostPerDayUsd": 2, "theme": "light" }')
    expect(limit()).toBe(2)
    expect(settings.sourceOf('maxCostPerDayUsd')).toMatchObject({ kind: 'user', place: `${path()} line 3` })
    expect(settings.values().theme).toBe('dark')
  })

  test('begins with a file that is written later, and ends when it is taken out of the file', async () => {
    const { settings, limit } = await started(null)
    expect(limit()).toBeNull()
    write('{ "maxCostPerDayUsd": 3 }')
    expect(limit()).toBe(3)
    write('{}')
    expect([limit(), settings.sourceOf('maxCostPerDayUsd').kind]).toEqual([null, 'default'])
    write('{ "maxCostPerDayUsd": 4 }')
    expect(limit()).toBe(4)
    write('{ "maxCostPerDayUsd": null }')
    expect(limit()).toBeNull()
  })

  test.each<[what: string, harm: () => void]>([
    ['is broken', () => write('{ "maxCostPerDayUsd": 100')],
    ['is empty', () => write('')],
    ['is no object', () => write('[100]')],
    ['has a value that is none', () => write('{ "maxCostPerDayUsd": "100" }')],
    ['has a limit below zero', () => write('{ "maxCostPerDayUsd": -1 }')],
    ['is gone', () => rmSync(path())],
    ['is a folder', () => (rmSync(path()), mkdirSync(path()))],
    ['is too large', () => write(`{ "maxCostPerDayUsd": 100 }${' '.repeat(1_000_000)}`)],
  ])('stays while the file %s, and follows it again when that is mended', async (_what, harm) => {
    const { limit } = await started('{ "maxCostPerDayUsd": 5 }')
    harm()
    expect(limit()).toBe(5)
    rmSync(path(), { recursive: true, force: true })
    write('{ "maxCostPerDayUsd": 6 }')
    expect(limit()).toBe(6)
  })

  test('is the last valid one of a name that is written twice, as at the start', async () => {
    const twice = '{ "maxCostPerDayUsd": 1, "maxCostPerDayUsd": 7, "maxCostPerDayUsd": "x" }'
    const { limit } = await started(null)
    write(twice)
    expect([limit(), (await started(twice)).settings.values().maxCostPerDayUsd]).toEqual([7, 7])
  })

  test('is never loosened by the file of a project, trusted or not', async () => {
    const project = join(top, 'app')
    const own = projectSettingsPath(project)
    writeAt(own, '{ "maxCostPerDayUsd": 50 }')
    const { settings, limit } = await started('{ "maxCostPerDayUsd": 5 }', { projectFolder: project })
    settings.setTrust(true)
    writeAt(own, '{ "maxCostPerDayUsd": 500 }')
    expect(limit()).toBe(5)
    write('{ "maxCostPerDayUsd": 4 }')
    expect(limit()).toBe(4)
  })

  test('is that of the variable or flag of this run, whatever the file says', async () => {
    const { limit } = await started('{ "maxCostPerDayUsd": 5 }', { env: { ZOTUI_MAX_COST_PER_DAY_USD: '30' } })
    write('{ "maxCostPerDayUsd": 2 }')
    expect(limit()).toBe(30)
  })

  test('agrees with what this zotui itself has changed', async () => {
    const { settings, limit } = await started('{ "maxCostPerDayUsd": 5 }')
    await settings.change('maxCostPerDayUsd', 8)
    expect(limit()).toBe(8)
    await settings.change('maxCostPerDayUsd', undefined)
    expect(limit()).toBeNull()
  })

  test('follows a file that an editor puts in its place, and one that becomes readable again', async () => {
    const { limit } = await started('{ "maxCostPerDayUsd": 5 }')
    const draft = join(top, 'draft')
    writeFileSync(draft, '{ "maxCostPerDayUsd": 6 }')
    renameSync(draft, path())
    expect(limit()).toBe(6)
    chmodSync(path(), 0o000)
    writeFileSync(draft, '{ "maxCostPerDayUsd": 7 }')
    limit()
    renameSync(draft, path())
    expect(limit()).toBe(7)
  })
})
