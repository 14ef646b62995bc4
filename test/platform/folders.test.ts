/** Folders that several programs make at once. */
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder } from '../../src/platform/folders.ts'

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
