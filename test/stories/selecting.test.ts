/** A user selects text with the keyboard: it is marked, replaced by typing, copied and cut. */
import { chmodSync, mkdirSync, readFileSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Home } from '../helpers/home.ts'
import { open } from '../helpers/screen.ts'
import { expectDraft, openDemo } from './stage.ts'

/** A clipboard that is a file, and the tool that writes it. */
function withClipboard(home: Home): Record<string, string> {
  const folder = join(home.path, 'tools')
  mkdirSync(folder)
  writeFileSync(join(folder, 'wl-copy'), `#!/bin/sh\n/bin/cat > '${join(home.path, 'clipboard')}'\n`)
  chmodSync(join(folder, 'wl-copy'), 0o755)
  return { PATH: folder, WAYLAND_DISPLAY: 'wayland-0' }
}

describe('Shift with the arrows', () => {
  test.each([
    ['in colour', []],
    ['without colour', ['--no-color']],
  ])('selects, %s', async (_, args) => {
    const zotui = await openDemo({ args })
    await zotui.type('one two')
    await zotui.press('shift+left', 'shift+left', 'shift+left')
    await zotui.until('the marked word', { check: () => zotui.drawn('two')?.inverse === true })
    expect(zotui.drawn('one')?.inverse).toBe(false)
    await zotui.type('2')
    await expectDraft(zotui, 'one 2')
    expect(zotui.drawn('2')?.inverse).toBe(false)
  })

  test('selects by line, word and row; a plain movement ends the selection', async () => {
    const zotui = await openDemo()
    await zotui.type('first line')
    await zotui.press('ctrl+j')
    await zotui.type('second')
    await zotui.press('ctrl+shift+left', 'shift+up')
    await zotui.until('both lines marked', { check: () => zotui.drawn('first line')?.inverse === true })
    await zotui.press('right')
    await zotui.until('nothing marked', { check: () => zotui.drawn('first line')?.inverse === false })
    await zotui.press('ctrl+shift+home', 'backspace')
    await expectDraft(zotui, '')
  })
})

test('the selection can be copied and cut, and is added to the kill ring', async () => {
  const zotui = await open({ args: ['--demo'], env: withClipboard })
  const clipboard = join(zotui.home.path, 'clipboard')
  const holds = (text: string) => () => existsSync(clipboard) && readFileSync(clipboard, 'utf8') === text
  await zotui.see(/demo-large/)
  await zotui.type('one two')
  await zotui.press('alt+w')
  await zotui.see('Nothing is selected')
  await zotui.press('ctrl+shift+left', 'alt+w')
  await zotui.see('Copied the selection (wl-copy).')
  await zotui.until('the clipboard', { check: holds('two') })
  await zotui.press('shift+home', 'shift+delete')
  await zotui.see('Cut the selection')
  await zotui.until('the clipboard', { check: holds('one two') })
  await expectDraft(zotui, '')
  await zotui.press('ctrl+y')
  await expectDraft(zotui, 'one two')
})
