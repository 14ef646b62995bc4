import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { describeToken, ESC, joined, linesOf, PASTE_END, PASTE_START, tokenReader, tokensOf } from './tokens.ts'

/** What a terminal sends, and the one form in which the key goes on. Keys are in the kitty encoding: code ; modifiers + 1. */
const keys: readonly [what: string, sent: string, token: string][] = [
  // One byte each.
  ['Enter', '\r', 'key [13u'],
  ['Tab', '\t', 'key [9u'],
  ['Backspace', '\u007F', 'key [127u'],
  ['Ctrl+Backspace, or Ctrl+H', '\b', 'key [104;5u'],
  ['Ctrl+J', '\n', 'key [106;5u'],
  ['Ctrl+A', '\u0001', 'key [97;5u'],
  ['Ctrl+C', '\u0003', 'key [99;5u'],
  ['Ctrl+Z', '\u001A', 'key [122;5u'],
  ['Ctrl+Space', '\0', 'key [32;5u'],
  ['Ctrl+\\', '\u001C', 'key [92;5u'],
  ['Ctrl+]', '\u001D', 'key [93;5u'],
  ['Ctrl+^', '\u001E', 'key [94;5u'],
  ['Ctrl+_', '\u001F', 'key [95;5u'],

  // CSI and SS3.
  ['Up', `${ESC}[A`, 'key [A'],
  ['Up of an application keypad', `${ESC}OA`, 'key [A'],
  ['Home of an application keypad', `${ESC}OH`, 'key [H'],
  ['Enter of an application keypad', `${ESC}OM`, 'key [13u'],
  ['F1', `${ESC}OP`, 'key [P'],
  ['F5', `${ESC}[15~`, 'key [15~'],
  ['Home', `${ESC}[H`, 'key [H'],
  ['Home of others', `${ESC}[1~`, 'key [1~'],
  ['Delete', `${ESC}[3~`, 'key [3~'],
  ['Page Down', `${ESC}[6~`, 'key [6~'],
  ['Shift+Tab', `${ESC}[Z`, 'key [9;2u'],
  ['Ctrl+Left', `${ESC}[1;5D`, 'key [1;5D'],
  ['Ctrl+Delete', `${ESC}[3;5~`, 'key [3;5~'],

  // Alt.
  ['Alt+b', `${ESC}b`, 'key [98;3u'],
  ['Alt+Shift+B', `${ESC}B`, 'key [98;4u'],
  ['Alt+ä', `${ESC}ä`, 'key [228;3u'],
  ['Alt with a character beyond 16 bits', `${ESC}😀`, 'key [128512;3u'],
  ['Alt+Enter', `${ESC}\r`, 'key [13;3u'],
  ['Alt+Backspace', `${ESC}\u007F`, 'key [127;3u'],
  ['Alt+Ctrl+B', `${ESC}\u0002`, 'key [98;7u'],
  ['Alt+Up of xterm', `${ESC}[1;3A`, 'key [1;3A'],
  ['Alt+Up of rxvt', `${ESC}${ESC}[A`, 'key [1;3A'],
  ['Alt+Up of an application keypad', `${ESC}${ESC}OA`, 'key [1;3A'],
  ['Alt+Up of iTerm2', `${ESC}[1;9A`, 'key [1;3A'],
  ['Alt+Right of xterm', `${ESC}[1;3C`, 'key [1;3C'],
  ['Ctrl+Up of rxvt', `${ESC}Oa`, 'key [1;5A'],
  ['Alt+Up of kitty', `${ESC}[1;3:1A`, 'key [1;3A'],
  ['Alt+Delete as ESC and Delete', `${ESC}${ESC}[3~`, 'key [3;3~'],
  ['Alt+Ctrl+Left as ESC and Ctrl+Left', `${ESC}${ESC}[1;5D`, 'key [1;7D'],
  // These begin a string, a CSI or an SS3 sequence; alone they are a key.
  ['Alt+_', `${ESC}_`, 'key [95;3u'],
  ['Alt+]', `${ESC}]`, 'key [93;3u'],
  ['Alt+^', `${ESC}^`, 'key [94;3u'],
  ['Alt+[', `${ESC}[`, 'key [91;3u'],
  ['Alt+Shift+O', `${ESC}O`, 'key [111;4u'],
  ['Alt+Shift+P', `${ESC}P`, 'key [112;4u'],

  // The kitty keyboard protocol.
  ['Esc', `${ESC}[27u`, 'key [27u'],
  ['Shift+Enter', `${ESC}[13;2u`, 'key [13;2u'],
  ['Ctrl+Enter', `${ESC}[13;5u`, 'key [13;5u'],
  ['Ctrl+Shift+C', `${ESC}[99;6u`, 'key [99;6u'],
  ['Ctrl+C with its shifted and base key', `${ESC}[1089:1057:99;5u`, 'key [1089;5u'],
  ['Alt+p', `${ESC}[112;3u`, 'key [112;3u'],
  ['a press that says so', `${ESC}[99;5:1u`, 'key [99;5u'],
  ['a repeat', `${ESC}[99;5:2u`, 'key [99;5u'],
  ['with Num Lock on', `${ESC}[99;133u`, 'key [99;5u'],
  ['Enter of the keypad', `${ESC}[57414u`, 'key [57414u'],
  ['Up with Num Lock on', `${ESC}[1;129A`, 'key [A'],
  ['Ctrl+Delete with Caps Lock on', `${ESC}[3;69~`, 'key [3;5~'],
  ['Up, pressed again', `${ESC}[1;1:2A`, 'key [A'],

  // What xterm calls modifyOtherKeys.
  ['Shift+Enter of xterm', `${ESC}[27;2;13~`, 'key [13;2u'],
  ['Ctrl+Enter of xterm', `${ESC}[27;5;13~`, 'key [13;5u'],
  ['Ctrl+Tab of xterm', `${ESC}[27;5;9~`, 'key [9;5u'],
  ['Meta+p of xterm', `${ESC}[27;9;112~`, 'key [112;3u'],
  ['Alt+p of xterm', `${ESC}[27;3;112~`, 'key [112;3u'],
]

