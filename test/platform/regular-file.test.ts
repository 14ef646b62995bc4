import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import {
  openRegularFileSync,
  readRegularFile,
  readRegularFileSync,
  readRegularFileWithin,
  readTextSync,
} from '../../src/platform/regular-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'zotui-file-'))
afterAll(() => rmSync(folder, { recursive: true }))

const at = (name: string) => join(folder, name)
const reasonFor = async (path: string, limit = 100) => {
  const read = await readRegularFile(path, limit)
  return read.ok ? null : read.reason
}

test('a file is read up to the limit and no further', async () => {
  writeFileSync(at('ten'), '0123456789')
  expect(await readRegularFile(at('ten'), 10)).toEqual({ ok: true, bytes: Buffer.from('0123456789') })
  expect(await reasonFor(at('ten'), 9)).toBe('is larger than 9 B')
  symlinkSync(at('ten'), at('link'))
  expect(await readRegularFile(at('link'), 10)).toMatchObject({ ok: true })
})

test('a missing path or a non-file is refused with a reason', async () => {
  expect(await reasonFor(at('absent'))).toBe('is not there')
  expect(await reasonFor(join(at('ten'), 'below'))).toBe('is not there')
  expect(await reasonFor(folder)).toBe('is a folder')
  expect(await reasonFor(at('x'.repeat(300)))).toBe('has a name that is too long')
  expect(await reasonFor('a\0b')).toMatch(/^cannot be read/)
})

test.skipIf(process.platform === 'win32')('a pipe or a device does not block', async () => {
  execFileSync('mkfifo', [at('pipe')])
  expect(await reasonFor(at('pipe'))).toBe('is a pipe, not a file')
  expect(await reasonFor('/dev/zero')).toBe('is a device, not a file')
})

test.skipIf(process.platform === 'win32')('a synchronous read of a pipe does not block', () => {
  execFileSync('mkfifo', [at('slow')])
  expect(() => readTextSync(at('slow'))).toThrow('slow is a pipe, not a file')
  expect(() => readTextSync('/dev/zero')).toThrow('/dev/zero is a device, not a file')
  expect(() => openRegularFileSync(folder)).toThrow('is a folder')
  expect(() => readTextSync(at('absent'))).toThrow(expect.objectContaining({ code: 'ENOENT' }))
  expect(readRegularFileSync(at('slow'), 10)).toBeNull()
  writeFileSync(at('eleven'), '0123456789€')
  expect(readTextSync(at('eleven'), 13)).toBe('0123456789€')
  expect(() => readTextSync(at('eleven'), 12)).toThrow('is larger than 12 B')
  expect(readRegularFileSync(at('eleven'), 13, 4)).toEqual(Buffer.from('0123'))
})

test.skipIf(process.platform !== 'linux')('a file that claims to be empty is still read', async () => {
  expect(await readRegularFile('/proc/self/status', 100_000)).toMatchObject({ ok: true })
  expect(await reasonFor('/proc/self/status', 10)).toBe('is larger than 10 B')
  expect(readTextSync('/proc/self/status')).toContain('VmRSS')
})

test.skipIf(process.platform === 'win32' || process.getuid?.() === 0)('a secret stays one', async () => {
  writeFileSync(at('secret'), 'x')
  chmodSync(at('secret'), 0)
  expect(await reasonFor(at('secret'))).toBe('cannot be read (permission denied)')
})

test.skipIf(process.platform === 'win32')('a file must be in its folder after all links are resolved', async () => {
  mkdirSync(at('project'))
  symlinkSync(at('project'), at('other-name'))
  writeFileSync(at('outside'), 'x')
  writeFileSync(at('project-beside'), 'x')
  writeFileSync(at('project/inside'), 'y')
  symlinkSync('inside', at('project/in'))
  symlinkSync('../outside', at('project/out'))
  symlinkSync('../project-beside', at('project/beside'))
  symlinkSync('nowhere', at('project/gone'))
  const inside = { ok: true, bytes: Buffer.from('y') }
  const outside = { ok: false, reason: 'is a link that points outside the project' }
  for (const name of ['project', 'other-name']) {
    const read = (file: string) =>
      readRegularFileWithin(at(`${name}/${file}`), { folder: at(name), called: 'the project' }, 9)
    expect(await read('inside')).toEqual(inside)
    expect(await read('in')).toEqual(inside)
    expect(await read('out')).toEqual(outside)
    expect(await read('beside')).toEqual(outside)
    expect(await read('gone')).toEqual({ ok: false, reason: 'is not there' })
  }
})
