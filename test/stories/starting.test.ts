/** A user starts zotui: in a folder, with a prompt, with the wrong flags, with and without a zot. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { Home } from '../helpers/home.ts'
import { open } from '../helpers/screen.ts'
import { expectDraft, installZot, lastingHome, letGo, openDemo, openZot, program, run, send } from './stage.ts'

/** A PATH in which there is no zot. */
const nowhere = { PATH: '/nowhere' }

/** All that is loaded before the first frame. Whatever else a start needs comes behind it. */
const FIRST_FRAME = { files: ['cli', 'main', 'frame'], bytes: 195_000 }

const nameOf = (file: string): string => basename(file).replace(/-.{8}\.js$/, '')
const bytesOf = (files: readonly string[]): number => files.reduce((sum, file) => sum + statSync(file).size, 0)

/** The files of the program that are loaded before the first frame, without those that only pass on what another one exports. */
async function loadedForFirstFrame(home: Home, args: readonly string[]): Promise<string[]> {
  const list = join(home.path, 'loaded')
  const hook = fileURLToPath(new URL('../helpers/loaded-modules.ts', import.meta.url))
  const zotui = await open({ home, program: ['--import', hook, program, ...args], env: { LOADED_MODULES: list } })
  await zotui.see(/Resumed the session|demo-large/)
  await zotui.close()
  const loaded = readFileSync(list, 'utf8').split('\n')
  return loaded.filter(file => file.includes('/chunks/') && statSync(file).size > 1000)
}

describe('in a terminal', () => {
  test('says once per folder that zot runs tools without asking', async () => {
    const home = lastingHome()
    const other = join(home.path, 'other')
    mkdirSync(other)
    const notice = /without asking.*--read-only/s
    for (const [cwd, said] of [
      [home.project, true],
      [home.project, false],
      [other, true],
    ] as const) {
      const zotui = await openZot('echo', { home, cwd })
      await zotui.see(/zot 0\.3\.36/)
      if (said) await zotui.see(notice)
      expect(notice.test(zotui.screen().join('\n'))).toBe(said)
      await zotui.close()
    }
  })

  test('the header is live until hello, and is then printed once; early typing stays on the screen from its first frame on', async () => {
    // With colours the row of the draft is drawn once more when the terminal has told its background, for the colour of the band.
    const zotui = await openZot('gated', { env: { NO_COLOR: '1' } })
    await zotui.type('early bird')
    await zotui.see(/starting zot/)
    expect(zotui.screen().join('\n')).not.toContain('sonnet')
    letGo(zotui, 'hello')
    await zotui.see(/zotui \S+ +zot 0\.3\.36/)
    await zotui.gone(/starting/)
    zotui.committedOnce(['zot 0.3.36'])
    await expectDraft(zotui, 'early bird')
    const frames = zotui.bytes().toString().split('\x1b[?2026h').slice(1)
    expect(frames.filter(frame => frame.includes('early bird'))).toHaveLength(1)
  })

  test('shows the header, the main keys and a composer, with all that was typed before the first frame', async () => {
    const zotui = await open({ args: ['--demo'] })
    await zotui.type('early bird')
    await zotui.see(/demo-large/)
    await zotui.see(/~\/project$/m)
    await zotui.see(/Enter sends.*Esc stops.*all keys/)
    await expectDraft(zotui, 'early bird')
    expect(zotui.cursor().shown).toBe(true)
    // The terminal had echoed it before zotui could: that is gone, too.
    zotui.committedOnce(['early bird', 'zotui 0', 'Enter sends'])
  })

  test('Enter before the first frame sends nothing, and is a new line of the draft', async () => {
    const home = lastingHome()
    const hook = fileURLToPath(new URL('../helpers/wait-at-start.ts', import.meta.url))
    const env = { START_GATE: join(home.path, 'begin') }
    const zotui = await open({ home, program: ['--import', hook, program, '--demo'], env })
    await zotui.type('early')
    await zotui.press('enter')
    await zotui.type('bird')
    // The terminal echoes it.
    await zotui.see(/^early\nbird/m)
    letGo(zotui, 'begin')
    await zotui.see(/demo-large/)
    await expectDraft(zotui, 'bird')
    expect(zotui.screen()).toContainEqual(expect.stringMatching(/^▌ early$/))
  })

  test('the first frame waits for a bounded number of files and bytes', async () => {
    const home = lastingHome()
    const files = await loadedForFirstFrame(home, ['--demo'])
    expect(files.map(nameOf)).toEqual(FIRST_FRAME.files)
    expect(bytesOf(files)).toBeLessThan(FIRST_FRAME.bytes)
  })

  test('the first frame of a session that is resumed waits for one small file more', async () => {
    const home = lastingHome()
    const first = await openZot('echo', { home })
    await first.see(/anthropic\/sonnet/)
    await send(first, 'hello')
    await first.see(/You said: hello/)
    await first.close()
    const files = await loadedForFirstFrame(home, ['--zot', installZot(home, 'echo'), '--continue'])
    expect(files.map(nameOf).toSorted()).toEqual([...FIRST_FRAME.files, 'resume'].toSorted())
    expect(bytesOf(files)).toBeLessThan(FIRST_FRAME.bytes + 6000)
  })

  test('finds the zot in PATH; --cwd runs it in another folder, and --read-only, which is shown, with tools that only read', async () => {
    const zotui = await open({
      args: ['--cwd', '../elsewhere', '--read-only'],
      columns: 160,
      env: home => {
        mkdirSync(join(home.path, 'elsewhere'))
        installZot(home, 'echo')
        return { PATH: `${join(home.path, 'bin')}:${process.env['PATH']}` }
      },
    })
    await zotui.see(/zot 0\.3\.36/)
    await zotui.see(/~\/elsewhere/)
    await send(zotui, 'folder')
    await zotui.see(/at work in \S*\/elsewhere/)
    await zotui.see(/can only read/)
    await send(zotui, 'argv')
    await zotui.see(/started with rpc.* --no-tools/)
  })

  test('the git branch is shown beside the folder', async () => {
    const home = lastingHome()
    execFileSync('git', ['init', '-q', '-b', 'topic/one', home.project])
    const zotui = await openDemo({ home })
    await zotui.see(/~\/project +topic\/one/)
  })
})

