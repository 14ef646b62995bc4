/**
 * The one gate between what others wrote (the model, tools, files, errors, pastes) and the screen. What passes has no
 * control character but newline and tab, no escape sequence and nothing that hides: such marks become visible text.
 */
import { countMarks, showMarks } from './controls/marks.ts'
import { overwrite } from './controls/overwrite.ts'

declare const safe: unique symbol

/** Text that may be printed as it is. Only this module makes it. Newlines and tabs may still be in it. */
export type SafeText = string & { readonly [safe]: true }

const harmless = /^[\u0020-\u007e\n\t]*$/
// No longer than those that masking knows (`unseen.ts`): else one would bring the halves of a secret together.
const colours = /\u001b\[[\d;:]{0,200}m/g

/**
 * Makes any text printable. Control characters become their pictures (`␛`), bidi controls, C1 and invisible marks their
 * code (`⟦U+202E⟧`), half a surrogate pair U+FFFD. `\r\n` is a newline; after a lone `\r` the text goes over the line's
 * beginning, as a terminal shows it. Doing it twice changes nothing.
 */
export function sanitize(raw: string): SafeText {
  if (harmless.test(raw)) return made(raw)
  const text = raw.toWellFormed()
  if (!text.includes('\r')) return made(showMarks(text))
  return made(
    text
      .split('\n')
      .map(line => settle(line, '\r'))
      .join('\n'),
  )
}

/**
 * Like `sanitize`, but a lone `\r` is shown as `␍`. For text that will run, such as a command: nothing in it may
 * paint over what stands before it.
 */
export function sanitizeExact(raw: string): SafeText {
  if (harmless.test(raw)) return made(raw)
  return made(showMarks(raw.toWellFormed().replaceAll('\r\n', '\n')))
}

/**
 * Makes the output of a program printable: colours (well-formed SGR) are removed without a trace, and backspaces take
 * effect as carriage returns do. Everything else as in `sanitize`.
 */
export function sanitizeTerminalOutput(raw: string): SafeText {
  if (harmless.test(raw)) return made(raw)
  const text = raw.replace(colours, '').toWellFormed()
  if (!text.includes('\r') && !text.includes('\b')) return made(showMarks(text))
  return made(
    text
      .split('\n')
      .map(line => settle(line, '\r\b'))
      .join('\n'),
  )
}

/** A part of a line that a program printed, and the parameters of the SGR sequences right before it. */
export type PrintedPart = { text: SafeText; sgr: readonly string[] }

/**
 * A line of a program's output in parts, together what `sanitizeTerminalOutput` makes of it. A line that is another one when
 * it is read in parts, such as one that was written over, is one part, behind all that the line set.
 */
export function printedParts(line: string): PrintedPart[] {
  const whole = sanitizeTerminalOutput(line)
  const found = [...line.matchAll(colours)]
  const parts: PrintedPart[] = [{ text: sanitizeTerminalOutput(line.slice(0, found[0]?.index)), sgr: [] }]
  let sgr: string[] = []
  for (const [index, { 0: sequence, index: at }] of found.entries()) {
    sgr.push(sequence.slice(2, -1))
    const text = sanitizeTerminalOutput(line.slice(at + sequence.length, found[index + 1]?.index))
    if (text === '' && index < found.length - 1) continue
    parts.push({ text, sgr })
    sgr = []
  }
  if (parts.map(({ text }) => text).join('') === whole) return parts
  return [
    { text: whole, sgr: [] },
    { text: made(''), sgr: parts.flatMap(part => part.sgr) },
  ]
}

/** The number of marks that `sanitize` made visible in this text. */
export function hiddenMarks(raw: string): number {
  return harmless.test(raw) ? 0 : countMarks(raw.replaceAll('\r', '\n').toWellFormed())
}

/** The number of marks that `sanitizeTerminalOutput` made visible in this text. */
export function hiddenMarksInOutput(raw: string): number {
  return harmless.test(raw)
    ? 0
    : countMarks(
        raw
          .replace(colours, '')
          .replaceAll(/[\r\b]/g, '\n')
          .toWellFormed(),
      )
}

/** Everything on one line: each run of newlines with the blanks around it becomes `mark`, each tab a space. */
export function oneLine(text: SafeText, mark: ' ' | '⏎' | '\\n' = ' '): SafeText {
  if (!text.includes('\n') && !text.includes('\t')) return text
  const lines = text.replaceAll('\t', ' ').split('\n')
  return made(
    lines
      .map(line => line.trim())
      .filter(line => line !== '')
      .join(mark),
  )
}

/** Template tag for our own words; what is put in is safe already. */
export function literal(words: TemplateStringsArray, ...values: readonly (SafeText | number)[]): SafeText {
  return made(words.map((word, index) => word + String(values[index] ?? '')).join(''))
}

/** The lines of a text, without their newlines. */
export function linesOf(text: SafeText): SafeText[] {
  return text.split('\n').map(made)
}

/** Edits a safe text, such as cutting it short. What comes out passes the gate again, so no edit can make it unsafe. */
export function editSafe(text: SafeText, edit: (text: string) => string): SafeText {
  return sanitize(edit(text))
}

// Marks first: each must take the columns it will show. And once more, since going over a line brings new neighbours
// together.
function settle(line: string, controls: '\r' | '\r\b'): string {
  const body = line.endsWith('\r') ? line.slice(0, -1) : line
  const parts = body.split(controls === '\r' ? /(\r)/ : /([\r\b])/)
  if (parts.length === 1) return showMarks(body)
  const shown = parts.map((part, index) => (index % 2 === 1 ? part : showMarks(part)))
  return showMarks(overwrite(shown.join('')))
}

function made(text: string): SafeText {
  return text as SafeText
}
