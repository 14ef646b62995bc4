/** The subject of a question, in full: the command, the change, the arguments, the plan. */
import { languageOfPath } from '../../src/markdown/code/highlight.ts'
import { renderMarkdown } from '../../src/markdown/render.ts'
import type { CallContent, FormContent, ModeContent, QuestionContent, SideContent } from '../../src/state/question.ts'
import { drawn, empty, indented, type Styled } from '../../src/style/styled.ts'
import { firstLines } from '../../src/style/first-lines.ts'
import type { Theme } from '../../src/style/theme.ts'
import { keyed, type KeyNames } from '../../src/text/key-hints.ts'
import {
  hiddenMarks,
  linesOf,
  literal,
  oneLine,
  sanitize,
  sanitizeExact,
  type SafeText,
} from '../../src/text/sanitize.ts'
import { expandTabs } from '../../src/text/lines/width.ts'
import { wrap } from '../../src/text/lines/wrap.ts'
import { withoutTexts } from '../../src/tools/arguments.ts'
import { paintCode } from '../../src/tools/code.ts'
import { diffLines } from '../../src/tools/diff/lines.ts'
import { describeRequest, type RequestSubject } from '../../src/tools/describe-request.ts'
import { yamlLines } from '../../src/tools/panel/yaml.ts'
import { NOTHING_CHANGES } from './call-facts.ts'

/** Columns before the content. */
const INDENT = 4
/** In characters. A longer text is not coloured, because that would take too long. */
const MOST_COLOURED = 20_000
/** A diff with more lines than this is not coloured as code. */
const MOST_ROWS = 500

/** Rows of the folder and the call in the question for the mode. The call's own question shows all of it. */
const CALL_ROWS = 3

type ContentLook = { names: KeyNames; theme: Theme; columns: number }

const made = new WeakMap<QuestionContent, ContentLook & { title: string; lines: readonly Styled[] }>()

/**
 * All lines of the content, none wider than `columns`, without the name of the file or skill that the question above them says in full.
 * Cached, because a question is drawn many times.
 */
export function contentLines(content: QuestionContent, title: string, look: ContentLook): readonly Styled[] {
  const { names, theme, columns } = look
  const known = made.get(content)
  if (known?.columns === columns && known.theme === theme && known.names === names && known.title === title)
    return known.lines
  const lines = linesFor(content, title, look)
  made.set(content, { ...look, title, lines })
  return lines
}

/** Whether the title of a question ends with this name, all of it. */
export const namesAll = (title: string, name: string | undefined): boolean =>
  name !== undefined && name !== '' && title.endsWith(` ${oneLine(sanitizeExact(name))}?`)

function linesFor(content: QuestionContent, title: string, { names, theme, columns }: ContentLook): readonly Styled[] {
  switch (content.kind) {
    case 'call':
      return callLines(content, title, theme, columns)
    case 'form':
      return formLines(content, theme, Math.max(2, columns - INDENT))
    case 'mode':
      return modeLines(content, names, theme, columns)
    case 'side':
      return sideLines(content, theme, columns)
    case 'plan':
      return content.text === null
        ? []
        : renderMarkdown(content.text, { width: columns, style: theme.markdown, indent: INDENT, copies: false })
  }
}

function sideLines({ question, answer }: SideContent, theme: Theme, columns: number): Styled[] {
  const width = Math.max(2, columns - INDENT)
  const asked = linesOf(sanitize(question)).flatMap(line => wrap(theme.strong(expandTabs(line)), width))
  const style = { width: columns, style: theme.markdown, indent: INDENT, copies: false }
  const answered = answer.trim() === '' ? [] : [empty, ...renderMarkdown(answer, style)]
  return [...asked.map(line => indented(INDENT, line)), ...answered]
}

function formLines({ message, label, about }: FormContent, theme: Theme, width: number): Styled[] {
  const wrapped = (text: string): SafeText[] =>
    text === '' ? [] : linesOf(sanitizeExact(text)).flatMap(line => wrap(expandTabs(line), width, 'anywhere'))
  return [
    ...wrapped(message).map(line => indented(INDENT, line)),
    ...wrapped(label).map(line => indented(INDENT, theme.strong(line))),
    ...wrapped(about).map(line => indented(INDENT, theme.dim(line))),
  ]
}

function modeLines({ folder, call }: ModeContent, names: KeyNames, theme: Theme, columns: number): Styled[] {
  const width = Math.max(2, columns - INDENT)
  const asks = wrap(
    drawn`In ${theme.strong(oneLine(sanitizeExact(folder), theme.signs.newline))} it asks for ${theme.strong(oneLine(sanitizeExact(call), theme.signs.newline))}`,
    width,
  )
  return [
    ...firstLines(asks, CALL_ROWS, width, theme.signs.ellipsis).map(line => indented(INDENT, line)),
    ...textLines(modeWords(names), theme, columns),
  ]
}

