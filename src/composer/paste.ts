/**
 * Cleans text that enters the composer. All text from outside (typed, pasted, recalled, completed) goes through
 * `normalisePaste`, so its only control characters are newline and tab, and nothing in it can steer a terminal.
 */

/** A string sequence (OSC, DCS, SOS, PM, APC) ends at ST or BEL; one without an end loses only its introducer. */
const STRING_SEQUENCE = String.raw`(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x80-\x9f]*(?:\x07|\x1b\\|\x9c)`
const CONTROL_SEQUENCE = String.raw`(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]`
/** Single shifts take one more character (`ESC O A` is an arrow key); other escapes may have intermediates. */
const ESCAPE = String.raw`\x1b[NO][ -~]|\x1b[ -/]*[0-~]`
const SEQUENCES = new RegExp(`${STRING_SEQUENCE}|${CONTROL_SEQUENCE}|${ESCAPE}`, 'g')

const LINE_ENDS = /\r\n?|[\u2028\u2029]/g
const CONTROLS = /[\0-\x08\x0b-\x1f\x7f-\x9f]/g
const SUSPICIOUS = /[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]/

/**
 * Text from outside, made safe: CRLF, CR and the Unicode line ends become LF; escape sequences and control characters
 * but tab go; half a surrogate pair becomes U+FFFD. Invisible and bidirectional characters stay: words of some scripts
 * need them, and drawing sanitises them. Doing it twice changes nothing.
 */
export function normalisePaste(text: string): string {
  const whole = text.toWellFormed()
  if (!SUSPICIOUS.test(whole)) return whole
  return whole.replace(SEQUENCES, '').replace(LINE_ENDS, '\n').replace(CONTROLS, '')
}
