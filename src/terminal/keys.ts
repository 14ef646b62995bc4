/**
 * Terminal input as tokens: keys, text, pastes and the terminal's own replies. Pure; the bytes come decoded.
 *
 * Keys leave in one of the forms that Ink reads without loss: the kitty encoding (`CSI code ; modifiers u`, and
 * `CSI 1 ; modifiers letter`) for all but plain text, because legacy forms are ambiguous and Ink drops some of them
 * (`CSI 27;2;13~`, as xterm's modifyOtherKeys sends Shift+Enter) or delivers them as text (replies to OSC queries).
 */
export type Token =
  | { kind: 'key'; sequence: string }
  | { kind: 'text'; text: string }
  | { kind: 'paste'; text: string }
  /** What the terminal answered to a query, whole: CSI, OSC, DCS or APC. */
  | { kind: 'reply'; sequence: string }
  | { kind: 'focus'; focused: boolean }

const ESC = '\u001B'
const PASTE_START = `${ESC}[200~`
const PASTE_END = `${ESC}[201~`

const SHIFT = 1
const ALT = 2
const CTRL = 4
/** xterm calls it Meta and sends it for Alt; in kitty's encoding it is Super. */
const META = 8

/** The numbers of the keys that are sent with a tilde, and that Ink knows: it would type the others as text. */
const TILDE_KEYS = /^(?:[1-8]|1[1-57-9]|2[0134])$/
const CONTROLS = /[\u0000-\u001F\u007F-\u009F]/

export type KeyReader = {
  /** Takes what was read and returns what is complete. */
  push(chunk: string): Token[]
  /** Whether something waits for its rest: then call `flush` if nothing comes for a while. */
  waiting(): 'nothing' | 'sequence' | 'paste'
  /**
   * Gives up waiting: a lone ESC is the key, with one character more it is Alt with that, an unterminated paste is what
   * came of it. A reply of the terminal that has begun goes on waiting: no key looks like it.
   */
  flush(): Token[]
}

export function createKeyReader(): KeyReader {
  let pending = ''
  let paste: string[] | null = null

  return {
    push(chunk) {
      const tokens: Token[] = []
      pending += chunk
      while (pending !== '') {
        const before = pending
        if (paste === null) takeToken(tokens)
        else takePaste(tokens)
        if (pending === before) break
      }
      return tokens
    },
    waiting: () => (paste !== null ? 'paste' : pending === '' ? 'nothing' : 'sequence'),
    flush() {
      const tokens: Token[] = []
      if (paste !== null) {
        tokens.push({ kind: 'paste', text: paste.join('') + pending })
        paste = null
        pending = ''
        return tokens
      }
      for (; pending === ESC || pending.startsWith(ESC + ESC); pending = pending.slice(1)) {
        tokens.push({ kind: 'key', sequence: kitty(27, 0) })
      }
      if (isReplyStart(pending)) return tokens
      // A longer unfinished sequence is no key and no text: it is dropped whole.
      if (pending.length === 2) tokens.push(altKey(pending.slice(1)))
      pending = ''
      return tokens
    },
  }

  function takePaste(tokens: Token[]): void {
    const end = pending.indexOf(PASTE_END)
    if (end >= 0) {
      paste?.push(pending.slice(0, end))
      tokens.push({ kind: 'paste', text: paste?.join('') ?? '' })
      paste = null
      pending = pending.slice(end + PASTE_END.length)
      return
    }
    // The end mark itself may be cut in two.
    const keep = partialSuffix(pending, PASTE_END)
    paste?.push(pending.slice(0, pending.length - keep))
    pending = pending.slice(pending.length - keep)
  }

  function takeToken(tokens: Token[]): void {
    if (pending.startsWith(PASTE_START)) {
      paste = []
      pending = pending.slice(PASTE_START.length)
      return
    }
    const code = pending.charCodeAt(0)
    if (code === 0x1b) takeEscape(tokens)
    else if (code < 0x20 || code === 0x7f) {
      tokens.push({ kind: 'key', sequence: controlKey(code) })
      pending = pending.slice(1)
    } else takeText(tokens)
  }

  function takeText(tokens: Token[]): void {
    const control = pending.search(/[\u0000-\u001F\u007F]/)
    const read = control < 0 ? pending : pending.slice(0, control)
    // Text that goes on after several line breaks within one read was not typed by hand: it is a paste without brackets.
    // One break may be a person who types ahead of a slow machine.
    const rest = pending.slice(read.length)
    if (/^(?:\r\n?|\n)[^\u0000-\u001F\u007F]+(?:\r\n?|\n)[^\u0000-\u001F\u007F]/.test(rest)) {
      const escape = pending.indexOf(ESC)
      const pasted = (escape < 0 ? pending : pending.slice(0, escape)).replace(/[\r\n]+$/, '')
      tokens.push({ kind: 'paste', text: pasted })
      pending = pending.slice(pasted.length)
      return
    }
    const text = read.replace(/[\u0080-\u009F]/g, '')
    if (text !== '') tokens.push({ kind: 'text', text })
    pending = rest
  }

  function takeEscape(tokens: Token[]): void {
    const match = matchSequence(pending)
    if (match === null) return
    pending = pending.slice(match.length)
    const token = classify(match)
    if (token) tokens.push(token)
  }
}