/** What is typed, in every form. */
const texts: readonly [what: string, sent: string, token: string][] = [
  ['letters', 'hello', 'text hello'],
  ['blanks', 'a b', 'text a b'],
  ['other scripts', 'Grüße 你好 👩‍👩‍👧', 'text Grüße 你好 👩‍👩‍👧'],
  ['a letter of kitty', `${ESC}[97u`, 'text a'],
  ['a capital of kitty', `${ESC}[97;2u`, 'text A'],
  ['its text, where kitty tells it', `${ESC}[97;2;65u`, 'text A'],
  ['with Caps Lock on', `${ESC}[97;65;65u`, 'text A'],
  ['a text of several characters', `${ESC}[0;;228:97u`, 'text äa'],
  ['a letter of xterm', `${ESC}[27;1;97~`, 'text a'],
]

/** What is for the program and not for the person. */
const reports: readonly [what: string, sent: string, token: string][] = [
  ['focus', `${ESC}[I`, 'focus in'],
  ['focus lost', `${ESC}[O`, 'focus out'],
  ['kitty keys', `${ESC}[?1u`, 'reply [?1u'],
  ['device attributes', `${ESC}[?62;22c`, 'reply [?62;22c'],
  ['secondary device attributes', `${ESC}[>1;10;0c`, 'reply [>1;10;0c'],
  ['a mode', `${ESC}[?2026;2$y`, 'reply [?2026;2$y'],
  ['the cursor', `${ESC}[12;40R`, 'reply [12;40R'],
  ['a mouse', `${ESC}[<0;10;20M`, 'reply [<0;10;20M'],
  ['a colour, ended by ST', `${ESC}]11;rgb:ffff/ffff/ffff${ESC}\\`, `reply ]11;rgb:ffff/ffff/ffff${ESC}\\`],
  ['a colour, ended by BEL', `${ESC}]11;rgb:0/0/0\u0007`, 'reply ]11;rgb:0/0/0\u0007'],
  ['the version', `${ESC}P>|xterm(400)${ESC}\\`, `reply P>|xterm(400)${ESC}\\`],
  ['graphics', `${ESC}_Gi=31;OK${ESC}\\`, `reply _Gi=31;OK${ESC}\\`],
]

