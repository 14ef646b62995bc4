import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { homeWith, makeHome } from '../helpers/home.ts'
import { open } from '../helpers/screen.ts'
import { installZot, openDemo, openZot, run, send } from './stage.ts'

const size = { columns: 120, rows: 55 }

describe('zotui doctor', () => {
  test('reports on a plain terminal', async () => {
    const zotui = await open({ args: ['doctor'], ...size, env: home => ({ ZOTUI_ZOT: installZot(home, 'echo') }) })
    expect(await zotui.exit()).toEqual({ code: 0, signal: null })
    for (const line of [
      /ok +zot +.* at ~\/bin\/zot/,
      /ok +synchronized output +yes; frames are shown complete/,
      /note +kitty keys +no; Ctrl\+J makes a new line/,
      /ok +background \(OSC 11\) +rgb:1414\/1818\/1c1c/,
      /ok +colours +.* zotui uses all/,
      /(?:ok +box for reading +bubblewrap .* change nothing|note +box for reading +\w+)/,
      /ok +character widths +in columns: circled digit 1, emoji 2/,
    ])
      await zotui.seeInHistory(line)
  })

  test('reports the kitty protocol and the name of the terminal', async () => {
    const terminal = { kitty: true, name: 'kitty(0.40.0)', background: 'light' } as const
    const zotui = await open({
      args: ['doctor'],
      ...size,
      terminal,
      env: { KITTY_WINDOW_ID: '1', COLORTERM: undefined },
    })
    expect((await zotui.exit()).code).toBe(1)
    await zotui.seeInHistory(/BROKEN +zot +zot was not found/)
    await zotui.see(/answers +the terminal answers questions; it says it is kitty\(0.40.0\)/)
    await zotui.see(/ok +kitty keys +yes; Shift\+Enter and Ctrl\+Enter arrive/)
    await zotui.see(/background \(OSC 11\) +rgb:fdfd/)
    await zotui.see(/notifications +by OSC 99, judged by the name/)
    await zotui.see(/colours .* zotui uses 256/)
  })

  test('reports unknown features of a silent terminal without colours', async () => {
    const env = { NO_COLOR: '1', LANG: 'C', TMUX: '/nowhere,1,0' }
    const zotui = await open({ args: ['doctor'], ...size, terminal: { answers: false }, env })
    await zotui.exit()
    await zotui.see(/note +answers +the terminal does not answer questions/)
    await zotui.see(/unknown +synchronized output +not reported/)
    await zotui.see(/unknown +clipboard \(OSC 52\) +not reported; many terminals copy anyway/)
    await zotui.see(/unknown +character widths +not measured; zotui draws plain ASCII signs/)
    await zotui.see(/colours .* zotui uses none/)
    await zotui.see(/note +locale +LANG=C; only ASCII signs are drawn/)
    await zotui.see(/multiplexer +tmux/)
  })

  test('names credentials without showing them or the home folder', async () => {
    const env = { ANTHROPIC_API_KEY: 'sk-secret-1', OTHER_TOKEN: 'secret-of-mine', ZOTUI_ZOT: '/x/secret-of-mine/zot' }
    const { code, stdout } = await run(['doctor', '--json'], { env })
    expect(code).toBe(1)
    const report: unknown = JSON.parse(stdout)
    expect(report).toMatchObject({ broken: true })
    expect(stdout).toContain('ANTHROPIC_API_KEY')
    expect(stdout).not.toMatch(/sk-secret|secret-of-mine|zotui-test-/)
  })

  test('queries the terminal even if its output is redirected', async () => {
    const home = makeHome()
    const zotui = await open({
      args: ['doctor', '--json'],
      under: '"$@" > report.json',
      home,
      env: () => ({ ZOTUI_ZOT: installZot(home, 'echo') }),
    })
    expect(await zotui.exit()).toEqual({ code: 0, signal: null })
    const report: unknown = JSON.parse(readFileSync(join(home.project, 'report.json'), 'utf8'))
    expect(JSON.stringify(report)).toContain('circled digit 1, emoji 2')
    expect(zotui.history().join('')).not.toContain('sections')
    await zotui.close()
    home.remove()
  })

  test('reports mistakes in the settings as broken, and names the theme in use if the one in the settings does not exist', async () => {
    const home = homeWith({ '.config/zotui/config.json': '{ "themee": "dark",\n"theme": "drak" }' })
    const zotui = await open({ args: ['doctor'], ...size, home, env: () => ({ ZOTUI_ZOT: installZot(home, 'echo') }) })
    expect((await zotui.exit()).code).toBe(1)
    await zotui.see(/BROKEN +settings +~\/.config\/zotui\/config.json line 1: there is no setting themee/)
    await zotui.see(/There is no theme "drak"\. Did you mean dark\?/)
    await zotui.see(/background \(OSC 11\) .*; the theme is auto/)
    await zotui.close()
    home.remove()
  })
})

describe('a warning is a note, not a failure', () => {
  test('a warning of the command line', async () => {
    const args = ['--api-key', 'sk-of-nobody']
    const zotui = await openZot('echo', { ...size, rows: 60, args })
    await zotui.see('--api-key is visible to other users')
    await send(zotui, '/doctor')
    await zotui.see(/note +settings +--api-key is visible to other users/)
    expect(zotui.history().join('\n')).not.toContain('BROKEN')
  })

  test('a warning of settings and keys', async () => {
    const home = makeHome()
    const folder = join(home.path, '.config', 'zotui')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'config.json'), '{ "detail": "full",\n"detail": "short" }')
    writeFileSync(join(folder, 'keys.json'), '{ "composer": { "ctrl+t": "raw" } }')
    const zotui = await open({ args: ['doctor'], ...size, home, env: () => ({ ZOTUI_ZOT: installZot(home, 'echo') }) })
    expect((await zotui.exit()).code).toBe(0)
    await zotui.see(/note +settings +~\/.config\/zotui\/config.json line 2: detail is set a second time here/)
    await zotui.see(/note +settings +keys.json line 1: composer: ctrl\+t now does raw instead of/)
    await zotui.close()
    home.remove()
  })
})

test('/doctor reports the same, wraps lines between words, and leaves the screen intact', async () => {
  const zotui = await openDemo({ ...size, rows: 60 })
  await send(zotui, '/bug')
  await zotui.see(/character widths +in columns: circled digit 1, emoji 2/)
  await zotui.type('on')
  await zotui.see(/^▌ on$/m)
  zotui.committedOnce(['Enter sends', 'synchronized output'])
  zotui.resize(80, 60)
  await zotui.press('ctrl+u')
  await send(zotui, '/doctor')
  await zotui.see(/another window has$\n {34}the focus$/m)
})
