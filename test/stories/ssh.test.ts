/** zot behind a real sshd on this machine's loopback. */
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import process from 'node:process'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import { environment, type Home } from '../helpers/home.ts'
import { open, type Screen } from '../helpers/screen.ts'
import { sshdPath, startSshd, type Sshd } from '../helpers/sshd.ts'
import { installZot, lastingHome, program, send, withCheckpoints } from './stage.ts'

const command = (line: string) => ({ calls: [{ id: line, name: 'bash', args: { command: line } }] })

type Far = { home: Home; folder: string; sshd: Sshd; zot: string; env: Record<string, string | undefined> }

async function far(steps: readonly object[], options: { shares?: boolean; limit?: string } = {}): Promise<Far> {
  const home = lastingHome()
  const folder = join(home.path, 'far', 'a folder: "odd" $x')
  mkdirSync(folder, { recursive: true })
  const script = join(home.path, 'script.json')
  writeFileSync(script, JSON.stringify(steps))
  const zot = installZot(home, 'guardable')
  const path = `${join(process.execPath, '..')}:/usr/local/bin:/usr/bin:/bin`
  const sshd = await startSshd(
    join(home.path, 's'),
    { PATH: path, HOME: join(home.path, 'far'), ZOT_SCRIPT: script, ZOT_INTERCEPT_LIMIT: options.limit ?? '5000' },
    options,
  )
  const env = { PATH: `${sshd.bin}:/usr/bin:/bin`, ZOTUI_ZOT: undefined, ZOTUI_PERMISSIONS: undefined }
  return { home, folder, sshd, zot, env }
}

const flags = ({ folder, zot }: Far): string[] => ['--on', `ssh:far:${folder}`, '--zot', zot]

async function openFar(place: Far, mode: string, more = {}): Promise<Screen> {
  const args = [...flags(place), '--permissions', mode]
  const zotui = await open({ home: place.home, env: { ...place.env, ...more }, columns: 110, args })
  await zotui.see(/anthropic\/sonnet/)
  return zotui
}

async function runFar(place: Far, args: readonly string[], more: Record<string, string> = {}) {
  const { exitCode, stdout, stderr } = await execa(process.execPath, [program, ...args], {
    cwd: place.home.project,
    env: environment(place.home.path, { PATH: `${place.sshd.bin}:/usr/bin:/bin`, ...more }),
    extendEnv: false,
    input: '',
    reject: false,
    timeout: 40_000,
  })
  return { code: exitCode, stdout, stderr: stderr.trimEnd() }
}

/** The processes of this user with these words in their arguments. */
function processesWith(words: string): number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && argumentsOf(name).includes(words))
    .map(Number)
}

/** Whether a process is one of this story: other stories run at the same time. */
function isBelow(pid: number, { home }: Far): boolean {
  return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(home.path)
}

function argumentsOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

if (sshdPath === null)
  process.emitWarning('There is no sshd (Debian: openssh-server): the stories with ssh are skipped.')