const all = [...keys, ...texts, ...reports]

describe('each form becomes one token', () => {
  test.each(all)('%s', (_what, sent, token) => {
    expect(linesOf(sent)).toEqual([token])
  })
})

describe('a sequence that is cut at any place is the same', () => {
  test.each(all)('%s', (_what, sent, token) => {
    const cut = Array.from({ length: sent.length - 1 }, (_, index) =>
      linesOf(sent.slice(0, index + 1), sent.slice(index + 1)),
    )
    // Half a character never comes: bytes are decoded before.
    const whole = cut.filter((_, index) => sent.slice(0, index + 1).isWellFormed())
    expect(whole).toEqual(whole.map(() => [token]))
  })

  test.each(all)('%s, a character at a time', (_what, sent, token) => {
    expect(linesOf(...Array.from(sent))).toEqual([token])
  })
})

describe('what is no key and no text is left out', () => {
  test.each([
    ['the release of a key', `${ESC}[99;5:3u`],
    ['the release of an arrow', `${ESC}[1;1:3A`],
    ['the release of Delete', `${ESC}[3;1:3~`],
    ['F1 of the Linux console', `${ESC}[[A`],
    ['F13, which Ink would type', `${ESC}[25~`],
    ['Super+c', `${ESC}[99;9u`],
    ['Hyper+c', `${ESC}[99;17u`],
    ['an unknown CSI sequence', `${ESC}[5n`],
    ['the end of a paste that never began', PASTE_END],
    ['a character that does not exist', `${ESC}[99999999u`],
    ['half a character', `${ESC}[55357u`],
    ['a control character as a key of kitty', `${ESC}[155u`],
    ['a control character as the text of a key', `${ESC}[97;1;27u`],
    ['a text of no character', `${ESC}[97;1;99999999u`],
    ['a C1 control character', '\u009B'],
    ['an SS3 sequence of no key', `${ESC}Oä`],
  ])('%s', (_what, sent) => {
    expect(linesOf(sent)).toEqual([])
  })

  test.each([
    [`a${ESC}[5nb`, ['text ab']],
    [`a\u0085b`, ['text ab']],
    [`${ESC}[97;1;27ux`, ['text x']],
  ])('%j', (sent, lines) => {
    expect(linesOf(sent)).toEqual(lines)
  })
})

describe('Esc', () => {
  test('alone waits to see whether it begins a sequence, and is a key when nothing comes', () => {
    const reader = tokenReader()
    expect(reader.push(ESC)).toEqual([])
    expect(reader.waiting()).toBe('sequence')
    expect(reader.flush().map(describeToken)).toEqual(['key [27u'])
    expect(reader.waiting()).toBe('nothing')
  })

  test.each([2, 3, 4])('pressed %i times at once is that many keys', times => {
    expect(linesOf(ESC.repeat(times))).toEqual(Array.from({ length: times }, () => 'key [27u'))
  })

  test('then a letter, after a pause, is two keys and not Alt', () => {
    const reader = tokenReader()
    const tokens = [...reader.push(ESC), ...reader.flush(), ...reader.push('b')]
    expect(tokens.map(describeToken)).toEqual(['key [27u', 'text b'])
  })

  test.each([
    ['b', 'key [27u', 'text b'],
    ['/models', 'key [27u', 'text /models'],
    ['\r', 'key [27u', 'key [13u'],
    [`${ESC}[A`, 'key [27u', 'key [A'],
    ['[A', 'key [A'],
    ['OA', 'key [A'],
    [']11;rgb:0/0/0\u0007', 'reply ]11;rgb:0/0/0\u0007'],
  ])('and %j not in one go with it: only a sequence is one', (next, ...lines) => {
    const reader = tokenReader()
    const tokens = [...reader.push(ESC), ...reader.push(next, true), ...reader.flush()]
    expect(tokens.map(describeToken)).toEqual(lines)
  })

  test('in a paste that comes in pieces is no key', () => {
    const reader = tokenReader()
    const pieces = [PASTE_START, 'a', ESC, 'b', PASTE_END]
    expect(pieces.flatMap(piece => reader.push(piece, true)).map(describeToken)).toEqual([`paste a${ESC}b`])
  })

  test('right before a paste is Esc and a paste', () => {
    expect(linesOf(`${ESC}${PASTE_START}a\rb${PASTE_END}`)).toEqual(['key [27u', 'paste a\rb'])
  })

  test('begins nothing that a control character could be part of', () => {
    expect(linesOf(`${ESC}[12;\u0003`)).toEqual(['key [99;5u'])
    expect(linesOf(`${ESC}[12;${ESC}[A`)).toEqual(['key [A'])
  })
})

