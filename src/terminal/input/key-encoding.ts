/**
 * Escape sequences and control characters as keys, text and replies: all the forms that terminals have for a key, and one
 * name for it. Pure.
 */
import { ESC, isReplyStart } from './sequence.ts'
import { lookup } from '../../text/lookup.ts'

export type Token =
  /** `name` is the keymap's: modifiers in the order ctrl, alt, shift, then the key, such as `ctrl+j` or `shift+enter`. */
  | { kind: 'key'; name: string }
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

/** The keys that are sent with a letter, and with a number and a tilde. Others of these kinds are ignored. */
const LETTER_KEYS: Readonly<Record<string, string>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  F: 'end',
  H: 'home',
}
const TILDE_KEYS: Readonly<Record<string, string>> = {
  1: 'home',
  3: 'delete',
  4: 'end',
  5: 'pageup',
  6: 'pagedown',
  7: 'home',
  8: 'end',
}
/** The keys with names in the encodings by code point; kitty has codes for the keypad. */
const CODE_KEYS: Readonly<Record<number, string>> = {
  9: 'tab',
  13: 'enter',
  27: 'escape',
  32: 'space',
  127: 'backspace',
  57414: 'enter',
  57417: 'left',
  57418: 'right',
  57419: 'up',
  57420: 'down',
  57421: 'pageup',
  57422: 'pagedown',
  57423: 'home',
  57424: 'end',
  57426: 'delete',
}
const CONTROLS = /[\u0000-\u001F\u007F-\u009F]/

export const ESCAPE: Token = { kind: 'key', name: 'escape' }

/** Decodes a whole escape sequence; null if it is ignored. `before` are modifiers that came before it. */
export function classify(sequence: string, before = 0): Token | null {
  if (sequence === ESC) return ESCAPE
  if (sequence.startsWith(`${ESC}${ESC}`)) return classify(sequence.slice(1), ALT)
  const kind = sequence[1]
  if (kind === '[') return sequence.length > 2 ? classifyCsi(sequence, before) : altKey('[')
  if (kind === 'O') return sequence.length > 2 ? ss3Key(sequence[2] ?? '', before) : altKey('O')
  if (sequence.length > 2 && (kind === ']' || kind === 'P' || kind === '_' || kind === '^' || kind === 'X')) {
    return { kind: 'reply', sequence }
  }
  return altKey(sequence.slice(1))
}

