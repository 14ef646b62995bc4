/**
 * Escape sequences and control characters as keys, text and replies, in one of the forms that Ink reads without loss: the
 * kitty encoding (`CSI code ; modifiers u`, and `CSI 1 ; modifiers letter`) for all but plain text, because legacy forms are
 * ambiguous and Ink drops some of them (`CSI 27;2;13~`, as xterm's modifyOtherKeys sends Shift+Enter) or delivers them as
 * text (replies to OSC queries). Pure.
 */
import { ESC, isReplyStart } from './sequence.ts'

export type Token =
  | { kind: 'key'; sequence: string }
  | { kind: 'text'; text: string }
  | { kind: 'paste'; text: string }
  /** The terminal's whole answer to a query: CSI, OSC, DCS or APC. */
  | { kind: 'reply'; sequence: string }
  | { kind: 'focus'; focused: boolean }

const SHIFT = 1
const ALT = 2
const CTRL = 4
/** xterm calls it Meta and sends it for Alt; in kitty's encoding it is Super. */
const META = 8

/** The numbers of the keys that are sent with a tilde, and that Ink knows: it would type the others as text. */
const TILDE_KEYS = /^(?:[1-8]|1[1-57-9]|2[0134])$/
const CONTROLS = /[\u0000-\u001F\u007F-\u009F]/

/** The meaning of a whole escape sequence; null for an unknown one. */
export function classify(sequence: string): Token | null {
  if (sequence === ESC) return { kind: 'key', sequence: kitty(27, 0) }
  if (sequence.startsWith(`${ESC}${ESC}`)) {
    const inner = classify(sequence.slice(1))
    return inner?.kind === 'key' ? { kind: 'key', sequence: withModifier(inner.sequence, ALT) } : inner
  }
  const kind = sequence[1]
  if (kind === '[') return sequence.length > 2 ? classifyCsi(sequence) : altKey('[')
  if (kind === 'O') return sequence.length > 2 ? ss3Key(sequence[2] ?? '') : altKey('O')
  if (sequence.length > 2 && (kind === ']' || kind === 'P' || kind === '_' || kind === '^' || kind === 'X')) {
    return { kind: 'reply', sequence }
  }
  return altKey(sequence.slice(1))
}

