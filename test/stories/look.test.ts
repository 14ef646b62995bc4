/** The look of zotui in different terminals: themes, colours, signs. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { open, type OpenOptions, type Screen } from '../helpers/screen.ts'
import { turnEnd } from '../helpers/turn-end.ts'
import { lastingHome, openDemo, openQuickDemo, program, send } from './stage.ts'

/** The colours of the prompt sign and of facts in the built-in themes. */
const looks = {
  dark: { accent: '#79b8ff', dim: '#8b949e' },
  light: { accent: '#0a44a0', dim: '#59636e' },
  ansi: { accent: '6', dim: 'default' },
  none: { accent: 'default', dim: 'default' },
}

/** Waits until the composer's sign and the header's facts are drawn as in this theme. */
async function expectLook(zotui: Screen, look: keyof typeof looks): Promise<void> {
  const { accent, dim } = looks[look]
  await zotui.until(`the look ${look}`, {
    check: () => zotui.drawn('▌')?.color === accent && zotui.drawn('Enter sends')?.color === dim,
  })
}

/** The same of what still moves: a busy machine may hear of its background when the header stands there already. */
async function expectComposerLook(zotui: Screen, look: keyof typeof looks): Promise<void> {
  await zotui.until(`the composer's look ${look}`, { check: () => zotui.drawn('▌')?.color === looks[look].accent })
}

