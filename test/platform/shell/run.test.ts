/** Commands that the user runs with `!`. They are real, and so are the processes that they leave. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createRedactor } from '../../../src/storage/sessions/secrets.ts'
import { runShell, type ShellOptions, type ShellRun } from '../../../src/platform/shell/run.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'zotui-shell-')))
afterAll(() => rmSync(folder, { recursive: true }))

const env = { PATH: process.env['PATH'], SHELL: '/bin/sh' }
const node = JSON.stringify(process.execPath)

/** Runs a command to its end, and gathers what the screen would have got. */
async function run(command: string, options: Partial<ShellOptions> = {}) {
  const shown: string[] = []
  const shell = start(command, { onOutput: chunk => shown.push(chunk), ...options })
  return { ...(await shell.done), shown }
}

function start(command: string, options: Partial<ShellOptions> = {}): ShellRun {
  return runShell({ command, cwd: folder, env, onOutput: () => {}, limitBytes: 10_000, ...options })
}

/** Starts a command and waits until it has said `word`. */
async function startUntil(command: string, word: string): Promise<ShellRun & { said: () => string }> {
  let text = ''
  const { promise, resolve } = Promise.withResolvers<void>()
  const shell = start(command, {
    onOutput: chunk => {
      text += chunk
      if (text.includes(word)) resolve()
    },
  })
  await promise
  return { ...shell, said: () => text }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // A zombie answers to signals until its parent has waited for it.
    const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : ') S'
    return stat.split(') ').at(-1)?.[0] !== 'Z'
  } catch {
    return false
  }
}

/** Waits for processes to be gone; the test's own time limit ends it otherwise. */
async function gone(pids: readonly number[]): Promise<void> {
  while (pids.some(isAlive)) await new Promise(setImmediate)
}

/** The numbers that a command said as `pid=<number>`. */
function pidsIn(text: string): number[] {
  return [...text.matchAll(/pid=(\d+)/g)].map(match => Number(match[1]))
}

describe.skipIf(process.platform === 'win32')('a command', () => {
  test('runs in the project folder, and gives its output and exit code', async () => {
    const result = await run('pwd; echo done; exit 3')
    expect(result).toMatchObject({ exitCode: 3, signal: null, stopped: false, problem: null })
    expect(result.output).toBe(`${folder}\ndone\n`)
    expect(result.shown.join('')).toBe(result.output)
    expect(result.durationMs).toBeGreaterThan(0)
  })

  test('has the lines of both outputs in order', async () => {
    const result = await run('for i in 1 2 3; do echo out$i; echo err$i >&2; done')
    expect(result.output).toBe('out1\nerr1\nout2\nerr2\nout3\nerr3\n')
  })

  test("runs in the user's shell", async () => {
    const shell = join(folder, 'my shell')
    writeFileSync(shell, '#!/bin/sh\necho "my shell got: $1 $2"\n', { mode: 0o755 })
    const { output } = await run(`echo "it's" $HOME`, { env: { ...env, SHELL: shell } })
    expect(output).toBe(`my shell got: -c echo "it's" $HOME\n`)
  })

  test.each(['', 'sh', '/no/such/shell', '/usr/sbin/nologin', '/bin/false'])(
    'runs in /bin/sh where the shell is %o',
    async shell => {
      expect(await run('echo $0', { env: { ...env, SHELL: shell } })).toMatchObject({
        output: '/bin/sh\n',
        exitCode: 0,
      })
    },
  )

  test('gets the environment of its options, and no other', async () => {
    const { output } = await run('echo "$GREETING,$HOME"', { env: { ...env, GREETING: 'hello' } })
    expect(output).toBe('hello,\n')
  })

  test('has an empty standard input', async () => {
    expect(await run('cat; echo end')).toMatchObject({ output: 'end\n', exitCode: 0 })
  })

  test('has no terminal to ask for a password', async () => {
    const { output } = await run('(echo secret > /dev/tty) 2>/dev/null && echo asked || echo "could not ask"')
    expect(output).toBe('could not ask\n')
  })

  test('that does not exist is reported by the shell', async () => {
    const result = await run('no-such-command-anywhere')
    expect(result.exitCode).toBe(127)
    expect(result.output).toContain('no-such-command-anywhere')
  })

  test('that dies by a signal is reported with its name', async () => {
    expect(await run('kill -9 $$')).toMatchObject({ exitCode: null, signal: 'SIGKILL', stopped: false })
  })

  test('in a deleted folder gives the reason', async () => {
    const gone = join(folder, 'gone')
    mkdirSync(gone)
    rmSync(gone, { recursive: true })
    const result = await run('pwd', { cwd: gone })
    expect(result).toMatchObject({
      exitCode: null,
      signal: null,
      output: '',
      problem: `the folder ${gone} does not exist`,
    })
  })

  test.each([
    ['too long', 'x'.repeat(3_000_000), 'the command is too long'],
    ['with a NUL', 'echo a\0b', 'the command contains a NUL character'],
  ])('that is %s cannot be started', async (_, command, problem) => {
    const result = await run(command)
    expect(result).toMatchObject({ exitCode: null, signal: null, output: '' })
    expect(result.problem).toContain(problem)
  })

  test('may write characters in pieces', async () => {
    const script = `const all = Buffer.from('漢é🙂'); let at = 0
      const next = () => { if (at < all.length) process.stdout.write(all.subarray(at, ++at), () => setTimeout(next, 1)) }
      next()`
    writeFileSync(join(folder, 'pieces.cjs'), script)
    const { output, shown } = await run(`${node} pieces.cjs`)
    expect(output).toBe('漢é🙂')
    expect(shown.join('')).toBe('漢é🙂')
  })

  test('may write binary data', async () => {
    expect((await run(String.raw`printf 'a\377b\303'`)).output).toBe('a\uFFFDb\uFFFD')
  })
})

