/** The transcript viewer: reading, searching, opening and copying, on a screen of its own. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fill, type Home } from '../helpers/home.ts'
import { share, type OpenOptions, type Screen } from '../helpers/screen.ts'
import { turnEnd, turnEndAfter } from '../helpers/turn-end.ts'
import { expectDraft, letGo, openZot, ready, send, startAfresh } from './stage.ts'

const closes = /q closes/
const ended = turnEnd
const size = { columns: 100, rows: 30 }

/** Without the guard: it costs a quarter of the start, and nothing of it is seen here. */
async function openReading(prompt: string, options: OpenOptions = {}): Promise<Screen> {
  const zotui = await openZot('reading', { ...size, args: ['--no-guard'], ...options })
  await zotui.see(ready)
  await send(zotui, prompt)
  await zotui.see(ended)
  return zotui
}

const alternate = (zotui: Screen): boolean => zotui.mode(1049)
const chosen = (zotui: Screen): string[] => zotui.screen().filter(line => line.startsWith('┃'))

/** A clipboard that is a file, and the tool that writes it; an editor that shows what it was given. */
function desk(home: Home): Record<string, string> {
  const folder = join(home.path, 'tools')
  mkdirSync(folder)
  const program = (name: string, body: string): string => {
    writeFileSync(join(folder, name), `#!/bin/sh\n${body}\n`)
    chmodSync(join(folder, name), 0o755)
    return join(folder, name)
  }
  program('wl-copy', `/bin/cat > '${join(home.path, 'clipboard')}'`)
  const editor = program(
    'nvim',
    `echo "$@" > "$HOME/arguments"; for f; do :; done; /bin/cp "$f" "$HOME/opened"; echo the editor; read -r _`,
  )
  return { PATH: folder, WAYLAND_DISPLAY: 'wayland-0', EDITOR: editor }
}

/** The same with settings. */
function configured(home: Home): Record<string, string> {
  fill(home, { '.config/zotui/config.json': '{"mouse": false, "favouriteModels": ["haiku"]}' })
  return desk(home)
}

const left = (zotui: Screen, name: string): string | null => {
  const path = join(zotui.home.path, name)
  return existsSync(path) ? readFileSync(path, 'utf8') : null
}

async function comeBack(zotui: Screen): Promise<void> {
  if (alternate(zotui)) await zotui.type('q')
  await startAfresh(zotui)
}

/** A program that has read all, for tests that add nothing to it. */
const read = share(async () => {
  const zotui = await openReading('printing', { env: desk })
  await send(zotui, 'numbers')
  await zotui.see('number 200')
  await send(zotui, 'code')
  await zotui.see('That was all.')
  return zotui
}, comeBack)
/** One with settings, for tests that do not mind what was read before. */
const withOwnSettings = share(() => openReading('code', { env: configured }), comeBack)
/** One of any size. It forgets nothing: lines that wrap in another way are not those that were forgotten. */
const resized = share(
  () => openReading('code'),
  async zotui => {
    if (alternate(zotui)) await zotui.type('q')
    await zotui.see(ready)
  },
)

async function view(zotui: Screen): Promise<Screen> {
  await zotui.press('ctrl+o')
  await zotui.see(closes)
  return zotui
}

const viewing = async (shared: () => Promise<Screen>): Promise<Screen> => view(await shared())

/** A screen of this size with no more than `code` and the end of a long answer. */
async function readCode(columns: number, rows: number): Promise<Screen> {
  const zotui = await resized()
  zotui.resize(columns, rows)
  await send(zotui, 'numbers')
  await zotui.gone('That was all.')
  await zotui.see(/number 200\s+\d+:\d+/)
  await send(zotui, 'code')
  await zotui.see('That was all.')
  return zotui
}

const codes = (lines: readonly string[]): number => lines.filter(line => line === '  const one = 1').length

