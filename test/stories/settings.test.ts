import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test, expect } from 'vitest'
import { makeHome, type Home } from '../helpers/home.ts'
import { openDemo, openZot, send } from './stage.ts'

const ownFile = (home: Home): string => join(home.path, '.config', 'zotui', 'config.json')

function writeOwn(home: Home, text: string): void {
  mkdirSync(join(home.path, '.config', 'zotui'), { recursive: true })
  writeFileSync(ownFile(home), text)
}

function writeProject(home: Home, text: string): void {
  mkdirSync(join(home.project, '.zotui'))
  writeFileSync(join(home.project, '.zotui', 'config.json'), text)
}

describe('settings', () => {
  test('/settings shows each value and where it comes from, and changes it in the file', async () => {
    const home = makeHome()
    writeOwn(home, '{\n  // mine\n  "compactAt": 70\n}\n')
    const zotui = await openDemo({ home, columns: 120, rows: 40, env: { ZOTUI_DETAIL: 'full' }, args: ['--ascii'] })
    await send(zotui, '/settings')
    await zotui.see(/> theme +auto +default +The colours/)
    await zotui.see(/ascii +true +--ascii/)
    await zotui.see(/detail +full +ZOTUI_DETAIL/)
    await zotui.type('compact')
    await zotui.see(/compactAt +70 +your file/)
    await zotui.press('enter')
    await zotui.see(/70 +as it is, your file/)
    await zotui.type('6x')
    await zotui.press('enter')
    await zotui.see('compactAt must be a whole number from 0 to 100; it stays 70.')
    await send(zotui, '/settings compact_at 60')
    await zotui.see('compactAt is 60 now.')
    expect(readFileSync(ownFile(home), 'utf8')).toBe('{\n  // mine\n  "compactAt": 60\n}\n')
    await send(zotui, '/config theem')
    await zotui.see('there is no setting theem; did you mean theme?')
    await send(zotui, '/settings detail short')
    await zotui.see('ZOTUI_DETAIL goes over it, so detail stays full.')
    await zotui.close()
    home.remove()
  })

  test('what a row has no room for stands whole below the list', async () => {
    const zotui = await openDemo({ columns: 40, rows: 20 })
    await send(zotui, '/settings')
    await zotui.see(/› theme +auto/)
    await zotui.see(
      /^ {4}auto \(default\). The colours: auto,\n {4}the name of a theme, or the path\n {4}of a theme file.$/m,
    )
    await zotui.press('down')
    await zotui.see(/^ {4}true \(default\). Whether there are\n {4}colours.$/m)
  })

  test('favourite models stand first in the list', async () => {
    const home = makeHome()
    writeOwn(home, '{ "favouriteModels": ["demo/demo-small"] }')
    const zotui = await openDemo({ home })
    await send(zotui, '/model')
    await zotui.see(/› demo-small/)
    await zotui.close()
    home.remove()
  })

  test('readOnly and ascii in the file hold, until a flag takes the one back', async () => {
    const home = makeHome()
    writeOwn(home, '{ "readOnly": true, "ascii": true }')
    const zotui = await openZot('echo', { home, args: ['--tools', 'bash'] })
    await zotui.exit()
    await zotui.see('readOnly (~/.config/zotui/config.json line 1) chooses the tools itself')
    await zotui.close()
    const again = await openZot('echo', { home, args: ['--no-read-only', '--tools', 'bash'] })
    await again.see(/^>/m)
    await again.close()
    home.remove()
  })

  test('mistakes in the file are named with their line', async () => {
    const home = makeHome()
    writeOwn(home, '{\n  "themee": "dark",\n  "detail": "shrot"\n}')
    const zotui = await openDemo({ home, columns: 120 })
    await zotui.see('~/.config/zotui/config.json line 2: there is no setting themee; did you mean theme?')
    await zotui.see('config.json line 3: detail must be one of names, short, full; did you mean short?')
    await zotui.close()
    home.remove()
  })

  test('a project changes looks by itself, and what runs programs only when it is trusted, asked once', async () => {
    const home = makeHome()
    writeProject(home, '{ "ascii": true, "zot": "./evil", "model": "claude-x" }')
    const zotui = await openZot('echo', {
      home,
      columns: 100,
      rows: 30,
      env: { ZOTUI_ZOT: undefined, PATH: join(home.path, 'bin') },
    })
    await zotui.see('wants zot = ./evil, model = claude-x')
    await zotui.see(/> trust|trust them/)
    await zotui.press('down', 'enter')
    await zotui.see('from the next start on')
    await zotui.close()
    const again = await openZot('echo', {
      home,
      columns: 100,
      rows: 30,
      env: { ZOTUI_ZOT: undefined, PATH: join(home.path, 'bin') },
    })
    await again.see(/\.\/evil/)
    await again.close()
    home.remove()
  })

  test('a project that was not trusted is not asked about again', async () => {
    const home = makeHome()
    writeProject(home, '{ "readOnly": false, "retentionDays": 1 }')
    const zotui = await openDemo({ home, columns: 100, rows: 30 })
    await zotui.see('as they are')
    await zotui.press('enter')
    await zotui.see('Not trusted.')
    await zotui.close()
    const again = await openDemo({ home, columns: 100, rows: 30 })
    await again.see('Type tour')
    expect(again.screen().join('\n')).not.toContain('trust')
    await send(again, '/settings')
    await again.see(/trust +retentionDays = 1 +not used/)
    await again.close()
    home.remove()
  })
})
