/** The network of a conversation, with commands in the box for writing, and outside of it as a control. */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import path from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { processIds, processStat } from '../../../src/platform/processes.ts'
import { findProgram } from '../../../src/platform/programs.ts'
import { runShell } from '../../../src/platform/shell/run.ts'
import { createNetworkNamespace } from '../../../src/sandbox/network/namespace.ts'
import { createBoxNetwork, type CommandNetwork } from '../../../src/sandbox/network/network.ts'
import type { HostAnswer, HostPolicy } from '../../../src/sandbox/network/pass.ts'
import { writeBox } from '../../../src/sandbox/write-box.ts'
import { writeStage, type WriteStage } from '../../helpers/write-box-stage.ts'
import { canBox } from '../../helpers/can-box.ts'
import { rules, webServer } from './proxy-stage.ts'

const nsenter = findProgram('nsenter', process.env, '/')
const bwrap = findProgram('bwrap', process.env, '/')
const isThere = (name: string): boolean => spawnSync(name, ['--version']).status === 0
const [curl, python] = ['curl', 'python3'].map(isThere)

const names: Record<string, readonly string[]> = { 'site.test': ['127.0.0.1'], 'other.test': ['127.0.0.1'] }

function conversation(stage: WriteStage, policy: Partial<HostPolicy> = {}) {
  const network = createBoxNetwork({
    folder: stage.folder,
    env: stage.env,
    policy: () => ({ isClosed: false, rules: [], ...policy }),
    resolve: async name => names[name] ?? [],
  })
  onTestFinished(() => network.close())
  return network
}

const refuse = async (): Promise<HostAnswer> => 'refuse'

async function start({ folder, env, caches }: WriteStage, network: CommandNetwork | null, command: string) {
  const box = network ? await writeBox({ folder, env, write: [], hide: [], caches }, network) : undefined
  return runShell({ command, cwd: folder, env, shell: '/bin/bash', box, limitBytes: 1024 * 1024, onOutput() {} })
}

async function run(stage: WriteStage, network: CommandNetwork | null, command: string) {
  const { exitCode, output, problem } = await (await start(stage, network, command)).done
  return { exitCode, output: problem ?? output }
}

