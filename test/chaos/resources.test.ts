/** The machine fails: no room, no rights, no home, no descriptors. */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { describe, expect, test } from 'vitest'
import type { Home } from '../helpers/home.ts'
import { open, type OpenOptions, type Screen } from '../helpers/screen.ts'
import {
  expectDraft,
  installZot,
  lastingHome,
  letGo,
  openQuickDemo,
  openZot,
  program,
  ready,
  send,
} from '../stories/stage.ts'

async function expectUsable(zotui: Screen): Promise<void> {
  await zotui.see(ready)
  await send(zotui, 'hello')
  await zotui.see('You said: hello.')
  await zotui.type('a draft')
  await expectDraft(zotui, 'a draft')
}

/** Opens the program under `sh`, after some of its words, such as `ulimit`. */
async function openUnder(words: string, agent = 'echo', { env, ...options }: OpenOptions = {}): Promise<Screen> {
  const variables = (home: Home) => ({
    ZOTUI_ZOT: installZot(home, agent),
    ...(typeof env === 'function' ? env(home) : env),
  })
  return open({ ...options, env: variables, under: words })
}

/** Whether an unprivileged user can mount a file system for their own programs; some systems refuse. */
const canMount = ((): boolean => {
  try {
    execFileSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'none', '/mnt'], { stdio: 'ignore' })
    return true
  } catch {
    process.stderr.write(
      '\n!! SKIPPED: a disk that is full or read-only: nothing can be mounted here without more rights\n',
    )
    return false
  }
})()

const mounted = (flags: string): string =>
  `exec unshare -rm sh -c 'mount -t tmpfs ${flags} none "$XDG_STATE_HOME" && exec "$@"' sh "$@"`