describe('with a prompt', () => {
  test('joins the words and sends them at once', async () => {
    const zotui = await openDemo({ args: ['thanks', 'for', 'all'] })
    await zotui.see(/^▌ thanks for all$/m)
    await zotui.see('You are welcome')
  })

  test('passes flags to zot, and everything after -- unchanged, but no token of the environment', async () => {
    const zotui = await openZot('echo', {
      columns: 240,
      env: { ZOTCORE_RPC_TOKEN: 'secret' },
      args: ['--provider=anthropic', '--model', 'sonnet', '--no-ext', '--max-steps', '7', 'argv', '--', '--odd', 'x y'],
    })
    await zotui.see(/started with rpc .*--odd x y END/)
    for (const part of ['--provider anthropic', '--model sonnet', '--no-ext', '--max-steps 7'])
      await zotui.see(new RegExp(part))
    await send(zotui, 'token')
    await zotui.see('the token is not set')
  })
})

describe('a provider that zot does not know', () => {
  const words = 'zot knows no provider "antropic" (--provider). Did you mean anthropic?'

  test('is suggested before anything starts: the UI ends with exit code 2 and leaves the terminal as it was', async () => {
    const zotui = await openZot('providers', { args: ['--provider', 'antropic'], columns: 120 })
    expect(await zotui.exit()).toEqual({ code: 2, signal: null })
    expect(zotui.history().join('\n')).toContain(words)
  })

  test.each([[['-p', 'hello']], [['-p', '--background', 'hello']]])('ends %j, too', async args => {
    const home = lastingHome()
    const env = { ZOTUI_ZOT: installZot(home, 'providers') }
    expect(await run(['--provider=antropic', ...args], { env })).toEqual({
      code: 2,
      stdout: '',
      stderr: `zotui: ${words}`,
    })
  })

  test('is named with its place if the settings have it', async () => {
    const home = lastingHome()
    mkdirSync(join(home.path, '.config/zotui'), { recursive: true })
    writeFileSync(join(home.path, '.config/zotui/config.json'), '{\n  "provider": "deepsek"\n}')
    const zotui = await openZot('providers', { home, columns: 120 })
    expect(await zotui.exit()).toEqual({ code: 2, signal: null })
    await zotui.seeInHistory(/no provider "deepsek" \(.*config\.json.*\)\.\s+Did you mean deepseek\?/)
  })

  test('is no reason to stop where zot lists no providers', async () => {
    const zotui = await openZot('echo', { args: ['--provider', 'antropic', 'argv'], columns: 240 })
    await zotui.see(/started with rpc .*--provider antropic/)
  })
})

