/**
 * Exact replacements in a file's bytes. Strings here have one code unit per byte ('latin1'), so that invalid UTF-8 is preserved.
 */
import { ToolFailure } from './tool.ts'

export type Substitution = { oldText: string; newText: string }

type Replacement = { start: number; end: number; replacement: string }

const BOM = '\u00ef\u00bb\u00bf'

export type Substituted = { bytes: Buffer; before: string; after: string }

/**
 * The bytes after all edits, each found in the bytes as they were, and the texts for a diff, with plain newlines. A line that is not
 * touched keeps its line end; new lines in a file with CRLF get CRLF. `name` is the file in messages.
 *
 * @throws ToolFailure in the words that the model knows from its agent.
 */
export function substitute(bytes: Buffer, edits: readonly Substitution[], name: string): Substituted {
  const whole = bytes.toString('latin1')
  const bom = whole.startsWith(BOM) ? BOM : ''
  const original = whole.slice(bom.length)
  const isCrlf = original.includes('\r\n')
  const plain = original.replaceAll('\r\n', '\n')
  const spans = edits.map((edit, index) => spanOf(plain, edit, index + 1, name)).toSorted((a, b) => a.start - b.start)
  if (spans.some(({ start }, index) => start < (spans[index - 1]?.end ?? 0))) {
    throw new ToolFailure('edits overlap; merge them into one edit')
  }
  const toOriginal = isCrlf ? originalPlaces(original) : (place: number) => place
  let after = ''
  let result = bom
  let done = 0
  for (const { start, end, replacement } of spans) {
    after += plain.slice(done, start) + replacement
    result += original.slice(toOriginal(done), toOriginal(start))
    result += isCrlf ? replacement.replaceAll('\n', '\r\n') : replacement
    done = end
  }
  after += plain.slice(done)
  result += original.slice(toOriginal(done))
  return { bytes: Buffer.from(result, 'latin1'), before: fromBytes(plain), after: fromBytes(after) }
}

function spanOf(plain: string, { oldText, newText }: Substitution, number: number, name: string): Replacement {
  const sought = toBytes(oldText)
  const replacement = toBytes(newText)
  if (sought === '') throw new ToolFailure(`edit ${number}: oldText must not be empty`)
  if (sought === replacement) throw new ToolFailure(`edit ${number}: oldText equals newText`)
  const start = plain.indexOf(sought)
  if (start === -1) {
    throw new ToolFailure(`edit ${number}: oldText not found in ${name}; read the file again and copy the text exactly`)
  }
  const count = plain.split(sought).length - 1
  if (count > 1) {
    throw new ToolFailure(`edit ${number}: oldText matches ${count} times (must be unique) in ${name}`)
  }
  return { start, end: start + sought.length, replacement }
}

/** Maps an offset in the text with LF to the same place in the text with CRLF. Offsets must be ascending. */
function originalPlaces(original: string): (place: number) => number {
  let next = original.indexOf('\r\n')
  let removed = 0
  return place => {
    // An offset right before a newline maps to the place before its `\r`.
    while (next !== -1 && next - removed < place) {
      removed += 1
      next = original.indexOf('\r\n', next + 2)
    }
    return place + removed
  }
}

const toBytes = (text: string): string => Buffer.from(text.replaceAll('\r\n', '\n'), 'utf8').toString('latin1')
const fromBytes = (text: string): string => Buffer.from(text, 'latin1').toString('utf8')