function classifyCsi(sequence: string, before: number): Token | null {
  if (sequence === `${ESC}[I`) return { kind: 'focus', focused: true }
  if (sequence === `${ESC}[O`) return { kind: 'focus', focused: false }
  if (sequence === `${ESC}[Z`) return key('tab', SHIFT | before)
  // Replies carry a private mark. Reports of the cursor and the mouse are no keys either.
  if (isReplyStart(sequence) || /^\u001B\[\d+;\d+R$/.test(sequence) || sequence.startsWith(`${ESC}[M`)) {
    return { kind: 'reply', sequence }
  }
  const other = /^\u001B\[27;(\d+);(\d+)~$/.exec(sequence)
  if (other) return keyOrText(Number(other[2]), withMeta(Number(other[1]) - 1), before)
  return kittyKey(sequence, before) ?? functionKey(sequence, before)
}

/** `CSI code : others ; modifiers : event ; text u` */
function kittyKey(sequence: string, before: number): Token | null {
  const match = /^\u001B\[(\d+)(?::\d*)*(?:;(\d*)(?::([123]))?)?(?:;([\d:]*))?u$/.exec(sequence)
  const modifiers = Math.max(0, Number(match?.[2] || 1) - 1)
  // Key releases must be asked for, but tmux and some terminals send them anyway. Super and Hyper are ignored.
  if (!match || match[3] === '3' || modifiers & 0b11000) return null
  // Kitty's Meta (32) counts as Alt. The remaining bits are the locks.
  return keyOrText(Number(match[1]), (modifiers & 0b111) | (modifiers & 32 ? ALT : 0), before, match[4])
}

/** A key in the kitty or modifyOtherKeys encoding. Without modifiers a printable key is text. */
function keyOrText(code: number, modifiers: number, before: number, reported = ''): Token | null {
  if (reported !== '' && (modifiers & ~SHIFT) === 0) return textToken(reported.split(':').map(Number))
  const printable = code >= 32 && code !== 127 && (code < 57344 || code > 63743)
  if (printable && modifiers === 0) return textToken([code])
  if (printable && modifiers === SHIFT) return textToken([code], text => text.toUpperCase())
  return codeKey(code, modifiers | before)
}

/** The text of code points; null if one is invalid or a control character. */
function textToken(codes: readonly number[], change = (text: string): string => text): Token | null {
  if (codes.some(code => code > 0x10_ffff)) return null
  const text = change(String.fromCodePoint(...codes))
  return CONTROLS.test(text) || !text.isWellFormed() ? null : { kind: 'text', text }
}

/** Arrows, Home and other keys that are sent as a letter, or as a number and a tilde. */
function functionKey(sequence: string, before: number): Token | null {
  const match = /^\u001B\[(\d*)(?:;(\d*)(?::([123]))?)?([A-Z~])$/.exec(sequence)
  if (!match || match[3] === '3') return null
  const [, number = '', modifiers, , end = ''] = match
  const isLetter = number === '' || number === '1'
  const name = end === '~' ? lookup(TILDE_KEYS, number) : isLetter ? lookup(LETTER_KEYS, end) : undefined
  return name === undefined ? null : key(name, withMeta(Math.max(0, Number(modifiers || 1) - 1)) | before)
}

/** Shift, Alt and Ctrl, without the locks. */
function withMeta(modifiers: number): number {
  return (modifiers & 0b111) | (modifiers & META ? ALT : 0)
}

function ss3Key(letter: string, before: number): Token | null {
  if (letter === 'M') return key('enter', before)
  // rxvt's Ctrl with an arrow.
  if (/^[a-d]$/.test(letter)) return functionKey(`${ESC}[1;5${letter.toUpperCase()}`, before)
  return functionKey(`${ESC}[${letter}`, before)
}

/** Alt with a key, which legacy terminals send as ESC and the key. */
export function altKey(rest: string): Token | null {
  const code = rest.codePointAt(0) ?? 0
  if (code < 0x20 || code === 0x7f) return controlKey(code, ALT)
  const lower = rest.toLowerCase()
  return codeKey(lower.codePointAt(0) ?? 0, ALT | (lower === rest ? 0 : SHIFT))
}

/** A C0 control character as the key that makes it. */
export function controlKey(code: number, before = 0): Token | null {
  if (code === 0x0d || code === 0x09 || code === 0x7f) return codeKey(code, before)
  // Ctrl+Backspace and Ctrl+H are one byte; in readline's tradition it deletes a character.
  if (code === 0x00) return key('space', CTRL | before)
  return codeKey(code + (code < 0x1b ? 96 : 64), CTRL | before)
}

/** A key by its code point; null if it is neither a character nor a named key. */
function codeKey(code: number, modifiers: number): Token | null {
  const name = CODE_KEYS[code]
  if (name !== undefined) return key(name, modifiers)
  if (code >= 57344 && code <= 63743) return null
  const text = textToken([code], each => each.toLowerCase())
  return text?.kind === 'text' ? key(text.text, modifiers) : null
}

function key(name: string, modifiers: number): Token {
  const parts = [
    modifiers & CTRL ? 'ctrl' : '',
    // A second Esc looks like Esc with Alt.
    modifiers & ALT && name !== 'escape' ? 'alt' : '',
    modifiers & SHIFT ? 'shift' : '',
  ]
  return { kind: 'key', name: [...parts.filter(part => part !== ''), name].join('+') }
}