describe('opening and closing the viewer', () => {
  test('closing restores the screen and the draft', async () => {
    const zotui = await read()
    await zotui.type('half a draft')
    await expectDraft(zotui, 'half a draft')
    const before = zotui.screen()
    const history = zotui.history()
    await view(zotui)
    expect(alternate(zotui)).toBe(true)
    await zotui.type('q')
    await expectDraft(zotui, 'half a draft')
    expect(alternate(zotui)).toBe(false)
    expect(zotui.screen()).toEqual(before)
    expect(zotui.history()).toEqual(history)
    await zotui.type(' goes on')
    await expectDraft(zotui, 'half a draft goes on')
  })

  test('output that comes meanwhile is announced to a user who has scrolled up, followed at the end, and printed once', async () => {
    const zotui = await withOwnSettings()
    await send(zotui, 'growing')
    await view(zotui)
    await zotui.see(/number 200$/m)
    await zotui.press('pageup', 'pageup')
    await zotui.see(/number 140$/m)
    const before = zotui.screen().slice(0, -1)
    letGo(zotui, 'grow')
    await zotui.see('new below, press End')
    expect(zotui.screen().slice(0, -1)).toEqual(before)
    await zotui.press('end')
    await zotui.see('and the end of it.')
    await zotui.gone('new below')
    letGo(zotui, 'end')
    await zotui.see(ended)
    await zotui.press('esc')
    await zotui.see(ready)
    await zotui.seeInHistory('and the end of it.')
    const lines = zotui.history().map(line => line.trim())
    for (const number of [1, 100, 200]) expect(lines.filter(line => line === `• number ${number}`)).toHaveLength(1)
    expect(lines.filter(line => line === 'and the end of it.')).toHaveLength(1)
  })

  test('a resize redraws the viewer', async () => {
    const zotui = await readCode(100, 30)
    const before = codes(zotui.history())
    await view(zotui)
    zotui.resize(60, 20)
    await zotui.until('a page of the new size', { check: () => zotui.screen()[19]?.endsWith('closes') === true })
    await zotui.type('q')
    await zotui.see(ready)
    expect(codes(zotui.history())).toBe(before)
  })

  test.each([
    { name: 'taller and wider', columns: 60, rows: 25 },
    { name: 'taller', columns: 40, rows: 40 },
    { name: 'wider and lower', columns: 100, rows: 12 },
  ])('returns to a conversation longer than the screen, which is then $name', async ({ columns, rows }) => {
    const zotui = await view(await readCode(40, 14))
    zotui.resize(columns, rows)
    await zotui.until('a page of the new size', { check: () => zotui.screen()[rows - 1]?.endsWith('closes') === true })
    await zotui.type('q')
    await zotui.see(/^ {2}(anthropic\/)?sonnet/m)
    await zotui.see('That was all.')
    expect(codes(zotui.screen())).toBeLessThan(2)
  })

  test('Ctrl+Z and fg return to the viewer, which reports the end of the agent', async () => {
    const zotui = await openZot('reading', { args: ['--no-guard'], job: 'of the shell' })
    await zotui.see(ready)
    await view(zotui)
    await zotui.press('ctrl+z')
    await zotui.see('stopped, as it was')
    expect(alternate(zotui)).toBe(false)
    await zotui.press('enter')
    await zotui.see(closes)
    expect(alternate(zotui)).toBe(true)
    await zotui.type('q')
    await zotui.see(ready)

    await view(zotui)
    const [zot] = zotui.children()
    process.kill(zot?.pid ?? 0, 'SIGKILL')
    await zotui.see(/zot exited/)
    await zotui.type('q')
    await zotui.see(/^┃/m)
  })
})

