/**
 * The only gate between text from others (the model, tools, files, errors, pastes) and the screen. Sanitised text has no control
 * characters but newline and tab, no escape sequences and no invisible marks: these become visible text.
 */
import { countMarks, showMarks } from './controls/marks.ts'
import { joinedParts, overwrite, overwriteParts } from './controls/overwrite.ts'
import type { SafeText } from './controls/safe-text.ts'

export type { SafeText }

const harmless = /^[\u0020-\u007e\n\t]*$/
// No longer than those that masking knows (`visible-text.ts`): otherwise removing one could join the halves of a secret.
const colours = /\u001b\[[\d;:]{0,200}m/g

/**
 * Makes any text printable. Control characters become their pictures (`␛`), bidi controls, C1 and invisible marks their code
 * (`⟦U+202E⟧`), half a surrogate pair U+FFFD. `\r\n` is a newline; after a lone `\r` the text overwrites the line's beginning, as
 * in a terminal. Doing it twice changes nothing.
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
 * Like `sanitize`, but a lone `\r` is shown as `␍`. For text that will run, such as a command: no part of it may overwrite
 * another.
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

/**
 * A part of a line that a program printed, and the parameters of the SGR sequences right before it; with `fromStart`,
 * of all sequences before it in the line.
 */
export type PrintedPart = { text: SafeText; sgr: readonly string[]; fromStart?: true }

/** A line of a program's output in parts, together what `sanitizeTerminalOutput` makes of it. */
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
  return joinedParts(parts) === whole ? parts : writtenOver(line, whole)
}

/** The parts of a line that overwrites itself: the text keeps its own colours, as in a terminal. */
function writtenOver(line: string, whole: SafeText): PrintedPart[] {
  const all = [...line.matchAll(colours)].map(([sequence]) => sequence.slice(2, -1))
  const written = line
    .split(colours)
    .map((text, tag) => ({ text: shownBetween(text.toWellFormed(), '\r\b').join(''), tag }))
  const parts = overwriteParts(written).map(({ text, tag }): PrintedPart => ({
    text: sanitizeTerminalOutput(text),
    sgr: all.slice(0, tag),
    fromStart: true,
  }))
  const end: PrintedPart = { text: made(''), sgr: all, fromStart: true }
  return joinedParts(parts) === whole ? [...parts, end] : [{ text: whole, sgr: [] }, end]
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

/** Template tag for our own words; inserted values are already safe. */
export function literal(words: TemplateStringsArray, ...values: readonly (SafeText | number)[]): SafeText {
  return made(words.map((word, index) => word + String(values[index] ?? '')).join(''))
}

/** The lines of a text, without their newlines. */
export function linesOf(text: SafeText): SafeText[] {
  return text.split('\n').map(made)
}

/** Edits a safe text, for example to shorten it. The result is sanitised again, so no edit can make it unsafe. */
export function editSafe(text: SafeText, edit: (text: string) => string): SafeText {
  return sanitize(edit(text))
}

// Marks are shown first, since each must take its columns, and again, since overwriting creates new neighbours.
function settle(line: string, controls: '\r' | '\r\b'): string {
  const body = line.endsWith('\r') ? line.slice(0, -1) : line
  const shown = shownBetween(body, controls)
  return shown.length === 1 ? shown.join('') : showMarks(overwrite(shown.join('')))
}

/** The text in parts, with the marks between the controls made visible. */
function shownBetween(text: string, controls: '\r' | '\r\b'): string[] {
  const parts = text.split(controls === '\r' ? /(\r)/ : /([\r\b])/)
  return parts.map((part, index) => (index % 2 === 1 ? part : showMarks(part)))
}

function made(text: string): SafeText {
  return text as SafeText
}