describe.skipIf(!canBox || nsenter === null)('a boxed command', () => {
  test.skipIf(!curl)('reaches the hosts that are allowed, and no other', async () => {
    const stage = writeStage()
    const port = await webServer((_, response) => response.end('hello'))
    const network = conversation(stage, { rules: rules(`site.test:${port}`, `127.0.0.1:${port}`) })
    const open = await network.open(refuse)
    expect(await run(stage, open, `curl -sS http://site.test:${port}/`)).toEqual({ exitCode: 0, output: 'hello' })
    expect((await run(stage, open, `curl -sSp http://site.test:${port}/`)).output).toBe('hello')
    expect((await run(stage, open, `curl -sS http://other.test:${port}/`)).output).toBe(
      `zotui's sandbox: other.test:${port} is not allowed\n`,
    )
    const tunnel = await run(stage, open, `curl -sSp http://other.test:${port}/`)
    expect(tunnel.output).toContain('CONNECT tunnel failed, response 403')
    expect(open.refused()).toEqual([{ host: 'other.test', port, why: 'unlisted' }])
  })

  test.skipIf(!python)('reaches them with the usual client of Python', async () => {
    const stage = writeStage()
    const port = await webServer((_, response) => response.end('hello'))
    const open = await conversation(stage, { rules: rules(`site.test:${port}`, `127.0.0.1:${port}`) }).open(refuse)
    const code = `import urllib.request as r; print(r.urlopen("http://site.test:${port}/").read().decode())`
    expect((await run(stage, open, `python3 -c '${code}'`)).output).toBe('hello\n')
  })

  test('reaches them with that of Node', async () => {
    const stage = writeStage()
    const port = await webServer((_, response) => response.end('hello'))
    const open = await conversation(stage, { rules: rules(`site.test:${port}`, `127.0.0.1:${port}`) }).open(refuse)
    const code = `fetch("http://site.test:${port}/").then(r => r.text()).then(console.log)`
    // This Node may lie in a place that a box hides, so it enters the network alone.
    const [file, ...args] = [...open.enter, process.execPath, '-e', code]
    const child = spawn(file, args, { env: open.env, stdio: ['ignore', 'pipe', 'inherit'] })
    expect(await text(child.stdout)).toBe('hello\n')
  })

  test('waits while the person is asked', async () => {
    const stage = writeStage()
    const port = await webServer((_, response) => response.end('hello'))
    const { promise, resolve } = Promise.withResolvers<HostAnswer>()
    const open = await conversation(stage, { rules: rules(`127.0.0.1:${port}`) }).open(({ host }) => {
      expect(host).toBe('site.test')
      setImmediate(() => resolve('allow'))
      return promise
    })
    expect((await run(stage, open, viaProxy(open, `http://site.test:${port}/`))).output).toContain('hello')
  })

  test('reaches nothing of this machine, and nothing outside, past the proxy', async () => {
    const stage = writeStage()
    const port = await webServer((_, response) => response.end('hello'))
    const open = await conversation(stage).open(refuse)
    const direct = `exec 3<>/dev/tcp/127.0.0.1/${port} && printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&3 && cat <&3`
    expect((await run(stage, null, direct)).output).toContain('hello')
    expect((await run(stage, open, direct)).output).toContain('Connection refused')
    expect((await run(stage, open, 'exec 3<>/dev/tcp/192.0.2.1/80')).output).toContain('unreachable')
    expect((await run(stage, open, 'grep -c : /proc/net/dev; wc -l </proc/net/route')).output).toBe('1\n1\n')
    expect((await run(stage, open, viaProxy(open, `http://127.0.0.1:${port}/`))).output).toContain(' 403 ')
    expect((await run(stage, open, viaProxy(open, `http://localhost:${port}/`))).output).toContain(' 403 ')
  })

  test.skipIf(!python)('reaches no abstract socket of this machine', async () => {
    const stage = writeStage()
    const name = `zotui-${process.pid}`
    const server = createServer(socket => socket.end('hello'))
    server.listen(`\0${name}`)
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const open = await conversation(stage).open(refuse)
    const command = `python3 -c 'import socket; s=socket.socket(socket.AF_UNIX); s.connect("\\0${name}"); print(s.recv(9))'`
    expect((await run(stage, null, command)).output).toContain('hello')
    expect((await run(stage, open, command)).output).toContain('Connection refused')
  })

  test.skipIf(!python)('has no sockets that lead past its network', async () => {
    const stage = writeStage()
    const command = `python3 -c 'import socket
for family in 40, 38, 29, 31, 44:
  try: socket.socket(family, 5); print(family)
  except OSError: pass'`
    expect((await run(stage, await conversation(stage).open(refuse), command)).output).toBe('')
    expect((await stage.run(command)).output).toBe('')
  })

  test.skipIf(!curl || !python)(
    'reaches the server of another command of its conversation, and of no other one',
    async () => {
      const stage = writeStage()
      const network = conversation(stage)
      const serving = await start(
        stage,
        await network.open(refuse),
        'exec python3 -m http.server --bind 127.0.0.1 8123',
      )
      const get = 'curl -sS --retry 50 --retry-connrefused --retry-delay 1 http://localhost:8123/a.txt'
      expect((await run(stage, await network.open(refuse), get)).output).toMatch(/one\n$/)
      const other = await conversation(stage).open(refuse)
      expect((await run(stage, other, 'curl -sS http://localhost:8123/')).exitCode).toBe(7)
      serving.stop()
      await serving.done
    },
  )

  test('of two conversations has the policy of its own', async () => {
    const stage = writeStage()
    const port = await webServer((_, response) => response.end('hello'))
    const open = await conversation(stage, { rules: rules(`site.test:${port}`, `127.0.0.1:${port}`) }).open(refuse)
    const shut = await conversation(stage, { rules: rules(`127.0.0.1:${port}`) }).open(refuse)
    const url = `http://site.test:${port}/`
    const [one, other, borrowed] = await Promise.all([
      run(stage, open, viaProxy(open, url)),
      run(stage, shut, viaProxy(shut, url)),
      run(stage, { ...shut, env: open.env }, viaProxy({ ...shut, env: open.env }, url)),
    ])
    expect(one?.output).toContain('hello')
    expect(other?.output).toContain(' 403 ')
    expect(borrowed?.output).not.toContain('hello')
  })

  test('gets nothing more with the token of one that has ended', async () => {
    const stage = writeStage()
    const port = await webServer((_, response) => response.end('hello'))
    const network = conversation(stage, { rules: rules(`127.0.0.1:${port}`) })
    const [ended, open] = [await network.open(refuse), await network.open(refuse)]
    const url = `http://127.0.0.1:${port}/`
    expect((await run(stage, ended, viaProxy(ended, url))).output).toContain('hello')
    ended.close()
    expect((await run(stage, open, viaProxy(ended, url))).output).toContain(' 407 ')
  })

  test('has no listener and no connection of ours among its files', async () => {
    const stage = writeStage()
    const open = await conversation(stage).open(refuse)
    const command = 'ls /proc/self/fd'
    expect((await run(stage, open, command)).output).toBe((await stage.run(command)).output)
  })

  test('does not run when its network is gone', async () => {
    const stage = writeStage()
    const network = conversation(stage)
    const open = await network.open(refuse)
    await network.close()
    const { output } = await run(stage, open, 'echo it runs')
    expect(output).toMatch(/nsenter/)
    expect(output).not.toContain('it runs')
    await expect(network.open(refuse)).rejects.toThrow('the network of the box is closed')
  })
})

