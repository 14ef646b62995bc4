import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { expect, onTestFinished, test } from 'vitest'
import { startRelay } from '../../../../src/agents/zot/guard/link/relayed.ts'
import { createMachine } from '../../../../src/platform/remote/machine.ts'
import { readVia } from '../../../../src/platform/remote/target.ts'

/** The reason for which a guard on "another machine" is lost, where a shell script stands for Node. */
async function reasonOfLoss(script: string): Promise<string> {
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
  const relay = startRelay({ machine, folder: path.join(folder, 'relay'), node, programs })
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
