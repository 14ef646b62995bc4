/** zotui's tools on another machine. Its program is that of dist. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, test } from 'vitest'
import { launchTools } from '../../../src/agents/remote-tools/launch.ts'
import { createRemoteTools } from '../../../src/agents/remote-tools/remote-tools.ts'
import { createMemoryPair } from '../../../src/agents/transport/memory-pair.ts'
import type { ToolOutcome } from '../../../src/local-tools/tool.ts'
import { sshdPath, startSshd } from '../../helpers/sshd.ts'
import { behindSshd, machineThere, processesWith, toolsOf } from './stage.ts'

const said = ({ content }: ToolOutcome): string => content.map(part => (part.type === 'text' ? part.text : '')).join('')

/** A command that no other test runs, and which leaves a line for each time that it was run. */
const long = (seconds: string): string => `echo began >> runs; echo first; sleep ${seconds}`
const unlike = (): string => `${100 + Math.floor(Math.random() * 800)}.${process.pid}`

describe('the tools there', () => {
  test('read, list, search, write, edit and run there, and show the difference before', async () => {
    const there = machineThere()
    writeFileSync(join(there.folder, 'a.txt'), 'one\ntwo\n')
    const { tools, started } = toolsOf(there)
    expect(tools.definitions.map(({ name }) => name)).toEqual(['read', 'list', 'search', 'write', 'edit', 'bash'])
    expect(said(await tools.run('read', { path: 'a.txt' }))).toContain('two')
    expect(said(await tools.run('list', {}))).toBe('a.txt\n')
    expect(said(await tools.run('search', { pattern: 'tw.' }))).toBe('a.txt:2: two\n')
    const args = { path: 'a.txt', edits: [{ oldText: 'two', newText: 'three' }] }
    const preview = await tools.preview('edit', args)
    if (!preview.ok) throw new Error(said(preview.outcome))
    expect(preview.paths).toEqual([join(there.folder, 'a.txt')])
    expect(preview.diff).toContain('+three')
    expect(readFileSync(join(there.folder, 'a.txt'), 'utf8')).toBe('one\ntwo\n')
    const { state: expected, paths } = preview
    expect(await tools.run('edit', args, { expected, paths })).toMatchObject({ isError: false })
    expect(readFileSync(join(there.folder, 'a.txt'), 'utf8')).toBe('one\nthree\n')
    writeFileSync(join(there.folder, 'a.txt'), 'two, changed since\n')
    expect(said(await tools.run('edit', args, { expected, paths }))).toContain('has changed since')
    const run = await tools.run('bash', { command: 'pwd; exit 3' })
    expect(run).toMatchObject({ isError: true, exitCode: 3 })
    expect(said(run)).toContain(there.folder)
    expect(started()).toBe(1)
    expect(readdirSync(there.folder)).toEqual(['a.txt'])
  })

  test('leave the folder only where the call may, and say what they cannot do', async () => {
    const { tools } = toolsOf(machineThere())
    expect(said(await tools.run('read', { path: '/etc/hostname' }))).toContain('outside of the working folder')
    expect(await tools.run('read', { path: '/etc/hostname' }, { mayLeaveFolder: true })).toMatchObject({
      isError: false,
    })
    expect(await tools.preview('read', { path: 3 })).toMatchObject({ ok: false, outcome: { isError: true } })
    expect(said(await tools.run('fly', {}))).toBe('unknown tool "fly"')
  })

  test('run nothing that may run only in the sandbox', async () => {
    const there = machineThere()
    const { tools, started } = toolsOf(there)
    const boxed = await tools.run('bash', { command: 'touch made' }, { box: { kind: 'writing' } })
    expect(said(boxed)).toContain('only in the sandbox')
    expect([existsSync(join(there.folder, 'made')), started()]).toEqual([false, 0])
  })

  test('show output while a command runs, and end it with all that it began when it is stopped', async () => {
    const there = machineThere()
    const { tools } = toolsOf(there)
    const seconds = unlike()
    const stop = new AbortController()
    let shown = ''
    const running = tools.run(
      'bash',
      { command: long(seconds) },
      { signal: stop.signal, onProgress: text => void (shown += text) },
    )
    await expect.poll(() => shown, { timeout: 10_000 }).toBe('first\n')
    stop.abort()
    const outcome = await running
    expect(outcome.isError).toBe(true)
    expect(said(outcome)).toContain('first')
    expect(processesWith(`sleep ${seconds}`)).toEqual([])
  })

  test('end with what they have left in the background when the conversation ends', async () => {
    const { tools } = toolsOf(machineThere())
    const seconds = unlike()
    const deaf = `sh -c 'trap "" TERM; while :; do sleep ${seconds}; done'`
    await tools.run('bash', { command: `sleep ${seconds} >/dev/null 2>&1 & ${deaf} >/dev/null 2>&1 & echo on` })
    await expect.poll(() => processesWith(`sleep ${seconds}`)).toHaveLength(3)
    tools.close?.()
    await expect.poll(() => processesWith(`sleep ${seconds}`), { timeout: 10_000 }).toEqual([])
  })
})

