/** Agents of the protocol on another machine: behind a program that starts a shell with another home folder, environment and PATH. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import { environment, fill, type Home } from '../helpers/home.ts'
import { open, type Screen } from '../helpers/screen.ts'
import { installAgent, installZot, lastingHome, program, ready, send } from './stage.ts'

const TOOLS =
  'sh base64 cat stat readlink head tr mkdir mkfifo mktemp mv cp rm find git sleep env printf ls chmod echo grep'
const MODES = 'default,acceptEdits,plan,auto'

type There = { home: Home; folder: string; far: string; via: string; bin: string }

/** A folder there, and an agent in PATH there under this name. `box` is its name for a `docker` in PATH here. */
function there(name: string, variables: Record<string, string> = {}, agent = 'acp-modes'): There {
  const home = lastingHome()
  const far = join(home.path, 'far')
  const folder = join(far, "it's a folder")
  const bin = join(far, 'bin')
  mkdirSync(folder, { recursive: true })
  mkdirSync(bin)
  const first = Object.entries({ MODES, ...variables }).map(([key, value]) => `export ${key}='${value}'`)
  symlinkSync(installAgent(home, { name, agent, first: first.join('\n') }), join(bin, name))
  const places = (process.env['PATH'] ?? '').split(':')
  for (const tool of TOOLS.split(' ')) {
    const found = places.map(path => join(path, tool)).find(existsSync)
    if (found) symlinkSync(found, join(bin, tool))
  }
  const via = `env -i PATH=${bin} HOME=${far} TMPDIR=${far} SHELL=${join(bin, 'sh')}`
  const stubs = join(home.path, 'stubs')
  mkdirSync(stubs)
  const docker = `#!/bin/sh\n[ "$1 $2 $3" = 'exec -i box' ] || exit 9\nshift 3\nexec ${via} "$@"\n`
  writeFileSync(join(stubs, 'docker'), docker, { mode: 0o755 })
  return { home, folder, far, via, bin: stubs }
}

const bare = { ZOTUI_ZOT: undefined, ZOTUI_PERMISSIONS: undefined, PATH: '/usr/bin:/bin' }

const openThere = ({ home, folder, via }: There, args: readonly string[], env = {}): Promise<Screen> =>
  open({ home, args: ['--via', via, '--cwd', folder, ...args], env: { ...bare, ...env }, columns: 110 })

async function printThere({ home, folder, via }: There, args: readonly string[], env: Record<string, string> = {}) {
  const own = ['--via', via, '--cwd', folder, ...args]
  const { exitCode, stdout, stderr } = await execa(process.execPath, [program, ...own], {
    cwd: home.project,
    env: environment(home.path, { PATH: '/usr/bin:/bin', ...env }),
    extendEnv: false,
    input: '',
    reject: false,
    timeout: 30_000,
  })
  return { code: exitCode, stdout, stderr }
}

/** The processes there: their environment has the home folder of that machine. */
function processesThere({ far }: There, words: string): number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .filter(pid => read(pid, 'environ').split('\0').includes(`HOME=${far}`) && read(pid, 'cmdline').includes(words))
    .map(Number)
}

function read(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    return ''
  }
}

/** What is left there of zotui's own. */
const leftThere = ({ far }: There): string[] => readdirSync(far).filter(name => name.startsWith('tmp.'))

/** Shows another conversation. */
async function show(zotui: Screen, number: string): Promise<void> {
  await zotui.press('alt+a')
  await zotui.see(/Enter or a digit/)
  await zotui.press(number)
}

async function allow(zotui: Screen): Promise<void> {
  await zotui.see(/› 1 Yes/)
  await zotui.press('1')
}