describe('blocks', () => {
  test('Enter opens and closes the whole output of a tool', async () => {
    const zotui = await viewing(read)
    await zotui.type('{{{')
    await zotui.see('+57 lines')
    await zotui.press('tab', 'tab')
    await zotui.until('the tool to be chosen', { check: () => chosen(zotui)[0]?.includes('bash') === true })
    await zotui.press('enter')
    await zotui.see('printed 20')
    await zotui.gone('+57 lines')
    await zotui.press('enter')
    await zotui.see('+57 lines')
  })

  test('every kind of block can be closed', async () => {
    const zotui = await viewing(read)
    await zotui.type('{{')
    await zotui.press('tab')
    await zotui.type(' ')
    await zotui.see(/\+199 lines/)
    await zotui.type(' ')
    await zotui.gone(/\+199 lines/)
  })

  test('{ and } go from prompt to prompt', async () => {
    const zotui = await viewing(read)
    await zotui.type('{')
    await zotui.until('the last prompt', { check: () => chosen(zotui).some(line => line.includes('▌ code')) })
    await zotui.type('{{')
    await zotui.until('the first prompt', { check: () => chosen(zotui).some(line => line.includes('▌ printing')) })
    await zotui.type('}')
    await zotui.until('the second prompt', { check: () => chosen(zotui).some(line => line.includes('▌ numbers')) })
    await zotui.type('}')
    await zotui.until('the last prompt', { check: () => chosen(zotui).some(line => line.includes('▌ code')) })
  })

  test('choosing a turn in the list jumps to it', async () => {
    const zotui = await viewing(read)
    await zotui.type('t')
    await zotui.see(/1 {2}printing[^]*2 {2}numbers[^]*3 {2}code/)
    await zotui.type('numb')
    await zotui.gone(/3 {2}code/)
    await zotui.press('enter')
    await zotui.see(/^┃ ▌ numbers/m)
  })
})

describe('the search', () => {
  test('searches closed blocks, counts matches, and steps through them', async () => {
    const zotui = await viewing(read)
    await zotui.type('/')
    await zotui.type('printed 3')
    await zotui.see('11 found')
    await zotui.press('enter')
    await zotui.see(/match 1 of 11 for printed 3/)
    await zotui.see(/printed 3$/m)
    expect(zotui.drawn('printed 3')?.inverse).toBe(true)
    await zotui.type('n')
    await zotui.see(/2 of 11/)
    await zotui.type('NN')
    await zotui.see(/11 of 11/)
    await zotui.press('esc')
    await zotui.gone('for printed')
    expect(alternate(zotui)).toBe(true)
  })

  test('is over with q, which closes the viewer while matches are shown, too', async () => {
    const zotui = await viewing(read)
    await zotui.type('/printed 3')
    await zotui.press('enter')
    await zotui.see(/match 1 of 11 for printed 3/)
    await zotui.type('q')
    await zotui.until('the viewer to close', { check: () => !alternate(zotui) })
  })

  test('fast typing in the search triggers no keys', async () => {
    const zotui = await viewing(read)
    await zotui.raw('/printed 3')
    await zotui.see('11 found')
    await zotui.press('esc')
    await zotui.gone('11 found')
    await zotui.raw('qback')
    await expectDraft(zotui, 'back')
  })

  test('reports that nothing matches', async () => {
    const zotui = await viewing(read)
    await zotui.type('/')
    await zotui.type('nowhere')
    await zotui.press('enter')
    await zotui.see('No matches for nowhere')
    await zotui.press('esc')
    await zotui.gone('nowhere')
  })
})

test('the list of keys fits any terminal', async () => {
  const zotui = await resized()
  zotui.resize(40, 12)
  await view(zotui)
  await zotui.type('?')
  await zotui.see('a line up')
  await zotui.press('end')
  await zotui.see(/^ {2}\?\s+these keys$/m)
  await zotui.see(/q, .*\s+close$/m)
  await zotui.press('home')
  await zotui.see('a line up')
  await zotui.press('esc')
  await zotui.gone('a line up')
})

