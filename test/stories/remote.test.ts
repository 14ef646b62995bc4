/** zot on another machine: behind a command that starts a shell, which is as much of another machine as a story needs. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'
import { describe, expect, test } from 'vitest'
import { environment, type Home } from '../helpers/home.ts'
import { open, type Screen } from '../helpers/screen.ts'
import { turnEnd } from '../helpers/turn-end.ts'
import { BOOT } from '../../src/platform/remote/quoting.ts'
import { samples } from '../platform/images/samples.ts'
import { execa } from 'execa'
import { expectDraft, installZot, lastingHome, program, send, withCheckpoints } from './stage.ts'

const command = (line: string) => ({ calls: [{ id: line, name: 'bash', args: { command: line } }] })
const write = (path: string, content: string) => ({ calls: [{ id: path, name: 'write', args: { path, content } }] })

type There = { home: Home; folder: string; via: string }

/** A folder there with an odd name, and a zot whose model does these steps. Its shell has another environment and home folder. */
function there(steps: readonly object[], { node = true, agent = 'guardable' } = {}): There {
  const home = lastingHome()
  const far = join(home.path, 'far')
  const folder = join(far, "it's  a ünï folder")
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(home.path, 'script.json'), JSON.stringify(steps))
  const zot = installZot(home, agent)
  const bin = join(far, 'bin')
  mkdirSync(bin)
  symlinkSync(zot, join(bin, 'zot'))
  if (node) symlinkSync(process.execPath, join(bin, 'node'))
  const tools =
    'sh base64 cat stat readlink head mkdir mkfifo mv cp rm find git sleep touch env printf date ls chmod echo grep'
  for (const tool of tools.split(' ')) linkTool(bin, tool)
  const variables = [
    `PATH=${bin}`,
    `HOME=${far}`,
    `ZOT_SCRIPT=${join(home.path, 'script.json')}`,
    `TMPDIR=${far}`,
    `SHELL=${join(bin, 'sh')}`,
  ]
  return { home, folder, via: `env -i ${variables.join(' ')}` }
}

function linkTool(bin: string, tool: string): void {
  const found = (process.env['PATH'] ?? '')
    .split(':')
    .map(path => join(path, tool))
    .find(path => existsSync(path))
  if (found) symlinkSync(found, join(bin, tool))
}

/** The common environment of both machines: nothing of zot's is in this one's PATH. */
const env = { ZOTUI_ZOT: undefined, ZOTUI_PERMISSIONS: undefined, PATH: '/usr/bin:/bin' }

async function openThere({ home, folder, via }: There, args: readonly string[] = [], more = {}): Promise<Screen> {
  return open({ home, args: ['--via', via, '--cwd', folder, ...args], env: { ...env, ...more }, columns: 110 })
}

async function runThere({ home, folder, via }: There, args: readonly string[], more: Record<string, string> = {}) {
  const own = ['--via', via, '--cwd', folder]
  const { exitCode, stdout, stderr } = await execa(process.execPath, [program, ...own, ...args], {
    cwd: home.project,
    env: environment(home.path, { PATH: '/usr/bin:/bin', ...more }),
    extendEnv: false,
    input: '',
    reject: false,
    timeout: 30_000,
  })
  return { code: exitCode, stdout, stderr }
}

const ready = /sonnet/
const asks = ['--permissions', 'ask']