describe('another agent on another machine', () => {
  test('is put into a mode that asks, asks here, works there, and leaves nothing there', async () => {
    const place = there('claude-agent-acp', { MODE_AT_START: 'auto' })
    fill(place.home, { '.config/zotui/config.json': JSON.stringify({ mcp: { files: { command: 'files-server' } } }) })
    const zotui = await openThere(place, ['--agent', 'claude'])
    await zotui.see('claude runs on via:env. Project settings there are not read.')
    await zotui.see("via:env:~/it's a folder")
    await zotui.see('The MCP server files is left out: those of this machine are not for via:env')
    await zotui.see('claude would have begun in its mode Auto. It is in Default, in which it asks.')
    await send(zotui, 'go')
    await allow(zotui)
    await zotui.see('It ran in default.')
    expect(readFileSync(join(place.folder, 'ran.txt'), 'utf8')).toBe('default')
    expect(readdirSync(place.home.project)).not.toContain('ran.txt')
    await zotui.close()
    await expect.poll(() => processesThere(place, 'acp-modes'), { timeout: 15_000 }).toEqual([])
    await expect.poll(() => leftThere(place)).toEqual([])
  })

  test('is held to the rules by the paths of that machine: a denied file is refused without a question', async () => {
    const place = there('claude-agent-acp')
    fill(place.home, { '.config/zotui/config.json': JSON.stringify({ deny: [`Edit(${place.folder}/**)`] }) })
    const said = await printThere(place, ['--agent', 'claude', '-p', '--json', 'go'])
    expect(said.stdout).toContain('call_refused')
    expect(said.code).toBe(0)
    expect(existsSync(join(place.folder, 'ran.txt'))).toBe(false)
  })

  test('answers -p there, in the mode that allows it', async () => {
    const place = there('claude-agent-acp')
    const said = await printThere(place, ['--agent', 'claude', '--permissions', 'edits', '-p', 'edit'])
    expect(said).toMatchObject({ code: 0, stdout: 'It ran in acceptEdits.' })
    expect(existsSync(join(place.folder, 'ran.txt'))).toBe(true)
  })

  test('takes the place of another one there, and /agent names what is missing there', async () => {
    const place = there('claude-agent-acp')
    symlinkSync(join(place.far, 'bin', 'claude-agent-acp'), join(place.far, 'bin', 'gemini'))
    const zotui = await openThere(place, ['--agent', 'claude'])
    await zotui.see('claude runs on via:env')
    await send(zotui, '/agent qwen')
    await zotui.see('there is no qwen on via:env')
    await zotui.press('ctrl+c')
    await send(zotui, '/agent gemini')
    await zotui.see('Switched to gemini.')
    await zotui.close()
    await expect.poll(() => processesThere(place, ''), { timeout: 20_000 }).toEqual([])
  })

  test('that is missing there is named, with how to install it and to log in', async () => {
    const { home, bin, folder } = there('claude-agent-acp')
    const on = ['--on', `docker:box:${folder}`, '--agent', 'qwen', '-p', 'go']
    const { exitCode, stderr } = await execa(process.execPath, [program, ...on], {
      cwd: home.project,
      env: environment(home.path, { PATH: `${bin}:/usr/bin:/bin` }),
      extendEnv: false,
      input: '',
      reject: false,
    })
    expect(exitCode).toBe(1)
    expect(stderr).toContain('The agent cannot be started: there is no qwen on docker:box.')
    expect(stderr).toContain('On docker:box, install it with `npm install -g @qwen-code/qwen-code` (Node 22 or newer);')
    expect(stderr).toContain('log in there with `docker exec -it box qwen`')
  })

  test('is not taken from the folder of the project there', async () => {
    const place = there('other')
    const own = join(place.folder, 'node_modules/.bin')
    mkdirSync(own, { recursive: true })
    writeFileSync(join(own, 'gemini'), '#!/bin/sh\ntouch "$HOME/stolen"\n', { mode: 0o755 })
    const via = place.via.replace('PATH=', `PATH=${join('node_modules', '.bin')}:${place.far}/link:`)
    symlinkSync(own, join(place.far, 'link'))
    const said = await printThere({ ...place, via }, ['--agent', 'gemini', '-p', 'go'])
    expect(said.stderr).toContain('there is no gemini on via:env')
    expect(existsSync(join(place.far, 'stolen'))).toBe(false)
  })
})

