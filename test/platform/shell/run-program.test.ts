/** Commands of the user that read a question and print an answer. They are real, and so is what they leave behind. */
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { askProgram } from '../../../src/platform/shell/ask-program.ts'
import { runFile, runProgram, type ProgramResult, type ProgramRun } from '../../../src/platform/shell/run-program.ts'
import { alive, descendants } from '../../helpers/processes.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'zotui-program-')))
afterAll(() => rmSync(folder, { recursive: true }))

const whole = (command: string, options: Partial<ProgramRun> = {}): ProgramRun => ({
  command,
  input: '{"a":1}\n',
  cwd: folder,
  env: { PATH: process.env['PATH'], SHELL: '/bin/sh' },
  timeout: 10_000,
  limitBytes: 1000,
  signal: new AbortController().signal,
  ...options,
})

const run = (command: string, options: Partial<ProgramRun> = {}): Promise<ProgramResult> =>
  runProgram(whole(command, options))

/** Waits until no process of ours has `mark` in its command line. */
async function expectGone(mark: string): Promise<void> {
  await vi.waitFor(
    () => expect(descendants(1).filter(each => each.command.includes(mark) && alive(each))).toEqual([]),
    { timeout: 10_000 },
  )
}

describe('a program', () => {
  test('gets its input and gives its output, its errors and its exit code', async () => {
    const end = await run('cat; echo no >&2; exit 3')
    expect(end).toMatchObject({ how: 'exited', exitCode: 3, killedBy: null, output: '{"a":1}\n', errors: 'no\n' })
    expect(end.durationMs).toBeGreaterThan(0)
  })

  test('need not read its input, however long that is', async () => {
    expect(await run('echo done', { input: 'x'.repeat(2_000_000) })).toMatchObject({ exitCode: 0, output: 'done\n' })
  })

  test('that prints more than the limit is ended', async () => {
    expect(await run('yes')).toMatchObject({ how: 'too_much', output: '' })
  })

  test('may complain at length: the first of it is kept', async () => {
    const end = await run('yes | head -c 3000000 >&2; echo fine')
    expect(end).toMatchObject({ how: 'exited', output: 'fine\n' })
    expect(end.errors).toHaveLength(1000)
  })

  test('that takes too long is ended with all that it has started', async () => {
    expect(await run('sleep 4711.1 & sleep 4711.1', { timeout: 100 })).toMatchObject({ how: 'timeout' })
    await expectGone('4711.1')
  })

  test('that ignores SIGTERM is killed, also where only its child ignores it', async () => {
    expect(await run('trap "" TERM; sleep 4712.1; sleep 4712.1', { timeout: 100 })).toMatchObject({ how: 'timeout' })
    expect(await run('(trap "" TERM; sleep 4712.1; sleep 4712.1) & sleep 1000', { timeout: 100 })).toMatchObject({
      how: 'timeout',
    })
    await expectGone('4712.1')
  })

  test('is ended early by the signal', async () => {
    const controller = new AbortController()
    const ended = run('echo $$ >pid; sleep 4713.1', { signal: controller.signal })
    await vi.waitFor(() => expect(readFileSync(join(folder, 'pid'), 'utf8')).toMatch(/\d\n/))
    controller.abort()
    expect(await ended).toMatchObject({ how: 'aborted' })
    await expectGone('4713.1')
    expect(await run('echo', { signal: controller.signal })).toMatchObject({ how: 'aborted' })
  })

  test('that a signal ends says so', async () => {
    expect(await run('kill -9 $$')).toMatchObject({ how: 'signal', killedBy: 'SIGKILL', exitCode: null })
  })

  test('that leaves something in the background ends without it, which then goes on or is ended', async () => {
    const pid = Number((await run('sleep 4714.1 & echo $!')).output)
    expect(process.kill(pid, 0)).toBe(true)
    process.kill(pid)
    expect(await run('sleep 4714.2 & echo left', { endsRest: true })).toMatchObject({ how: 'exited', output: 'left\n' })
    await expectGone('4714.2')
  })

  test.each([
    ['of no folder', 'echo', { cwd: join(folder, 'none') }],
    ['with a NUL', 'echo a\0b', {}],
  ])('%s is not started', async (_name, command, options) => {
    expect(await run(command, options)).toMatchObject({ how: 'not_started', exitCode: null })
  })

  test('is watched while it runs', async () => {
    const seen: string[] = []
    const watch = (leader: number) => {
      seen.push(`began ${leader > 0}`)
      return () => void seen.push('ended')
    }
    await run('true', { watch })
    expect(seen).toEqual(['began true', 'ended'])
  })
})

test('a program that is no line gets its arguments as they are, and has a bound of its own for its errors', async () => {
  const { command: _, ...bounds } = whole('')
  const script = 'printf "%s|" "$@"; printf 123456789 >&2'
  const end = await runFile({ ...bounds, file: '/bin/sh', args: ['-c', script, 'sh', 'a b', '$c'], errorBytes: 4 })
  expect(end).toMatchObject({ how: 'exited', exitCode: 0, output: 'a b|$c|', errors: '1234' })
  expect(await runFile({ ...bounds, file: join(folder, 'none'), args: [], errorBytes: 4 })).toMatchObject({
    how: 'not_started',
    exitCode: null,
  })
})

test.each([
  ['echo yes', { ok: true, output: 'yes\n' }],
  ['exit 7', { ok: false, problem: 'failed with exit code 7' }],
  ['kill -15 $$', { ok: false, problem: 'was ended by SIGTERM' }],
  ['yes', { ok: false, problem: 'printed more than 1 kB' }],
  ['sleep 4715.1', { ok: false, problem: 'did not answer within 0.2s' }],
  ['a\0b', { ok: false, problem: 'could not be started' }],
])('the answer of %j', async (command, answer) => {
  expect(await askProgram(whole(command, { timeout: 200 }))).toEqual(answer)
})