describe('a reply that comes late and in pieces', () => {
  test('is neither Esc nor text, however long the pause', () => {
    const reader = tokenReader()
    const tokens = [...reader.push(`${ESC}[?6`), ...reader.flush(), ...reader.push('2;22c'), ...reader.push('x')]
    expect(tokens.map(describeToken)).toEqual(['reply [?62;22c', 'text x'])
  })

  test('does not hold up the keys behind it', () => {
    expect(linesOf(`${ESC}[?62;22cabc\r`)).toEqual(['reply [?62;22c', 'text abc', 'key [13u'])
  })

  test('is given up when a key begins', () => {
    expect(linesOf(`${ESC}]11;rgb:${ESC}[Ax`)).toEqual(['reply ]11;rgb:', 'key [A', 'text x'])
    expect(linesOf(`${ESC}_${ESC}[A`)).toEqual(['key [95;3u', 'key [A'])
  })

  test('that has no end does not take the keyboard for good', () => {
    const reader = tokenReader()
    reader.push(`${ESC}]11;rgb:`)
    expect(reader.waiting()).toBe('sequence')
    expect(reader.flush()).toEqual([])
    expect(reader.push('typed').map(describeToken)).toEqual(['text typed'])
  })

  test('nor does one that goes on and on', () => {
    const reader = tokenReader()
    reader.push(`${ESC}]52;c;${'A'.repeat(70_000)}`)
    expect(reader.push('typed').map(describeToken)).toEqual(['text typed'])
  })
})

describe('a paste', () => {
  const pasted = 'one\rtwo\n\tthree \u0003 \u001B[A end'
  const whole = `${PASTE_START}${pasted}${PASTE_END}`

  test('is one token, with all that is in it', () => {
    expect(linesOf(`a${whole}b`)).toEqual(['text a', `paste ${pasted}`, 'text b'])
  })

  test('that is cut at any place is the same', () => {
    const cut = Array.from({ length: whole.length - 1 }, (_, index) =>
      linesOf(whole.slice(0, index + 1), whole.slice(index + 1)),
    )
    expect(cut).toEqual(cut.map(() => [`paste ${pasted}`]))
  })

  test('may be empty', () => {
    expect(linesOf(PASTE_START + PASTE_END)).toEqual(['paste '])
  })

  test('may hold what looks like its end', () => {
    expect(linesOf(`${PASTE_START}${ESC}[201${ESC}[20${PASTE_END}`)).toEqual([`paste ${ESC}[201${ESC}[20`])
  })

  test('without an end is taken as it came, after a wait, and the keyboard is free again', () => {
    const reader = tokenReader()
    expect(reader.push(`${PASTE_START}half\ra`)).toEqual([])
    expect(reader.waiting()).toBe('paste')
    expect(reader.push('nd more')).toEqual([])
    expect(reader.flush().map(describeToken)).toEqual(['paste half\rand more'])
    expect(reader.waiting()).toBe('nothing')
    expect(reader.push('\r').map(describeToken)).toEqual(['key [13u'])
  })

  test('of a megabyte in small pieces is whole', () => {
    const text = 'line of text\r'.repeat(80_000)
    const chunks = text.match(/[\s\S]{1,1000}/g) ?? []
    const tokens = tokensOf(PASTE_START, ...chunks, PASTE_END)
    expect(tokens).toHaveLength(1)
    expect(tokens[0]).toMatchObject({ kind: 'paste', text })
  })
})