describe('the disk', () => {
  test.runIf(canMount)('that is full is reported once, and the work goes on', async () => {
    const home = stateHome()
    const zotui = await openUnder(mounted('-o size=4k'), 'echo', { home, rows: 40 })
    await expectUsable(zotui)
    await zotui.see(/cannot be (kept|written|saved)/)
  })

  test.runIf(canMount)(
    'fills up: the drafts of before stay whole, and new ones are kept when there is room again',
    async () => {
      const zotui = await openUnder(mounted('-o size=512k'), 'echo', { home: stateHome(), columns: 120, rows: 40 })
      await expectUsable(zotui)
      await zotui.press('ctrl+u')
      const kept = '"$XDG_STATE_HOME"/zotui/drafts/*/*/state.json'
      const run = async (line: string, words: RegExp): Promise<void> => {
        await zotui.type(`!${line}`)
        await zotui.press('enter')
        await zotui.see(words)
      }
      await zotui.type('words of before')
      await expectDraft(zotui, 'words of before')
      await zotui.press('ctrl+s')
      await run(`until grep -q 'words of before' ${kept}; do :; done; echo kept`, /^ +kept$/m)
      await run('head -c 600000 /dev/zero > "$XDG_STATE_HOME"/fill; echo filled', /^ +filled$/m)
      await zotui.paste('words for a full disk '.repeat(2000))
      await zotui.see(/Pasted #1/)
      await zotui.seeInHistory(/Unsent text cannot be saved/)
      await zotui.press('ctrl+u')
      await run(`echo whole: $(grep -c '"stash":"words of before"\\|"draft":"words of before"' ${kept})`, /whole: 1$/m)
      await run('rm "$XDG_STATE_HOME"/fill; echo emptied', /^ +emptied$/m)
      await zotui.type('words of after')
      await expectDraft(zotui, 'words of after')
      await zotui.press('ctrl+s')
      await zotui.press('ctrl+u')
      await run(`until grep -q 'words of after' ${kept}; do :; done; echo again`, /^ +again$/m)
    },
  )

  test.runIf(canMount)('that is read-only is reported once, and the work goes on', async () => {
    const zotui = await openUnder(mounted('-o ro'), 'echo', { home: stateHome(), rows: 40 })
    await expectUsable(zotui)
    await zotui.see(/cannot be (kept|written|saved)/)
  })

  test('that limits files to one block does not end the program', async () => {
    const zotui = await openUnder('ulimit -f 1; exec "$@"', 'echo', { rows: 40 })
    await expectUsable(zotui)
    await zotui.seeInHistory(/cannot be (kept|written|saved)/)
  })
})

/** A home in which the folder for state can be mounted upon. */
function stateHome(): Home {
  const home = lastingHome()
  mkdirSync(join(home.path, '.local', 'state'), { recursive: true })
  return home
}

const homeAt = (path: string): string =>
  ['HOME', 'XDG_STATE_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_CACHE_HOME']
    .map(name => `${name}=${path}`)
    .join(' ')

describe('the environment', () => {
  test.each([
    ['a home where a file stands', 'HOME=/dev/null XDG_STATE_HOME=/dev/null/x XDG_CONFIG_HOME=/dev/null/y exec "$@"'],
    ['a home on procfs, where nothing can be made', `${homeAt('/proc')} exec "$@"`],
    ['a home in a process', `${homeAt('/proc/self')} exec "$@"`],
    ['a home that is a device', `${homeAt('/dev/full')} exec "$@"`],
    ['no HOME', 'unset HOME USERPROFILE; exec "$@"'],
    ['no PATH', 'unset PATH; exec "$@"'],
    [
      'a PATH, the agent and a mode, and nothing else',
      'exec /usr/bin/env -i PATH="$PATH" ZOTUI_ZOT="$ZOTUI_ZOT" ZOTUI_PERMISSIONS=allow "$@"',
    ],
  ])('%s', async (_, words) => {
    await expectUsable(await openUnder(words))
  })

  test.each([
    ['no TERM', 'unset TERM COLORTERM; exec "$@"'],
    ['TERM=dumb', 'TERM=dumb exec "$@"'],
    ['an unknown TERM', 'TERM=no-such-terminal exec "$@"'],
    ['the locale C', 'LC_ALL=C LANG=C exec "$@"'],
  ])('%s', async (_, under) => {
    const zotui = await openQuickDemo({ under })
    await send(zotui, 'thanks')
    await zotui.see('You are welcome')
    await zotui.type('a draft')
    await expectDraft(zotui, 'a draft')
  })
})

test('survives a clock that jumps by days, forward and back', async () => {
  const home = stateHome()
  const jumping = join(home.path, 'jumping.mjs')
  writeFileSync(
    jumping,
    `const { now } = Date
    let jumps = 0
    Date.now = () => now() + [0, 3, -3][(jumps += 1) % 3] * 86_400_000`,
  )
  const zotui = await openUnder(`NODE_OPTIONS='--import ${jumping}' exec "$@"`, 'echo', { home })
  await expectUsable(zotui)
  await zotui.press('ctrl+u')
  await send(zotui, '/resume')
  await zotui.see('this one')
  await zotui.press('esc')
  await zotui.gone('this one')
  await send(zotui, 'again')
  await zotui.see('You said: again.')
})

test.each([
  ['back an hour', -3_600_000],
  ['forward a year', 365 * 86_400_000],
])('a clock that jumps %s during a turn and while a call waits decides nothing, and stops nothing', async (_, by) => {
  const home = stateHome()
  const [jumping, offset] = [join(home.path, 'jumping.mjs'), join(home.path, 'offset')]
  const script = join(home.path, 'script')
  const call = { id: 't1', name: 'bash', args: { command: 'touch made' } }
  writeFileSync(script, JSON.stringify([{ calls: [call] }, { text: 'Changed.' }]))
  writeFileSync(
    jumping,
    `import { readFileSync } from 'node:fs'
    const { now } = Date
    let by = 0
    Date.now = () => now() + by
    if (process.argv[1]?.endsWith('zotui.js')) process.on('SIGUSR2', () => (by = Number(readFileSync('${offset}', 'utf8'))))`,
  )
  const under = `NODE_OPTIONS='--import ${jumping}' exec "$@"`
  const env = { ZOTUI_PERMISSIONS: 'ask', ZOT_SCRIPT: script, ZOT_HOLD: join(home.path, 'change') }
  const zotui = await openZot('guardable', { home, under, env, isGuarded: true, rows: 40 })
  const jump = (to: number): void => {
    writeFileSync(offset, String(to))
    zotui.kill('SIGUSR2')
  }
  const spinner = (): string => /^(.) .*Esc stops/m.exec(zotui.screen().slice(5).join('\n'))?.[1] ?? ''
  await zotui.see(ready)
  await send(zotui, 'work')
  await zotui.see(/thinking.*Esc stops/)
  jump(by)
  const seen = new Set<string>()
  await zotui.until('the spinner to turn', { check: () => seen.add(spinner()).size > 3 })
  letGo(zotui, 'change')
  await zotui.see('Run this command?')
  jump(-by)
  await zotui.see(/› .*Yes/)
  expect(existsSync(join(home.project, 'made'))).toBe(false)
  await zotui.press('enter')
  await zotui.see('Changed.')
  await zotui.see(/1 tool/)
  expect(existsSync(join(home.project, 'made'))).toBe(true)
  expect(zotui.history().join('\n')).not.toMatch(/-\d+(?:\.\d)?[smhd]\b|\d+[hd]\d\d|NaN/)
  // The use was noted on the day of the turn's begin.
  jump(0)
  await send(zotui, '/usage')
  await zotui.see('30 days')
  expect(zotui.screen().join('\n')).not.toMatch(/-\d+(?:\.\d)?[smhd]\b|NaN/)
  await zotui.press('esc')
  expect(zotui.history().join('\n')).not.toMatch(/-\d+(?:\.\d)?[smhd]\b|NaN/)
})

test('with a home that does not answer is reported after 5 s, and the program ends', async () => {
  const home = stateHome()
  const silent = join(home.path, 'silent.mjs')
  writeFileSync(
    silent,
    `import fs from 'node:fs'
    import { syncBuiltinESMExports } from 'node:module'
    fs.stat = () => undefined
    syncBuiltinESMExports()`,
  )
  const zotui = await openUnder(`NODE_OPTIONS='--import ${silent}' exec "$@"`, 'echo', { home, columns: 300 })
  await zotui.seeInHistory(/zotui: .*zotui does not respond.*XDG_STATE_HOME.*XDG_CACHE_HOME/s)
  expect(await zotui.exit()).toEqual({ code: null, signal: 'SIGKILL' })
})

describe('processes', () => {
  test.each([
    ['that is not there', (): void => undefined, /zot was not found.*demo.*Install it/s],
    [
      'that may not be executed',
      (path: string) => writeFileSync(path, 'x', { mode: 0o600 }),
      /not executable|not found/,
    ],
    ['of no known kind', (path: string) => writeFileSync(path, '\0\u0001', { mode: 0o755 }), /zot ended, \/restart/],
  ])('an agent %s', async (_, make, words) => {
    const home = stateHome()
    const path = join(home.path, 'zot')
    make(path)
    const zotui = await open({ home, env: { ZOTUI_ZOT: path } })
    await zotui.see(words)
  })

  // Node itself needs about twenty. Each number ends at another place of the start.
  test.each([24, 25, 26, 28, 30])('no file descriptors are left: there are %i', async most => {
    const zotui = await openUnder(`ulimit -n ${most}; exec "$@"`, 'echo', { rows: 40 })
    await zotui.see(/anthropic|EMFILE|could not be started/)
    await zotui.type('a draft')
    await expectDraft(zotui, 'a draft')
    expect(zotui.history().join(' ')).not.toMatch(/bug in zotui/)
  })
})

describe('the installation', () => {
  test.each(['behind', 'ui', 'ink'])('lacks a file, %s: the start says so and gives the terminal back', async name => {
    const home = stateHome()
    const folder = join(home.path, 'installed')
    cpSync(dirname(program), folder, { recursive: true })
    const chunks = join(folder, 'chunks')
    for (const file of readdirSync(chunks)) if (file.startsWith(`${name}-`)) rmSync(join(chunks, file))
    const zotui = await open({ home, args: ['--demo'], program: [join(folder, 'zotui.js')], columns: 200 })
    expect(await zotui.exit()).toEqual({ code: 1, signal: null })
    expect(zotui.history().join(' ')).toMatch(/zotui: a file of zotui is missing.* install it again\./)
  })
})
