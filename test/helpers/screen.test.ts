import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { encode } from './keys.ts'
import { open, type OpenOptions } from './screen.ts'

/** A tiny program in the terminal: `code` may use `write`, and `keys(fn)` to hear what is typed. */
const run = (code: string, options: OpenOptions = {}) =>
  open({
    ...options,
    program: [
      '-e',
      `const write = text => process.stdout.write(text)
       const keys = hear => { process.stdin.setRawMode(true); process.stdin.on('data', data => hear(String(data))) }
       ${code}`,
    ],
  })

/** Sends `query` and shows all that came back, up to the answer to DA1. */
const ask = (query: string) =>
  `let got = ''
   keys(text => { got += text; if (got.endsWith('c')) { write(JSON.stringify(got)); process.exit() } })
   write(${JSON.stringify(query)} + '\\x1b[c')`

/** Draws three frames of `height` rows over each other. */
const frames = (height: number) =>
  `const frame = n => '\\x1b[?2026h' + (n ? '\\x1b[2K\\x1b[1A'.repeat(${height} - 1) + '\\x1b[2K\\x1b[G' : '') +
     Array.from({ length: ${height} }, (_, i) => 'row ' + i + ' of frame ' + n).join('\\n\\r') + '\\x1b[?2026l'
   for (let n = 0; n < 3; n++) write(frame(n))`

describe('a look at the screen', () => {
  test('waits for text and finds it by string and by pattern', async () => {
    const program = await run(`write('one\\r\\n'); setTimeout(() => write('two'), 100)`)
    await program.see('two')
    await program.see(/one\s+two/)
    expect(program.screen().slice(0, 3)).toEqual(['$ zotui', 'one', 'two'])
    expect(await program.exit()).toEqual({ code: 0, signal: null })
  })

  test('fails at the deadline and shows the screen', async () => {
    const program = await run(`write('here I am'); keys(() => process.exit())`)
    await program.see('here')
    await expect(program.see('nobody', { timeout: 50 })).rejects.toThrow(/nobody.*not within 50 ms[\s\S]*here I am/)
  })

  test('fails at once when the program ends without the text', async () => {
    const program = await run(`write('bye'); process.exitCode = 3`)
    await expect(program.see('hello')).rejects.toThrow(/ended first, exited with 3[\s\S]*bye/)
  })

  test('sees what scrolled away in the history only', async () => {
    const program = await run(`for (let i = 0; i < 100; i++) write('line ' + i + '.\\r\\n')`)
    await program.seeInHistory('line 3.')
    await program.see('line 99.')
    await program.gone('line 3.')
    program.committedOnce(['line 3.', 'line 99.'])
    expect(() => program.committedOnce(['line 100.'])).toThrow('stands there 0 times')
    expect(() => program.committedOnce(['line ', 'line 5.'])).toThrow('"line " stands there 100 times')
  })

  test('sees nothing above the place at which it forgot, but what is written into the blank rows above it', async () => {
    const program = await run(
      `write('old\\r\\n\\r\\nhere'); keys(() => { write('\\x1b[Alate\\r\\n and new\\r\\n' + 'more\\r\\n'.repeat(30)); process.exit() })`,
    )
    await program.see('here')
    program.forget()
    expect(program.screen().slice(0, 4)).toEqual(['', '', '', 'here'])
    await program.press('x')
    await program.exit()
    expect(
      program
        .history()
        .slice(0, 2)
        .map(row => row.trim()),
    ).toEqual(['late', 'and new'])
    expect(program.drawn('old')).toBeUndefined()
  })

  test('never looks into an unfinished frame', async () => {
    const program = await run(`write('\\x1b[?2026hhalf '); keys(() => { write('whole\\x1b[?2026l'); process.exit() })`)
    await expect(program.see('half', { timeout: 300 })).rejects.toThrow('bytes of an unfinished frame')
    await program.press('x')
    await program.see('half whole')
  })

  test('a frame may be cut anywhere', async () => {
    const program = await run(
      `const bytes = Buffer.from('a\\x1b[?2026hé👩‍👩‍👧b\\x1b[?2026lc')
       let at = 0
       const step = () => at < bytes.length ? process.stdout.write(bytes.subarray(at, ++at), () => setTimeout(step, 2)) : 0
       step()`,
    )
    await program.see('aé👩‍👩‍👧bc')
    expect(program.cursor()).toEqual({ row: 1, column: 6, shown: true })
  })

  test('says how text is drawn', async () => {
    const program = await run(`write('日本 \\x1b[1;38;2;1;2;3mbold\\x1b[0m \\x1b[2;31mdim\\x1b[0m')`)
    await program.see('dim')
    expect(program.drawn('bold')).toMatchObject({ bold: true, dim: false, color: '#010203', background: 'default' })
    expect(program.drawn('dim')).toMatchObject({ bold: false, dim: true, color: '1' })
    expect(program.drawn('nothing')).toBeUndefined()
  })
})

