/** `/sandbox` shows what the sandbox allows, and switches it. */
import { canBox } from '../helpers/can-box.ts'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { heldPlaces } from '../../src/platform/held-places.ts'
import { homeWith } from '../helpers/home.ts'
import { open } from '../helpers/screen.ts'
import { installZot, openIn, send } from './stage.ts'

describe.skipIf(!canBox)('/sandbox', () => {
  test('shows the state, switches it, and says by whose word it is', async () => {
    const home = homeWith({ '.netrc': 'a password', 'project/.envrc': '' })
    const zotui = await openIn(home, { columns: 110, rows: 40 })
    await send(zotui, '/sandbox')
    await zotui.see('Sandbox: off (the default).')
    await zotui.see('can write: ~/project')
    await zotui.see(/held as it is: .*\.envrc/)
    await zotui.see('hosts: each asks')
    await zotui.see('Nothing was refused in this conversation so far.')
    await send(zotui, '/sandbox on')
    await zotui.see('sandbox is now on')
    await send(zotui, '/sandbox')
    await zotui.see(/Sandbox: on \(.*config\.json line \d+\)\. It holds nothing of zot, which runs/)
    await send(zotui, '/sandbox maybe')
    await zotui.see('/sandbox takes off, on, closed')
    expect(readFileSync(path.join(home.path, '.config/zotui/config.json'), 'utf8')).toContain('"sandbox": "on"')
    await zotui.close()
    home.remove()
  })

  test('asks about what commands have left, and removes it', async () => {
    const home = homeWith({ 'project/.envrc': 'evil' })
    const zotui = await openIn(home, { columns: 110, rows: 40 })
    const place = { path: path.join(home.project, '.envrc'), kind: 'protected', isNew: true } as const
    heldPlaces(home.project, path.join(home.path, '.local/state/zotui')).hold([place])
    await send(zotui, '/sandbox')
    await zotui.see('wait for your answer, since they can run later: ~/project/.envrc')
    await zotui.see('left by commands, and can run later')
    await zotui.press('enter')
    await zotui.see('until then zotui runs no git here')
    await zotui.press('down')
    await zotui.press('down')
    await zotui.press('enter')
    await zotui.see(/Removed .*\.envrc/)
    expect(existsSync(place.path)).toBe(false)
    await zotui.close()
    home.remove()
  })

  test('zotui doctor tries a box, a write and a host', async () => {
    const zotui = await open({
      args: ['doctor'],
      columns: 120,
      rows: 55,
      env: home => ({ ZOTUI_ZOT: installZot(home, 'echo') }),
    })
    expect((await zotui.exit()).code).toBe(0)
    for (const line of [
      /ok +box for reading +bubblewrap/,
      /ok +box for commands +a write outside of the folder was refused/,
      /ok +its network +a host was refused that nobody had allowed/,
      /ok +hidden in it +\d+ secret places, \d+ sockets/,
      /ok +sandbox +off \(the default\)/,
    ])
      await zotui.seeInHistory(line)
  })
})
