/**
 * Characters that act on the terminal or are invisible, and their replacements on the screen. Lines and escape
 * sequences are not handled here: a sequence without its introducer is ordinary text.
 */

// Joiners and variation selectors are needed to write these; anywhere else they only hide something.
const pictograph = String.raw`\p{Extended_Pictographic}\p{Emoji_Modifier}?[\ufe0e\ufe0f]?`
// A longer chain than that of any real family would hide text in one character.
const emoji = String.raw`${pictograph}(?:\u200d${pictograph}){0,9}`
const keycap = String.raw`[\d#*]\ufe0f\u20e3`
const subdivisionFlag = String.raw`\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}`

// Persian, Urdu, Hindi and their neighbours spell words with joiners: between two of their letters one changes only shape.
const scripts =
  'Arabic Syriac Nko Mongolian Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Khmer Myanmar Tibetan'
const joining = scripts
  .split(' ')
  .map(script => String.raw`\p{Script=${script}}`)
  .join('')
const letterJoiner = String.raw`(?<=[${joining}])[\u200c\u200d](?=[${joining}])`

// One selector picks a glyph of a Han character; several in a row are a way to smuggle bytes.
const hanVariant = String.raw`(?<=\p{Script=Han})[\u{e0100}-\u{e01ef}]`

const hidden = String.raw`[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufff9-\ufffb\p{Default_Ignorable_Code_Point}]`

const plain = /^[\t\n -~]*$/
const kept = [subdivisionFlag, emoji, keycap, letterJoiner, hanVariant].join('|')

// The classes of characters take milliseconds to compile, and most texts are plain.
let anyHidden: RegExp | undefined
let keptOrHidden: RegExp | undefined

function hasMarks(text: string): boolean {
  return !plain.test(text) && (anyHidden ??= new RegExp(hidden, 'u')).test(text)
}

/** Matches kept sequences, and each mark as its first group. */
function marksAndKept(): RegExp {
  return (keptOrHidden ??= new RegExp(`(?:${kept})|(${hidden})`, 'gu'))
}

/** Makes every hidden mark visible; `\r` too. Newline and tab stay. Expects well-formed UTF-16. */
export function showMarks(text: string): string {
  return replaceMarks(text, pictureOf)
}

/** Writes every mark that `showMarks` would show as the escape that JSON and JavaScript have for it. */
export function escapeMarks(text: string): string {
  return replaceMarks(text, mark =>
    Array.from({ length: mark.length }, (_, at) => escapeOf(mark.charCodeAt(at))).join(''),
  )
}

const escapeOf = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`

function replaceMarks(text: string, replacement: (mark: string) => string): string {
  if (!hasMarks(text)) return text
  return text.replace(marksAndKept(), (match, mark: string | undefined) =>
    mark === undefined ? match : replacement(mark),
  )
}

/** The number of marks that `showMarks` would make visible. */
export function countMarks(text: string): number {
  if (!hasMarks(text)) return 0
  let count = 0
  for (const match of text.matchAll(marksAndKept())) if (match[1] !== undefined) count++
  return count
}

function pictureOf(mark: string): string {
  const code = mark.codePointAt(0) ?? 0
  if (code < 0x20) return String.fromCodePoint(0x2400 + code)
  if (code === 0x7f) return '\u2421'
  return `\u27e6U+${code.toString(16).toUpperCase().padStart(4, '0')}\u27e7`
}
