/** Conversations in the background: a process of its own holds each, and UIs come and go. */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, onTestFinished, test } from 'vitest'
import { environment } from '../helpers/home.ts'
import { alive, descendants } from '../helpers/processes.ts'
import { open } from '../helpers/screen.ts'
import { allEnded, attach, begin, demoHome, holders, homeOf, inState, listed, recordsIn, zotui } from './holders.ts'
import { installZot, logged, program, send } from './stage.ts'

describe('a conversation in the background', () => {
  test('starts, is listed, ends on its own, and leaves only its session', async () => {
    const { home, env } = homeOf('echo')
    const id = await begin(home, ['how are you?'], env)
    await allEnded(home)
    const shown = await zotui(home, ['show', id], env)
    expect(shown.stdout).toContain('You said: how are you?')
    const { code, stderr } = await zotui(home, ['conversations'])
    expect([code, stderr]).toEqual([0, 'zotui: No conversations run in the background.'])
  })

  test('continues when its UI and its shell are killed, another UI sees all of it, and its session resumes after a kill of its holder', async () => {
    const { home, env } = homeOf('busy')
    const shell = spawn(
      '/bin/sh',
      ['-c', `"$0" "$@"; sleep 60`, process.execPath, program, '-p', '--background', 'stream'],
      {
        cwd: home.project,
        env: environment(home.path, env),
        stdio: 'ignore',
        detached: true,
      },
    )
    await expect.poll(() => holders(home)).toHaveLength(1)
    process.kill(-(shell.pid ?? 0), 'SIGKILL')
    const { id, pid } = holders(home)[0] ?? { id: '', pid: 0 }
    const first = await attach(home, id)
    await first.seeInHistory('I am at it. And on.')
    process.kill(first.itself().pid, 'SIGKILL')
    const second = await attach(home, id)
    await second.seeInHistory('I am at it. And on.')
    const processes = descendants(pid)
    expect(processes.length).toBeGreaterThan(0)
    expect(second.history().join('\n')).not.toContain('Interrupted')
    await second.until('text on the disk', { check: () => logged(home).includes('And on.') })
    process.kill(pid, 'SIGKILL')
    await second.seeInHistory('The process in the background is gone')
    expect(await listed(home)).toEqual([])
    await allEnded(home, processes)
    const resumed = await open({ home, env, args: ['--resume', id] })
    await resumed.seeInHistory('I am at it. And on.')
  })

  test('is live in two UIs at once, one of them restarts its agent, and `zotui stop` leaves none of its processes', async () => {
    const { home, env } = homeOf('busy')
    const id = await begin(home, ['stream'], env)
    const [one, two] = await Promise.all([attach(home, id), attach(home, id)])
    await Promise.all([one.see('And on.'), two.see('And on.')])
    await one.press('esc')
    await Promise.all([one.seeInHistory('Stopped'), two.seeInHistory('Stopped')])
    await send(two, 'stream on')
    await Promise.all([one.see(/stream on/), two.see(/stream on/)])
    await one.press('esc')
    await two.until('the second stop', {
      check: () => two.history().filter(row => row.includes('Stopped')).length === 2,
    })
    await send(one, '/restart')
    await one.seeInHistory('Restarted')
    const inBackground = () => descendants(holders(home)[0]?.pid ?? 0)
    const sleeps = () => inBackground().some(({ command }) => command.startsWith('sleep 70'))
    await one.until('the end of what the stopped turn ran', { check: () => !sleeps() })
    one.forget()
    await send(one, 'go on')
    await one.see('a shell sleeps')
    await one.until('a sleep', { check: sleeps })
    await send(one, '/exit')
    await one.exit()
    expect(one.history().join('\n')).toContain(`It continues in the background: zotui attach ${id}`)
    expect(one.history().join('\n')).not.toContain('Interrupted')
    expect(await inState(home, 'working')).toMatchObject({ id, title: 'stream', folder: home.project })
    const processes = inBackground()
    const { code, stdout } = await zotui(home, ['stop', id])
    expect([code, stdout]).toEqual([0, `Stopped ${id}.`])
    await allEnded(home, processes)
  })
})

const touch = (file: string) => ({ calls: [{ id: file, name: 'bash', args: { command: `echo x >> ${file}` } }] })