/** A plain request through the proxy, by the shell alone. */
function viaProxy({ port, env }: CommandNetwork, url: string): string {
  const { username, password } = new URL(env['http_proxy'] ?? '')
  const credentials = Buffer.from(`${username}:${password}`).toString('base64')
  const head = `GET ${url} HTTP/1.0\\r\\nProxy-Authorization: Basic ${credentials}\\r\\n\\r\\n`
  return `exec 3<>/dev/tcp/127.0.0.1/${port} && printf '${head}' >&3 && cat <&3`
}

describe.skipIf(!canBox || nsenter === null || bwrap === null)('the network of a conversation', () => {
  const programs = { bwrap: bwrap ?? '', nsenter: nsenter ?? '' }

  test('is made once for all commands that need it first', async () => {
    const stage = writeStage()
    const network = conversation(stage)
    const [one, other] = await Promise.all([network.open(refuse), network.open(refuse)])
    expect(one?.port).toBe(other?.port)
    expect(one?.enter).toEqual(other?.enter)
    expect(one?.env).not.toEqual(other?.env)
  })

  test('has no process from the beginning, which would take connections with it', async () => {
    const before = new Set(childrenOf(process.pid))
    const made = await createNetworkNamespace(programs)
    onTestFinished(() => void made.listener.close())
    expect(childrenOf(process.pid).filter(pid => !before.has(pid))).toEqual([])
    made.close()
  })

  test('cannot be closed twice, so that no other file is closed', async () => {
    const made = await createNetworkNamespace(programs)
    onTestFinished(() => void made.listener.close())
    made.close()
    expect(() => made.close()).not.toThrow()
  })

  test.each([
    ['is missing', { bwrap: '/nonexistent/bwrap' }, 'ENOENT'],
    ['fails', { bwrap: '/bin/false' }, 'bubblewrap ended with 1'],
    ['says why it fails', { bwrap: process.execPath }, 'bad option: --unshare-'],
  ])('is not made where bubblewrap %s, and that is said in one line', async (_name, other, words) => {
    const made = createNetworkNamespace({ ...programs, ...other })
    await expect(made).rejects.toThrow(/^the network of the box could not be made: [^\n]+$/)
    await expect(made).rejects.toThrow(words)
  })

  test('is gone with zotui, however that ends', async () => {
    const module = path.resolve('src/sandbox/network/namespace.ts')
    const script = `import { createNetworkNamespace } from ${JSON.stringify(module)}
      const { enter } = await createNetworkNamespace(${JSON.stringify(programs)})
      console.log(JSON.stringify(enter))`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
    const [file = '', ...args] = JSON.parse(line) as string[]
    expect(execFileSync(file, [...args, 'cat', '/proc/net/dev'], { encoding: 'utf8' })).not.toContain('eth')
    child.kill('SIGKILL')
    await once(child, 'exit')
    const { status, stdout } = spawnSync(file, [...args, 'echo', 'it runs'], { encoding: 'utf8' })
    expect([status, stdout]).toEqual([1, ''])
  })

  test('leaves no process when zotui ends while it is made', async () => {
    const module = path.resolve('src/sandbox/network/namespace.ts')
    const script = `import { createNetworkNamespace } from ${JSON.stringify(module)}
      void createNetworkNamespace(${JSON.stringify(programs)})
      // It stands still while the network is being made.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)`
    for (let at = 0; at < 5; at += 1) {
      const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' })
      onTestFinished(() => void child.kill('SIGKILL'))
      const below = (): number[] => [child.pid ?? 0].flatMap(childrenOf).flatMap(pid => [pid].concat(childrenOf(pid)))
      await expect.poll(() => below().length, { timeout: 20_000 }).toBeGreaterThan(1)
      const started = below()
      child.kill('SIGKILL')
      await expect
        .poll(() => started.filter(pid => processStat(pid)?.hasEnded === false), { timeout: 20_000 })
        .toEqual([])
    }
  })
})

function childrenOf(parent: number): number[] {
  return processIds().filter(pid => {
    const stat = processStat(pid)
    return stat?.parent === parent && !stat.hasEnded
  })
}
