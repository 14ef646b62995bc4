import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { keepAliveScript, keepVisiting } from '../../src/places/keep-alive.ts'

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'zotui-places-'))
  mkdirSync(join(folder, 'bin'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** The script with a file of the test's own, and a `sleep` that runs `each` instead of waiting: the script knows no other clock. */
function script(minutes: number, each: string, folders: readonly string[] = []): string {
  writeFileSync(join(folder, 'bin/sleep'), `#!/bin/sh\n${each}\n`, { mode: 0o755 })
  return keepAliveScript({ minutes, folders }).replaceAll('/tmp/.zotui-is-here', join(folder, 'here'))
}

const env = (): NodeJS.ProcessEnv => ({ PATH: `${join(folder, 'bin')}:/usr/bin:/bin` })

test('the place ends with 0 after it has slept its minutes without zotui', () => {
  execFileSync('sh', ['-c', script(2, `echo >>'${join(folder, 'sleeps')}'`)], { env: env() })
  expect(execFileSync('wc', ['-l'], { input: execFileSync('cat', [join(folder, 'sleeps')]) }).toString()).toMatch(
    /^\s*24\s*$/,
  )
})

test('a visit of zotui makes it count again from zero', () => {
  // zotui visits at the twentieth look.
  const log = join(folder, 'sleeps')
  const each = `echo >>'${log}'; if [ "$(wc -l <'${log}')" -eq 20 ]; then : >'${join(folder, 'here')}'; fi`
  execFileSync('sh', ['-c', script(2, each)], { env: env() })
  expect(execFileSync('cat', [log]).toString().length).toBe(20 + 24)
  expect(existsSync(join(folder, 'here'))).toBe(false)
})

test('a signal ends it at once with 143, so that a cluster starts it again elsewhere', async () => {
  const child = spawn('sh', ['-c', script(60, `echo asleep; exec /bin/sleep 600`)], { env: env(), stdio: 'pipe' })
  await once(child.stdout, 'data')
  child.kill('SIGTERM')
  const [code]: unknown[] = await once(child, 'exit')
  expect(code).toBe(143)
})

test('it makes the folders that an empty volume lacks, whatever their names are', () => {
  const home = join(folder, "ho'me/deep er")
  execFileSync('sh', ['-c', script(1, ':', [home])], { env: env() })
  expect(existsSync(home)).toBe(true)
})

test('a place is visited again and again only after the first visit: before it, a pod has no name yet', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const place = { name: 'job:big', identity: '', file: 'no-such-program', args: [], folder: null }
  const visits = keepVisiting(() => place, env())
  expect(vi.getTimerCount()).toBe(0)
  expect(await visits.visit()).not.toBeNull()
  expect(vi.getTimerCount()).toBe(1)
  visits.stop()
  expect([vi.getTimerCount(), await visits.visit()]).toEqual([0, 'it is not visited any more'])
})
