import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../helpers/length.ts'
import {
  editSafe,
  hiddenMarks,
  hiddenMarksInOutput,
  linesOf,
  literal,
  oneLine,
  sanitize,
  sanitizeExact,
  sanitizeTerminalOutput,
} from '../../src/text/sanitize.ts'

/** No C0 or C1 but newline and tab. */
const control = /[\0-\x08\x0b-\x1f\x7f-\x9f]/

/** Characters that hide, outside the sequences that need them. */
const bidi = /[\u061c\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/

const hostile: [name: string, raw: string, shown: string][] = [
  ['OSC 52 with BEL', '\x1b]52;c;cm0gLXJm\x07', '␛]52;c;cm0gLXJm␇'],
  ['OSC 52 with ST', '\x1b]52;c;cm0gLXJm\x1b\\', '␛]52;c;cm0gLXJm␛\\'],
  ['OSC 52 in C1', '\u009d52;c;AA\u009c', '⟦U+009D⟧52;c;AA⟦U+009C⟧'],
  ['OSC 0 title', '\x1b]0;owned\x07', '␛]0;owned␇'],
  ['OSC 2 title', '\x1b]2;owned\x1b\\', '␛]2;owned␛\\'],
  ['OSC 7 directory', '\x1b]7;file://x/etc\x07', '␛]7;file://x/etc␇'],
  ['OSC 4 palette', '\x1b]4;1;#000000\x07', '␛]4;1;#000000␇'],
  ['OSC 10 foreground', '\x1b]10;#000000\x07', '␛]10;#000000␇'],
  ['OSC 11 query', '\x1b]11;?\x07', '␛]11;?␇'],
  ['OSC 8 spoof', '\x1b]8;;http://evil\x07safe\x1b]8;;\x07', '␛]8;;http://evil␇safe␛]8;;␇'],
  ['OSC 9 notification', '\x1b]9;hello\x07', '␛]9;hello␇'],
  ['OSC 133 prompt mark', '\x1b]133;A\x07', '␛]133;A␇'],
  ['OSC 1337 file', '\x1b]1337;File=inline=1:AAAA\x07', '␛]1337;File=inline=1:AAAA␇'],
  ['OSC 777', '\x1b]777;notify;a;b\x07', '␛]777;notify;a;b␇'],
  ['unterminated OSC', '\x1b]0;swallow everything', '␛]0;swallow everything'],
  ['DCS', '\x1bP$q"p\x1b\\', '␛P$q"p␛\\'],
  ['DCS in C1', '\u0090$q\u009c', '⟦U+0090⟧$q⟦U+009C⟧'],
  ['sixel', '\x1bPq#0;2;0;0;0\x1b\\', '␛Pq#0;2;0;0;0␛\\'],
  ['APC kitty picture', '\x1b_Gf=100;AAAA\x1b\\', '␛_Gf=100;AAAA␛\\'],
  ['APC in C1', '\u009fG\u009c', '⟦U+009F⟧G⟦U+009C⟧'],
  ['PM', '\x1b^secret\x1b\\', '␛^secret␛\\'],
  ['PM in C1', '\u009esecret\u009c', '⟦U+009E⟧secret⟦U+009C⟧'],
  ['SOS', '\x1bXsecret\x1b\\', '␛Xsecret␛\\'],
  ['SOS in C1', '\u0098secret\u009c', '⟦U+0098⟧secret⟦U+009C⟧'],
  ['cursor up', '\x1b[3Aover', '␛[3Aover'],
  ['cursor home', '\x1b[H', '␛[H'],
  ['erase the screen', '\x1b[2J', '␛[2J'],
  ['erase the scrollback', '\x1b[3J', '␛[3J'],
  ['erase the line', '\x1b[2K', '␛[2K'],
  ['CSI in C1', '\u009b2J', '⟦U+009B⟧2J'],
  ['colour', '\x1b[31mred\x1b[0m', '␛[31mred␛[0m'],
  ['conceal', '\x1b[8mhidden', '␛[8mhidden'],
  ['alternate screen', '\x1b[?1049h', '␛[?1049h'],
  ['mouse on', '\x1b[?1003h', '␛[?1003h'],
  ['paste off', '\x1b[?2004l', '␛[?2004l'],
  ['end of a paste', '\x1b[201~rm -rf', '␛[201~rm -rf'],
  ['device attributes', '\x1b[c\x1b[>q', '␛[c␛[>q'],
  ['cursor report', '\x1b[6n', '␛[6n'],
  ['reset', '\x1bc', '␛c'],
  ['DEC graphics', '\x1b(0lqqk\x1b(B', '␛(0lqqk␛(B'],
  ['shift out, shift in', '\x0eabc\x0f', '␎abc␏'],
  ['bell', '\x07\x07', '␇␇'],
  ['null', 'a\0b', 'a␀b'],
  ['vertical tab and form feed', 'a\vb\fc', 'a␋b␌c'],
  ['backspace', 'rm\b\bls', 'rm␈␈ls'],
  ['delete', 'a\x7fb', 'a␡b'],
  ['next line C1', 'a\u0085b', 'a⟦U+0085⟧b'],
  ['right-to-left override', 'user\u202egnp.exe', 'user⟦U+202E⟧gnp.exe'],
  ['isolates', '\u2066a\u2069', '⟦U+2066⟧a⟦U+2069⟧'],
  ['embeddings', '\u202aa\u202bb\u202c', '⟦U+202A⟧a⟦U+202B⟧b⟦U+202C⟧'],
  ['direction marks', 'a\u200eb\u200fc\u061cd', 'a⟦U+200E⟧b⟦U+200F⟧c⟦U+061C⟧d'],
  ['zero-width space', 'pay\u200bpal', 'pay⟦U+200B⟧pal'],
  ['joiner between Latin letters', 'a\u200db', 'a⟦U+200D⟧b'],
  ['non-joiner between Latin letters', 'a\u200cb', 'a⟦U+200C⟧b'],
  ['joiner after an emoji, before a letter', '👩\u200dx', '👩⟦U+200D⟧x'],
  ['byte order mark', '\ufeffa', '⟦U+FEFF⟧a'],
  ['soft hyphen', 'a\u00adb', 'a⟦U+00AD⟧b'],
  ['word joiner and invisible plus', 'a\u2060b\u2064c', 'a⟦U+2060⟧b⟦U+2064⟧c'],
  ['tag letters', 'a\u{e0041}\u{e0042}', 'a⟦U+E0041⟧⟦U+E0042⟧'],
  ['tag letters on a flag', '🏴\u{e0041}\u{e007f}', '🏴⟦U+E0041⟧⟦U+E007F⟧'],
  ['bytes as variation selectors', '😀\ufe0f\ufe0f\u{e0101}', '😀\ufe0f⟦U+FE0F⟧⟦U+E0101⟧'],
  ['variation selector on a letter', 'a\ufe0f', 'a⟦U+FE0F⟧'],
  ['Hangul filler', 'a\u3164b', 'a⟦U+3164⟧b'],
  ['interlinear notes', '\ufff9a\ufffab\ufffb', '⟦U+FFF9⟧a⟦U+FFFA⟧b⟦U+FFFB⟧'],
  ['line and paragraph separators', 'a\u2028b\u2029c', 'a⟦U+2028⟧b⟦U+2029⟧c'],
  ['half a surrogate pair', 'a\ud83db\udc00', 'a\ufffdb\ufffd'],
  ['carriage return over a command', 'rm -rf /\rls      ', 'ls      '],
  ['carriage return over a part', 'downloading 10 %\rdownloaded ', 'downloaded  10 %'],
  ['carriage return in the last place', 'done\r', 'done'],
  ['windows lines', 'a\r\nb\r\r\nc', 'a\nb\nc'],
  ['escape under a carriage return', '\x1b[2Jx\rab', 'ab2Jx'],
  ['half of a wide character overwritten', '世界\ra', 'a 界'],
]

const kept: [name: string, text: string][] = [
  ['newline and tab', 'a\n\tb'],
  ['family', '👨‍👩‍👧‍👦'],
  ['skin tone', '👩🏽‍💻 👍🏿'],
  ['rainbow flag', '🏳️‍🌈'],
  ['flags', '🇩🇪🇫🇷'],
  ['subdivision flags', '🏴󠁧󠁢󠁥󠁮󠁧󠁿🏴󠁧󠁢󠁳󠁣󠁴󠁿'],
  ['keycap', '1️⃣ #️⃣'],
  ['heart', '❤️ ☎︎'],
  ['combining', 'e\u0301 n\u0303'],
  ['Hebrew and Arabic', 'שלום مرحبا'],
  ['Persian non-joiner', 'می‌خواهم'],
  ['Hindi joiner', 'क्‍ष'],
  ['Han', '世界 こんにちは 안녕'],
  ['Han variant', '葛\u{e0100}'],
  ['box and braille', '─│┌ ⠹'],
  ['private use', '\ue0b0'],
]

describe('sanitize', () => {
  test.each(hostile)('%s', (_name, raw, shown) => {
    expect(sanitize(raw)).toBe(shown)
    expect(sanitize(shown)).toBe(shown)
    expect(shown).not.toMatch(control)
  })

  test.each(kept)('keeps %s', (_name, text) => {
    expect(sanitize(text)).toBe(text)
    expect(hiddenMarks(text)).toBe(0)
  })

  test('makes any text printable, and is idempotent', () => {
    fc.assert(
      fc.property(anyText, raw => {
        for (const clean of [sanitize, sanitizeExact, sanitizeTerminalOutput]) {
          const shown = clean(raw)
          expect(shown).not.toMatch(control)
          expect(shown).not.toMatch(bidi)
          expect(shown.isWellFormed()).toBe(true)
          expect(sanitize(shown)).toBe(shown)
        }
      }),
      runs(2000),
    )
  })

  test('makes a part of a sequence as harmless as the whole', () => {
    for (const [, raw] of hostile) {
      for (let at = 1; at < raw.length; at++) {
        expect(sanitize(raw.slice(0, at)) + sanitize(raw.slice(at))).not.toMatch(control)
      }
    }
  })

  test('is linear in long texts', () => {
    const size = 300_000
    const texts = [
      '\x1b[1',
      '\r',
      'a\r',
      '\u200d',
      '👩\u200d',
      'क\u094d\u200d',
      '\r\n',
      '世',
      '1\ufe0f',
      '\ud800',
      'é\b',
    ]
    for (const text of texts) {
      const raw = text.repeat(Math.ceil(size / text.length))
      expect(sanitize(raw).length).toBeLessThan(raw.length * 10)
      sanitizeTerminalOutput(raw)
      hiddenMarks(raw)
    }
  }, 20_000)
})

describe('sanitizeExact', () => {
  test('shows a carriage return, so that a command cannot overwrite itself', () => {
    expect(sanitizeExact('rm -rf /\rls\r\nx')).toBe('rm -rf /␍ls\nx')
  })
})

describe('sanitizeTerminalOutput', () => {
  test.each([
    ['colours', '\x1b[31;1mred\x1b[0m \x1b[38;2;1;2;3mx\x1b[m', 'red x'],
    ['colons in colours', '\x1b[4:3mwavy\x1b[24m', 'wavy'],
    ['concealed text', 'a\x1b[8mb\x1b[28mc', 'abc'],
    ['a colour that is not one', '\x1b[31', '␛[31'],
    ['a sequence around a colour', '\x1b\x1b[0m[2J', '␛[2J'],
    ['cursor moves', '\x1b[2A\x1b[2K', '␛[2A␛[2K'],
    ['a progress bar', '10 %\r 50 %\r100 %\n', '100 %\n'],
    ['overstrike', 'N\bNA\bAM\bME\bE', 'NAME'],
    ['spinner', '|\b/\b-\b\\\bdone', 'done'],
    ['backspace at the beginning', '\b\bab', 'ab'],
    ['tab stops under a carriage return', 'a\tb\rx', 'x       b'],
    ['windows lines', 'a\r\nb', 'a\nb'],
  ])('%s', (_name, raw, shown) => {
    expect(sanitizeTerminalOutput(raw)).toBe(shown)
  })
})

describe('hiddenMarks', () => {
  test('counts characters that were made visible', () => {
    expect(hiddenMarks('plain\n\ttext')).toBe(0)
    expect(hiddenMarks('a\x1b[31mb\u202e\u200b\u009b')).toBe(4)
    expect(hiddenMarks('a\r\nb\rc')).toBe(0)
    expect(hiddenMarksInOutput('\x1b[31mred\x1b[0m a\b \x1b[2J')).toBe(1)
  })
})

describe('helpers of sanitize:', () => {
  test('oneLine joins lines', () => {
    expect(oneLine(sanitize('a\n\n  b\tc\n'))).toBe('a b c')
    expect(oneLine(sanitize('a\nb'), '⏎')).toBe('a⏎b')
  })

  test('literal, linesOf and editSafe keep text safe', () => {
    expect(literal`exit ${3} of ${sanitize('\x07')}`).toBe('exit 3 of ␇')
    expect(linesOf(sanitize('a\nb\n'))).toEqual(['a', 'b', ''])
    expect(editSafe(sanitize('😀'), text => text.slice(0, 1))).toBe('\ufffd')
  })
})

const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom(...hostile.map(([, raw]) => raw), ...kept.map(([, text]) => text)),
      fc.constantFrom('\r', '\b', '\t', '\n', '\u200d', '\u200c', '\ufe0f', '\x1b', '\ud83d', '\ude00', 'ن', 'क', '葛'),
    ),
    { maxLength: 12 },
  )
  .map(parts => parts.join(''))
