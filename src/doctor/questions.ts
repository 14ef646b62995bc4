/** The queries to a terminal about itself, and the meaning of its replies. Pure. */
import { finding, type Finding } from './finding.ts'
import { lookup } from '../text/lookup.ts'

const ESC = '\u001B'

/** Texts whose width is measured by the cursor's position after them. */
const measured = { ambiguous: '①', emoji: '🙂', family: '👩‍👩‍👧', heart: '❤️' } as const

type Measured = keyof typeof measured

/** All queries that leave the screen unchanged. DA1, which every terminal answers, has to follow. */
export function questions(): string {
  return [
    `${ESC}[>0q`,
    `${ESC}[?2026$p`,
    `${ESC}[?2004$p`,
    `${ESC}[?1004$p`,
    `${ESC}[?u`,
    `${ESC}]11;?${ESC}\\`,
    // Does the terminal keep a colour unchanged?
    `${ESC}[48;2;1;2;3m${ESC}P$qm${ESC}\\${ESC}[m`,
  ].join('')
}

/** Queries that measure widths. They are written on an empty row and leave it empty. */
export function widthQuestions(): string {
  return [...Object.values(measured).map(text => `\r${text}${ESC}[6n`), `\r${ESC}[K`].join('')
}

/** The meaning of the replies; null where a query had none. */
export type TerminalAnswers = {
  /** Whether the terminal answered at all. */
  any: boolean
  name: string | null
  synchronized: boolean | null
  paste: boolean | null
  focus: boolean | null
  kittyKeys: boolean
  background: string | null
  trueColor: boolean | null
  /** Whether it reports that programs may write the clipboard (52 among its attributes). */
  clipboard: boolean | null
  widths: Readonly<Record<Measured, number | null>>
}

export function readAnswers(replies: readonly string[]): TerminalAnswers {
  const matchOf = (pattern: RegExp): string | null => {
    for (const reply of replies) {
      const found = pattern.exec(reply)?.[1]
      if (found !== undefined) return found
    }
    return null
  }
  const mode = (number: number): boolean | null => {
    const state = matchOf(new RegExp(`^\\u001B\\[\\?${number};(\\d)\\$y$`))
    // 0 is not known, 4 cannot be switched on.
    return state === null ? null : state !== '0' && state !== '4'
  }
  const attributes = matchOf(/^\u001B\[\?([\d;]*)c$/)
  const style = matchOf(/^\u001BP1\$r([^\u001B]*)/)
  const columns = replies.flatMap(reply => /^\u001B\[\d+;(\d+)R$/.exec(reply)?.[1] ?? [])
  const widths = Object.keys(measured).map((name, index) => {
    const column = columns[index]
    return [name, column === undefined ? null : Number(column) - 1]
  })
  return {
    any: replies.length > 0,
    name: matchOf(/^\u001BP>\|([^\u001B]*)/),
    synchronized: mode(2026),
    paste: mode(2004),
    focus: mode(1004),
    kittyKeys: matchOf(/^\u001B\[\?(\d+)u$/) !== null,
    background: matchOf(/^\u001B\]11;([^\u0007\u001B]*)/),
    trueColor: style === null ? null : /48[:;]2[:;]+1[:;]2[:;]3/.test(style) || null,
    clipboard: attributes === null ? null : attributes.split(';').includes('52') || null,
    widths: Object.fromEntries(widths) as TerminalAnswers['widths'],
  }
}

/** zotui's decisions about this terminal, in words. */
export type TerminalDecisions = {
  colours: string
  signs: string
  links: boolean
  notifications: string
  progress: boolean
  theme: string
  /** Whether a screen reader is used. */
  isSpoken: boolean
}

/** The findings about the terminal; `answers` null where there is no terminal to ask. */
export function terminalFindings(answers: TerminalAnswers | null, decided: TerminalDecisions): Finding[] {
  const known = answers ?? readAnswers([])
  const { widths } = known
  return [
    finding(
      'answers',
      known.any ? 'ok' : answers ? 'warn' : 'unknown',
      answers ? `the terminal ${known.any ? 'answers' : 'does not answer'} questions` : 'not asked: no terminal here',
      known.name === null ? '' : `it says it is ${known.name}`,
    ),
    asked(
      known,
      'synchronized output',
      known.synchronized,
      'frames are shown complete',
      'half-drawn frames may be visible',
    ),
    asked(
      known,
      'kitty keys',
      known.kittyKeys,
      'Shift+Enter and Ctrl+Enter arrive',
      'Ctrl+J makes a new line, and /now sends at once',
    ),
    asked(known, 'bracketed paste', known.paste, 'a paste is one piece', ''),
    asked(known, 'focus reports', known.focus, 'you are notified while another window has the focus', ''),
    finding(
      'background (OSC 11)',
      known.background === null ? 'unknown' : 'ok',
      known.background ?? 'not reported',
      `the theme is ${decided.theme}`,
    ),
    finding(
      'colours',
      'ok',
      known.trueColor ? 'the terminal supports true colour' : 'taken from the environment',
      `zotui uses ${decided.colours}`,
    ),
    finding(
      'links (OSC 8)',
      'ok',
      `${decided.links ? 'yes' : 'no'}, ${BY_NAME}`,
      decided.links ? 'links can be opened' : 'the address is shown in the text',
    ),
    finding(
      'notifications',
      'ok',
      `${methodWords(decided.notifications)}, ${BY_NAME}`,
      decided.progress ? 'progress is shown too' : '',
    ),
    asked(
      known,
      'clipboard (OSC 52)',
      known.clipboard,
      'zotui can copy through the terminal',
      'many terminals copy anyway',
    ),
    finding(
      'character widths',
      [widths.ambiguous, widths.emoji].some(width => width === null) ? 'unknown' : isUsual(widths) ? 'ok' : 'warn',
      widthWords(widths, decided),
      isUsual(widths)
        ? `zotui draws ${decided.signs} signs`
        : 'not what zotui expects: some rows may be off by a column',
    ),
  ]
}

const WIDTH_NAMES: Readonly<Record<string, string>> = {
  ambiguous: 'circled digit',
  family: 'joined emoji',
  heart: 'emoji heart',
}

const BY_NAME = 'judged by the name of the terminal'

function methodWords(method: string): string {
  if (method === 'off') return 'off'
  return method === 'bell' ? 'by the bell' : `by ${method.replace('osc', 'OSC ')}`
}

function widthWords(widths: TerminalAnswers['widths'], { isSpoken }: TerminalDecisions): string {
  if (isSpoken) return 'not measured, since that moves the cursor'
  const known = Object.entries(widths).filter(([, width]) => width !== null)
  return known.length === 0
    ? 'not measured'
    : `in columns: ${known.map(([name, width]) => `${lookup(WIDTH_NAMES, name) ?? name} ${width}`).join(', ')}`
}

const isUsual = ({ ambiguous, emoji, family, heart }: TerminalAnswers['widths']): boolean =>
  (ambiguous ?? 1) === 1 && (emoji ?? 2) === 2 && (family ?? 2) === 2 && (heart ?? 2) === 2

function asked({ any }: TerminalAnswers, name: string, has: boolean | null, yes: string, no: string): Finding {
  if (!any) return { name, state: 'unknown', found: 'not reported', so: no }
  return {
    name,
    state: has ? 'ok' : 'warn',
    found: has ? 'yes' : has === null ? 'not reported' : 'no',
    so: has ? yes : no,
  }
}
