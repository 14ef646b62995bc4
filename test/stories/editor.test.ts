/** The draft in the user's own editor, and the way to the shell and back. */
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, test } from 'vitest'
import { makeHome, type Home } from '../helpers/home.ts'
import { open, share, type Screen } from '../helpers/screen.ts'
import { turnEnd } from '../helpers/turn-end.ts'
import { expectDraft, openDemo, program, send, startAfresh } from './stage.ts'

/** An editor that does this: `$1` is the file, `$HOME` a place to leave things. */
const editor = (body: string) => (home: Home) => {
  const path = join(home.path, 'editor')
  writeFileSync(path, `#!/bin/sh\n${body}\n`)
  chmodSync(path, 0o755)
  return { EDITOR: path }
}

const shared = share(() => openDemo({ env: editor('. "$HOME/body"') }), startAfresh)

/** A program that several tests share, with an editor that does this. */
async function openWith(body: string): Promise<Screen> {
  const zotui = await shared()
  writeFileSync(join(zotui.home.path, 'body'), body)
  rmSync(join(zotui.home.path, 'seen'), { force: true })
  return zotui
}

const seen = (zotui: Screen): string => readFileSync(join(zotui.home.path, 'seen'), 'utf8')
const keep = 'cp "$1" "$HOME/seen"'

describe.skipIf(process.platform === 'win32')('the editor', () => {
  test.each([
    ['Ctrl+G', ['ctrl+g']],
    ['Ctrl+X Ctrl+E', ['ctrl+x', 'ctrl+e']],
  ])('%s opens it with the draft, and what it saved stands in the composer', async (_, keys) => {
    const zotui = await openWith(`${keep}; printf 'edited\\ntwice\\n' > "$1"`)
    await zotui.type('a draft')
    await zotui.press(...keys)
    await zotui.see(/^▌ edited\n▌ twice\n/m)
    expect(seen(zotui)).toBe('a draft')
    await zotui.press('ctrl+_')
    await expectDraft(zotui, 'a draft')
  })

  test('pasted text is shown in full in the editor', async () => {
    const long = Array.from({ length: 20 }, (_, line) => `line ${line}`).join('\n')
    const zotui = await openWith(keep)
    await zotui.type('see ')
    await zotui.paste(long)
    await zotui.see('[Pasted #1: 20 lines]')
    await zotui.press('ctrl+g')
    await zotui.until('the editor to have been there', { check: () => existsSync(join(zotui.home.path, 'seen')) })
    // It was not changed, so that it is a chip still.
    await zotui.see('▌ see [Pasted #1: 20 lines]')
    expect(seen(zotui)).toBe(`see ${long}`)
  })

  test('/editor starts with its argument as text', async () => {
    const zotui = await openWith(`${keep}; printf ' and more' >> "$1"`)
    await zotui.type('/editor some words')
    await zotui.press('enter')
    await expectDraft(zotui, 'some words and more')
    expect(seen(zotui)).toBe('some words')
  })

  test.each([
    ['fails', 'exit 3', 'ended with code 3'],
    ['is killed', 'kill -9 $$', 'ended by SIGKILL'],
    ['removes its file', 'rm "$1"', 'is not there'],
  ])('one that %s loses nothing', async (_, body, words) => {
    const zotui = await openWith(body)
    await zotui.type('a draft')
    await zotui.press('ctrl+g')
    await zotui.see(words)
    await expectDraft(zotui, 'a draft')
  })

  test('a missing editor is named', async () => {
    const zotui = await openDemo({ env: { EDITOR: 'no-such-editor' } })
    await zotui.type('a draft')
    await zotui.press('ctrl+g')
    await zotui.see('The editor in $EDITOR was not found: no-such-editor.')
    await expectDraft(zotui, 'a draft')
  })

  test('the editor has the keys, Ctrl+C and the screen to itself', async () => {
    const zotui = await openDemo({
      terminal: { kitty: true },
      env: editor(`trap 'echo caught' INT; stty -a > "$HOME/stty"
        printf 'EDITING\\n'; read -r line; read -r line; printf '%s' "got $line" > "$1"; echo bye`),
    })
    await send(zotui, 'tour')
    await zotui.type('draft')
    await zotui.press('ctrl+g')
    await zotui.see('EDITING')
    expect(zotui.mode(2004)).toBe(false)
    await zotui.gone('▌ draft')
    await zotui.raw('\u0003')
    await zotui.see('caught')
    await zotui.raw('typed\r')
    await expectDraft(zotui, 'got typed')
    expect(zotui.mode(2004)).toBe(true)
    expect(readFileSync(join(zotui.home.path, 'stty'), 'utf8')).toMatch(/(?<!-)icanon[\s\S]*(?<!-)echo\b/)
    zotui.committedOnce(['▌ tour', 'EDITING', 'bye'])
    await zotui.press('esc')
    await zotui.see(new RegExp(`Stopped|${turnEnd.source}`, 'm'))
    // Its keys are told apart again.
    await zotui.press('shift+enter')
    await zotui.type('second')
    await zotui.see(/^▌ got typed\n▌ second$/m)
  })

  test('output of the agent meanwhile is printed once afterwards', async () => {
    const zotui = await openWith(`echo EDITING; read -r line`)
    await send(zotui, 'markdown')
    await zotui.press('ctrl+g')
    await zotui.see('EDITING')
    await zotui.raw('\r')
    await zotui.seeInHistory(turnEnd)
    zotui.committedOnce(['▌ markdown', 'EDITING'])
  })
})

describe.skipIf(process.platform === 'win32')('Ctrl+Z', () => {
  test('hands the terminal to the shell, and fg restores the screen', async () => {
    const home = makeHome()
    const shell = `const { spawnSync } = require('child_process')
      spawnSync('/bin/sh', ['-i'], { stdio: 'inherit', env: { ...process.env, PS1: 'SHELL> ' } })`
    const terminal = await open({ home, program: ['-e', shell] })
    await terminal.see('SHELL>')
    await terminal.type(`'${process.execPath}' '${program}' --demo`)
    await terminal.raw('\r')
    await terminal.see(/^ +demo .*demo-large/m)
    await terminal.type('a draft')
    await expectDraft(terminal, 'a draft')
    await terminal.press('ctrl+z')
    await terminal.see(/Stopped[\s\S]*SHELL>/)
    expect(terminal.screen().join('\n')).not.toContain('▌ a draft')
    expect(terminal.mode(2004)).toBe(false)
    await terminal.raw('echo in the "shell"\r')
    await terminal.see(/^in the shell$/m)
    await terminal.raw('fg\r')
    await expectDraft(terminal, 'a draft')
    await terminal.press('ctrl+u')
    await expectDraft(terminal, '')
    await terminal.press('ctrl+d')
    await terminal.see(/SHELL> fg\n[\s\S]*SHELL>/)
    await terminal.raw('exit\r')
    expect(await terminal.exit()).toEqual({ code: 0, signal: null })
    home.remove()
  })

  test('does nothing without a shell that could continue it', async () => {
    const zotui = await shared()
    await zotui.type('a draft')
    await zotui.press('ctrl+z')
    await zotui.type(' and more')
    await expectDraft(zotui, 'a draft and more')
  })
})
