/** Random texts and commands of the part of vim that is compared with a real one. */
import * as fc from 'fast-check'
import type { VimCase } from './real-vim.ts'

type Keys = readonly string[]

const keys = (text: string): string[] => Array.from(text)

const piece = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('foo', 'Bar', 'x1', 'a', 'b', 'word', '_n', 'End') },
  { weight: 6, arbitrary: fc.constantFrom(' ', ' ', '  ', '\t') },
  { weight: 4, arbitrary: fc.constantFrom('.', ',', ';', '--', '=', ':', '$x') },
  {
    weight: 3,
    arbitrary: fc.constantFrom('(', ')', '[', ']', '{', '}', '<', '>', '"', "'", '`', '"a"', '(b)', '{c d}'),
  },
  { weight: 1, arbitrary: fc.constantFrom('é', 'Ü', '漢字', 'かな', '😀', '한') },
)
const line = fc.oneof(
  { weight: 5, arbitrary: fc.array(piece, { minLength: 1, maxLength: 9 }).map(pieces => pieces.join('')) },
  { weight: 1, arbitrary: fc.constantFrom('', '', '  ', '\tfoo') },
)

const count = fc.oneof(
  { weight: 4, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.constantFrom('1', '2', '3', '12') },
)
const few = fc.oneof(
  { weight: 4, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.constantFrom('1', '2', '3') },
)
const letter = fc.constantFrom(...keys('aoxn.( \tB,é漢'))
const register = fc.oneof(
  { weight: 6, arbitrary: fc.constant('') },
  { weight: 2, arbitrary: fc.constantFrom('"a', '"b', '"A', '"_', '""', '"B') },
)
const putRegister = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  { weight: 2, arbitrary: fc.constantFrom('"a', '"b', '"0', '"1', '"2', '"-', '""') },
)

const plainMotion = fc.constantFrom(...keys('hjklwWbBeE0^$G%'), 'gg', 'ge', 'gE', '{', '}', ';', ',', 'n', 'N')
const find = fc.tuple(fc.constantFrom(...keys('fFtT')), letter).map(parts => parts.join(''))
const search = fc
  .tuple(fc.constantFrom('/', '?'), fc.constantFrom('foo', 'a', 'o', 'Bar', 'zzz', '漢', 'x1'))
  .map(([sign, text]): Keys => keys(sign + text).concat('enter'))
const motion: fc.Arbitrary<Keys> = fc.oneof(
  { weight: 6, arbitrary: plainMotion.map(keys) },
  { weight: 2, arbitrary: find.map(keys) },
  { weight: 1, arbitrary: search },
)
const object = fc
  .tuple(fc.constantFrom('i', 'a'), fc.constantFrom(...keys('wWwW"\'`(b)[]{}B<>p')))
  .map(parts => keys(parts.join('')))
const operator = fc.constantFrom('d', 'c', 'y', 'd', 'c', 'y', '<', '>', 'g~', 'gu', 'gU')
const doubled: Readonly<Record<string, string>> = { 'g~': 'g~~', gu: 'guu', gU: 'gUU' }

const typed: fc.Arbitrary<Keys> = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...keys('abX .(é')) },
      { weight: 1, arbitrary: fc.constant('ctrl+j') },
    ),
    {
      maxLength: 4,
    },
  )
  .map((text): Keys => text.concat('escape'))
/** After a change that fails the letters are commands. */
const letters: fc.Arbitrary<Keys> = fc
  .array(fc.constantFrom(...keys('abX é')), { maxLength: 4 })
  .map((text): Keys => text.concat('escape'))

const operated: fc.Arbitrary<Keys> = fc
  .tuple(register, count, operator, count, fc.oneof(motion, object, fc.constant<Keys>(['line'])), letters)
  .map(([name, before, verb, inner, target, text]): Keys => {
    const whole = target[0] === 'line' ? keys(doubled[verb] ?? verb + verb) : keys(verb + inner).concat(target)
    return keys(name + before).concat(whole, verb === 'c' ? text : [])
  })
const short: fc.Arbitrary<Keys> = fc
  .tuple(register, count, fc.constantFrom(...keys('xXDYCsSJ~'), 'gJ'), letters)
  .map(([name, times, verb, text]): Keys => keys(name + times + verb).concat('CsS'.includes(verb) ? text : []))
const puts: fc.Arbitrary<Keys> = fc
  .tuple(putRegister, few, fc.constantFrom('p', 'P'))
  .map(([name, times, verb]) => keys(name + times + verb))
const inserted: fc.Arbitrary<Keys> = fc
  .tuple(few, fc.constantFrom(...keys('iIaAoOR'), 'gI'), typed)
  .map(([times, verb, text]): Keys => keys(times + verb).concat(text))
const replacedBy = fc.tuple(count, fc.constantFrom(...keys('xé漢 '))).map(([times, by]) => keys(`${times}r${by}`))
const again = fc.tuple(few, fc.constantFrom('.', '.', 'u', 'u')).map(([times, verb]) => keys(times + verb))
const redo = fc.constant<Keys>(['ctrl+r'])
const moved: fc.Arbitrary<Keys> = fc
  .tuple(count, motion)
  .map(([times, keysOf]): Keys => (keysOf[0] === '0' ? [] : keys(times)).concat(keysOf))
const verbOfSelection = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...keys('dxycs~uUJ<>DYCSRXpP'), 'g~', 'gu', 'gU', 'gJ', 'rx', 'r漢') },
  { weight: 1, arbitrary: fc.constant('escape') },
)
const selected: fc.Arbitrary<Keys> = fc
  .tuple(
    fc.constantFrom<string>('v', 'V'),
    fc.oneof(
      fc.array(fc.oneof({ weight: 8, arbitrary: moved }, { weight: 1, arbitrary: fc.constant<Keys>(['o']) }), {
        maxLength: 3,
      }),
      object.map(one => [one]),
    ),
    register,
    putRegister,
    verbOfSelection,
    letters,
  )
  .map(([mode, moves, name, source, verb, text]): Keys => {
    const used = /^p$/iu.test(verb) ? source : /^[dxycsDYCSRX]$/u.test(verb) ? name : ''
    const last = verb === 'escape' ? [verb] : keys(used + verb)
    return [mode].concat(...moves, last, /^[csCSR]$/u.test(verb) ? text : [])
  })

const step: fc.Arbitrary<Keys> = fc.oneof(
  { weight: 6, arbitrary: moved },
  { weight: 6, arbitrary: operated },
  { weight: 3, arbitrary: short },
  { weight: 2, arbitrary: puts },
  { weight: 3, arbitrary: inserted },
  { weight: 1, arbitrary: replacedBy },
  { weight: 3, arbitrary: again },
  { weight: 1, arbitrary: redo },
  { weight: 3, arbitrary: selected },
)

/** A text with a caret, and commands. */
export const vimCase: fc.Arbitrary<VimCase> = fc
  .record({
    lines: fc.array(line, { minLength: 1, maxLength: 6 }),
    line: fc.nat(),
    column: fc.nat(),
    steps: fc.array(step, { minLength: 1, maxLength: 12 }),
  })
  .map(({ lines, line: row, column, steps }) => {
    const at = row % lines.length
    const length = Math.max(1, Array.from(lines[at] ?? '').length)
    return { lines, line: at + 1, column: column % length, steps }
  })