describe('the simulated user', () => {
  test('types, presses and pastes', async () => {
    const program = await run(
      `keys(text => { write(JSON.stringify(text) + ' '); if (text === '\\x04') process.exit(130) }); write('ready ')`,
    )
    await program.see('ready')
    await program.type('hé')
    await program.press('enter')
    await program.see('"hé" "\\r"')
    await program.press('esc', 'up')
    await program.see('"\\u001b" "\\u001b[A"')
    await program.paste('a\nb')
    await program.see('"a\\rb"')
    await program.press('ctrl+d')
    expect(await program.exit()).toEqual({ code: 130, signal: null })
  })

  test('pastes between marks where the program asked for them', async () => {
    const program = await run(
      `keys(text => { write(JSON.stringify(text) + '\\x1b[?2004l'); process.exit() }); write('\\x1b[?2004hready')`,
    )
    await program.see('ready')
    await program.paste('a\nb')
    await program.see('"\\u001b[200~a\\rb\\u001b[201~"')
    expect(await program.exit()).toEqual({ code: 0, signal: null })
  })

  test('keys follow the kitty protocol when the program pushed it and the terminal knows it', async () => {
    const code = `keys(text => { write(JSON.stringify(text) + '\\x1b[<u'); process.exit() }); write('\\x1b[>1uready')`
    const modern = await run(code, { terminal: { kitty: true } })
    await modern.see('ready')
    await modern.press('shift+enter')
    await modern.see('"\\u001b[13;2u"')

    const old = await run(code)
    await old.see('ready')
    await expect(old.press('shift+enter')).rejects.toThrow('cannot send shift+enter')
    await old.press('alt+enter')
    await old.see('"\\u001b\\r"')
  })

  test('resizes the terminal', async () => {
    const program = await run(
      `const size = () => write(process.stdout.columns + 'x' + process.stdout.rows + ' ')
       size(); process.stdout.on('resize', () => { size(); process.exit() }); keys(() => {})`,
    )
    await program.see('80x24')
    program.resize(60, 12)
    await program.see('60x12')
    expect(program.screen()).toHaveLength(12)
  })
})

describe('the terminal', () => {
  test('answers queries by its traits', async () => {
    const query = '\x1b]11;?\x07\x1b[?2026$p\x1b[?u\x1b[>q'
    const common = await run(ask(query))
    await common.see('"\\u001b]11;rgb:1414/1818/1c1c\\u001b\\\\\\u001b[?2026;2$y\\u001b[?1;2c"', { where: 'screen' })
    const modern = await run(ask(query), {
      columns: 200,
      terminal: { background: 'light', kitty: true, synchronized: false, name: 'foot(1.2)' },
    })
    await modern.see('rgb:fdfd/f6f6/e3e3\\u001b\\\\\\u001b[?2026;0$y\\u001b[?0u\\u001bP>|foot(1.2)\\u001b\\\\')
    expect(await modern.exit()).toEqual({ code: 0, signal: null })
  })

  test('may never answer', async () => {
    const program = await run(`keys(text => { write(JSON.stringify(text)); process.exit() }); write('\\x1b[cready')`, {
      terminal: { answers: false },
    })
    await program.see('ready')
    await program.press('x')
    await program.see('"x"')
    expect(await program.exit()).toEqual({ code: 0, signal: null })
  })
})

