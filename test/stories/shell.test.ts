/** A user runs commands of their own behind `!`. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, test, vi } from 'vitest'
import { alive } from '../helpers/processes.ts'
import { share, type Screen } from '../helpers/screen.ts'
import { turnEnd } from '../helpers/turn-end.ts'
import { letGo, openDemo, openEcho, send, startAfresh } from './stage.ts'

/** Types a line for the shell and, when it stands there, presses Enter. */
async function runCommand(zotui: Screen, line: string): Promise<void> {
  await zotui.type(line)
  await zotui.see(`$ ${line}`)
  await zotui.press('enter')
}

const waitFor = (gate: string) => `until [ -e "$HOME/${gate}" ]; do sleep 0.05; done`

/** Its first test looks at the top of the conversation. */
const demo = share(openDemo, startAfresh)
const zot = share(openEcho, startAfresh)

describe.skipIf(process.platform === 'win32')('a command of the user', () => {
  test('prints up to 20 lines, the end of longer output, and everything in the viewer', async () => {
    const zotui = await demo()
    await runCommand(zotui, '!seq 101 120')
    await zotui.see('You ran this')
    zotui.committedOnce(['    101', '    102', '    119', '    120'])
    await runCommand(zotui, '!seq 201 260')
    await zotui.see(/\+44 lines, Ctrl\+O shows all\n +245\n[\s\S]*260/)
    await zotui.press('ctrl+o')
    await zotui.see(/259\n +260/)
    await zotui.type('g')
    await zotui.see('    101')
    await zotui.press('esc')
  })

  test('shows its output while it runs, and is printed to the scrollback when it ends', async () => {
    const zotui = await demo()
    await runCommand(zotui, `!echo one; ${waitFor('go')}; echo two; exit 3`)
    await zotui.see(/⠋|⠙|⠹|⠸|⠼|⠴|⠦|⠧|⠇|⠏/)
    await zotui.see(/^ {4}one$/m)
    await zotui.see(/running your command.*Esc stops it/)
    letGo(zotui, 'go')
    await zotui.see(/▌ !.*exit 3[\s\S]*one\n +two\n {2}You ran this; your next prompt includes it\./)
    await zotui.gone(/running your command/)
    zotui.committedOnce(['▌ !echo one', 'You ran this'])
  })

  test('is passed to the agent with the next prompt, without repeating it on the screen', async () => {
    const zotui = await zot()
    await runCommand(zotui, '!echo the-output')
    await zotui.see(/You ran this; your next prompt includes it/)
    await send(zotui, 'why?')
    await zotui.see(/▌ why\?\n {2}with the output of your command/)
    await zotui.see(/I ran this command myself; it exited with code 0/)
    await zotui.see(turnEnd)
    await send(zotui, 'again')
    await zotui.see('You said: again.')
  })

  test('is not passed to the agent with !!', async () => {
    const zotui = await zot()
    await runCommand(zotui, '!!echo secret')
    await zotui.see('You ran this; the agent does not see it.')
    await send(zotui, 'hello')
    await zotui.see('You said: hello.')
  })

  test('runs while the agent works, and Esc stops first the command, then the agent', async () => {
    const zotui = await demo()
    await send(zotui, 'long')
    await zotui.seeInHistory('2. The')
    const before = zotui.children().length
    await runCommand(zotui, '!sleep 1000 & sleep 1000')
    await zotui.until('the command to run', { check: () => zotui.children().length > before + 1 })
    await zotui.press('esc')
    await zotui.seeInHistory(/▌ !sleep 1000.*stopped/)
    expect(zotui.children().length).toBe(before)
    await zotui.press('esc')
    await zotui.see(/Stopped/)
  })

  test('runs in the project folder with the shell and files of the user', async () => {
    const zotui = await demo()
    writeFileSync(join(zotui.cwd, 'here.txt'), 'x')
    await runCommand(zotui, '!ls; echo $0; touch made')
    await zotui.see(/here\.txt[\s\S]*sh\n/)
    expect(existsSync(join(zotui.cwd, 'made'))).toBe(true)
  })

  test('cannot control the terminal with escape sequences, nor block the keyboard with a flood', async () => {
    const zotui = await demo()
    await runCommand(zotui, String.raw`!printf '\033[2J\033]0;title\007\033[31mred\033[0m\n'; yes`)
    await zotui.see(/^ {4}y$/m)
    await zotui.type('still here')
    await zotui.see('▌ still here')
    await zotui.press('esc')
    await zotui.seeInHistory(/▌ !.*[\s\S]*stopped/)
    await zotui.see('▌ still here')
  })

  test.each([
    ['ctrl+d', 0],
    ['ctrl+\\', 1],
  ])('ends with the program, which %s ends', async (key, code) => {
    const zotui = await openDemo()
    await runCommand(zotui, '!sleep 1000 & sleep 1000')
    await zotui.see(/running your command/)
    await zotui.until('all of it to run', { check: () => zotui.children().length > 2 })
    const commands = zotui.children()
    await zotui.press(key)
    expect(await zotui.exit()).toEqual({ code, signal: null })
    await vi.waitFor(() => expect(commands.filter(alive)).toEqual([]), { timeout: 10_000 })
  })

  test('that prints too much says what is gone of its output', async () => {
    const zotui = await demo()
    await runCommand(zotui, '!seq 1 100000')
    await zotui.see(/99999\n +100000\n {2}5\d\d kB from the middle of this output is gone\./)
  })

  test('that draws on the screen gets the terminal and the keys', async () => {
    const body = `#!/bin/sh\n[ -t 0 ] && [ -t 1 ] && printf 'ON THE TERMINAL'\nread -r line; echo "$line" > "$HOME/typed"; exit 3\n`
    const zotui = await openEcho({
      env: home => {
        mkdirSync(join(home.path, 'programs'))
        writeFileSync(join(home.path, 'programs/vim'), body, { mode: 0o755 })
        return { PATH: `${join(home.path, 'programs')}:${process.env['PATH']}` }
      },
    })
    await runCommand(zotui, '!vim notes.txt')
    await zotui.see('ON THE TERMINAL')
    expect(zotui.mode(2004)).toBe(false)
    await zotui.raw('some words\r')
    await zotui.see(
      /▌ !vim notes\.txt +exit 3[^]*You ran this on the terminal; your next prompt tells only that it ended\./,
    )
    expect(readFileSync(join(zotui.home.path, 'typed'), 'utf8')).toBe('some words\n')
    await send(zotui, 'why?')
    await zotui.see(/I ran this command myself; it exited with code 3[^]*its output went to my terminal/)
  })

  test('a line with a space before the ! is text', async () => {
    const zotui = await zot()
    await zotui.type(' !important')
    await zotui.press('enter')
    await zotui.see(/You said:.*!important/)
  })
})
