import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { findProgram } from '../../../src/platform/shell/program.ts'

const folder = mkdtempSync(join(tmpdir(), 'zotui-program-'))
afterAll(() => rmSync(folder, { recursive: true }))

const [first, second] = [join(folder, 'first'), join(folder, 'second')]
for (const place of [first, second]) mkdirSync(place)
mkdirSync(join(first, 'tool'))
writeFileSync(join(first, 'plain'), '', { mode: 0o644 })
for (const name of ['tool', 'plain', 'other']) writeFileSync(join(second, name), '', { mode: 0o755 })

describe.skipIf(process.platform === 'win32')('a program', () => {
  const PATH = `${first}:${second}`

  test('is the first in PATH that is a file and may be run', async () => {
    expect(await findProgram('tool', { PATH })).toBe(join(second, 'tool'))
    expect(await findProgram('plain', { PATH })).toBe(join(second, 'plain'))
    expect(await findProgram('absent', { PATH })).toBeNull()
    expect(await findProgram('tool', {})).toBeNull()
  })

  test('may be named by its path', async () => {
    expect(await findProgram(join(second, 'tool'), {})).toBe(join(second, 'tool'))
    expect(await findProgram(join(first, 'plain'), {})).toBeNull()
  })

  test('on Windows has an extension, and PATH may be spelt Path', async () => {
    writeFileSync(join(second, 'edit.cmd'), '', { mode: 0o755 })
    // One folder: the drive letter's colon and Windows' separator do not matter then.
    expect(await findProgram('edit', { Path: second }, 'win32')).toBe(`${second}/edit.cmd`)
    expect(await findProgram('edit', { Path: second, PATHEXT: '.EXE' }, 'win32')).toBeNull()
  })
})