describe.skipIf(sshdPath === null)('zot over ssh', () => {
  test('asks before a command runs there, waits for the answer without a time limit, and runs it there', async () => {
    const place = await far([command('touch made'), { text: 'Done.' }], { limit: '400' })
    const zotui = await openFar(place, 'ask')
    await zotui.see('ssh:far:')
    await send(zotui, 'go')
    await zotui.see(/› \d/)
    // The time of the wait is shown while something covers the question.
    await zotui.press('alt+a')
    await zotui.see(/waiting for your answer\s+(?:[2-9]|1\d)s/)
    await zotui.press('esc')
    await zotui.see('› 1 Yes')
    expect(existsSync(join(place.folder, 'made'))).toBe(false)
    await zotui.type('y')
    await zotui.see('Done.')
    expect(existsSync(join(place.folder, 'made'))).toBe(true)
    await zotui.close()
    await expect.poll(() => processesWith(place.zot)).toEqual([])
  })

  test("ends a command of the user's there when it is stopped, and restores the files there as they were before the prompt", async () => {
    const place = await far([command('touch made'), { text: 'Done.' }])
    const zotui = await openFar(place, 'allow', withCheckpoints)
    const mark = `sleep 61.${basename(place.home.path).length}7`
    await zotui.type(`!${mark}`)
    await zotui.see(`$ !${mark}`)
    await zotui.press('enter')
    await zotui.see('running your command')
    await zotui.press('esc')
    await zotui.gone('running your command')
    await expect.poll(() => processesWith(mark), { timeout: 10_000 }).toEqual([])
    await send(zotui, 'go')
    await zotui.see('Done.')
    await send(zotui, '/rewind go')
    await zotui.see(/go back to before/)
    await zotui.press('enter')
    await zotui.see(/Conversation and files +1 file/)
    await zotui.press('enter')
    await zotui.see('Restored 1 file.')
    expect(readdirSync(place.folder)).toEqual([])
    expect(readdirSync(join(place.home.path, 'far')).toSorted()).toEqual(['.local', basename(place.folder)])
  })

  test('ends zot there, runs nothing and resumes when the connection, its zotui-guard or its zotui-relay is lost while a call waits', async () => {
    const place = await far([...['one', 'two', 'three'].map(name => command(`touch ${name}`)), { text: 'Again.' }])
    const zotui = await openFar(place, 'ask')
    const helper = (name: string) => processesWith(`/${name}.mjs /tmp`).filter(each => isBelow(each, place))
    const losses: readonly [() => number[], string][] = [
      [() => processesWith(join(place.home.path, 's', 'ssh_config')), 'The connection to ssh:far was lost.'],
      [() => helper('zotui-guard'), 'The guard that asks before calls run is gone'],
      [() => helper('zotui-relay'), 'The guard that asks before calls run is gone'],
    ]
    for (const [lost, words] of losses) {
      await send(zotui, 'go')
      await zotui.see(/› \d/)
      for (const pid of lost()) process.kill(pid, 'SIGKILL')
      await zotui.see(words)
      await zotui.see('/restart')
      await expect.poll(() => processesWith(place.zot), { timeout: 10_000 }).toEqual([])
      expect(readdirSync(place.folder)).toEqual([])
      await zotui.gone(/› \d/)
      await send(zotui, '/restart')
      await zotui.see('Restarted zot')
      await zotui.see(/anthropic\/sonnet/)
      zotui.forget()
    }
    await send(zotui, 'go on')
    await zotui.see('Again.')
  })

  test('shares a connection if the settings of ssh say so, and sends no keys', async () => {
    const place = await far([command('echo "key: $ANTHROPIC_API_KEY."'), { text: 'Done.' }], { shares: true })
    const args = [...flags(place), '-p', '--json', 'go', '--permissions', 'allow']
    const { code, stdout } = await runFar(place, args, { ANTHROPIC_API_KEY: 'sk-secret-of-this-machine' })
    expect(code).toBe(0)
    expect(stdout).toContain('key: .')
  })

  test('says in one line what keeps it from starting', async () => {
    const place = await far([])
    const own = flags(place)
    const { sshd } = place
    const reasons: readonly [() => void, readonly string[], string][] = [
      [() => {}, ['--on', 'ssh:nowhere.invalid'], 'There is no host ssh:nowhere.invalid'],
      [() => {}, ['--on', 'ssh:far:/no/such'], 'There is no folder /no/such on ssh:far'],
      [sshd.refuseLogins, own, 'The login at ssh:far was refused'],
      [sshd.changeKnownKey, own, 'The host key of ssh:far has changed'],
      [sshd.forgetKey, own, 'The host key of ssh:far is unknown'],
      [sshd.stop, own, 'The machine ssh:far cannot be reached'],
    ]
    // Each is noticed before those above it.
    for (const [change, args, words] of reasons) {
      change()
      const { code, stderr } = await runFar(place, [...args, '-p', 'x'])
      expect([code, stderr.split('\n').length, stderr]).toEqual([2, 1, expect.stringContaining(words)])
    }
  })
})
