/** A user writes a prompt: new lines, readline's keys, undo, long and wide text. */
import { describe, expect, test } from 'vitest'
import { share, type Screen } from '../helpers/screen.ts'
import { clearDraft, expectCaret, expectDraft, openDemo, openZot } from './stage.ts'

/** Each test leaves a draft. */
const plain = share(openDemo, clearDraft)
const kitty = share(async () => {
  const zotui = await openDemo({ terminal: { kitty: true } })
  await zotui.until('its keys to be asked for', { check: () => zotui.bytes().includes('[>1u') })
  return zotui
}, clearDraft)

describe('a new line', () => {
  test.each([
    ['Ctrl+J', plain, (zotui: Screen) => zotui.press('ctrl+j')],
    ['Alt+Enter', plain, (zotui: Screen) => zotui.press('alt+enter')],
    ['Shift+Enter, as kitty sends it', kitty, (zotui: Screen) => zotui.press('shift+enter')],
    ['Shift+Enter, as xterm sends it', plain, (zotui: Screen) => zotui.raw('\u001B[27;2;13~')],
    [
      'a backslash before Enter',
      plain,
      async (zotui: Screen) => {
        await zotui.type('\\')
        await zotui.press('enter')
      },
    ],
  ])('%s', async (_, opened, newLine) => {
    const zotui = await opened()
    await zotui.type('one')
    await newLine(zotui)
    await zotui.type('two')
    await zotui.see(/^▌ one\n▌ two\n/m)
    await expectDraft(zotui, 'two')
  })
})

/** Each row: the text typed first, the keys pressed, what the composer then holds and the caret's column. */
const edits: [name: string, typed: string, keys: string[], text: string, column: number][] = [
  ['Ctrl+A, Ctrl+D: to the beginning, delete right', 'xone two', ['ctrl+a', 'ctrl+d'], 'one two', 0],
  ['Home, Delete', 'xone', ['home', 'delete'], 'one', 0],
  ['Ctrl+A, Ctrl+E: there and back', 'one two', ['ctrl+a', 'ctrl+e'], 'one two', 7],
  ['Ctrl+B twice, Ctrl+F: left and right', 'one', ['ctrl+b', 'ctrl+b', 'ctrl+f'], 'one', 2],
  ['Left, Right', 'one', ['left', 'left', 'right'], 'one', 2],
  ['Ctrl+H and Backspace', 'onexx', ['ctrl+h', 'backspace'], 'one', 3],
  ['Ctrl+W: the word before, dashes and all', 'one two-three', ['ctrl+w', 'x'], 'one x', 5],
  ['Alt+Backspace: letters only', 'one two-three', ['alt+backspace'], 'one two-', 8],
  ['Ctrl+U: to the beginning', 'one two', ['ctrl+b', 'ctrl+u'], 'o', 0],
  ['Ctrl+K, Ctrl+Y: cut to the end and put back', 'one two', ['alt+b', 'ctrl+k', 'ctrl+a', 'ctrl+y'], 'twoone', 3],
  ['Alt+B, Alt+F, Alt+B: words', 'one two three', ['alt+b', 'alt+b', 'alt+f', 'alt+b'], 'one two three', 4],
  ['Ctrl+Left, Ctrl+Right: words', 'one two three', ['ctrl+left', 'ctrl+left', 'ctrl+right'], 'one two three', 7],
  ['Alt+D: the word after', 'one two', ['ctrl+a', 'alt+d', 'delete'], 'two', 0],
  ['Alt+Y: the kill before', 'one two', ['ctrl+w', 'left', 'ctrl+u', 'ctrl+y', 'alt+y'], 'two', 3],
]

describe('keys of readline', () => {
  test.each(edits)('%s', async (_, typed, keys, text, column) => {
    const zotui = await plain()
    await zotui.type(typed)
    await zotui.press(...keys)
    await expectDraft(zotui, text)
    await expectCaret(zotui, column)
  })

  test('Ctrl+_ undoes and Alt+_ redoes', async () => {
    const zotui = await plain()
    await zotui.type('one two')
    await zotui.press('ctrl+w')
    await expectDraft(zotui, 'one')
    await zotui.press('ctrl+_')
    await expectDraft(zotui, 'one two')
    await zotui.press('alt+_')
    await expectDraft(zotui, 'one')
  })

  test('readline keys work with the kitty protocol', async () => {
    const zotui = await kitty()
    await zotui.type('one two')
    await zotui.press('alt+b', 'ctrl+k', 'ctrl+a', 'ctrl+y')
    await expectDraft(zotui, 'twoone')
    await zotui.press('ctrl+-', 'ctrl+-')
    await expectDraft(zotui, 'one two')
  })
})

describe('the draft', () => {
  test('deletes a visible character as one', async () => {
    const zotui = await plain()
    await zotui.type('a👩‍👩‍👧é日')
    await expectCaret(zotui, 6)
    await zotui.press('backspace')
    await expectCaret(zotui, 4)
    await zotui.press('backspace', 'backspace')
    await expectDraft(zotui, 'a')
    await expectCaret(zotui, 1)
  })

  test('wraps at the width, and takes at most a third of the screen', async () => {
    const zotui = await openDemo({ columns: 40, rows: 18 })
    for (const first of [1, 4, 7, 10]) {
      const lines = [first, first + 1, first + 2].map(n => `line ${n}`).join('\n')
      await zotui.paste(first === 1 ? lines : `\n${lines}`)
    }
    await expectDraft(zotui, 'line 12')
    const shown = zotui.screen().filter(row => /line \d+/.test(row)).length
    expect(shown).toBeGreaterThan(2)
    expect(shown).toBeLessThanOrEqual(6)
    await zotui.press('up', 'up', 'up', 'up', 'up', 'up', 'up', 'up', 'up', 'up', 'up')
    await expectDraft(zotui, 'line 1')
    await zotui.press('end')
    await zotui.type(' is made so long that it needs a second row')
    await expectDraft(zotui, 'a second row')
  })

  test('is sent unchanged', async () => {
    const zotui = await openZot('echo')
    await zotui.see(/anthropic\/sonnet/)
    await zotui.type('two  blanks, "quotes" and 日本語')
    await zotui.press('enter')
    await zotui.see('You said: two  blanks, "quotes" and 日本語.')
  })
})
