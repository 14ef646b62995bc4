import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createProcessTransport } from '../../../src/agents/transport/process.ts'
import type { ProcessOptions } from '../../../src/agents/transport/process.ts'
import type { Transport } from '../../../src/agents/transport/transport.ts'

const folder = mkdtempSync(join(tmpdir(), 'zotui-process-'))
afterAll(() => rmSync(folder, { recursive: true }))

function run(script: string, options: Partial<ProcessOptions> = {}): Transport {
  return createProcessTransport({
    file: process.execPath,
    args: ['-e', script],
    env: { PATH: process.env['PATH'] },
    ...options,
  })
}

/** Calls for each line until one satisfies; resolves with that one. */
function lineOf(transport: Transport, satisfies: (line: string) => boolean = () => true): Promise<string> {
  return new Promise(resolve => {
    transport.receive(line => {
      if (satisfies(line)) resolve(line)
    })
  })
}

async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  // A zombie answers to signals until its parent has waited for it.
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return stat === '' || stat.split(') ').at(-1)?.[0] !== 'Z'
}

/** Waits for the process to be gone; the test's own time limit ends it otherwise. */
async function gone(pid: number): Promise<void> {
  while (await isAlive(pid)) await new Promise(setImmediate)
}

test('lines are written to it and read from it', async () => {
  const transport = run('process.stdin.pipe(process.stdout)')
  const got: string[] = []
  transport.receive(line => got.push(line))
  transport.write('{"a":1}')
  transport.write('é漢🙂')
  transport.closeInput()
  transport.write('too late')
  expect(await transport.ended).toMatchObject({ code: 0, signal: null, spawnError: null })
  expect(got).toEqual(['{"a":1}', 'é漢🙂'])
  expect(transport.pid).toBeGreaterThan(0)
})

test('a stream of small pieces comes whole and in order, up to the last one before the end', async () => {
  const transport = run('let i = 0; setInterval(() => i < 200 ? console.log(i++) : process.exit(), 1)')
  const got: string[] = []
  transport.receive(line => got.push(line))
  expect(await transport.ended).toMatchObject({ code: 0 })
  expect(got).toEqual(Array.from({ length: 200 }, (_, index) => `${index}`))
})

test('an agent that waits for each answer gets it at once, however many it asks for', async () => {
  const transport = run(`let n = 0; const ask = () => n < 2500 ? console.log(n++) : process.exit()
    process.stdin.on('data', ask); ask()`)
  transport.receive(line => transport.write(line))
  // With a frame for each the test would end at its limit of a minute.
  expect(await transport.ended).toMatchObject({ code: 0 })
})

test('a last line without a newline comes before the end', async () => {
  const transport = run('process.stdout.write("a\\nb")')
  const got: string[] = []
  transport.receive(line => got.push(line))
  await transport.ended
  expect(got).toEqual(['a', 'b'])
})

test('an exit code is reported with the last lines of standard error', async () => {
  const transport = run('console.error("some help"); console.error("zot: no"); process.exitCode = 7')
  expect(await transport.ended).toMatchObject({ code: 7, signal: null, lastWords: ['some help', 'zot: no'] })
})

test('an end by a signal is reported by its name', async () => {
  const transport = run('process.kill(process.pid, "SIGTERM"); setInterval(() => {}, 1000)')
  expect(await transport.ended).toMatchObject({ code: null, signal: 'SIGTERM', spawnError: null })
})

test.each<[string, string, Partial<ProcessOptions>]>([
  ['no such file', 'ENOENT', { file: join(folder, 'absent') }],
  ['no such name in PATH', 'ENOENT', { file: 'no-such-zot-anywhere' }],
  ['a file that is not executable', 'EACCES', { file: writeFile('plain', 'text') }],
  ['an argument that is too long', 'E2BIG', { args: ['-e', '', 'x'.repeat(200_000)] }],
  ['no such folder', 'ENOTDIR', { cwd: join(folder, 'absent') }],
  ['a folder that is a file', 'ENOTDIR', { cwd: writeFile('file', '') }],
])('%s is reported as %s', async (_what, spawnError, options) => {
  const transport = run('', options)
  transport.write('{}')
  transport.closeInput()
  transport.kill('SIGKILL')
  expect(await transport.ended).toMatchObject({ code: null, signal: null, spawnError })
  expect(transport.pid).toBeUndefined()
})