function classifyCsi(sequence: string): Token | null {
  if (sequence === `${ESC}[I`) return { kind: 'focus', focused: true }
  if (sequence === `${ESC}[O`) return { kind: 'focus', focused: false }
  if (sequence === `${ESC}[Z`) return { kind: 'key', sequence: kitty(9, SHIFT) }
  // Replies carry a private mark; cursor reports and mouse reports are no keys either.
  if (isReplyStart(sequence) || /^\u001B\[\d+;\d+R$/.test(sequence) || sequence.startsWith(`${ESC}[M`)) {
    return { kind: 'reply', sequence }
  }
  const other = /^\u001B\[27;(\d+);(\d+)~$/.exec(sequence)
  if (other) return keyOrText(Number(other[2]), withMeta(Number(other[1]) - 1))
  return kittyKey(sequence) ?? functionKey(sequence)
}

/** `CSI code : others ; modifiers : event ; text u` */
function kittyKey(sequence: string): Token | null {
  const match = /^\u001B\[(\d+)(?::\d*)*(?:;(\d*)(?::([123]))?)?(?:;([\d:]*))?u$/.exec(sequence)
  const modifiers = Math.max(0, Number(match?.[2] || 1) - 1)
  // Key releases are only sent to who asks for them; tmux and some terminals do anyway. Super and Hyper are not ours.
  if (!match || match[3] === '3' || modifiers & 0b11000) return null
  // Meta, beyond the Super of the others, is Alt. What is left are the locks.
  return keyOrText(Number(match[1]), (modifiers & 0b111) | (modifiers & 32 ? ALT : 0), match[4])
}

/** A key of the kitty or modifyOtherKeys encoding; without modifiers a printable one is text. */
function keyOrText(code: number, modifiers: number, told = ''): Token | null {
  if (told !== '' && (modifiers & ~SHIFT) === 0) return textToken(told.split(':').map(Number))
  const printable = code >= 32 && code !== 127 && (code < 57344 || code > 63743)
  if (printable && modifiers === 0) return textToken([code])
  if (printable && modifiers === SHIFT) return textToken([code], text => text.toUpperCase())
  if (printable && textToken([code]) === null) return null
  return { kind: 'key', sequence: kitty(code, modifiers) }
}

/** Null where these are no characters, or such that steer a terminal. */
function textToken(codes: readonly number[], change = (text: string): string => text): Token | null {
  if (codes.some(code => code > 0x10_ffff)) return null
  const text = change(String.fromCodePoint(...codes))
  return CONTROLS.test(text) || !text.isWellFormed() ? null : { kind: 'text', text }
}

/** Arrows, Home, F1 and the like: a letter, or a number and a tilde. */
function functionKey(sequence: string): Token | null {
  const match = /^\u001B\[(\d*)(?:;(\d*)(?::([123]))?)?([A-FHP-S~])$/.exec(sequence)
  if (!match || match[3] === '3') return null
  const number = match[1] ?? ''
  const known = match[4] === '~' ? TILDE_KEYS.test(number) : number === '' || number === '1'
  if (!known) return null
  const modifiers = withMeta(Math.max(0, Number(match[2] || 1) - 1))
  if (modifiers === 0) return { kind: 'key', sequence: `${ESC}[${match[4] === '~' ? number : ''}${match[4]}` }
  return { kind: 'key', sequence: `${ESC}[${number || 1};${modifiers + 1}${match[4]}` }
}

/** Shift, Alt and Ctrl, without the locks. */
function withMeta(modifiers: number): number {
  return (modifiers & 0b111) | (modifiers & META ? ALT : 0)
}

function ss3Key(letter: string): Token | null {
  if (letter === 'M') return { kind: 'key', sequence: kitty(13, 0) }
  // rxvt's Ctrl with an arrow.
  if (/^[a-d]$/.test(letter)) return { kind: 'key', sequence: `${ESC}[1;5${letter.toUpperCase()}` }
  return functionKey(`${ESC}[${letter}`)
}

/** Alt with a key, which legacy terminals send as ESC and the key. */
export function altKey(rest: string): Token {
  const code = rest.codePointAt(0) ?? 0
  if (code >= 0x20 && code !== 0x7f) {
    const lower = rest.toLowerCase()
    const shift = lower !== rest ? SHIFT : 0
    return { kind: 'key', sequence: kitty(lower.codePointAt(0) ?? 0, ALT | shift) }
  }
  return { kind: 'key', sequence: withModifier(controlKey(code), ALT) }
}

/** A C0 control character as the key that makes it. */
export function controlKey(code: number): string {
  if (code === 0x0d) return kitty(13, 0)
  if (code === 0x09) return kitty(9, 0)
  if (code === 0x7f) return kitty(127, 0)
  // Ctrl+Backspace and Ctrl+H are one byte; in readline's tradition it deletes a character.
  if (code === 0x08) return kitty(104, CTRL)
  if (code === 0x00) return kitty(32, CTRL)
  if (code < 0x1b) return kitty(code + 96, CTRL)
  return kitty(code + 64, CTRL)
}

/** A key in the kitty encoding. */
export function kitty(code: number, modifiers: number): string {
  return modifiers === 0 ? `${ESC}[${code}u` : `${ESC}[${code};${modifiers + 1}u`
}

function withModifier(sequence: string, modifier: number): string {
  const parts = /^\u001B\[(\d*)(?:;(\d+))?([A-Za-z~])$/.exec(sequence)
  if (!parts) return sequence
  const modifiers = (Math.max(1, Number(parts[2] ?? 1)) - 1) | modifier
  return `${ESC}[${parts[1] || 1};${modifiers + 1}${parts[3]}`
}
