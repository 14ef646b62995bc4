/** Printed text goes into a pipe or a file, whatever becomes of those. */
import { existsSync } from 'node:fs'
import process from 'node:process'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import { environment } from '../helpers/home.ts'
import { installZot, lastingHome, program, quick } from './stage.ts'

/** A file that takes nothing; not every system has it. */
const FULL = '/dev/full'
const canBeFull = existsSync(FULL)

/** Runs a line of the shell in which `"$0" "$@"` is zotui with these arguments, on a fake zot. */
function sh(line: string, args: readonly string[]) {
  const home = lastingHome()
  return execa('/bin/sh', ['-c', line, process.execPath, program, ...args], {
    cwd: home.project,
    env: environment(home.path, { ...quick, ZOTUI_ZOT: installZot(home, 'echo') }),
    extendEnv: false,
    stdin: 'ignore',
    reject: false,
    timeout: 20_000,
  })
}

describe('output that cannot be written', () => {
  test
    .runIf(canBeFull)
    .each([
      [['--demo', '-p', 'thanks']],
      [['--demo', '-p', '--json', 'thanks']],
      [['--help']],
      [['sessions', '--json']],
    ])('is a failure where the disk is full: %j', async args => {
    const { exitCode, stderr } = await sh(`exec "$0" "$@" >${FULL}`, args)
    expect(stderr).toMatch(/^zotui: Cannot write to standard output \(ENOSPC\)\.[^\n]*$/)
    expect(exitCode).toBe(1)
  })

  test.each([
    [['--demo', '-p', 'thanks']],
    [['--demo', '-p', '--json', 'thanks']],
    [['--help']],
    [['--version']],
    [['usage', '--json']],
  ])('is no failure where the reader has left: %j', async args => {
    const { stdout, stderr } = await sh('{ "$0" "$@"; echo $? >&2; } | true', args)
    expect({ stdout, stderr }).toEqual({ stdout: '', stderr: '0' })
  })

  test.runIf(canBeFull)('is ignored on standard error', async () => {
    const { exitCode, stdout } = await sh(`exec "$0" "$@" 2>${FULL}`, ['-p', 'go', '--api-key', 'a-key-that-is-none'])
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'You said: go.' })
    expect(await sh(`exec "$0" "$@" 2>${FULL}`, ['-p', 'go', '--timeout', 'soon'])).toMatchObject({ exitCode: 2 })
  })
})