function writeFile(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text, { mode: 0o644 })
  return path
}

test('it gets only the environment of its options', async () => {
  const transport = run('console.log(process.env.HOME ?? "none", process.env.GREETING)', { env: { GREETING: 'hi' } })
  expect(await lineOf(transport)).toBe('none hi')
  await transport.ended
})

test('the last 200 lines of a flood on standard error are kept', async () => {
  const transport = run('for (let i = 0; i < 100000; i++) process.stderr.write(`line ${i} ${"x".repeat(50)}\\n`)')
  const { code, lastWords } = await transport.ended
  expect(code).toBe(0)
  expect(lastWords).toHaveLength(200)
  expect(lastWords.at(-1)).toMatch(/^line 99999 x+$/u)
})

test('it runs to its end if nobody receives its lines', async () => {
  const transport = run('for (let i = 0; i < 1000; i++) console.log(i, "x".repeat(10000))')
  expect((await transport.ended).code).toBe(0)
  const got: string[] = []
  transport.receive(line => got.push(line))
  expect(got).toHaveLength(1000)
})

test('it runs to its end if our thread is blocked past the grace for its exit', async () => {
  const transport = run('console.log("x".repeat(60000)); console.log("last")', { exitGrace: 1 })
  const got: string[] = []
  transport.receive(line => got.push(line))
  const until = performance.now() + 400
  while (performance.now() < until);
  await transport.ended
  expect(got.at(-1)).toBe('last')
})

test('writing to a program that reads nothing or closed its input is harmless', async () => {
  const transport = run('require("fs").closeSync(0); console.log("closed"); setTimeout(() => {}, 1e6)')
  await lineOf(transport)
  for (let count = 0; count < 100; count += 1) transport.write('x'.repeat(100_000))
  transport.kill('SIGKILL')
  expect(await transport.ended).toMatchObject({ signal: 'SIGKILL' })
  transport.write('too late')
  transport.kill('SIGKILL')
})

test('a program that closes its output and keeps running is killed', async () => {
  const transport = run('require("fs").closeSync(1); setTimeout(() => {}, 1e6)', { outputGrace: 50 })
  expect(await transport.ended).toMatchObject({ signal: 'SIGKILL', outputClosed: true })
})

const PARENT = `
  const child = require('child_process').spawn(process.execPath, ['-e', 'setTimeout(() => {}, 1e6)'], { stdio: 'inherit' })
  console.log(child.pid)
`

test('a grandchild that keeps the pipes open does not delay the end', async () => {
  const transport = run(`${PARENT}; setTimeout(() => process.exit(4), 10)`, { exitGrace: 50 })
  const grandchild = Number(await lineOf(transport))
  expect(await transport.ended).toMatchObject({ code: 4 })
  process.kill(grandchild, 'SIGKILL')
})

test('SIGKILL reaches a grandchild of the process group', async () => {
  // It does not end by itself when the grandchild is killed before it.
  const transport = run(`${PARENT}; setInterval(() => {}, 1e6)`)
  const grandchild = Number(await lineOf(transport))
  expect(await isAlive(grandchild)).toBe(true)
  transport.kill('SIGKILL')
  expect(await transport.ended).toMatchObject({ signal: 'SIGKILL' })
  await gone(grandchild)
})

test.skipIf(process.platform !== 'linux')('it leads its own process group', async () => {
  const script = `console.log(require('fs').readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ').slice(2, 4).join(' '))`
  const transport = run(script)
  expect(await lineOf(transport)).toBe(`${transport.pid} ${transport.pid}`)
  await transport.ended
})