describe.skipIf(process.platform === 'win32')('a flood of output', () => {
  test('keeps its beginning and its end, and is reported in few pieces', async () => {
    const lines = 400_000
    const result = await run(`seq 1 ${lines}`)
    expect(result.output.startsWith('1\n2\n3\n')).toBe(true)
    expect(result.output.endsWith(`\n${lines - 1}\n${lines}\n`)).toBe(true)
    const [before = '', after = ''] = result.output.split(/\[\.\.\. .* omitted \.\.\.\]\n/)
    expect(result.output).toContain('[... 2.7 MB omitted ...]')
    expect(before.length + after.length).toBeLessThanOrEqual(10_000)
    // Cut between lines: each one kept is a whole number.
    expect(after).toMatch(/^\d{6}\n/)
    expect(result.shown.length).toBeLessThan(result.durationMs / 25 + 3)
  })

  test('has its secrets removed before it is shortened', async () => {
    const { push, end } = createRedactor(['0123456789abcdef']).stream()
    // No line in it to cut at, and a length that no limit is a multiple of.
    const command = 'for i in $(seq 1 9000); do printf "0123456789abcdef"; done'
    const { output, shown } = await run(command, { through: { push, end } })
    expect(output).toContain(' omitted ...]')
    expect(shown.join('') + output).not.toMatch(/3456|cdef/)
    expect(output).toMatch(/^(?:012\[hidden\])+/)
  })

  test('without end leaves time for other work, and can be stopped', async () => {
    const before = process.memoryUsage().rss
    let size = 0
    let leftOut = 0
    let calls = 0
    const { promise, resolve } = Promise.withResolvers<void>()
    const shell = start('yes "$(seq 1 200 | tr -d \'\\n\')"', {
      onOutput: (chunk, left) => {
        size = Math.max(size, chunk.length)
        leftOut += left
        if (++calls === 10) resolve()
      },
    })
    await promise
    shell.stop()
    const result = await shell.done
    expect(result.stopped).toBe(true)
    expect(size).toBeLessThanOrEqual(32 * 1024)
    expect(leftOut).toBeGreaterThan(0)
    expect(result.output.length).toBeLessThan(11_000)
    expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000)
  })
})

describe.skipIf(process.platform === 'win32')('stopping a command', () => {
  test('ends the command and everything it started', async () => {
    const shell = await startUntil(
      'sleep 600 & echo pid=$!; (sleep 601; echo never) & echo pid=$! ready; wait',
      'ready',
    )
    shell.stop()
    shell.stop()
    expect(await shell.done).toMatchObject({ exitCode: null, signal: 'SIGTERM', stopped: true })
    const pids = pidsIn(shell.said())
    expect(pids).toHaveLength(2)
    await gone(pids)
  })

  test('kills a command that ignores signals', async () => {
    const shell = await startUntil(`trap '' TERM; echo pid=$$ ready; while :; do sleep 1; done`, 'ready')
    const began = performance.now()
    shell.stop()
    expect(await shell.done).toMatchObject({ signal: 'SIGKILL', stopped: true })
    expect(performance.now() - began).toBeGreaterThan(1900)
    await gone(pidsIn(shell.said()))
  })

  test('kills a grandchild that ignores signals and has closed its output', async () => {
    const deaf = `${node} -e "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); require('fs').writeFileSync('deaf', '')"`
    const shell = await startUntil(
      `${deaf} >/dev/null 2>&1 & echo pid=$!; until [ -e deaf ]; do sleep 0.05; done; echo ready; wait`,
      'ready',
    )
    shell.stop()
    expect(await shell.done).toMatchObject({ signal: 'SIGTERM', stopped: true })
    await gone(pidsIn(shell.said()))
  })

  test('does nothing after its end', async () => {
    const shell = start('echo fine')
    const result = await shell.done
    shell.stop()
    expect(result).toMatchObject({ exitCode: 0, stopped: false })
  })
})

describe.skipIf(process.platform === 'win32')('a server left in the background', () => {
  test('does not block the prompt, and keeps running', async () => {
    const result = await run('sleep 600 & echo pid=$!')
    const [pid = 0] = pidsIn(result.output)
    expect(result).toMatchObject({ exitCode: 0, stopped: false })
    expect(result.durationMs).toBeGreaterThan(1900)
    expect(result.durationMs).toBeLessThan(10_000)
    expect(isAlive(pid)).toBe(true)
    process.kill(pid)
  })

  test('is stopped with the command while its output is still read', async () => {
    const shell = await startUntil('sleep 600 & echo pid=$! ready', 'ready')
    shell.stop()
    expect(await shell.done).toMatchObject({ stopped: true })
    await gone(pidsIn(shell.said()))
  })
})