test('Two UIs that answer a question at once decide it once, and neither answers the next question with it', async () => {
  const { home } = homeOf('echo')
  writeFileSync(
    join(home.path, 'script.json'),
    JSON.stringify([touch('one'), touch('two'), touch('three'), { text: 'Done.' }]),
  )
  const env = {
    ZOTUI_ZOT: installZot(home, 'guardable'),
    ZOT_SCRIPT: join(home.path, 'script.json'),
    ZOTUI_PERMISSIONS: 'ask',
  }
  const id = await begin(home, ['go'], env)
  const both = await Promise.all([attach(home, id), attach(home, id)])
  const armed = async (file: string): Promise<void> => {
    await Promise.all(both.map(ui => ui.see(`echo x >> ${file}`)))
    // The key of the slower one may have become text: the call was decided already. With text no answer is chosen, and a key that
    // clears nothing would put off the moment from which the question takes keys.
    await Promise.all(
      both.map(async ui => {
        await ui.see(/› \d|^▌ \w$/m)
        if (ui.screen().some(row => /^▌ \w$/.test(row))) await ui.press('ctrl+u')
        await ui.see(/› \d/)
      }),
    )
  }
  const isThere = (file: string): boolean => existsSync(join(home.project, file))
  const [one, two] = both
  await armed('one')
  await Promise.all([one.type('y'), two.type('y')])
  await armed('two')
  expect([readFileSync(join(home.project, 'one'), 'utf8'), isThere('two')]).toEqual(['x\n', false])
  await Promise.all([one.type('n'), two.type('n')])
  await armed('three')
  expect([isThere('two'), isThere('three')]).toEqual([false, false])
  await Promise.all([one.type('y'), two.type('n')])
  await Promise.all(both.map(ui => ui.see('Done.')))
  const ran = isThere('three')
  expect(both.map(ui => ui.history().join('\n').includes('refused by you'))).toEqual([true, true])
  expect(ran ? readFileSync(join(home.project, 'three'), 'utf8') : 'x\n').toBe('x\n')
})

test('needs a terminal to attach with, is listed by records that no other user could have written, and survives a reboot: it is listed as ended, and its session resumes', async () => {
  const { home, env } = homeOf('busy')
  const id = await begin(home, ['stream'], env)
  const { code, stderr } = await zotui(home, ['attach', id])
  expect([code, stderr]).toEqual([2, expect.stringContaining('needs a terminal')])
  const folder = recordsIn(home)
  mkdirSync(join(folder, 'other'), { mode: 0o700 })
  symlinkSync(join(folder, id, 'record.json'), join(folder, 'other', 'record.json'))
  expect((await listed(home)).map(each => each.id)).toEqual([id])
  rmSync(join(folder, 'other'), { recursive: true })
  const modes = [join(folder, id), holders(home)[0]?.socket ?? '', join(folder, id, 'record.json')]
  expect(modes.map(path => statSync(path).mode & 0o777)).toEqual([0o700, 0o600, 0o600])
  await expect.poll(() => logged(home), { timeout: 15_000 }).toContain('And on.')
  const [holder] = holders(home)
  const processes = descendants(holder?.pid ?? 0)
  for (const pid of [holder?.pid ?? 0, ...processes.map(each => each.pid)]) process.kill(pid, 'SIGKILL')
  await expect.poll(() => processes.filter(alive)).toEqual([])
  // The record and the socket stay, and another program has the number of the process since then.
  const other = spawn('sleep', ['60'])
  onTestFinished(() => void other.kill('SIGKILL'))
  const path = join(folder, id, 'record.json')
  const stale = readFileSync(path, 'utf8').replace(/("owner": ?"[\da-f]+-)\d+-/, `$1${other.pid}-`)
  writeFileSync(path, stale)
  expect([existsSync(holder?.socket ?? ''), stale.includes(`-${other.pid}-`)]).toEqual([true, true])
  const lost = await zotui(home, ['attach', id])
  expect([lost.code, lost.stderr]).toEqual([2, expect.stringContaining('`zotui --resume` resumes one that has ended')])
  expect(await listed(home)).toEqual([])
  const resumed = await open({ home, env, args: ['--resume', id] })
  await resumed.seeInHistory('I am at it. And on.')
  await send(resumed, 'again')
  await resumed.see('▌ again')
})

describe('one line reports', () => {
  test('an unknown ID', async () => {
    const { home } = demoHome()
    for (const command of ['attach', 'stop']) {
      const { code, stderr } = await zotui(home, [command, 'nothing'])
      expect([code, stderr]).toEqual([
        2,
        expect.stringMatching(/^zotui: No conversation nothing runs in the background\./),
      ])
    }
  })

  test('an agent that does not start', async () => {
    const { home, env } = homeOf('echo')
    writeFileSync(join(home.path, 'broken'), '')
    const { code, stdout, stderr } = await zotui(home, ['-p', '--background', 'x'], env)
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining('The config cannot be read')])
  })

  test('flags that cannot be combined', async () => {
    const { home, env } = homeOf('echo')
    const { code, stderr } = await zotui(home, ['-p', '--background', '--json', 'x'], env)
    expect([code, stderr]).toEqual([2, expect.stringContaining('--json and --background cannot be used together')])
  })
})
