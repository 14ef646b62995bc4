/** The names of keys: people write them in many ways, the program knows one. Pure. */
import { didYouMean } from '../document/did-you-mean.ts'

export type KeyName =
  /** Modifiers in the order ctrl, alt, shift, then the key; a sequence of two keys has a blank between them. */
  | { ok: true; key: string }
  /** `reason` completes a sentence that begins with the written key: `is not a key`. */
  | { ok: false; reason: string }

type Modifier = 'ctrl' | 'alt' | 'shift'

/** Null for modifiers that terminals do not pass on. */
const MODIFIERS: ReadonlyMap<string, Modifier | null> = new Map([
  ...(['ctrl', 'control', 'c'] as const).map(word => [word, 'ctrl'] as const),
  ...(['alt', 'meta', 'opt', 'option', 'm', 'a'] as const).map(word => [word, 'alt'] as const),
  ...(['shift', 's'] as const).map(word => [word, 'shift'] as const),
  ...(['cmd', 'command', 'super', 'win', 'hyper'] as const).map(word => [word, null] as const),
])

/** The keys with a name, and their other names. */
const NAMED: ReadonlyMap<string, readonly string[]> = new Map([
  ['enter', ['return', 'ret', 'cr']],
  ['escape', ['esc']],
  ['tab', []],
  ['space', ['spc']],
  ['backspace', ['bs']],
  ['delete', ['del']],
  ['up', ['uparrow', 'arrowup']],
  ['down', ['downarrow', 'arrowdown']],
  ['left', ['leftarrow', 'arrowleft']],
  ['right', ['rightarrow', 'arrowright']],
  ['pageup', ['pgup']],
  ['pagedown', ['pgdn', 'pgdown']],
  ['home', []],
  ['end', []],
  ['+', ['plus']],
  ['-', ['minus', 'hyphen']],
  ['\\', ['backslash']],
])

const canonical = new Map([...NAMED].flatMap(([key, others]) => [key, ...others].map(each => [each, key])))

const TWINS = new Map([
  ['ctrl+i', 'tab'],
  ['ctrl+m', 'enter'],
  ['ctrl+[', 'escape'],
])

/**
 * Reads a key as people write it: `ctrl+j`, `Ctrl-J`, `C-j`, `^J`, `<C-j>`, `M-x`, `alt+shift+x`, and `ctrl+x ctrl+e` for
 * one after the other. Letters may be in either case, except a single letter: there `X` means Shift+X.
 */
export function parseKey(written: string): KeyName {
  const parts = written.trim().split(/\s+/)
  if (parts.length > 2) return { ok: false, reason: 'is more than two keys' }
  const keys: string[] = []
  for (const part of parts) {
    const one = parseOne(part)
    if (!one.ok) return one
    keys.push(one.key)
  }
  return { ok: true, key: keys.join(' ') }
}

/** Whether a key types a character. */
export function isText(key: string): boolean {
  return key === 'space' || Array.from(key).length === 1
}

/** The key that terminals without the kitty keyboard protocol send in its place; null where they send the key itself. */
export function legacyTwin(key: string): string | null {
  return TWINS.get(key) ?? null
}

function parseOne(written: string): KeyName {
  const bare = /^<(.+)>$/.exec(written)?.[1] ?? written
  let rest = /^\^.$/u.test(bare) ? `ctrl+${bare.slice(1)}` : bare
  const modifiers = new Set<Modifier>()
  while (named(rest) === null) {
    // The key may itself be + or -: ctrl+-.
    const [, word = '', after = ''] = /^([a-z]+)[+-](.+)$/isu.exec(rest) ?? []
    if (after === '') break
    const modifier = MODIFIERS.get(word.toLowerCase())
    if (modifier === undefined) return { ok: false, reason: unknownModifier(word) }
    if (modifier === null) return { ok: false, reason: `cannot be bound: terminals do not pass on ${word}` }
    modifiers.add(modifier)
    rest = after
  }
  return withModifiers(rest, modifiers)
}

/** `page-up`, `PageUp` and `page_up` are one key. */
function named(word: string): string | null {
  const lower = word.toLowerCase()
  return canonical.get(lower) ?? canonical.get(lower.replaceAll(/[_-]/g, '')) ?? null
}

function withModifiers(word: string, modifiers: ReadonlySet<Modifier>): KeyName {
  const lower = word.toLowerCase()
  const name = named(word) ?? (Array.from(lower).length === 1 ? lower : null)
  if (name === null || /[\s\p{Cc}]/u.test(name)) return { ok: false, reason: unknownKey(word) }
  // A letter without modifiers keeps its case.
  if (modifiers.size === 0 && name === lower) return { ok: true, key: Array.from(word).length === 1 ? word : name }
  if (modifiers.size === 1 && modifiers.has('shift') && isText(name) && name !== 'space') {
    return { ok: true, key: name.toUpperCase() }
  }
  const order = ['ctrl', 'alt', 'shift'] as const
  return { ok: true, key: [...order.filter(each => modifiers.has(each)), name].join('+') }
}

function unknownModifier(word: string): string {
  return `is not a key: ${word} is not a modifier${didYouMean(word, MODIFIERS.keys())}`
}

function unknownKey(word: string): string {
  if (/^f\d{1,2}$|^ins(?:ert)?$/i.test(word)) return `cannot be bound: ${word} does not reach the program`
  return `is not a key${didYouMean(word, canonical.keys())}`
}
