import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { describeToken, ESC, joined, linesOf, PASTE_END, PASTE_START, tokenReader, tokensOf } from '../output/tokens.ts'

/** Sequences that terminals send, and the one name of each key. */
const keys: readonly [what: string, sent: string, token: string][] = [
  // One byte each.
  ['Enter', '\r', 'key enter'],
  ['Tab', '\t', 'key tab'],
  ['Backspace', '\u007F', 'key backspace'],
  ['Ctrl+Backspace, or Ctrl+H', '\b', 'key ctrl+h'],
  ['Ctrl+J', '\n', 'key ctrl+j'],
  ['Ctrl+A', '\u0001', 'key ctrl+a'],
  ['Ctrl+C', '\u0003', 'key ctrl+c'],
  ['Ctrl+Z', '\u001A', 'key ctrl+z'],
  ['Ctrl+Space', '\0', 'key ctrl+space'],
  ['Ctrl+\\', '\u001C', 'key ctrl+\\'],
  ['Ctrl+]', '\u001D', 'key ctrl+]'],
  ['Ctrl+^', '\u001E', 'key ctrl+^'],
  ['Ctrl+_', '\u001F', 'key ctrl+_'],

  // CSI and SS3.
  ['Up', `${ESC}[A`, 'key up'],
  ['Up of an application keypad', `${ESC}OA`, 'key up'],
  ['Home of an application keypad', `${ESC}OH`, 'key home'],
  ['Enter of an application keypad', `${ESC}OM`, 'key enter'],
  ['Home', `${ESC}[H`, 'key home'],
  ['Home of others', `${ESC}[1~`, 'key home'],
  ['Delete', `${ESC}[3~`, 'key delete'],
  ['Page Down', `${ESC}[6~`, 'key pagedown'],
  ['Shift+Tab', `${ESC}[Z`, 'key shift+tab'],
  ['Ctrl+Left', `${ESC}[1;5D`, 'key ctrl+left'],
  ['Ctrl+Delete', `${ESC}[3;5~`, 'key ctrl+delete'],

  // Alt.
  ['Alt+b', `${ESC}b`, 'key alt+b'],
  ['Alt+Shift+B', `${ESC}B`, 'key alt+shift+b'],
  ['Alt+ä', `${ESC}ä`, 'key alt+ä'],
  ['Alt with a character beyond 16 bits', `${ESC}😀`, 'key alt+😀'],
  ['Alt+Enter', `${ESC}\r`, 'key alt+enter'],
  ['Alt+Backspace', `${ESC}\u007F`, 'key alt+backspace'],
  ['Alt+Ctrl+B', `${ESC}\u0002`, 'key ctrl+alt+b'],
  ['Alt+Up of xterm', `${ESC}[1;3A`, 'key alt+up'],
  ['Alt+Up of rxvt', `${ESC}${ESC}[A`, 'key alt+up'],
  ['Alt+Up of an application keypad', `${ESC}${ESC}OA`, 'key alt+up'],
  ['Alt+Up of iTerm2', `${ESC}[1;9A`, 'key alt+up'],
  ['Alt+Right of xterm', `${ESC}[1;3C`, 'key alt+right'],
  ['Ctrl+Up of rxvt', `${ESC}Oa`, 'key ctrl+up'],
  ['Alt+Up of kitty', `${ESC}[1;3:1A`, 'key alt+up'],
  ['Alt+Delete as ESC and Delete', `${ESC}${ESC}[3~`, 'key alt+delete'],
  ['Alt+Ctrl+Left as ESC and Ctrl+Left', `${ESC}${ESC}[1;5D`, 'key ctrl+alt+left'],
  // These begin a string, a CSI or an SS3 sequence; alone they are a key.
  ['Alt+_', `${ESC}_`, 'key alt+_'],
  ['Alt+]', `${ESC}]`, 'key alt+]'],
  ['Alt+^', `${ESC}^`, 'key alt+^'],
  ['Alt+[', `${ESC}[`, 'key alt+['],
  ['Alt+Shift+O', `${ESC}O`, 'key alt+shift+o'],
  ['Alt+Shift+P', `${ESC}P`, 'key alt+shift+p'],

  // The kitty keyboard protocol.
  ['Esc', `${ESC}[27u`, 'key escape'],
  ['Shift+Enter', `${ESC}[13;2u`, 'key shift+enter'],
  ['Ctrl+Enter', `${ESC}[13;5u`, 'key ctrl+enter'],
  ['Ctrl+Shift+C', `${ESC}[99;6u`, 'key ctrl+shift+c'],
  ['Ctrl+C with its shifted and base key', `${ESC}[1089:1057:99;5u`, 'key ctrl+с'],
  ['Alt+p', `${ESC}[112;3u`, 'key alt+p'],
  ['a press that says so', `${ESC}[99;5:1u`, 'key ctrl+c'],
  ['a repeat', `${ESC}[99;5:2u`, 'key ctrl+c'],
  ['with Num Lock on', `${ESC}[99;133u`, 'key ctrl+c'],
  ['Shift+Backspace', `${ESC}[127;2u`, 'key shift+backspace'],
  ['Enter of the keypad', `${ESC}[57414u`, 'key enter'],
  ['Up of the keypad', `${ESC}[57419u`, 'key up'],
  ['Up with Num Lock on', `${ESC}[1;129A`, 'key up'],
  ['Ctrl+Delete with Caps Lock on', `${ESC}[3;69~`, 'key ctrl+delete'],
  ['Up, pressed again', `${ESC}[1;1:2A`, 'key up'],

  // xterm's modifyOtherKeys.
  ['Shift+Enter of xterm', `${ESC}[27;2;13~`, 'key shift+enter'],
  ['Ctrl+Enter of xterm', `${ESC}[27;5;13~`, 'key ctrl+enter'],
  ['Ctrl+Tab of xterm', `${ESC}[27;5;9~`, 'key ctrl+tab'],
  ['Meta+p of xterm', `${ESC}[27;9;112~`, 'key alt+p'],
  ['Alt+p of xterm', `${ESC}[27;3;112~`, 'key alt+p'],
]

