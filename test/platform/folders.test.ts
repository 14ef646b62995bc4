/** Folders that several programs make at once, and the entries of folders. */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { entriesIn, makeFolder } from '../../src/platform/folders.ts'

const FOLDERS = 1000

test('programs that make the same nested folders at once all succeed', async () => {
  const root = mkdtempSync(join(tmpdir(), 'zotui-folders-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const begin = Date.now() + 300
  const source = new URL('../../src/platform/folders.ts', import.meta.url).href
  const program = `
    const { makeFolder } = await import(${JSON.stringify(source)})
    while (Date.now() < ${begin});
    for (let i = 0; i < ${FOLDERS}; i += 1) makeFolder(${JSON.stringify(root)} + '/' + i + '/a/b/c')`
  const run = promisify(execFile)
  const programs = Array.from({ length: 4 }, () => run(process.execPath, ['--input-type=module', '-e', program]))
  await expect(Promise.all(programs)).resolves.toHaveLength(4)
  expect(existsSync(join(root, String(FOLDERS - 1), 'a/b/c'))).toBe(true)
})

test.runIf(process.platform === 'linux')('a folder that the system does not let anybody make is an error', () => {
  expect(() => makeFolder('/proc/self/zotui/sessions')).toThrow(/ENOENT/)
})

test.skipIf(process.platform === 'win32')(
  'the entries of a folder are listed with their kinds, and links are not followed',
  () => {
    const root = mkdtempSync(join(tmpdir(), 'zotui-folders-'))
    onTestFinished(() => rmSync(root, { recursive: true, force: true }))
    mkdirSync(join(root, 'folder'))
    writeFileSync(join(root, 'file'), '')
    symlinkSync('folder', join(root, 'link'))
    const entries = entriesIn(root, 3)?.toSorted((a, b) => a.name.localeCompare(b.name))
    expect(entries).toEqual([
      { name: 'file', kind: 'other' },
      { name: 'folder', kind: 'folder' },
      { name: 'link', kind: 'link' },
    ])
    expect(entriesIn(root, 2)).toBeNull()
    for (const none of ['file', 'absent', 'file/x']) expect(entriesIn(join(root, none), 3)).toEqual([])
    symlinkSync('circle', join(root, 'circle'))
    expect(entriesIn(join(root, 'circle'), 3)).toBeNull()
  },
)
