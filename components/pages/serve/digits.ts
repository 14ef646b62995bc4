/** Numbers in large digits, to be compared with those on another screen. */
import { sanitize, type SafeText } from '../../../src/text/sanitize.ts'

const shapes: ReadonlyMap<string, readonly [string, string, string]> = new Map([
  ['0', ['█▀█', '█ █', '▀▀▀']],
  ['1', ['▀█ ', ' █ ', '▀▀▀']],
  ['2', ['▀▀█', '█▀▀', '▀▀▀']],
  ['3', ['▀▀█', ' ▀█', '▀▀▀']],
  ['4', ['█ █', '▀▀█', '  ▀']],
  ['5', ['█▀▀', '▀▀█', '▀▀▀']],
  ['6', ['█▀▀', '█▀█', '▀▀▀']],
  ['7', ['▀▀█', '  █', '  ▀']],
  ['8', ['█▀█', '█▀█', '▀▀▀']],
  ['9', ['█▀█', '▀▀█', '▀▀▀']],
])

/** In groups of three: `481 920`. */
export function grouped(number: string): string {
  return number.replaceAll(/(\d{3})(?=\d)/g, '$1 ')
}

/** Three rows; one of plain text if the screen shows no blocks, or something is no digit. */
export function largeNumber(number: string, isUnicode: boolean): SafeText[] {
  const digits = Array.from(grouped(number), digit =>
    digit === ' ' ? (['  ', '  ', '  '] as const) : shapes.get(digit),
  )
  if (!isUnicode || digits.some(shape => shape === undefined)) return [sanitize(Array.from(grouped(number)).join(' '))]
  return [0, 1, 2].map(row => sanitize(digits.map(shape => shape?.[row] ?? '').join(' ')))
}
