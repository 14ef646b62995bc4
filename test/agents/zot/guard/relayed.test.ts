import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { startRelay, type Relay } from '../../../../src/agents/zot/guard/link/relayed.ts'
import { createMachine, type RemoteMachine } from '../../../../src/platform/remote/machine.ts'
import { readVia } from '../../../../src/platform/remote/target.ts'

const relayScript = fileURLToPath(new URL('../../../../src/agents/zot/guard/zotui-relay.ts', import.meta.url))

/** A relay on "another machine", where a shell script stands for Node. */
function relayWith(
  script: string,
  changed = (machine: RemoteMachine): RemoteMachine => machine,
): { relay: Relay; folder: string } {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'zotui-relayed-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const node = path.join(folder, 'node')
  writeFileSync(node, `#!/bin/sh\n${script}\n`)
  chmodSync(node, 0o755)
  const read = readVia('env')
  if (!read.ok) throw new Error(read.reason)
  const machine = createMachine(read.target, { PATH: process.env['PATH'], HOME: folder })
  onTestFinished(() => machine.close())
  const programs = { guard: '', relay: '', ending: 'js' }
  const own = path.join(folder, 'relay')
  return { relay: startRelay({ machine: changed(machine), folder: own, node, programs }), folder: own }
}

/** The reason for which its guard is lost. */
function reasonOfLoss(script: string): Promise<string> {
  const { relay } = relayWith(script)
  return new Promise(resolve => {
    relay.open({ onOpen: () => {}, onLine: () => {}, onLost: resolve })
  })
}

test('a lost connection to the relay is reported as that', async () => {
  expect(await reasonOfLoss('kill -KILL $PPID')).toBe('the connection to via:env was lost')
})

test('a relay that ends is reported as a lost guard, with its last words', async () => {
  expect(await reasonOfLoss('echo broken >&2; exit 1')).toBe('the guard that asks before calls run is gone (broken)')
})

test('a relay is closed when its folder is removed, although it takes a while', async () => {
  const { relay, folder } = relayWith('cat >/dev/null; sleep 0.3')
  await expect.poll(() => existsSync(folder)).toBe(true)
  await relay.close()
  expect(existsSync(folder)).toBe(false)
})

test('the folder of a relay that is killed together with its shell is removed over another connection', async () => {
  const { relay, folder } = relayWith('touch "${0%/*}/began"; kill -KILL $PPID $$')
  await expect.poll(() => existsSync(path.join(path.dirname(folder), 'began'))).toBe(true)
  await relay.close()
  expect(existsSync(folder)).toBe(false)
})

test('the folder is removed although the first connections that are asked were killed, too', async () => {
  let lost = 2
  const { relay, folder } = relayWith('touch "${0%/*}/began"; kill -KILL $PPID $$', machine => ({
    ...machine,
    ask: (script, options) =>
      lost-- > 0 ? Promise.resolve({ ok: false, why: 'lost', words: '' }) : machine.ask(script, options),
  }))
  await expect.poll(() => existsSync(path.join(path.dirname(folder), 'began'))).toBe(true)
  await relay.close()
  expect([existsSync(folder), lost]).toEqual([false, -1])
})

test.each(['SIGTERM', 'SIGHUP', 'SIGINT'] as const)('a relay that gets %s removes its folder', async signal => {
  const folder = mkdtempSync(path.join(tmpdir(), 'zotui-relayed-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const relay = spawn(process.execPath, [relayScript, folder, '/no/guard'])
  onTestFinished(() => void relay.kill('SIGKILL'))
  await expect.poll(() => existsSync(path.join(folder, 'socket')), { timeout: 5000 }).toBe(true)
  relay.kill(signal)
  await once(relay, 'exit')
  expect(existsSync(folder)).toBe(false)
})

test('a relay that does not end is no longer waited for after 3 s', async () => {
  const { relay, folder } = relayWith('sleep 20')
  await expect.poll(() => existsSync(folder)).toBe(true)
  await relay.close()
  expect(existsSync(folder)).toBe(true)
})
