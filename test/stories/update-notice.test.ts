import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { expect, test } from 'vitest'
import { makeHome, type Home } from '../helpers/home.ts'
import { turnEnd } from '../helpers/turn-end.ts'
import { openQuickDemo, send } from './stage.ts'

/** An npm that knows of one version and notes that it was asked. */
function installNpm(home: Home): string {
  const folder = join(home.path, 'bin')
  mkdirSync(folder)
  writeFileSync(join(folder, 'npm'), `#!/bin/sh\necho "$@" >>'${home.path}/asked'\necho 99.0.0\n`)
  chmodSync(join(folder, 'npm'), 0o755)
  return `${folder}:${process.env['PATH'] ?? ''}`
}

test('a newer version is announced after a turn, once a day, and only if the setting is on', async () => {
  const home = makeHome()
  const PATH = installNpm(home)
  const asked = (): boolean => existsSync(join(home.path, 'asked'))
  const silent = await openQuickDemo({ home, env: { PATH } })
  await send(silent, 'help')
  await silent.see(turnEnd)
  await silent.close()
  expect(asked()).toBe(false)
  const wished = { home, env: { PATH, ZOTUI_UPDATE_NOTICE: '1' } }
  const zotui = await openQuickDemo(wished)
  expect(asked()).toBe(false)
  await send(zotui, 'help')
  await zotui.see(/zotui 99\.0\.0 is available; this is \d/)
  await zotui.close()
  const again = await openQuickDemo(wished)
  await send(again, 'help')
  await again.see(turnEnd)
  expect(again.history().join('\n')).not.toContain('99.0.0')
  await again.close()
  home.remove()
})