describe('copying and exporting from the viewer', () => {
  test('c copies code exactly as it was written', async () => {
    const zotui = await viewing(read)
    await zotui.press('shift+tab')
    await zotui.until('the code', { check: () => chosen(zotui).some(line => line.includes('echo two')) })
    await zotui.type('c')
    await zotui.see('Copied the code (wl-copy).')
    expect(left(zotui, 'clipboard')).toBe('echo two\n  indented')
    await zotui.press('shift+tab', 'shift+tab')
    await zotui.until('the first code', { check: () => chosen(zotui).some(line => line.includes('const one')) })
    await zotui.type('c')
    await zotui.until('the clipboard', {
      check: () => left(zotui, 'clipboard') === 'const one = 1\n\tindented = `by a tab`  ',
    })
    await zotui.type('C')
    await zotui.see('Copied the answer')
    expect(left(zotui, 'clipboard')).toContain('```sh\n   echo two')
  })

  test('[ prints plain text into the scrollback', async () => {
    const zotui = await viewing(read)
    await zotui.type('[')
    await zotui.seeInHistory('## Agent')
    await zotui.see(ready)
    expect(alternate(zotui)).toBe(false)
    expect(zotui.history()).toContain('```ts')
    await zotui.type('goes on')
    await expectDraft(zotui, 'goes on')
  })

  test('v opens the session in the editor and returns', async () => {
    const zotui = await viewing(read)
    await zotui.type('v')
    await zotui.see('the editor')
    expect(alternate(zotui)).toBe(false)
    expect(left(zotui, 'opened')).toContain('> code')
    // Neither is there for the other.
    await zotui.press('enter')
    await zotui.see(closes)
    expect(alternate(zotui)).toBe(true)
  })

  test('x exports the conversation', async () => {
    const zotui = await viewing(read)
    await zotui.type('x')
    await zotui.see('Written:')
    expect(readdirSync(zotui.cwd).some(name => name.endsWith('.md'))).toBe(true)
  })
})

async function openPanel(zotui: Screen): Promise<void> {
  await view(zotui)
  await zotui.press('shift+tab')
  await zotui.until('the tool to be chosen', { check: () => chosen(zotui)[0]?.includes('bash') === true })
  await zotui.press('enter')
}

test('a tool output that is too long for memory is read from the session, copied in full, and cut without it', async () => {
  const zotui = await withOwnSettings()
  await send(zotui, 'printing much')
  await zotui.see(turnEndAfter(/see the viewer or \/export/))
  await openPanel(zotui)
  await zotui.see(/of 9\d{3} /)
  await zotui.type('/')
  await zotui.type('printed 4500')
  await zotui.see('1 found')
  await zotui.press('enter')
  await zotui.see(/printed 4500$/m)
  await zotui.type('c')
  await zotui.see('Copied the output of bash (wl-copy).')
  expect(left(zotui, 'clipboard')?.split('\n')).toHaveLength(9000)
  await zotui.press('esc')
  await zotui.type('q')
  await zotui.see(ready)

  const sessions = join(zotui.home.path, '.local/state/zotui/sessions')
  renameSync(sessions, `${sessions}-aside`)
  await openPanel(zotui)
  await zotui.press('end')
  await zotui.see("omitted and not in this session's file")
  await zotui.see(/printed 9000$/m)
  await zotui.type('v')
  await zotui.see('the editor')
  await zotui.press('enter')
  await zotui.see('1 long tool output is shortened: this session does not have the rest.')
  renameSync(`${sessions}-aside`, sessions)
})

describe('the mouse', () => {
  const wheelUp = '\u001B[<64;10;5M'

  test('the wheel scrolls, a click chooses a block and another one closes it', async () => {
    const zotui = await viewing(read)
    await zotui.see('That was all.')
    expect(zotui.mode(1000)).toBe(true)
    await zotui.raw(wheelUp.repeat(2))
    await zotui.gone('That was all.')
    await zotui.raw('\u001B[<0;10;3M\u001B[<0;10;3m')
    await zotui.until('a block', { check: () => chosen(zotui).length > 3 })
    await zotui.raw('\u001B[<0;10;3M\u001B[<0;10;3m')
    await zotui.see('+199 lines')
  })

  test('the setting mouse leaves it to the terminal', async () => {
    const zotui = await viewing(withOwnSettings)
    expect(zotui.mode(1000)).toBe(false)
    await zotui.type('q')
    await zotui.see(ready)
  })
})