/** Every colour that was written, as escape sequences: not what is bold, dim, italic, underlined, inverse or struck out. */
function colours(zotui: Screen): string[] {
  return (
    zotui
      .bytes()
      .toString('latin1')
      .match(/\x1b\[(?!(?:[123479]|2[234579])m)[\d;:]*m/g) ?? []
  )
}

const patient = fileURLToPath(new URL('../fixtures/patient-timers.ts', import.meta.url))

describe('the theme of the terminal', () => {
  test.each([
    ['a dark background', { terminal: { background: 'dark' } }, 'dark'],
    ['a light background', { terminal: { background: 'light' } }, 'light'],
    ['no answer about it', { terminal: { background: null } }, 'ansi'],
    [
      'COLORFGBG where the terminal says nothing',
      { terminal: { background: null }, env: { COLORFGBG: '0;15' } },
      'light',
    ],
    ['the terminal rather than COLORFGBG', { terminal: { background: 'dark' }, env: { COLORFGBG: '0;15' } }, 'dark'],
  ] as const satisfies readonly (readonly [string, OpenOptions, keyof typeof looks])[])(
    '%s',
    async (_name, options, look) => {
      // The answer decides, and not how fast it comes.
      const zotui = await open({ ...options, program: ['--import', patient, program, '--demo'] })
      await expectLook(zotui, look)
      zotui.committedOnce(['zotui 0', 'Enter sends'])
    },
  )

  test('a terminal that answered nothing sets the theme for later output with a late answer', async () => {
    const zotui = await openQuickDemo({ terminal: { answers: false } })
    await expectLook(zotui, 'ansi')
    zotui.committedOnce(['zotui 0', 'Enter sends'])
    // An answer stands only below a header that is printed: then it is too late for that.
    await send(zotui, 'thanks')
    await zotui.see(turnEnd)
    await zotui.raw('\x1b]11;rgb:ffff/ffff/ffff\x07')
    await zotui.until('the status line of the light theme', {
      check: () => zotui.drawn('ctx')?.color === looks.light.dim,
    })
    // Printed text stays as it is, in colours that suit any background.
    expect(zotui.drawn('Enter sends')?.color).toBe(looks.ansi.dim)
    zotui.committedOnce(['Enter sends'])
  })
})

describe('the chosen theme', () => {
  test('--theme overrides ZOTUI_THEME, also with a theme file of the user', async () => {
    const env = { ZOTUI_THEME: 'light' }
    await expectLook(await openDemo({ env }), 'light')
    await expectLook(await openDemo({ env, args: ['--theme', 'dark'] }), 'dark')
    const home = lastingHome()
    const mine = { extends: 'ansi', styles: { accent: '#123456 bold' } }
    writeFileSync(join(home.project, 'mine.json'), JSON.stringify(mine))
    const zotui = await openDemo({ home, env, args: ['--theme', './mine.json'] })
    await zotui.until('its looks', {
      check: () => zotui.drawn('▌')?.color === '#123456' && zotui.drawn('Enter sends')?.color === looks.ansi.dim,
    })
  })

  test('mistakes in a theme are reported with their place before anything is drawn', async () => {
    const home = lastingHome()
    const file = join(home.project, 'bad.json')
    writeFileSync(file, JSON.stringify({ styles: { acent: 'red', dim: 'blod' } }))
    for (const [theme, said] of [
      [file, 'styles.acent: there is no such key. Did you mean accent?'],
      ['drak', 'There is no theme "drak". Did you mean dark?'],
    ] as const) {
      const zotui = await open({ args: ['--demo', '--theme', theme], columns: 200 })
      await zotui.see(said)
      expect((await zotui.exit()).code).toBe(theme === file ? 1 : 2)
      expect(zotui.screen().join('\n')).not.toContain('Enter sends')
    }
  })
})

describe('/theme', () => {
  test('lists the themes, also those of zot, switches, and redraws the screen', async () => {
    const home = lastingHome()
    const folder = join(home.path, '.local', 'state', 'zot', 'themes')
    mkdirSync(folder, { recursive: true })
    writeFileSync(
      join(folder, 'pink.json'),
      JSON.stringify({ description: 'all in pink', colors: { accent: 204, dark: { muted: '#998899' } } }),
    )
    const zotui = await openDemo({ home })
    await expectComposerLook(zotui, 'dark')
    await zotui.type('/theme ')
    await zotui.see(/high-contrast +strong colours/)
    await zotui.see(/auto +in use/)
    await zotui.type('light')
    await zotui.gone('high-contrast')
    await zotui.press('enter')
    await zotui.see('Switched the theme to light.')
    await expectLook(zotui, 'light')
    zotui.committedOnce(['Enter sends'])
    await send(zotui, '/theme')
    await zotui.see(/› light +in use/)
    await zotui.type('contrast')
    await zotui.press('enter')
    await zotui.see('Switched the theme to high-contrast.')
    await zotui.type('/theme pi')
    await zotui.see(/pink +zot: all in pink/)
    await zotui.press('enter')
    await zotui.until('its colours', {
      check: () => zotui.drawn('▌')?.color === '204' && zotui.drawn('Enter sends')?.color === '#998899',
    })
  })

  test('reports an unusable theme, which changes nothing of --theme, and auto returns to the theme of the background', async () => {
    const zotui = await openDemo({ args: ['--theme', 'dark'], terminal: { background: 'light' } })
    await expectLook(zotui, 'dark')
    await send(zotui, '/theme ./nothing.json')
    await zotui.see('There is no file ./nothing.json.')
    await expectLook(zotui, 'dark')
    await send(zotui, '/theme auto')
    await expectLook(zotui, 'light')
  })
})

describe('fewer colours', () => {
  test.each([
    ['NO_COLOR', { env: { NO_COLOR: '1' } }],
    ['--no-color', { args: ['--no-color'] }],
    ['FORCE_COLOR=0', { env: { FORCE_COLOR: '0' } }],
  ] satisfies [string, OpenOptions][])(
    '%s: none at all, but bold and dim text; signs and marks say everything',
    async (_name, options) => {
      const zotui = await openQuickDemo(options)
      await send(zotui, 'refused')
      await zotui.see(/✗ The provider rejected the API key/)
      await zotui.type('/t')
      await zotui.see(/› \/theme/)
      expect(colours(zotui)).toEqual([])
      expect(zotui.bytes().includes('\x1b[2m')).toBe(true)
      expect(zotui.bytes().includes('\x1b]11;?')).toBe(false)
    },
  )

  test('an empty NO_COLOR is ignored, and a wrong ZOTUI_THEME is reported and does not stop the start', async () => {
    const zotui = await openDemo({ env: { NO_COLOR: '', ZOTUI_THEME: 'nope' } })
    await zotui.see(/ZOTUI_THEME: There is no theme "nope"/)
    await expectComposerLook(zotui, 'dark')
  })

  test('256 colours are used where the terminal has no more', async () => {
    const zotui = await openDemo({ env: { COLORTERM: undefined } })
    await zotui.until('a colour of the 256', { check: () => zotui.drawn('▌')?.color === '111' })
    expect(colours(zotui).filter(each => /[34]8;2;/.test(each))).toEqual([])
  })

  test('sixteen colours are used where the terminal has no more', async () => {
    const zotui = await openDemo({ env: { FORCE_COLOR: '1' } })
    await expectLook(zotui, 'ansi')
    expect(colours(zotui).filter(each => /[34]8;/.test(each))).toEqual([])
  })
})

describe('plain signs', () => {
  test.each([
    ['--ascii', { args: ['--ascii'] }],
    ['a locale with another charset', { env: { LC_ALL: 'C' } }],
  ] satisfies [string, OpenOptions][])('%s', async (_name, options: OpenOptions) => {
    const zotui = await openQuickDemo({ columns: 44, ...options })
    await zotui.see(/^>/m)
    await zotui.see(/demo-large/)
    await send(zotui, 'refused')
    await zotui.see(/x The provider rejected the API key/)
    await send(zotui, 'edit')
    await zotui.see(/3 tools/)
    await zotui.type('/')
    await zotui.see(/\/compact/)
    expect(zotui.history().join('\n')).toMatch(/^[ -~\n]*$/)
  })
})