/** Typed text, in every form. */
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

/** Reports for the program, which are no keys. */
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

describe('a sequence that is cut anywhere gives the same tokens', () => {
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

describe('input that is neither key nor text is ignored', () => {
  test.each([
    ['the release of a key', `${ESC}[99;5:3u`],
    ['the release of an arrow', `${ESC}[1;1:3A`],
    ['the release of Delete', `${ESC}[3;1:3~`],
    ['F1 of the Linux console', `${ESC}[[A`],
    ['F1', `${ESC}OP`],
    ['F5', `${ESC}[15~`],
    ['F13', `${ESC}[25~`],
    ['Insert', `${ESC}[2~`],
    ['a digit of the keypad without its text', `${ESC}[57399u`],
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
  test('alone waits for a sequence, and is a key if nothing follows', () => {
    const reader = tokenReader()
    expect(reader.push(ESC)).toEqual([])
    expect(reader.waiting()).toBe('sequence')
    expect(reader.flush().map(describeToken)).toEqual(['key escape'])
    expect(reader.waiting()).toBe('nothing')
  })

  test.each([2, 3, 4])('pressed %i times at once is that many keys', times => {
    expect(linesOf(ESC.repeat(times))).toEqual(Array.from({ length: times }, () => 'key escape'))
  })

  test('and a letter after a pause are two keys and not Alt', () => {
    const reader = tokenReader()
    const tokens = [...reader.push(ESC), ...reader.flush(), ...reader.push('b')]
    expect(tokens.map(describeToken)).toEqual(['key escape', 'text b'])
  })

  test.each([
    ['b', 'key escape', 'text b'],
    ['/models', 'key escape', 'text /models'],
    ['\r', 'key escape', 'key enter'],
    [`${ESC}[A`, 'key escape', 'key up'],
    ['[A', 'key up'],
    ['OA', 'key up'],
    [']11;rgb:0/0/0\u0007', 'reply ]11;rgb:0/0/0\u0007'],
  ])('and %j in another chunk are only joined if they are a sequence', (next, ...lines) => {
    const reader = tokenReader()
    const tokens = [...reader.push(ESC), ...reader.push(next, true), ...reader.flush()]
    expect(tokens.map(describeToken)).toEqual(lines)
  })

  test('in a paste that arrives in pieces is not a key', () => {
    const reader = tokenReader()
    const pieces = [PASTE_START, 'a', ESC, 'b', PASTE_END]
    expect(pieces.flatMap(piece => reader.push(piece, true)).map(describeToken)).toEqual([`paste a${ESC}b`])
  })

  test('right before a paste is a key before the paste', () => {
    expect(linesOf(`${ESC}${PASTE_START}a\rb${PASTE_END}`)).toEqual(['key escape', 'paste a\rb'])
  })

  test('does not begin a sequence with a control character', () => {
    expect(linesOf(`${ESC}[12;\u0003`)).toEqual(['key ctrl+c'])
    expect(linesOf(`${ESC}[12;${ESC}[A`)).toEqual(['key up'])
  })
})

describe('a reply that arrives late and in pieces', () => {
  test('is neither Esc nor text, however long the pause is', () => {
    const reader = tokenReader()
    const tokens = [...reader.push(`${ESC}[?6`), ...reader.flush(), ...reader.push('2;22c'), ...reader.push('x')]
    expect(tokens.map(describeToken)).toEqual(['reply [?62;22c', 'text x'])
  })

  test('does not delay the keys after it', () => {
    expect(linesOf(`${ESC}[?62;22cabc\r`)).toEqual(['reply [?62;22c', 'text abc', 'key enter'])
  })

  test('is dropped when a key begins', () => {
    expect(linesOf(`${ESC}]11;rgb:${ESC}[Ax`)).toEqual(['reply ]11;rgb:', 'key up', 'text x'])
    expect(linesOf(`${ESC}_${ESC}[A`)).toEqual(['key alt+_', 'key up'])
  })

  test('without an end does not block the keyboard', () => {
    const reader = tokenReader()
    reader.push(`${ESC}]11;rgb:`)
    expect(reader.waiting()).toBe('sequence')
    expect(reader.flush()).toEqual([])
    expect(reader.push('typed').map(describeToken)).toEqual(['text typed'])
  })

  test('that never stops does not block the keyboard', () => {
    const reader = tokenReader()
    reader.push(`${ESC}]52;c;${'A'.repeat(70_000)}`)
    expect(reader.push('typed').map(describeToken)).toEqual(['text typed'])
  })
})

describe('a paste', () => {
  const pasted = 'one\rtwo\n\tthree \u0003 \u001B[A end'
  const whole = `${PASTE_START}${pasted}${PASTE_END}`

  test('is one token with its whole content', () => {
    expect(linesOf(`a${whole}b`)).toEqual(['text a', `paste ${pasted}`, 'text b'])
  })

  test('that is cut anywhere is the same', () => {
    const cut = Array.from({ length: whole.length - 1 }, (_, index) =>
      linesOf(whole.slice(0, index + 1), whole.slice(index + 1)),
    )
    expect(cut).toEqual(cut.map(() => [`paste ${pasted}`]))
  })

  test('may be empty', () => {
    expect(linesOf(PASTE_START + PASTE_END)).toEqual(['paste '])
  })

  test('may contain text that looks like its end', () => {
    expect(linesOf(`${PASTE_START}${ESC}[201${ESC}[20${PASTE_END}`)).toEqual([`paste ${ESC}[201${ESC}[20`])
  })

  test('without an end is accepted after a wait, and the keyboard works again', () => {
    const reader = tokenReader()
    expect(reader.push(`${PASTE_START}half\ra`)).toEqual([])
    expect(reader.waiting()).toBe('paste')
    expect(reader.push('nd more')).toEqual([])
    expect(reader.flush().map(describeToken)).toEqual(['paste half\rand more'])
    expect(reader.waiting()).toBe('nothing')
    expect(reader.push('\r').map(describeToken)).toEqual(['key enter'])
  })

  test('of a megabyte in small pieces is whole', () => {
    const text = 'line of text\r'.repeat(80_000)
    const chunks = text.match(/[\s\S]{1,1000}/g) ?? []
    const tokens = tokensOf(PASTE_START, ...chunks, PASTE_END)
    expect(tokens).toHaveLength(1)
    expect(tokens[0]).toMatchObject({ kind: 'paste', text })
  })
})

describe('lines that arrive at once, without paste marks', () => {
  test.each([
    ['a terminal turns line ends to CR', 'one\rtwo\rthree', ['paste one\rtwo\rthree']],
    ['one Enter between two texts may be typed ahead', 'one\rtwo', ['text one', 'key enter', 'text two']],
    ['some do not', 'one\ntwo\r\nthree', ['paste one\ntwo\r\nthree']],
    ['what ends them is a key of its own', 'one\rtwo\rthree\r', ['paste one\rtwo\rthree', 'key enter']],
    ['one line with its Enter was typed', 'one\r', ['text one', 'key enter']],
    ['as was a second Enter', 'one\r\r', ['text one', 'key enter', 'key enter']],
    ['a key behind them stays a key', `one\rtwo\rthree${ESC}[A`, ['paste one\rtwo\rthree', 'key up']],
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

describe('any input', () => {
  test('gives the same tokens in any chunks', () => {
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

  test('never throws, has no control character in text, and a name for each key', () => {
    fc.assert(
      fc.property(noise, sent => {
        for (const token of tokensOf(...sent)) {
          const shown = token.kind === 'text' ? token.text : ''
          expect(shown).not.toMatch(/[\u0000-\u001F\u007F-\u009F]/)
          const key = token.kind === 'key' ? token.name : 'up'
          expect(key).toMatch(/^(?:ctrl\+)?(?:alt\+)?(?:shift\+)?(?:[a-z]{2,}|[^\p{Cc}]{1,3})$/u)
        }
      }),
      { numRuns: 2000 },
    )
  })

  test('frees the keyboard after a silence', () => {
    fc.assert(
      fc.property(noise, sent => {
        const reader = tokenReader()
        for (const chunk of sent) reader.push(chunk)
        reader.flush()
        // The rest was a key, a paste, or a reply that nothing but its own end can follow.
        const tokens = joined([...reader.push('typed'), ...reader.push(' text')])
        expect(tokens.map(describeToken).join()).toContain('text')
      }),
    )
  })
})