/** The escape sequence at the start of `input`, or null while it is not complete. What breaks off is returned as far as it goes. */
function matchSequence(input: string): string | null {
  const kind = input[1]
  if (kind === undefined) return null
  if (kind === '[') {
    // The old Linux console sends F1 to F5 as `ESC [ [ A`.
    const csi = /^\u001B\[(?:\[[A-Z]|[0-?]*[ -/]*[@-~])/.exec(input)
    if (csi) return csi[0]
    const begun = /^\u001B\[\[?[0-?]*[ -/]*/.exec(input)?.[0] ?? ESC
    return begun === input ? null : begun
  }
  if (kind === 'O') return input.length < 3 ? null : input.slice(0, input[2] === ESC ? 2 : 3)
  if (kind === ']' || kind === 'P' || kind === '_' || kind === '^' || kind === 'X') {
    // Its end; or another sequence, which cancels it.
    const end = /\u0007|\u001B\\|(?=\u001B[^\\])/.exec(input.slice(2))
    if (end) return input.slice(0, 2 + end.index + end[0].length)
    return input.length > 65_536 ? input : null
  }
  if (kind === ESC) return doubleEscape(input)
  return input.slice(0, (input.codePointAt(1) ?? 0) > 0xffff ? 3 : 2)
}

/** ESC ESC [ A is how some terminals send Alt+Up; two presses of Esc look alike until more has come. */
function doubleEscape(input: string): string | null {
  if (input.length < 3) return null
  if ((input[2] !== '[' && input[2] !== 'O') || input.startsWith(PASTE_START, 1)) return ESC
  const inner = matchSequence(input.slice(1))
  return inner === null ? null : ESC + inner
}

/** Whether this is the beginning of what only a terminal sends by itself. */
function isReplyStart(input: string): boolean {
  return /^\u001B\[[?<>=]/.test(input)
}

function classify(sequence: string): Token | null {
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
function altKey(rest: string): Token {
  const code = rest.codePointAt(0) ?? 0
  if (code >= 0x20 && code !== 0x7f) {
    const lower = rest.toLowerCase()
    const shift = lower !== rest ? SHIFT : 0
    return { kind: 'key', sequence: kitty(lower.codePointAt(0) ?? 0, ALT | shift) }
  }
  return { kind: 'key', sequence: withModifier(controlKey(code), ALT) }
}

/** A C0 control character as the key that makes it. */
function controlKey(code: number): string {
  if (code === 0x0d) return kitty(13, 0)
  if (code === 0x09) return kitty(9, 0)
  if (code === 0x7f) return kitty(127, 0)
  // Ctrl+Backspace and Ctrl+H are one byte; in readline's tradition it deletes a character.
  if (code === 0x08) return kitty(104, CTRL)
  if (code === 0x00) return kitty(32, CTRL)
  if (code < 0x1b) return kitty(code + 96, CTRL)
  return kitty(code + 64, CTRL)
}

function kitty(code: number, modifiers: number): string {
  return modifiers === 0 ? `${ESC}[${code}u` : `${ESC}[${code};${modifiers + 1}u`
}

function withModifier(sequence: string, modifier: number): string {
  const parts = /^\u001B\[(\d*)(?:;(\d+))?([A-Za-z~])$/.exec(sequence)
  if (!parts) return sequence
  const modifiers = (Math.max(1, Number(parts[2] ?? 1)) - 1) | modifier
  return `${ESC}[${parts[1] || 1};${modifiers + 1}${parts[3]}`
}

/** How many characters at the end of `text` may be the beginning of `mark`. */
function partialSuffix(text: string, mark: string): number {
  for (let length = Math.min(mark.length - 1, text.length); length > 0; length -= 1) {
    if (mark.startsWith(text.slice(-length))) return length
  }
  return 0
}