const inTmux = { TMUX: '/tmp/tmux-0/default,1,0', SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22' }

/** A tmux that keeps what it is given. */
const withTmux = (home: Home): Record<string, string> => {
  const { PATH = '' } = desk(home)
  writeFileSync(join(PATH, 'tmux'), `#!/bin/sh\necho "$@" > "$HOME/arguments"; /bin/cat > "$HOME/clipboard"\n`)
  chmodSync(join(PATH, 'tmux'), 0o755)
  return { ...inTmux, PATH }
}

describe('/copy', () => {
  test.each([
    ['/copy', 'echo two\n  indented', 'Copied code 2 of 2 (wl-copy).'],
    ['/copy 1', 'const one = 1\n\tindented = `by a tab`  ', 'Copied code 1 of 2 (wl-copy).'],
  ])('%s copies exactly what was written', async (command, text, words) => {
    const zotui = await read()
    await send(zotui, command)
    await zotui.see(words)
    expect(left(zotui, 'clipboard')).toBe(text)
  })

  test('Alt+C copies too, and a wrong number lists the possible ones', async () => {
    const zotui = await read()
    await zotui.press('alt+c')
    await zotui.see('Copied code 2 of 2')
    await send(zotui, '/copy 7')
    await zotui.see('The last answer has 2 code blocks.')
    await send(zotui, '/copy answer')
    await zotui.see('Copied the answer')
    expect(left(zotui, 'clipboard')).toContain('1. in a list')
  })

  test('uses the terminal over ssh', async () => {
    const zotui = await openReading('code', { env: { SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22' } })
    await zotui.press('alt+c')
    await zotui.see('Copied code 2 of 2, through the terminal (OSC 52).')
    expect(zotui.bytes().toString()).toContain(`\u001B]52;c;${Buffer.from('echo two\n  indented').toString('base64')}`)
  })

  test('uses tmux within tmux', async () => {
    const zotui = await openReading('code', { env: withTmux })
    await zotui.press('alt+c')
    await zotui.see('Copied code 2 of 2, through tmux.')
    expect(left(zotui, 'arguments')).toBe('load-buffer -w -\n')
    expect(left(zotui, 'clipboard')).toBe('echo two\n  indented')
  })

  test('asks the terminal directly and through tmux if the program tmux is missing', async () => {
    const zotui = await openReading('code', { env: home => ({ ...inTmux, PATH: desk(home)['PATH'] ?? '' }) })
    await zotui.press('alt+c')
    await zotui.see('through the terminal (OSC 52), if tmux allows it.')
    const asks = `52;c;${Buffer.from('echo two\n  indented').toString('base64')}`
    expect(zotui.bytes().toString()).toContain(`\u001B]${asks}\u001B\\`)
    expect(zotui.bytes().toString()).toContain(`\u001BPtmux;\u001B\u001B]${asks}`)
  })

  test('saves the text to a file if nothing else takes it', async () => {
    const zotui = await openReading('code', { columns: 140, env: { VTE_VERSION: '6800' } })
    await zotui.press('alt+c')
    await zotui.see(/No clipboard can be reached; code 2 of 2 is in \S+copied\.txt/)
    const path = /is in (\S+)/.exec(zotui.screen().join('\n'))?.[1] ?? ''
    expect(readFileSync(path, 'utf8')).toBe('echo two\n  indented')
  })
})

describe('favourite models', () => {
  test('are listed first, and Alt with a number switches to one', async () => {
    const zotui = await withOwnSettings()
    await zotui.press('alt+p')
    await zotui.see(/haiku[^]*sonnet +anthropic/)
    await zotui.press('esc')
    await zotui.press('alt+1')
    await zotui.see(/^ {2}anthropic\/haiku/m)
    await zotui.press('alt+2')
    await zotui.see('You have no favourite model 2')
  })
})
