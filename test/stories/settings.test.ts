import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test, expect } from 'vitest'
import type { Home } from '../helpers/home.ts'
import { share } from '../helpers/screen.ts'
import { turnEnd } from '../helpers/turn-end.ts'
import { lastingHome, openDemo, openZot, send, startAfresh } from './stage.ts'

const ownFile = (home: Home): string => join(home.path, '.config', 'zotui', 'config.json')

function writeOwn(home: Home, text: string): void {
  mkdirSync(join(home.path, '.config', 'zotui'), { recursive: true })
  writeFileSync(ownFile(home), text)
}

function writeProject(home: Home, text: string): void {
  mkdirSync(join(home.project, '.zotui'))
  writeFileSync(join(home.project, '.zotui', 'config.json'), text)
}

/** Its first test sees what is said at the start. */
const mistaken = share(
  () =>
    openDemo({
      columns: 120,
      env(home) {
        writeOwn(home, '{\n  "themee": "dark",\n  "detail": "shrot"\n}')
        return {}
      },
    }),
  startAfresh,
)

describe('settings', () => {
  test('/settings shows each value and its source, and changes it in the file; favourite models are listed first', async () => {
    const home = lastingHome()
    writeOwn(home, '{\n  // mine\n  "compactAt": 70,\n  "favouriteModels": ["demo/demo-small"]\n}\n')
    const zotui = await openDemo({ home, columns: 120, rows: 40, env: { ZOTUI_DETAIL: 'full' }, args: ['--ascii'] })
    await send(zotui, '/settings')
    await zotui.see(/> theme +auto {2,}The theme/)
    await zotui.see(/ascii +true +--ascii/)
    await zotui.see(/detail +full +ZOTUI_DETAIL/)
    await zotui.type('compact')
    await zotui.see(/compactAt +70 +yours/)
    await zotui.press('enter')
    await zotui.see(/70 +keep this value \(yours\)/)
    await zotui.type('6x')
    await zotui.press('enter')
    await zotui.see('compactAt must be a whole number from 0 to 100; it stays 70.')
    await send(zotui, '/settings compact_at 60')
    await zotui.see('compactAt is now 60.')
    expect(readFileSync(ownFile(home), 'utf8')).toMatch(/^\{\n {2}\/\/ mine\n {2}"compactAt": 60,\n/)
    await send(zotui, '/config theem')
    await zotui.see('there is no setting theem; did you mean theme?')
    await send(zotui, '/settings detail short')
    await zotui.see('overridden by ZOTUI_DETAIL: detail stays full.')
    await send(zotui, '/model')
    await zotui.see(/^ {4}demo-small .*favourite\n {2}> demo-large .*in use$/m)
  })

  test('mistakes in the file are reported with their line', async () => {
    const zotui = await mistaken()
    await zotui.see('~/.config/zotui/config.json line 2: there is no setting themee; did you mean theme?')
    await zotui.see('config.json line 3: detail must be one of names, short, full; did you mean short?')
  })

  test('the full text of a cut row is shown below the list', async () => {
    const zotui = await mistaken()
    zotui.resize(40, 20)
    await send(zotui, '/settings')
    await zotui.see(/› theme +auto/)
    await zotui.see(
      /^\n {6}auto \(default\). The theme: auto,\n {6}the name of a theme, or the path\n {6}of a theme file.$/m,
    )
    await zotui.press('down')
    await zotui.see(/^ {6}true \(default\). Use colours\.$/m)
  })

  test('readOnly in the file cannot be combined with --tools', async () => {
    const home = lastingHome()
    writeOwn(home, '{ "readOnly": true, "ascii": true }')
    const zotui = await openZot('echo', { home, isGuarded: true, args: ['--tools', 'bash'] })
    await zotui.exit()
    await zotui.see(/readOnly \(~\/\.config\/zotui\/config\.json line 1\) cannot be combined with/)
  })

  test('a read-only agent is marked, what it could not do is explained, and a flag overrides readOnly of the file but not ascii', async () => {
    const home = lastingHome()
    const steps = [{ run: 'touch a' }, { run: 'touch b' }, { write: 'c', content: 'x' }]
    writeFileSync(join(home.path, 'work'), JSON.stringify(steps))
    const zotui = await openZot('changing', { home, columns: 100, rows: 40, args: ['--read-only'] })
    await zotui.see(/zotui \S+ {3}read-only {3}zot 0\.3\.36/)
    await zotui.see(/^ {2}anthropic\/sonnet {3}read-only/m)
    await send(zotui, 'work')
    await zotui.see(turnEnd)
    await zotui.see('No command was run: the agent may only read here, and has no tool for anything else.')
    await zotui.see('No file was written: the agent may only read here')
    await zotui.see('zotui --no-read-only --continue')
    // Once for the commands, however many there were.
    expect(zotui.history().join('\n').split('No command was run')).toHaveLength(2)
    await zotui.close()
    writeOwn(home, '{ "readOnly": true, "ascii": true }')
    const args = ['--no-read-only', '--tools', 'read,write']
    const chosen = await openZot('changing', { home, columns: 100, rows: 40, args })
    await chosen.see(/zot 0\.3\.36/)
    await chosen.see(/^>/m)
    await send(chosen, 'work')
    await chosen.see('No command was run: the agent was started without that tool (--tools, --no-tools).')
    expect(chosen.history().join('\n')).not.toMatch(/read-only|No file/)
  })

  test('a project may change the appearance, and runs programs only after a question about trust', async () => {
    const home = lastingHome()
    writeProject(home, '{ "ascii": true, "zot": "./evil", "model": "claude-x" }')
    const env = { ZOTUI_ZOT: undefined, PATH: join(home.path, 'bin') }
    const options = { home, columns: 120, rows: 30, env, isGuarded: true }
    const zotui = await openZot('echo', options)
    await zotui.see(/Ignored in .zotui\/config.json until you trust this project \(\/settings trust\): zot, model\.$/m)
    await zotui.see('zot = ./evil, model = claude-x')
    await zotui.see(/> ignore them/)
    await zotui.press('down', 'enter')
    await zotui.see('take effect on restart')
    await zotui.close()
    const again = await openZot('echo', options)
    await again.see(/zot was not found: .*\/project\/evil\./)
  })

  test('an untrusted project causes no second question, and its ignored settings are named', async () => {
    const home = lastingHome()
    writeProject(home, '{ "readOnly": false, "retentionDays": 1, "compactAt": 5, "screenReader": true }')
    const size = { home, columns: 120, rows: 40 }
    const zotui = await openDemo(size)
    await zotui.see(/› ignore them/)
    await zotui.press('enter')
    await zotui.see('Not trusted.')
    await zotui.close()
    const again = await openDemo(size)
    await again.see('(/settings trust): screenReader, compactAt, retentionDays.')
    expect(again.screen().join('\n')).not.toMatch(/› ignore them/)
    await send(again, '/settings compactAt')
    await again.see(/85 +keep this value \(default\)/)
    await again.press('esc')
    await send(again, '/settings')
    await again.see(/trust +screenReader = true, compactAt = 5, retentionDays = 1 +not used/)
    await again.press('esc')
    await send(again, '/settings trust')
    await again.press('down', 'enter')
    await again.see('Trusted.')
    await send(again, '/settings compactAt')
    await again.see(/5 +keep this value \(project\)/)
    await again.press('esc')
    await send(again, '/settings trust')
    await again.see(/› trust them/)
    await again.press('up', 'enter')
    await again.see('Not trusted.')
    await send(again, '/settings compactAt')
    await again.see(/85 +keep this value \(default\)/)
  })

  test('ignored settings of a project are also named without the UI', async () => {
    const home = lastingHome()
    writeProject(home, '{ "model": "claude-x" }')
    const zotui = await openZot('echo', { home, isGuarded: true, columns: 140, args: ['-p', 'argv'] })
    await zotui.exit()
    await zotui.see('zotui: Ignored in .zotui/config.json until you trust this project (/settings trust): model.')
    await zotui.see(/^started with rpc .*--no-ext END$/m)
    await zotui.close()
    const doctor = await openZot('echo', { home, isGuarded: true, columns: 140, rows: 40, args: ['doctor'] })
    await doctor.exit()
    await doctor.see(/note +project settings +model ignored; this project is not trusted/)
  })

  test('a relative path starts at the project folder, and a typed one at the current folder', async () => {
    const home = lastingHome()
    writeProject(home, '{ "zot": "./tools/zot" }')
    mkdirSync(join(home.project, '.git'))
    mkdirSync(join(home.project, 'inside'))
    symlinkSync(join(home.path, 'bin'), join(home.project, 'tools'))
    const env = { ZOTUI_ZOT: undefined, PATH: '/nowhere' }
    // zotui offers its demo only where no flag is for zot alone.
    const options = { home, cwd: join(home.project, 'inside'), env, isGuarded: true }
    const zotui = await openZot('echo', options)
    await zotui.see('demo agent instead')
    await zotui.see(/› ignore them/)
    await zotui.press('down', 'enter')
    await zotui.see('Trusted.')
    await zotui.close()
    const again = await openZot('echo', options)
    await again.see('Enter sends')
    await send(again, 'folder')
    await again.see(/at work in .*inside$/m)
    await send(again, '/settings zot ./mine/zot')
    await again.see('Saved to your file')
    expect(JSON.parse(readFileSync(ownFile(home), 'utf8'))).toEqual({
      zot: join(home.project, 'inside', 'mine', 'zot'),
    })
  })
})
