/** The files of settings: read, and changed while the rest of them stays. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { readSettingsFile, writeMember } from '../../src/config/files.ts'
import { openTrust } from '../../src/config/trust/trust.ts'

const root = mkdtempSync(join(tmpdir(), 'zotui-config-'))
afterAll(() => rmSync(root, { recursive: true }))
let folder = ''
let path = ''
let count = 0
beforeEach(() => {
  folder = join(root, String(++count))
  mkdirSync(folder)
  path = join(folder, 'config.json')
})

describe('reading a settings file', () => {
  test('gives nothing if the file does not exist', async () => {
    expect((await readSettingsFile(path, { label: 'config.json', folder })).notices).toEqual([])
  })

  test('gives values with their place, and warnings with the name of the file', async () => {
    writeFileSync(path, '{\n"theme": "dark",\n"themee": 1 }')
    const { layer, notices } = await readSettingsFile(path, { label: '~/config.json', folder })
    expect([...layer.places]).toEqual([['theme', '~/config.json line 2']])
    expect(notices).toEqual([{ text: '~/config.json line 3: there is no setting themee; did you mean theme?' }])
  })

  test('gives a warning if the path is not a file', async () => {
    mkdirSync(path)
    expect((await readSettingsFile(path, { label: 'config.json', folder })).notices).toEqual([
      { text: 'config.json is a folder' },
    ])
  })
})

describe('writing a settings file', () => {
  test('creates the file, readable by its owner only', async () => {
    await writeMember(join(folder, 'new', 'config.json'), 'compactAt', 70)
    expect(readFileSync(join(folder, 'new', 'config.json'), 'utf8')).toBe('{\n  "compactAt": 70\n}\n')
    expect(statSync(join(folder, 'new', 'config.json')).mode & 0o077).toBe(0)
  })

  test('keeps comments, order and unknown settings', async () => {
    writeFileSync(path, '{\n  // mine\n  "theme": "dark", // at night\n  "later": 12,\n}\n')
    await writeMember(path, 'theme', 'light')
    await writeMember(path, 'ascii', true)
    expect(readFileSync(path, 'utf8')).toBe(
      '{\n  // mine\n  "theme": "light", // at night\n  "later": 12,\n  "ascii": true,\n}\n',
    )
    await writeMember(path, 'theme', undefined)
    expect(readFileSync(path, 'utf8')).not.toContain('theme')
    expect((await readSettingsFile(path, { label: '', folder })).layer.values).toEqual({ ascii: true })
  })

  test('writes through a link to the real file', async () => {
    const real = join(folder, 'dotfiles.json')
    writeFileSync(real, '{}')
    symlinkSync(real, path)
    await writeMember(path, 'ascii', true)
    expect(readFileSync(real, 'utf8')).toContain('"ascii": true')
  })

  test.each(['{ "theme": "dark"', '[]', '"x"'])('does not change a file that it cannot parse: %j', async text => {
    writeFileSync(path, text)
    await expect(writeMember(path, 'ascii', true)).rejects.toThrow('it is not a JSON object')
    expect(readFileSync(path, 'utf8')).toBe(text)
  })
})

test('trust is saved for one project', () => {
  const here = openTrust(folder, '/a/project')
  expect(here.get()).toBeNull()
  here.set(true)
  expect([openTrust(folder, '/a/project').get(), openTrust(folder, '/b/project').get()]).toEqual([true, null])
  here.set(false)
  expect(openTrust(folder, '/a/project').get()).toBe(false)
})