describe('a conversation of another machine', () => {
  test('stands beside one of this machine, is lost alone, and closes its connection when it ends', async () => {
    const place = there('claude-agent-acp')
    const env = { ...bare, ZOTUI_ZOT: installZot(place.home, 'echo'), PATH: `${place.bin}:/usr/bin:/bin` }
    const zotui = await open({ home: place.home, args: ['--no-guard'], env, columns: 110 })
    await zotui.see(ready)
    await send(zotui, `/spawn --on "docker:box:${place.folder}" --agent claude go`)
    await zotui.see('Started conversation 2.')
    await show(zotui, '2')
    await zotui.see("docker:box:~/it's a folder")
    await allow(zotui)
    await zotui.see('It ran in default.')
    expect(existsSync(join(place.folder, 'ran.txt'))).toBe(true)
    await send(zotui, 'again')
    await zotui.see(/› 1 Yes/)
    const agents = processesThere(place, 'acp-modes')
    expect(agents).toHaveLength(1)
    await zotui.press('alt+a')
    await zotui.see(/Enter or a digit/)
    await zotui.press('1')
    await zotui.gone(/Enter or a digit/)
    for (const pid of processesThere(place, 'IFS= read')) process.kill(pid, 'SIGKILL')
    await expect.poll(() => processesThere(place, 'acp-modes'), { timeout: 20_000 }).toEqual([])
    await send(zotui, 'still here')
    await zotui.see('You said: still here.')
    await show(zotui, '2')
    await zotui.see('The connection to docker:box was lost')
    await zotui.close()
    await expect.poll(() => processesThere(place, ''), { timeout: 20_000 }).toEqual([])
  })

  test('is refused where nothing is there, and the one that is shown goes on', async () => {
    const place = there('claude-agent-acp')
    const env = { ...bare, ZOTUI_ZOT: installZot(place.home, 'echo'), PATH: `${place.bin}:/usr/bin:/bin` }
    const zotui = await open({ home: place.home, args: ['--no-guard'], env, columns: 110 })
    await zotui.see(ready)
    await send(zotui, '/spawn --on docker:nothing --agent claude go')
    await zotui.see('No conversation was opened:')
    await zotui.press('ctrl+c')
    await send(zotui, '/spawn --on docker:box --agent meerkat go')
    await zotui.see('there is no rkat-rpc on docker:box')
    await expect.poll(() => processesThere(place, ''), { timeout: 10_000 }).toEqual([])
    await zotui.press('ctrl+c')
    await send(zotui, 'still here')
    await zotui.see('You said: still here.')
    await zotui.close()
  })

  test('whose host hangs while it starts is ended by Esc, and one whose host dies is refused: nothing typed is lost', async () => {
    const place = there('claude-agent-acp')
    const ssh = join(place.bin, 'ssh')
    const pids = join(place.far, 'pids')
    const env = { ...bare, ZOTUI_ZOT: installZot(place.home, 'echo'), PATH: `${place.bin}:/usr/bin:/bin` }
    const zotui = await open({ home: place.home, args: ['--no-guard'], env, columns: 110 })
    await zotui.see(ready)
    // Before the first byte, and in the middle of the first question.
    for (const hang of ['', 'shift 3; head -c 1 >/dev/null; echo here;']) {
      writeFileSync(ssh, `#!/bin/sh\n${hang}\necho $$ >>'${pids}'\nexec sleep 600\n`, { mode: 0o755 })
      await send(zotui, '/spawn --on build --agent claude go')
      await zotui.see(/Esc stops it\. Connecting to ssh:build…/)
      await expect.poll(() => existsSync(pids)).toBe(true)
      await zotui.press('esc')
      await zotui.see('No conversation was opened: The connection to ssh:build was stopped.')
      await zotui.see('/spawn --on build --agent claude go')
      await zotui.press('ctrl+c')
      await expect.poll(() => readFileSync(pids, 'utf8').trim().split('\n').map(Number).filter(isAlive)).toEqual([])
      zotui.forget()
    }
    const dies = [
      'exec true',
      `shift 3; exec timeout -s KILL 0.2 env -i HOME=${place.far} PATH=/usr/bin:/bin sh -c "$1"`,
    ]
    for (const how of dies) {
      writeFileSync(ssh, `#!/bin/sh\n${how}\n`, { mode: 0o755 })
      await send(zotui, '/spawn --on build --agent claude go')
      await zotui.see(/No conversation was opened: |go has failed/)
      await zotui.press('ctrl+c')
      zotui.forget()
    }
    await send(zotui, 'still here')
    await zotui.see('You said: still here.')
    await zotui.close()
  })
})