describe('a forbidden act of a program', () => {
  test.each([
    ['wiping the screen', `write('\\x1b[2J')`, 'wrote CSI 2J'],
    ['wiping the scrollback', `write('\\x1b[3J')`, 'wrote CSI 3J'],
    ['resetting the terminal', `write('\\x1bc')`, 'wrote ESC c'],
    ['leaving paste marks on', `write('\\x1b[?2004h')`, 'bracketed paste (?2004) left on'],
    ['leaving the cursor hidden', `write('\\x1b[?25l')`, 'cursor shown (?25) left off'],
    ['leaving the mouse on', `write('\\x1b[?1002;1006h')`, 'mouse drags (?1002) left on'],
    ['staying on the alternate screen', `write('\\x1b[?1049h')`, 'alternate screen (?1049) left on'],
    ['leaving the kitty keyboard pushed', `write('\\x1b[>1u')`, 'kitty keyboard: 1 pushed'],
    ['an unfinished frame', `write('\\x1b[?2026hx')`, 'synchronized output (?2026) left on'],
    ['drawing above its first row', `write('x\\x1b[5A')`, 'above the screen'],
  ])('%s is caught', async (_name, code, words) => {
    const program = await run(code)
    await program.exit()
    await expect(program.close()).rejects.toThrow(words)
  })

  test('is not a mode that was restored', async () => {
    const program = await run(
      `write('\\x1b[?1049h\\x1b[?25l\\x1b[?2004h\\x1b[>1u\\x1b[?1h\\x1b[?2026hx\\x1b[?2026l')
       write('\\x1b[?1l\\x1b[<u\\x1b[?2004l\\x1b[?25h\\x1b[?1049l')`,
    )
    await program.exit()
    await expect(program.close()).resolves.toBeUndefined()
  })

  test('is a live zone as tall as the screen, and not one row less', async () => {
    const fits = await run(frames(9), { rows: 10 })
    await fits.exit()
    expect(fits.tallest).toBe(9)
    await fits.close()

    const full = await run(frames(10), { rows: 10 })
    await full.exit()
    await expect(full.close()).rejects.toThrow('live zone of 10 rows drawn again; the screen allows 9')

    const taller = await run(frames(12), { rows: 10 })
    await taller.exit()
    await expect(taller.close()).rejects.toThrow('above the screen')
  })

  test('is to leave modes changed, also for a program that has to be ended', async () => {
    const code = `write('\\x1b[?25lready'); keys(() => {})`
    const careful = await run(`process.on('SIGTERM', () => { write('\\x1b[?25h'); process.exit(143) }); ${code}`)
    await careful.see('ready')
    await careful.close()
    expect(await careful.exit()).toEqual({ code: 143, signal: null })

    const careless = await run(code)
    await careless.see('ready')
    await expect(careless.close()).rejects.toThrow('cursor shown (?25) left off')
    expect(await careless.exit()).toEqual({ code: null, signal: 'SIGTERM' })
  })

  test('is to leave a child behind, which is ended', async () => {
    const program = await run(
      `require('child_process').spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' }); keys(() => {}); write('ready')`,
    )
    await program.see('ready')
    await program.until('the child', { check: () => program.children().length === 1 })
    await expect(program.close()).rejects.toThrow('left running: sleep 1000')
  })
})

test('the environment of a test contains nothing of the machine', async () => {
  const program = await run(`for (const name of Object.keys(process.env).sort()) write(name + ' ')`, {
    columns: 400,
    env: { ZOT_HOME: '/x' },
  })
  await program.exit()
  const names = program.screen().join(' ')
  expect(names).toContain('ZOT_HOME')
  // Nothing is asked and no checkpoint is made in stories that are not about that.
  expect(names.replace(/ZOTUI_(PERMISSIONS|CHECKPOINTS)/g, '')).not.toMatch(
    /\b(CI|NO_COLOR|FORCE_COLOR|TMUX|TERM_PROGRAM|NODE_ENV|VITEST|\w+_API_KEY|ZOTUI_\w+)\b/,
  )
})

test('waits are driven by output, not by the clock', async () => {
  const program = await run(`keys(text => write('[' + text + ']')); write('ready')`)
  await program.see('ready')
  const seen = program.see('[x]')
  await pause(30)
  await program.press('x')
  await seen
  expect(program.screen()).toContain('ready[x]')
})

describe('keys', () => {
  const plain = { applicationCursor: false, kitty: 0 }
  test.each([
    ['a', 'a'],
    ['A', 'A'],
    ['enter', '\r'],
    ['shift+tab', '\x1b[Z'],
    ['ctrl+c', '\x03'],
    ['ctrl+_', '\x1f'],
    ['ctrl+\\', '\x1c'],
    ['alt+p', '\x1bp'],
    ['alt+backspace', '\x1b\x7f'],
    ['ctrl+left', '\x1b[1;5D'],
    ['alt+up', '\x1b[1;3A'],
    ['home', '\x1b[H'],
    ['delete', '\x1b[3~'],
    ['ctrl+delete', '\x1b[3;5~'],
    ['f1', '\x1bOP'],
    ['+', '+'],
  ])('%s, as every terminal sends it', (key, bytes) => {
    expect(encode(key, plain)).toBe(bytes)
  })

  test.each([
    ['a', 'a'],
    ['enter', '\r'],
    ['esc', '\x1b[27u'],
    ['ctrl+c', '\x1b[99;5u'],
    ['shift+enter', '\x1b[13;2u'],
    ['ctrl+enter', '\x1b[13;5u'],
    ['shift+tab', '\x1b[9;2u'],
    ['alt+p', '\x1b[112;3u'],
    ['ctrl+left', '\x1b[1;5D'],
  ])('%s, in the kitty protocol', (key, bytes) => {
    expect(encode(key, { ...plain, kitty: 1 })).toBe(bytes)
  })

  test('arrows in application mode, and what does not exist', () => {
    expect(encode('up', { ...plain, applicationCursor: true })).toBe('\x1bOA')
    expect(() => encode('entr', plain)).toThrow('no such key: entr')
    expect(() => encode('ctrl+enter', plain)).toThrow('cannot send')
  })
})
