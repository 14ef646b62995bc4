/** The bytes that a terminal sends for a key: the legacy ones that every terminal knows, or the kitty keyboard protocol's `CSI u`. */

export type Encoding = {
  /** Application cursor keys (DECCKM): arrows, Home and End are sent as SS3. */
  applicationCursor: boolean
  /** Flags of the kitty keyboard protocol; 0 is legacy. */
  kitty: number
}

type Modifiers = { shift: boolean; alt: boolean; ctrl: boolean }

const CSI = '\x1b['

/** Keys whose legacy form is one byte, with the code point that names them in `CSI u`. */
const named: Record<string, { legacy: string; code: number }> = {
  enter: { legacy: '\r', code: 13 },
  tab: { legacy: '\t', code: 9 },
  backspace: { legacy: '\x7f', code: 127 },
  esc: { legacy: '\x1b', code: 27 },
  space: { legacy: ' ', code: 32 },
}

/** Keys that end in a letter: `CSI A`, and `CSI 1;<modifiers> A`. */
const lettered: Record<string, string> = {
  up: 'A',
  down: 'B',
  right: 'C',
  left: 'D',
  home: 'H',
  end: 'F',
  f1: 'P',
  f2: 'Q',
  f3: 'R',
  f4: 'S',
}

/** Keys that end in a tilde: `CSI 3~`, and `CSI 3;<modifiers>~`. */
const tilded: Record<string, number> = {
  insert: 2,
  delete: 3,
  pageup: 5,
  pagedown: 6,
  f5: 15,
  f6: 17,
  f7: 18,
  f8: 19,
  f9: 20,
  f10: 21,
  f11: 23,
  f12: 24,
}

/** Control characters that are not a letter with its upper bits cut off. */
const controls: Record<string, string> = {
  '@': '\0',
  space: '\0',
  '[': '\x1b',
  '\\': '\x1c',
  ']': '\x1d',
  '^': '\x1e',
  _: '\x1f',
  '-': '\x1f',
  '/': '\x1f',
  '?': '\x7f',
}

const modifierNumber = ({ shift, alt, ctrl }: Modifiers) => 1 + (shift ? 1 : 0) + (alt ? 2 : 0) + (ctrl ? 4 : 0)

/** The bytes of a key by its name: `enter`, `ctrl+c`, `shift+tab`, `alt+p`, `ctrl+left`, `x`. */
export function encode(key: string, { applicationCursor, kitty }: Encoding): string {
  const { name, modifiers } = parse(key)
  const number = modifierNumber(modifiers)

  const letter = lettered[name]
  if (letter !== undefined) {
    if (number > 1) return `${CSI}1;${number}${letter}`
    const short = 'PQRS'.includes(letter) || applicationCursor
    return short ? `\x1bO${letter}` : `${CSI}${letter}`
  }
  const tilde = tilded[name]
  if (tilde !== undefined) return `${CSI}${tilde}${number > 1 ? `;${number}` : ''}~`

  return kitty ? enhanced(key, name, modifiers, kitty) : legacy(key, name, modifiers)
}

/** The code point of a key that has one, and its modifiers as terminals number them (1 is none). */
export function keyWithModifiers(key: string): { code: number | null; modifiers: number } {
  const { name, modifiers } = parse(key)
  const isFunction = name in lettered || name in tilded
  const code = isFunction ? null : (named[name]?.code ?? codePoint(key, name))
  return { code, modifiers: modifierNumber(modifiers) }
}

function enhanced(key: string, name: string, modifiers: Modifiers, flags: number): string {
  const known = named[name]
  const code = known ? known.code : codePoint(key, name)
  const number = modifierNumber(modifiers)
  const everyKey = (flags & 8) !== 0
  // Enter, Tab and Backspace stay what they were, so that a shell left in this mode by a crash can still be used.
  const plain = known ? name !== 'esc' && number === 1 : !modifiers.alt && !modifiers.ctrl
  if (plain && !everyKey) return known ? known.legacy : modifiers.shift ? name.toUpperCase() : name
  return `${CSI}${code}${number > 1 ? `;${number}` : ''}u`
}

function legacy(key: string, name: string, { shift, alt, ctrl }: Modifiers): string {
  const meta = alt ? '\x1b' : ''
  if (name === 'tab' && shift) return `${meta}${CSI}Z`
  if (name === 'backspace' && ctrl) return `${meta}\x08`
  if (ctrl) {
    const control = controls[name]
    if (control !== undefined) return meta + control
    if (/^[a-z]$/.test(name)) return meta + String.fromCharCode(name.charCodeAt(0) & 0x1f)
    throw new Error(`a terminal without the kitty keyboard protocol cannot send ${key}`)
  }
  const known = named[name]
  if (known) {
    if (shift && name === 'enter') throw new Error(`a terminal without the kitty keyboard protocol cannot send ${key}`)
    return meta + known.legacy
  }
  codePoint(key, name)
  return meta + (shift ? name.toUpperCase() : name)
}

function codePoint(key: string, name: string): number {
  const [first, ...rest] = name
  if (first === undefined || rest.length > 0) throw new Error(`no such key: ${key}`)
  return first.codePointAt(0) ?? 0
}

function parse(key: string): { name: string; modifiers: Modifiers } {
  const modifiers = { shift: false, alt: false, ctrl: false }
  let name = key
  for (;;) {
    const [, modifier, rest] = /^(shift|alt|ctrl)\+(.+)$/s.exec(name) ?? []
    if (rest === undefined) return { name, modifiers }
    if (modifier === 'shift') modifiers.shift = true
    if (modifier === 'alt') modifiers.alt = true
    if (modifier === 'ctrl') modifiers.ctrl = true
    name = rest
  }
}