/** A Meerkat there, and a Node for zotui's tools. */
function meerkat(): There {
  const place = there('rkat-rpc', {}, 'meerkat-asking')
  symlinkSync(process.execPath, join(place.far, 'bin', 'node'))
  return place
}

describe('Meerkat on another machine', () => {
  test("asks here, and zotui's tools run there, in the environment of that machine", async () => {
    const place = meerkat()
    const zotui = await openThere(place, ['--agent', 'meerkat', '--permissions', 'ask'])
    await zotui.see(/meerkat 0\.9\.8/)
    await zotui.see("via:env:~/it's a folder")
    await send(zotui, 'printf %s "$HOME" > ran.txt')
    await zotui.see(/› 1 Yes/)
    expect(existsSync(join(place.folder, 'ran.txt'))).toBe(false)
    await allow(zotui)
    await zotui.see('It ran.')
    expect(readFileSync(join(place.folder, 'ran.txt'), 'utf8')).toBe(place.far)
    expect(readdirSync(place.home.project)).not.toContain('ran.txt')
    expect(existsSync(join(place.far, '.local/state/zotui/meerkat'))).toBe(true)
    await zotui.close()
    await expect.poll(() => processesThere(place, ''), { timeout: 20_000 }).toEqual([])
    expect(leftThere(place)).toEqual([])
  })

  test('runs nothing there that the mode or a rule refuses', async () => {
    const place = meerkat()
    const refused = await printThere(place, ['--agent', 'meerkat', '--permissions', 'ask', '-p', 'echo > made'])
    expect([refused.stdout.trim(), refused.code]).toEqual(['It did not run.', 3])
    expect(existsSync(join(place.folder, 'made'))).toBe(false)
    const allowed = await printThere(place, ['--agent', 'meerkat', '--permissions', 'allow', '-p', 'echo > made'])
    expect([allowed.stdout.trim(), allowed.code]).toEqual(['It ran.', 0])
    expect(existsSync(join(place.folder, 'made'))).toBe(true)
  })

  test.each([
    [
      (bin: string) => rmSync(join(bin, 'node')),
      'There is no Node on via:env, so zotui cannot run the tools of Meerkat there.',
    ],
    [
      (bin: string) => rmSync(join(bin, 'rkat-rpc')),
      'there is no rkat-rpc on via:env. On via:env, install it with `cargo install',
    ],
  ])('says in one line what is missing there (%#)', async (remove, words) => {
    const place = meerkat()
    remove(join(place.far, 'bin'))
    const said = await printThere(place, ['--agent', 'meerkat', '-p', 'echo > made'])
    expect(said.code).not.toBe(0)
    expect(said.stderr.replaceAll('\n', ' ')).toContain(words)
  })

  test('does not begin while the sandbox is on', async () => {
    const said = await printThere(meerkat(), ['--agent', 'meerkat', '--sandbox', 'on', '-p', 'echo > made'])
    expect(said).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('runs on another machine, where there is no sandbox'),
    })
  })
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
