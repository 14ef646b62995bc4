import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync, existsSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openLog, statePath } from '../../src/storage/log.ts'

const noon = (): Date => new Date('2026-08-03T12:00:00Z')

const size = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

let base = ''

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'zotui-log-'))
  vi.stubEnv('XDG_STATE_HOME', base)
})

afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(base, { recursive: true, force: true })
})

test.runIf(process.platform === 'linux')('the log is in the folder of the system', () => {
  expect(statePath()).toBe(join(base, 'zotui'))
  expect(openLog(noon).path).toBe(join(base, 'zotui', 'zotui.log'))
})

test.runIf(process.platform === 'linux')('the log is not created before the first entry', () => {
  const log = openLog(noon)
  expect(existsSync(log.path)).toBe(false)
  log.write('one')
  log.write('two\nlines')
  expect(readFileSync(log.path, 'utf8')).toBe(
    `2026-08-03T12:00:00.000Z ${process.pid} one\n2026-08-03T12:00:00.000Z ${process.pid} two\nlines\n`,
  )
  expect(statSync(log.path).mode & 0o777).toBe(0o600)
})

test.runIf(process.platform === 'linux')('a log that is too large is rotated', () => {
  const log = openLog(noon)
  mkdirSync(dirname(log.path), { recursive: true })
  writeFileSync(log.path, 'x'.repeat(5_000_001))
  log.write('new')
  expect(readFileSync(log.path, 'utf8')).toContain('new')
  expect(statSync(log.path).size).toBeLessThan(100)
  expect(statSync(`${log.path}.old`).size).toBe(5_000_001)
})

test.runIf(process.platform === 'linux')('an agent that writes garbage fills no disk', () => {
  const log = openLog(noon)
  for (let count = 0; count < 1200; count += 1) log.write('x'.repeat(10_000))
  expect(size(log.path)).toBeGreaterThan(0)
  expect(size(log.path) + size(`${log.path}.old`)).toBeLessThan(10_100_000)
})

test.runIf(process.platform === 'linux')(
  'what an agent writes does nothing to the terminal of who reads the log',
  () => {
    const log = openLog(noon)
    log.write('not JSON: \u001b]0;title\u0007 \u009b2J \u202e\r \ud800 over\nnext')
    const [first, next] = readFileSync(log.path, 'utf8').split('\n')
    expect(first).toContain('not JSON: ?]0;title? ?2J ?? ? over')
    expect(next).toBe('next')
  },
)

test.runIf(process.platform === 'linux')('a log that cannot be written prevents nothing', () => {
  writeFileSync(join(base, 'zotui'), 'a file where a folder should be')
  const log = openLog(noon)
  expect(() => log.write('one')).not.toThrow()
  expect(() => log.write('two')).not.toThrow()
})
