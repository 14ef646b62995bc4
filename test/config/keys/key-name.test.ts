import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { allBindings } from '../../../components/pages/keymap.ts'
import { parseKey } from '../../../src/config/keys/key-name.ts'
import { macOptionKey } from '../../../src/config/keys/mac-option.ts'

describe('a key name', () => {
  test.each([
    ['ctrl+j', 'ctrl+j'],
    ['Ctrl-J', 'ctrl+j'],
    ['C-j', 'ctrl+j'],
    ['^J', 'ctrl+j'],
    ['<C-j>', 'ctrl+j'],
    ['control+J', 'ctrl+j'],
    ['M-x', 'alt+x'],
    ['Option+x', 'alt+x'],
    ['meta-x', 'alt+x'],
    ['shift+alt+x', 'alt+shift+x'],
    ['s-c-Tab', 'ctrl+shift+tab'],
    ['Return', 'enter'],
    ['Esc', 'escape'],
    ['alt+PgUp', 'alt+pageup'],
    ['page-down', 'pagedown'],
    ['ctrl+Page_Down', 'ctrl+pagedown'],
    ['ctrl+-', 'ctrl+-'],
    ['C--', 'ctrl+-'],
    ['ctrl++', 'ctrl++'],
    ['ctrl+plus', 'ctrl++'],
    ['ctrl+_', 'ctrl+_'],
    [String.raw`ctrl+\ `, String.raw`ctrl+\ `.trim()],
    ['ctrl+space', 'ctrl+space'],
    ['n', 'n'],
    ['N', 'N'],
    ['shift+n', 'N'],
    ['{', '{'],
    ['+', '+'],
    ['alt+é', 'alt+é'],
    ['C-x C-e', 'ctrl+x ctrl+e'],
    ['  ctrl+x   e ', 'ctrl+x e'],
  ])('%s means %s', (written, key) => {
    expect(parseKey(written)).toEqual({ ok: true, key })
  })

  test.each([
    ['entr', 'is not a key; did you mean enter?'],
    ['crtl+j', 'is not a key: crtl is not a modifier; did you mean ctrl?'],
    ['foo', 'is not a key'],
    ['', 'is not a key'],
    ['ctrl+', 'is not a key'],
    ['constructor+x', 'is not a key: constructor is not a modifier'],
    ['cmd+k', 'cannot be bound: terminals do not pass on cmd'],
    ['F5', 'cannot be bound: F5 does not reach the program'],
    ['a b c', 'is more than two keys'],
    ['\u0003', 'is not a key'],
  ])('%s is not valid', (written, reason) => {
    expect(parseKey(written)).toEqual({ ok: false, reason })
  })

  test('every name of the built-in table is normalised', () => {
    for (const key of allBindings.flatMap(each => each.keys)) expect(parseKey(key)).toEqual({ ok: true, key })
  })

  test('normalising a key name twice changes nothing', () => {
    const part = fc.constantFrom(...'ctrl alt shift C M s + - _ ^ < > x X 漢 enter Esc cmd f5'.split(' '), ' ')
    fc.assert(
      fc.property(fc.array(part, { maxLength: 7 }), parts => {
        const parsed = parseKey(parts.join(''))
        expect(parsed.ok ? parseKey(parsed.key) : parsed).toEqual(parsed)
      }),
      { numRuns: 2000 },
    )
  })
})

test('a character typed with Option on a Mac gives the pressed key', () => {
  const typed = Object.fromEntries(Array.from('∫ƒµ®πç∂˚√¥', character => [character, macOptionKey(character)]))
  expect(typed).toEqual({
    '∫': 'alt+b',
    ƒ: 'alt+f',
    µ: 'alt+m',
    '®': 'alt+r',
    π: 'alt+p',
    ç: 'alt+c',
    '∂': 'alt+d',
    '˚': 'alt+k',
    '√': 'alt+v',
    '¥': 'alt+y',
  })
  for (const text of ['b', 'é', 'Ç', 'ñ', 'å', '漢', '', '∫∫']) expect(macOptionKey(text)).toBeNull()
})