describe('zot on another machine', () => {
  test('asks before a command runs and a file is changed there, with the difference, does it there, and connects again after a loss', async () => {
    const edit = write('new/file.txt', 'one\ntwo\n')
    const place = there([
      command('touch made'),
      command('touch refused'),
      edit,
      { text: 'Done.' },
      command('sleep 60'),
      { text: 'Again.' },
    ])
    const zotui = await openThere(place, asks)
    await zotui.see(ready)
    await zotui.see("via:env:~/it's  a ünï folder")
    await zotui.see('zot runs on via:env')
    await send(zotui, 'go')
    await zotui.see('touch made')
    await zotui.see('Run this command?')
    expect(existsSync(join(place.folder, 'made'))).toBe(false)
    await answer(zotui, 'y')
    await zotui.see('touch refused')
    expect(existsSync(join(place.folder, 'made'))).toBe(true)
    await answer(zotui, 'n')
    await zotui.gone('Run this command?')
    expect(existsSync(join(place.folder, 'refused'))).toBe(false)
    await zotui.see('new/file.txt')
    await zotui.see(/\+ two/)
    expect(existsSync(join(place.folder, 'new'))).toBe(false)
    await answer(zotui, 'y')
    await zotui.see('Done.')
    expect(readFileSync(join(place.folder, 'new/file.txt'), 'utf8')).toBe('one\ntwo\n')
    expect(readdirSync(place.home.project)).not.toContain('made')
    await send(zotui, 'go on')
    await zotui.see(/sleep 60[^]*running bash/)
    // The relay, too: it cannot remove its folder. One of them may have ended by itself.
    spawnSync('kill', ['-KILL', ...processesOf(place, 'zotui-relay.'), ...processesOf(place, BOOTED)])
    await zotui.see('The connection to via:env was lost')
    await zotui.gone(/running bash/)
    await send(zotui, '/restart')
    await zotui.see('Restarted zot')
    await zotui.see(ready)
    await send(zotui, 'go on again')
    await zotui.see('Again.')
    await zotui.close()
    await nothingIsLeft(place)
  })

  test('gets words to its running turn through the same guard: its model reads them once, after the result', async () => {
    const place = there([command('touch begun; while [ ! -e go ]; do sleep 0.1; done'), { text: 'Done.' }])
    const zotui = await openThere(place, ['--permissions', 'allow'])
    await zotui.see(ready)
    await send(zotui, 'go')
    await expect.poll(() => existsSync(join(place.folder, 'begun')), { timeout: 20_000 }).toBe(true)
    await zotui.type('leave the parser alone')
    await expectDraft(zotui, 'leave the parser alone')
    await zotui.press('alt+s')
    await zotui.see(/steers: waits for the running call/)
    writeFileSync(join(place.folder, 'go'), '')
    await zotui.see('Done.')
    await zotui.see('to the running turn')
    const told = readFileSync(join(place.home.path, 'script.json.told'), 'utf8').split('\n')
    expect(told.map(line => line.split('leave the parser alone').length - 1)).toEqual([0, 1, 0])
    expect(told[1]).toMatch(/\[exit 0\].*leave the parser alone/)
    await zotui.close()
  })

  test('runs another conversation there, which asks, too, and answers side questions there by reading only', async () => {
    const place = there([command('touch made'), { text: 'Done.' }, command('touch aside'), { text: 'Well.' }])
    const zotui = await openThere(place, asks)
    await zotui.see(ready)
    await send(zotui, '/spawn go')
    await zotui.see(/ 2\? /)
    expect(existsSync(join(place.folder, 'made'))).toBe(false)
    await zotui.press('alt+a')
    await zotui.see(/asks +bash touch made/)
    // A call that came a moment ago is not answered by a key that was meant for something else: a user presses it again.
    const pressed = async () => zotui.type('y').then(() => zotui.screen().join('\n'))
    await expect.poll(pressed, { interval: 300 }).toMatch(/ 2 ● /)
    expect(existsSync(join(place.folder, 'made'))).toBe(true)
    await zotui.press('esc')
    await zotui.gone(/or a digit goes there/)
    await send(zotui, '/btw go')
    await zotui.see('1 call refused, because it is read-only')
    expect(existsSync(join(place.folder, 'aside'))).toBe(false)
    await zotui.close()
    await nothingIsLeft(place)
  })

  test('sends images: one of the folder there, and one of this machine', async () => {
    const place = there([], { agent: 'echo' })
    writeFileSync(join(place.folder, 'there.png'), samples.png)
    writeFileSync(join(place.home.project, 'here.png'), samples.png)
    const zotui = await openThere(place, ['--permissions', 'allow'])
    await zotui.see(ready)
    await send(zotui, 'look at @there.png please')
    await zotui.see(`I see image/png of ${samples.png.length} bytes.`)
    await zotui.see(turnEnd)
    await zotui.paste(join(place.home.project, 'here.png'))
    await zotui.see(/\[Image #1 300x200/)
    await zotui.press('enter')
    await zotui.until('both images', {
      check: () => zotui.history().join('\n').split(`I see image/png of ${samples.png.length} bytes.`).length === 3,
    })
  })

  test('sends mentioned files there that no rule denies, runs ! commands, lists files, and shows what changed there', async () => {
    const place = there([{ text: 'Read.' }, write('there.txt', 'new\n'), { text: 'Done.' }])
    execFileSync('git', ['init', '-q', '--template=', '-b', 'far-branch'], { cwd: place.folder })
    writeFileSync(join(place.folder, 'only-there.md'), 'x')
    mkdirSync(join(place.folder, 'docs'))
    writeFileSync(join(place.folder, 'docs/far.md'), 'far away\n')
    writeFileSync(join(place.folder, '.env'), 'KEY=1\n')
    for (const name of ['only-here.md', 'here.md']) writeFileSync(join(place.home.project, name), 'x')
    const zotui = await openThere(place, ['--permissions', 'edits'])
    await zotui.see(ready)
    await zotui.see('far-branch')
    await send(zotui, 'see @docs/far.md and @docs/ and @here.md and @.env please')
    await zotui.see(/with docs\/far\.md \(~\d+ tokens\), docs\/ \(its files, ~\d+ tokens\)/)
    await zotui.see(/\.env may contain secrets/)
    await zotui.see('Read.')
    expect(zotui.history().join('\n')).not.toContain('with here.md')
    await zotui.type('!pwd; ls; exit 3')
    await zotui.see('$ !pwd; ls; exit 3')
    await zotui.press('enter')
    await zotui.see(/far\/it's {2}a ünï folder/)
    await zotui.see('only-there.md')
    await zotui.type('@only')
    await zotui.see(/› .*only-there\.md/)
    expect(zotui.screen().join('\n')).not.toContain('only-here')
    await zotui.press('ctrl+c')
    await send(zotui, 'go')
    await zotui.see('Done.')
    await send(zotui, '/diff')
    await zotui.see('not since then')
    await zotui.press('enter')
    await zotui.see(/\+ new/)
  })

  test.each([true, false])('keeps the files there before each prompt, and restores them: git %s', async isGit => {
    const place = there([write('a.txt', 'agent\n'), command('rm b.txt; echo x > made'), { text: 'Done.' }])
    const at = (name: string): string => join(place.folder, name)
    writeFileSync(at('a.txt'), 'one\n')
    writeFileSync(at('b.txt'), 'two\n')
    if (isGit) execFileSync('git', ['init', '-q'], { cwd: place.folder })
    const zotui = await openThere(place, ['--permissions', 'allow'], withCheckpoints)
    await zotui.see(ready)
    await send(zotui, 'go')
    await zotui.see('Done.')
    expect([existsSync(at('b.txt')), readFileSync(at('a.txt'), 'utf8')]).toEqual([false, 'agent\n'])
    await send(zotui, '/rewind go')
    await zotui.see(/go back to before/)
    await zotui.press('enter')
    await zotui.see(/deletes \+0 -1 +made/)
    await zotui.see(/Conversation and files +3 files/)
    await zotui.press('enter')
    await zotui.see('Restored 3 files.')
    expect(readdirSync(place.folder).filter(name => name !== '.git')).toEqual(['a.txt', 'b.txt'])
    expect([readFileSync(at('a.txt'), 'utf8'), readFileSync(at('b.txt'), 'utf8')]).toEqual(['one\n', 'two\n'])
    await expectDraft(zotui, 'go')
    await zotui.press('ctrl+c')
    await send(zotui, '/rewind undo')
    await zotui.see(/Restore the files +3 files/)
    await zotui.press('enter')
    await zotui.until('the files to be back', { check: () => existsSync(at('made')) && !existsSync(at('b.txt')) })
  })

  test('git there says which settings apply, and runs no program of theirs where it only reads', async () => {
    const lines = ['git status --short', 'cd . && git -C . status --short', 'git diff --stat']
    const read = async (key: string, mode: string) => {
      const place = there([...lines.map(command), { text: 'Done.' }])
      const git = (...words: string[]): unknown => execFileSync('git', words, { cwd: place.folder })
      git('init', '-q')
      writeFileSync(join(place.folder, 'new.txt'), '')
      const mark = join(dirname(place.folder), 'mark')
      for (const each of ['core.fsmonitor', key]) git('config', each, `touch ${mark}; false`)
      const said = await runThere(place, ['-p', '--json', 'go', '--permissions', mode])
      return { ...said, ran: existsSync(mark) }
    }
    const fine = await read('core.hooksPath', 'read')
    expect(fine.stdout).toContain('?? new.txt')
    expect([fine.stdout.includes('call_refused'), fine.ran]).toEqual([false, false])
    const refused = await read('diff.external', 'ask')
    expect(refused.stdout).toContain('the setting diff.external of the repository can change what git runs or reads')
    expect([refused.stdout.includes('?? new.txt'), refused.ran]).toEqual([false, false])
  })

  test('sends the keys of this machine only if the setting says so', async () => {
    const place = there([command('echo "key: $ANTHROPIC_API_KEY."'), { text: 'Done.' }])
    const key = { ANTHROPIC_API_KEY: 'sk-secret-of-this-machine' }
    const args = ['-p', '--json', 'go', '--permissions', 'allow']
    const kept = await runThere({ ...place, via: place.via.replace('env -i', 'env') }, args, key)
    expect(kept.stdout).toContain('key: .')
    const again = there([
      command('test "$ANTHROPIC_API_KEY" = sk-secret-of-this-machine && echo it is there'),
      { text: 'Done.' },
    ])
    const sent = await runThere(again, args, { ...key, ZOTUI_SEND_KEYS: 'true' })
    expect(sent.stdout).toContain('it is there')
  })
})

/** A program in front of PATH that writes down its arguments, and runs those behind `count` of them on the other machine. */
function stub(place: There, name: string, count: number): { bin: string; calls: () => string[][] } {
  const bin = join(place.home.path, 'stubs')
  const log = join(place.home.path, 'calls')
  mkdirSync(bin)
  const script = `#!/bin/sh\nprintf '%s\\0' "$@" '' >> '${log}'\nshift ${count}\nexec ${place.via} "$@"\n`
  writeFileSync(join(bin, name), script, { mode: 0o755 })
  const calls = (): string[] => readFileSync(log, 'utf8').split('\0\0').slice(0, -1)
  return { bin, calls: () => calls().map(call => call.split('\0')) }
}

describe.each([
  ['docker', ['exec', '-i', 'web_1']],
  ['kubectl', ['exec', '-i', 'web_1', '--']],
])('with %s', (name, before) => {
  test('connects with exactly these arguments, and asks before anything runs there', async () => {
    const place = there([command('touch made'), { text: 'Done.' }])
    const { bin, calls } = stub(place, name, before.length)
    const on = ['--on', `${name}:web_1:${place.folder}`]
    const { exitCode, stderr } = await execa(process.execPath, [program, ...on, '-p', 'go', ...asks], {
      cwd: place.home.project,
      env: environment(place.home.path, { PATH: `${bin}:/usr/bin:/bin` }),
      extendEnv: false,
      input: '',
      reject: false,
    })
    expect([exitCode, stderr]).toEqual([3, expect.stringContaining('touch made')])
    expect(existsSync(join(place.folder, 'made'))).toBe(false)
    expect(calls().length).toBeGreaterThan(1)
    for (const call of calls()) expect(call).toEqual([...before, 'sh', '-c', BOOT])
  })
})

describe('without Node there', () => {
  test('zotui starts no zot that it cannot guard, unless --permissions allow says so', async () => {
    const place = there([command('touch made'), { text: 'Done.' }], { node: false })
    const { code, stderr } = await runThere(place, ['-p', 'go', ...asks])
    expect(code).toBe(2)
    expect(stderr).toContain('There is no Node on via:env, so zotui cannot ask before calls run.')
    const unsaid = await runThere(place, ['-p', 'go'], { ZOTUI_PERMISSIONS: 'allow' })
    expect(unsaid.code).toBe(2)
    expect(existsSync(join(place.folder, 'made'))).toBe(false)
    const said = await runThere(place, ['-p', 'go', '--permissions', 'allow'])
    expect([said.code, said.stdout]).toEqual([0, 'Done.'])
    expect(existsSync(join(place.folder, 'made'))).toBe(true)
  })
})

describe('one line rejects', () => {
  test.each([
    [['--on', 'ssh:-oProxyCommand=x'], 'The host "-oProxyCommand=x" begins with a dash.'],
    [['--via', '/no/such/program'], 'There is no program /no/such/program here.'],
    [['--via', 'env', '--on', 'ssh:x'], '--on and --via cannot be used together.'],
    [['--via', 'env', '--demo'], '--demo runs on this machine only.'],
    [['--via', 'env', '--agent', 'meerkat --max-tokens few'], '--max-tokens of meerkat needs a number.'],
    [['--via', 'env', '--agent', 'no-such'], 'The agent cannot be started: there is no no-such on via:env.'],
    [['--via', 'env', '--cwd', '/no/such'], 'There is no folder /no/such on via:env.'],
    [['--via', 'env PATH=/usr/bin:/bin'], 'There is no zot on via:env.'],
    [['--via', "sh -c 'echo broken >&2; exit 1'"], 'The connection to via:sh failed: broken.'],
  ])('%j', async (args, words) => {
    const home = lastingHome()
    const { exitCode, stderr } = await execa(process.execPath, [program, ...args, '-p', 'x'], {
      cwd: home.project,
      env: environment(home.path, { PATH: '/usr/bin:/bin' }),
      extendEnv: false,
      input: '',
      reject: false,
    })
    expect(exitCode).toBe(2)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
    expect(stderr).toContain(`zotui: ${words}`)
  })
})

/** Answers a question: it takes keys when a while has passed without any. */
async function answer(zotui: Screen, key: string): Promise<void> {
  await zotui.see(/› \d/)
  await zotui.type(key)
}

/** Waits until nothing of zotui's is left on the other machine: what ends a killed zot there goes last. */
async function nothingIsLeft({ folder }: There): Promise<void> {
  await expect.poll(() => readdirSync(dirname(folder)).toSorted()).toEqual(['bin', basename(folder)])
}

/** Part of the arguments of the shells of both connections, zot's and the relay's. */
const BOOTED = 'IFS= read -r z'

/** The ids of the processes there with this in their arguments. */
function processesOf({ home }: There, argument: string): string[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .filter(pid => argumentsOf(pid).includes(argument) && environmentOf(pid).includes(home.path))
}

function argumentsOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8')
  } catch {
    return ''
  }
}
