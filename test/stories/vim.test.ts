/** A user edits drafts with vim's keys. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Home } from '../helpers/home.ts'
import { open, share, type OpenOptions, type Screen } from '../helpers/screen.ts'
import { expectCaret, expectDraft, openDemo, openQuickDemo, send, startAfresh } from './stage.ts'

const VIM = { ZOTUI_EDITOR: 'vim' }

/** The demo with vim's keys, which begin in insert mode. */
async function openVim({ env, ...options }: OpenOptions = {}): Promise<Screen> {
  const zotui = await openQuickDemo({
    ...options,
    env: home => ({ ...VIM, ...(typeof env === 'function' ? env(home) : env) }),
  })
  await zotui.see('INSERT')
  return zotui
}

/** Esc, and the mode that it leads to. */
async function escape(zotui: Screen): Promise<void> {
  await zotui.press('esc')
  await zotui.see('NORMAL')
}

const vim = share(
  () => openVim({ env: withClipboard }),
  async zotui => {
    await startAfresh(zotui)
    if (zotui.screen().some(row => row.includes('NORMAL'))) await zotui.type('i')
    await zotui.see('INSERT')
  },
)

describe("with vim's keys", () => {
  test.each(['legacy', 'kitty'] as const)('a draft is edited and sent, with %s keys', async keys => {
    const zotui = await (keys === 'kitty' ? openVim({ keys, terminal: { kitty: true } }) : vim())
    await zotui.type('tell me abuot the parser')
    await escape(zotui)
    await zotui.type('3bcwabout')
    await expectDraft(zotui, 'tell me about the parser')
    await escape(zotui)
    await zotui.type('wdwA please')
    await expectDraft(zotui, 'tell me about parser please')
    await escape(zotui)
    await zotui.type('u')
    await expectDraft(zotui, 'tell me about parser')
    await zotui.press('enter')
    await zotui.see('▌ tell me about parser', { where: 'history' })
    await expectDraft(zotui, '')
    await zotui.see('INSERT')
  })

  test('the caret has the shape of the mode, and its own at the end', async () => {
    const zotui = await openVim()
    const shape = () =>
      [
        ...zotui
          .bytes()
          .toString()
          .matchAll(/\u001B\[(\d) q/gu),
      ].at(-1)?.[1]
    const expectShape = (wanted: string) =>
      zotui.until(`the caret's shape ${wanted}`, { check: () => shape() === wanted })
    await expectShape('6')
    await zotui.type('one two')
    await escape(zotui)
    await expectShape('2')
    await zotui.type('R')
    await zotui.see('REPLACE')
    await expectShape('4')
    await zotui.press('esc')
    await zotui.see('NORMAL')
    await zotui.type('v')
    await zotui.see('VISUAL')
    await zotui.press('esc')
    await zotui.press('ctrl+c', 'ctrl+c', 'ctrl+c')
    await zotui.exit()
    expect(shape()).toBe('0')
  })

  test('a selection is marked with the character under the caret', async () => {
    const zotui = await vim()
    await zotui.type('one two')
    await escape(zotui)
    await zotui.type('bve')
    await zotui.until('the marked word', { check: () => zotui.drawn('two')?.inverse === true })
    expect(zotui.drawn('one')?.inverse).toBe(false)
    await zotui.type('d')
    await expectDraft(zotui, 'one')
  })

  test('a paste is text and no command', async () => {
    const zotui = await vim()
    await zotui.type('one')
    await escape(zotui)
    await zotui.paste('dd0D')
    await expectDraft(zotui, 'onedd0D')
    await zotui.see('NORMAL')
  })

  test('an unfinished command is shown, and the Esc after that stops the agent', async () => {
    const zotui = await vim()
    await zotui.type('one')
    await escape(zotui)
    await zotui.type('"a2d')
    await zotui.see('NORMAL "a2d')
    await zotui.press('esc')
    await zotui.until('no command', { check: () => !zotui.screen().some(row => row.includes('"a2d')) })
    await zotui.press('esc')
    await zotui.see('Esc again clears the draft')
    await zotui.press('esc')
    await expectDraft(zotui, '')
  })

  test('j and k go to other prompts at the edge of the draft, and move in lists', async () => {
    const zotui = await vim()
    await send(zotui, 'hello')
    await zotui.see('▌ hello', { where: 'history' })
    await escape(zotui)
    await zotui.type('k')
    await expectDraft(zotui, 'hello')
    await expectCaret(zotui, 4)
    await zotui.type('j')
    await expectDraft(zotui, '')
    await zotui.type('i/settings')
    await expectDraft(zotui, '/settings')
    await zotui.press('enter')
    await zotui.see(/^ {2}› theme/m)
    await zotui.type('j')
    await zotui.see(/^ {2}› color/m)
    await zotui.type('k')
    await zotui.see(/^ {2}› theme/m)
    await zotui.type('/notif')
    await zotui.see(/^ {2}› notif/m)
  })

  test('a register uses the clipboard', async () => {
    const zotui = await vim()
    const clipboard = join(zotui.home.path, 'clipboard')
    await zotui.type('one two')
    await escape(zotui)
    await zotui.type('"+yiw')
    await zotui.see('Copied the text (wl-copy).')
    expect(readFileSync(clipboard, 'utf8')).toBe('two')
    writeFileSync(clipboard, 'three')
    // The letters behind it wait for the clipboard.
    await zotui.type('$"+pA!')
    await expectDraft(zotui, 'one twothree!')
  })
})

/** A clipboard that is a file, and the tools that write and read it. */
function withClipboard(home: Home): Record<string, string> {
  const folder = join(home.path, 'tools')
  const file = join(home.path, 'clipboard')
  mkdirSync(folder)
  writeFileSync(join(folder, 'wl-copy'), `#!/bin/sh\n/bin/cat > '${file}'\n`)
  writeFileSync(
    join(folder, 'wl-paste'),
    `#!/bin/sh\ncase "$*" in *list-types*) echo text/plain ;; *) /bin/cat '${file}' ;; esac\n`,
  )
  for (const tool of ['wl-copy', 'wl-paste']) chmodSync(join(folder, tool), 0o755)
  return { PATH: folder, WAYLAND_DISPLAY: 'wayland-0' }
}

test('/vim switches them on, and off', async () => {
  const zotui = await openDemo()
  await send(zotui, '/vim')
  await zotui.see('editor is now vim.')
  await zotui.see('INSERT')
  await zotui.type('one')
  await escape(zotui)
  await zotui.type('0x')
  await expectDraft(zotui, 'ne')
  await zotui.type('cc/vim')
  await zotui.press('esc')
  await zotui.press('enter')
  await zotui.see('editor is now default.')
  await zotui.until('no mode', { check: () => !zotui.screen().some(row => /INSERT|NORMAL/u.test(row)) })
})

test('a screen reader says the mode', async () => {
  const zotui = await open({ args: ['--demo', '--screen-reader'], env: VIM })
  await zotui.see('demo-large')
  await zotui.type('one')
  await zotui.press('esc')
  await zotui.see('normal mode')
  await zotui.type('v')
  await zotui.see('visual mode')
})