describe('lines that come at once, without the marks of a paste', () => {
  test.each([
    ['a terminal turns line ends to CR', 'one\rtwo\rthree', ['paste one\rtwo\rthree']],
    ['one Enter between two texts may be typed ahead', 'one\rtwo', ['text one', 'key [13u', 'text two']],
    ['some do not', 'one\ntwo\r\nthree', ['paste one\ntwo\r\nthree']],
    ['what ends them is a key of its own', 'one\rtwo\rthree\r', ['paste one\rtwo\rthree', 'key [13u']],
    ['one line with its Enter was typed', 'one\r', ['text one', 'key [13u']],
    ['as was a second Enter', 'one\r\r', ['text one', 'key [13u', 'key [13u']],
    ['a key behind them stays a key', `one\rtwo\rthree${ESC}[A`, ['paste one\rtwo\rthree', 'key [A']],
  ])('%s', (_what, sent, lines) => {
    expect(linesOf(sent)).toEqual(lines)
  })
})

/** Keys, texts, replies and pastes, without what means another thing when it comes alone or at once. */
const pieces = fc.array(
  fc.oneof(
    fc.constantFrom(...all.map(([, sent]) => sent).filter(sent => sent.length !== 2 && !/[\r\n]/.test(sent))),
    fc.string({ unit: 'grapheme' }).map(text => text.replace(/[\u0000-\u001F\u007F-\u009F]/g, '')),
    fc.string().map(text => `${PASTE_START}${text.replaceAll(ESC, '')}${PASTE_END}`),
  ),
  { maxLength: 12 },
)

const lengths = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 10 })

function cutAt(text: string, sizes: readonly number[]): string[] {
  const characters = Array.from(text)
  const chunks: string[] = []
  for (let at = 0, turn = 0; at < characters.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1
    chunks.push(characters.slice(at, at + size).join(''))
    at += size
  }
  return chunks
}

describe('whatever comes', () => {
  test('reads of other lengths give the same tokens', () => {
    fc.assert(
      fc.property(pieces, lengths, (sent, sizes) => {
        const whole = sent.join('')
        expect(tokensOf(...cutAt(whole, sizes))).toEqual(tokensOf(whole))
      }),
      { numRuns: 500 },
    )
  })

  const noise = fc.array(
    fc.oneof(
      {
        weight: 3,
        arbitrary: fc.constantFrom(ESC, '[', 'O', ']', 'P', '_', ';', ':', '~', 'u', '0', '27', '200', '?', 'M', '\\'),
      },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 4 }) },
      { weight: 1, arbitrary: fc.constantFrom('\r', '\n', '\0', '\u0007', '\u009B', '\uD83D', PASTE_START, PASTE_END) },
      { weight: 1, arbitrary: fc.nat().map(code => `${ESC}[${code}u`) },
      { weight: 1, arbitrary: fc.tuple(fc.nat(), fc.nat(300), fc.nat()).map(([a, b, c]) => `${ESC}[${a};${b};${c}u`) },
    ),
    { maxLength: 30 },
  )

  test('nothing is thrown, no text holds a control character, and each key has a form that is known', () => {
    fc.assert(
      fc.property(noise, sent => {
        for (const token of tokensOf(...sent)) {
          const shown = token.kind === 'text' ? token.text : ''
          expect(shown).not.toMatch(/[\u0000-\u001F\u007F-\u009F]/)
          const key = token.kind === 'key' ? token.sequence : `${ESC}[A`
          expect(key).toMatch(/^\u001B\[[\d;]*[A-FHP-Su~]$/)
        }
      }),
      { numRuns: 2000 },
    )
  })

  test('the keyboard is free again after a silence', () => {
    fc.assert(
      fc.property(noise, sent => {
        const reader = tokenReader()
        for (const chunk of sent) reader.push(chunk)
        reader.flush()
        // What was left was a key, a paste, or a reply that nothing but its own end can follow.
        const tokens = joined([...reader.push('typed'), ...reader.push(' text')])
        expect(tokens.map(describeToken).join()).toContain('text')
      }),
    )
  })
})