describe('a lost connection', () => {
  test.skipIf(sshdPath === null)(
    'over ssh, ends a running call with one line and its command there; it is not run again, and the next call connects again',
    { timeout: 40_000 },
    async () => {
      const place = machineThere()
      const sshd = await startSshd(join(place.folder, 's'), { PATH: '/usr/bin:/bin' })
      const there = machineThere(behindSshd(sshd.bin))
      const { tools, started } = toolsOf(there)
      const seconds = unlike()
      let shown = ''
      const running = tools.run('bash', { command: long(seconds) }, { onProgress: text => void (shown += text) })
      await expect.poll(() => shown, { timeout: 15_000 }).toBe('first\n')
      sshd.cut()
      const outcome = await running
      expect(outcome).toEqual({
        content: [{ type: 'text', text: 'The connection to ssh:far was lost.' }],
        isError: true,
      })
      await expect.poll(() => processesWith(`sleep ${seconds}`), { timeout: 10_000 }).toEqual([])
      expect(said(await tools.run('bash', { command: 'cat runs' }))).toContain('\nbegan\n\n[exit 0]')
      expect(started()).toBe(2)
    },
  )

  test('is said where the program cannot start, and the next call tries again', async () => {
    const there = machineThere()
    let tries = 0
    const tools = createRemoteTools({
      folder: there.folder,
      machine: 'ssh:far',
      connect() {
        tries += 1
        return launchTools({ machine: there.machine, survey: there, node: tries === 1 ? '/no/node' : process.execPath })
      },
    })
    expect(said(await tools.run('list', {}))).toMatch(/^The tools on ssh:far have ended \(.*\/no\/node.*\)$/)
    mkdirSync(join(there.folder, 'a'))
    expect(said(await tools.run('list', {}))).toBe('a/\n')
    tools.close?.()
  })

  test('waits for a place that comes back, and says why it does not', async () => {
    const { near, far } = createMemoryPair()
    const tools = createRemoteTools({
      folder: '/there',
      machine: 'kubectl:pod',
      connect: () => near,
      comeBack: async () => 'the pod is gone',
    })
    const first = tools.run('list', {})
    far.end()
    expect((await first).isError).toBe(true)
    expect(said(await tools.run('list', {}))).toBe('The pod is gone.')
  })

  test('is not waited for: a machine that does not answer a stop is given up', async () => {
    const { near, far } = createMemoryPair()
    const tools = createRemoteTools({ folder: '/there', machine: 'ssh:far', connect: () => near, limits: { stop: 50 } })
    const stop = new AbortController()
    far.receive(line => {
      if (line.includes('"run"')) stop.abort()
    })
    far.write('{"type":"ready"}')
    const outcome = await tools.run('bash', { command: 'sleep 9' }, { signal: stop.signal })
    expect(said(outcome)).toBe('ssh:far does not answer.')
  })

  test('of a program that says something else is no answer', async () => {
    const { near, far } = createMemoryPair()
    const tools = createRemoteTools({
      folder: '/there',
      machine: 'ssh:far',
      connect: () => near,
      limits: { preview: 50 },
    })
    far.receive(() => {
      far.write('{"type":"outcome","id":1,"outcome":{"content":"all is well","isError":false}}')
      far.write('{"type":"preview","id":7,"preview":{"ok":true}}')
      far.write('nonsense')
    })
    far.write('{"type":"ready"}')
    expect(await tools.preview('read', { path: 'a' })).toMatchObject({ ok: false, outcome: { isError: true } })
  })
})