function modeWords(names: KeyNames): string {
  const switches = keyed(names, '{composer.next_mode} switches the mode at any time, and ')
  return `This is asked once per folder. ${switches}/permissions shows it.`
}

function textLines(text: string, theme: Theme, columns: number): Styled[] {
  return wrap(sanitize(text), Math.max(2, columns - INDENT)).map(line => indented(INDENT, theme.dim(line)))
}

function callLines(content: CallContent, asked: string, theme: Theme, columns: number): Styled[] {
  const { title, subject, around } = describeRequest(content)
  const width = Math.max(2, columns - INDENT)
  const head =
    title === null || namesAll(asked, title)
      ? []
      : wrap(theme.strong(oneLine(sanitizeExact(title), theme.signs.newline)), width).map(line =>
          indented(INDENT, line),
        )
  const below = around.flatMap(text =>
    wrap(oneLine(sanitizeExact(text)), width, 'anywhere').map(line => indented(INDENT, theme.warning(line))),
  )
  return [...head, ...subjectLines(subject, asked, theme, columns, width), ...below]
}

function subjectLines(subject: RequestSubject, asked: string, theme: Theme, columns: number, width: number): Styled[] {
  switch (subject.kind) {
    case 'command':
      return commandLines(subject.command, theme, width)
    case 'change':
      return [...pathLines(subject.paths, asked, theme, width), ...changeLines(subject, theme, columns)]
    case 'files':
      return pathLines(subject.paths, asked, theme, width)
    case 'skill':
      return namesAll(asked, subject.name) ? [] : argumentLines(subject.value, theme, width)
    case 'arguments':
      return argumentLines(
        withoutTexts(subject.value, text => namesAll(asked, text)),
        theme,
        width,
      )
  }
}

function argumentLines(value: unknown, theme: Theme, width: number): Styled[] {
  const sign = theme.signs.newline
  return [...yamlLines(value, sign)].flatMap(line =>
    wrap(oneLine(sanitizeExact(line), sign), width, 'anywhere').map(each => indented(INDENT, each)),
  )
}

/** A command as it runs: every line of it, with hidden characters visible. Nothing is cut. */
function commandLines(command: string, theme: Theme, width: number): Styled[] {
  const isPlain = command.length > MOST_COLOURED || hiddenMarks(command) > 0
  const lines = isPlain
    ? linesOf(sanitizeExact(command)).map(line => drawn`${expandTabs(line)}`)
    : paintCode(command, 'bash', theme.markdown)
  // The sign distinguishes a continued row from a line of the command: nothing in a command can stand in its columns.
  const goesOn = drawn`${indented(INDENT - 2, theme.dim(sanitize(theme.signs.branch)))} `
  return withoutGaps(lines, theme).flatMap(line =>
    wrap(line, width).map((row, index) => {
      if (index > 0) return drawn`${goesOn}${row}`
      return row === empty ? row : indented(INDENT, row)
    }),
  )
}

/** The most empty lines in a row that are shown as they are. More would push what follows out of sight. */
const MOST_EMPTY = 2

/** The lines, with the number of the empty ones where many follow each other. */
function withoutGaps(lines: readonly Styled[], theme: Theme): Styled[] {
  const shown: Styled[] = []
  let gap: Styled[] = []
  const close = (): void => {
    const words = theme.warning(literal`(${gap.length} empty lines)`)
    shown.push(...(gap.length > MOST_EMPTY ? [words] : gap))
    gap = []
  }
  for (const line of lines) {
    if (line.text.trim() === '') gap.push(line)
    else {
      close()
      shown.push(line)
    }
  }
  close()
  return shown
}

function pathLines(paths: readonly string[], asked: string, theme: Theme, width: number): Styled[] {
  const [only] = paths
  if (paths.length === 1 && namesAll(asked, only)) return []
  return paths.flatMap(path =>
    wrap(theme.strong(oneLine(sanitizeExact(path), theme.signs.newline)), width, 'anywhere').map(line =>
      indented(INDENT, line),
    ),
  )
}

function changeLines(
  { paths, hunks }: Extract<RequestSubject, { kind: 'change' }>,
  theme: Theme,
  columns: number,
): Styled[] {
  const rows = hunks.reduce((sum, hunk) => sum + hunk.length, 0)
  if (rows === 0) return [indented(INDENT, theme.dim(sanitize(NOTHING_CHANGES)))]
  const language = rows > MOST_ROWS ? '' : languageOfPath(paths[0] ?? '')
  return diffLines(hunks, {
    theme,
    width: columns,
    indent: INDENT,
    language,
    rows: Infinity,
    wrapped: true,
    open: true,
  }).lines
}
