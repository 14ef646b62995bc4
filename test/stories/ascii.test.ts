/** With plain signs nothing that we draw needs more than ASCII, wherever one looks. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Screen } from '../helpers/screen.ts'
import { openDemo, openZot, send } from './stage.ts'

const size = { columns: 100, rows: 40 }

/** The text on the screen and above, and in the title. */
function assertAscii(zotui: Screen): void {
  const wrong = [...zotui.history(), ...zotui.around.titles].filter(line => /[^\u0020-\u007E]/.test(line))
  expect(wrong).toEqual([])
}

/** Sends a line, waits for what it brings, and looks at all of it. */
async function look(zotui: Screen, line: string, words: string | RegExp): Promise<void> {
  await send(zotui, line)
  await zotui.see(words)
  assertAscii(zotui)
}

/** The same for a list, which is left again. */
async function lookInto(zotui: Screen, line: string, words: string | RegExp): Promise<void> {
  await look(zotui, line, words)
  await zotui.press('esc')
  await zotui.gone('Esc cancels')
}

test('commands, lists, popups and the viewer use ASCII only', async () => {
  const zotui = await openDemo({ ...size, args: ['--ascii'] })
  for (const name of ['one.txt', 'a-very-long-name-of-a-file-that-has-no-room-in-the-popup-'.repeat(3)])
    writeFileSync(join(zotui.home.project, name), '')
  await zotui.type('/')
  await zotui.see('/compact')
  assertAscii(zotui)
  await zotui.press('ctrl+u')
  await zotui.type('@')
  await zotui.see('one.txt')
  assertAscii(zotui)
  await zotui.press('ctrl+u')
  for (const line of ['/model', '/theme', '/reasoning', '/settings']) await lookInto(zotui, line, 'Esc cancels')
  await look(zotui, '/settings detail full', 'detail is now full.')
  await lookInto(zotui, '/usage', 'this session')
  await look(zotui, '/context', 'free')
  await look(zotui, '/nonsense', /No command|no command/)
  await zotui.press('ctrl+u')
  await look(zotui, '/doctor', 'character widths')
  await look(zotui, '/help', '/exit')
  await zotui.type(String.raw`!printf "\033[1mbold \007 \342\200\256"`)
  await zotui.press('enter')
  await zotui.see('You ran this')
  assertAscii(zotui)
  await zotui.press('ctrl+r')
  await zotui.see('Esc cancels')
  assertAscii(zotui)
  await zotui.press('esc')
  await zotui.press('ctrl+o')
  await zotui.until('the viewer', { check: () => zotui.alternate })
  assertAscii(zotui)
  await zotui.press('t')
  await zotui.see('turns')
  assertAscii(zotui)
  await zotui.press('esc', '?')
  await zotui.see('these keys')
  assertAscii(zotui)
  await zotui.press('esc', 'q')
  await zotui.until('the screen', { check: () => !zotui.alternate })
  await zotui.paste(Array.from({ length: 9 }, (_, at) => `line ${at}`).join('\n'))
  await zotui.see('Pasted #1')
  assertAscii(zotui)
})

test('turns use ASCII only: while they run, with a queued prompt, when they are stopped, and when they fail', async () => {
  const zotui = await openDemo({ ...size, args: ['--ascii'] })
  for (const script of ['bash', 'edit', 'write', 'nested', 'retry', 'compact']) {
    await look(zotui, script, /\ds +Esc stops/)
    await look(zotui, 'next', '1 queued')
    await zotui.press('esc')
    await zotui.see('1 paused')
    assertAscii(zotui)
    await zotui.press('alt+up')
    await zotui.see('being edited')
    assertAscii(zotui)
    await zotui.press('ctrl+u', 'enter')
    await zotui.gone('1 paused')
  }
  await look(zotui, 'fail', 'overloaded')
  await look(zotui, 'refused', 'x-api-key')
  await look(zotui, 'crash', 'restart it')
})

test("lists of sessions and turns, and an agent's hidden characters, use ASCII only", async () => {
  const zotui = await openZot('echo', { ...size, args: ['--ascii'] })
  await zotui.see('Enter sends')
  await send(zotui, 'first thing')
  await zotui.see('You said: first thing.')
  await zotui.paste('a \u001B[31mred\u202E thing')
  await zotui.press('enter')
  await zotui.see('[U+202E]')
  await zotui.see('You said: a red[U+202E] thing.')
  assertAscii(zotui)
  await lookInto(zotui, '/rewind', 'first thing')
  await lookInto(zotui, '/resume', 'this one')
})