describe('without a zot', () => {
  test('a start without arguments opens the demo, and says how to install zot', async () => {
    const zotui = await open({ env: nowhere })
    await zotui.see(/zot was not found.*demo.*go install/s)
    await zotui.see(/demo-large/)
    await send(zotui, 'thanks')
    await zotui.see('You are welcome')
  })

  test.each([
    ['a prompt', ['fix', 'it']],
    ['a flag for zot', ['--model', 'x']],
    ['--zot with no such file', ['--zot', '/nowhere/zot']],
  ])('%s is never answered by a script', async (_, args) => {
    const zotui = await open({ args, env: nowhere })
    expect(await zotui.exit()).toEqual({ code: 1, signal: null })
    await zotui.see(/zotui: zot was not found.*go install/s)
  })

  test('does not open the demo without a terminal', async () => {
    const { code, stderr } = await run([], { env: nowhere })
    expect(stderr).toMatch(/^zotui: zot was not found.*go install.*\n?$/)
    expect(code).toBe(1)
  })
})

describe('without a terminal', () => {
  test('--help is complete and fits 80 columns', async () => {
    const { code, stdout } = await run(['--help'])
    expect(code).toBe(0)
    for (const flag of ['--demo', '--zot', '--cwd', '--prompt', '--read-only', '--append-system-prompt', '--insecure'])
      expect(stdout).toContain(flag)
    expect(stdout.split('\n').filter(line => line.length > 80)).toEqual([])
  })

  test('--version names the zot that was found', async () => {
    const home = lastingHome()
    const found = await run(['--version'], { env: { ZOTUI_ZOT: installZot(home, 'echo') } })
    expect(found.stdout).toMatch(/^zotui \d+\.\d+\.\d+ \(zot 0\.3\.36 at .*\/zot\)$/)
    const none = await run(['-v'], { env: nowhere })
    expect(none.stdout).toMatch(/^zotui \d+\.\d+\.\d+ \(no zot found\)$/)
    expect([found.code, none.code]).toEqual([0, 0])
  })

  test.each([
    // All others are in test/bin/arguments.test.ts.
    [['--modle', 'x'], /--modle/],
    [['--demo', '--model', 'x'], /--demo.*--model/],
    [['--cwd', '/nowhere'], /\/nowhere/],
  ])('%j is one line and exit code 2', async (args, words) => {
    const { code, stdout, stderr } = await run(args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^zotui: [^\n]+$/)
    expect(stderr).toMatch(words)
  })
})

describe('on a Node that is too old', () => {
  const old = olderNode()

  test.skipIf(old === null)('says which one it needs', async () => {
    const { code, stderr } = await run(['--demo'], { node: old ?? '' })
    expect(stderr).toMatch(/^zotui needs Node 22 or newer; this is Node \d+\.\S+\.$/)
    expect(code).toBe(1)
  })
})

/** A Node before 22 in the PATH of this machine, or null: then that story is skipped. */
function olderNode(): string | null {
  for (const folder of [...(process.env['PATH'] ?? '').split(':'), '/usr/bin', '/usr/local/bin']) {
    const node = join(folder, 'node')
    try {
      const version = execFileSync(node, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
      if (Number(/^v(\d+)/.exec(version)?.[1]) < 22) return node
    } catch {
      // There is none in this folder.
    }
  }
  return null
}
