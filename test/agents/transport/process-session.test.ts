import { existsSync } from 'node:fs'
import process from 'node:process'
import { execa } from 'execa'
import { expect, test } from 'vitest'
import { createProcessTransport } from '../../../src/agents/transport/process.ts'
import { processesOfSession } from '../../../src/agents/transport/process.ts'

/** Starts a child, says its id and waits. */
const leader = `
const { spawn } = require('node:child_process')
const tool = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
console.log(tool.pid)
setInterval(() => {}, 1000)
`

test.runIf(existsSync('/proc/self/stat'))('a kill reaches all processes of the session', async () => {
  const transport = createProcessTransport({ file: process.execPath, args: ['-e', leader], env: process.env })
  const tool = await new Promise<number>(resolve => transport.receive(line => resolve(Number(line))))
  expect(processesOfSession(transport.pid ?? 0)).toContain(tool)
  transport.kill('SIGKILL')
  await transport.ended
  const { stdout } = await execa('ps', ['-o', 'stat=', '-p', String(tool)], { reject: false })
  // Gone, or a zombie that nobody has waited for yet.
  expect(stdout.trim()).toMatch(/^(Z.*)?$/)
})
