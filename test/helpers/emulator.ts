/**
 * A terminal without a window: takes the bytes of a program, answers what a terminal answers, and keeps watch over what
 * no program of ours may do to a terminal.
 */
import { UnicodeGraphemesAddon } from '@xterm/addon-unicode-graphemes'
import xterm, { type IBuffer, type IBufferLine, type Terminal } from '@xterm/headless'
import { cutLines, cutting } from './cutting.ts'

/** The kind of terminal that it plays. */
export type TerminalTraits = {
  /** The answer to OSC 11 and to the colour scheme query; null gives none. */
  background: 'dark' | 'light' | null
  /** Whether it speaks the kitty keyboard protocol. */
  kitty: boolean
  /** Whether it says that it knows synchronized output (it always honours it). */
  synchronized: boolean
  /** The answer to XTVERSION; null gives none. */
  name: string | null
  /** Whether it answers at all; false plays the terminals that never do. */
  answers: boolean
  /** The answer to DA2, by which it is known; null gives that of xterm.js, or of xterm where it cuts lines as that does. */
  kind: string | null
  /** Whether it wraps lines that stand there when it becomes narrower, as xterm.js does, or cuts them, as xterm does. */
  reflows: boolean
}

export const commonTerminal: TerminalTraits = {
  background: 'dark',
  kitty: false,
  synchronized: true,
  name: null,
  answers: true,
  kind: null,
  reflows: true,
}

/** The look of a piece of text. Colours are `#rrggbb`, a palette index, or `default`. */
export type Drawn = {
  bold: boolean
  dim: boolean
  italic: boolean
  underline: boolean
  inverse: boolean
  strikethrough: boolean
  color: string
  background: string
}

const frameStart = Buffer.from('\x1b[?2026h')
const frameEnd = Buffer.from('\x1b[?2026l')

/** Private modes that a terminal starts with; all others are off. */
const onAtStart = new Set([7, 25])
const modeNames: Record<number, string> = {
  1: 'application cursor keys',
  7: 'line wrap',
  25: 'cursor shown',
  47: 'alternate screen',
  1000: 'mouse clicks',
  1002: 'mouse drags',
  1003: 'mouse moves',
  1004: 'focus reports',
  1006: 'SGR mouse reports',
  1047: 'alternate screen',
  1049: 'alternate screen',
  2004: 'bracketed paste',
  2026: 'synchronized output',
  2031: 'colour scheme reports',
}

export class Emulator {
  readonly violations: string[] = []
  /** Called with what the terminal sends back to the program. */
  onReply: (text: string) => void = () => {}
  /** Called when everything received so far has been parsed. */
  onSettled: () => void = () => {}
  /** The tallest live zone seen, in rows. */
  tallest = 0
  /** The window's title, empty before a program has set one, and all that it has been. */
  title = ''
  readonly titles: string[] = []
  /** The progress that the terminal shows (OSC 9;4); 0 is none. */
  progress = 0
  /** Notifications that the program asked the terminal to show. */
  readonly notifications: string[] = []
  /** The texts of the rows at which prompts begin, as they were when that was said. */
  readonly prompts: string[] = []

  readonly #traits: TerminalTraits
  readonly #terminal: Terminal
  readonly #received: Buffer[] = []
  /** Bytes to be parsed, and what is to be done after those before it. */
  readonly #queue: (Buffer | (() => void))[] = []
  /** Bytes not shown yet: an unfinished frame, or what may become the mark of one. */
  #held: Buffer = Buffer.alloc(0)
  #parsing = false
  readonly #modes = new Map<number, boolean>()
  #kittyFlags: number[] = []
  #otherModes = new Set<string>()
  #frame = { bottom: 0, top: 0, redraws: false }
  /** After a resize the program's idea of the screen is old until it has drawn it anew. */
  #stale = false
  /** So many rows from the first are looked at no more. */
  #forgotten = 0

  constructor(columns: number, rows: number, traits: TerminalTraits) {
    this.#traits = traits
    const kept = { scrollback: 20_000, allowProposedApi: true }
    this.#terminal = new xterm.Terminal({ cols: columns, rows, ...kept, ...(!traits.reflows && cutting) })
    this.#terminal.loadAddon(new UnicodeGraphemesAddon())
    this.#terminal.onData(reply => this.#reply(reply))
    this.#watchScreen()
    this.#watchModes()
    this.#watchSurroundings()
    this.#answer()
  }

  /** Lines of a shell that were there before the program. */
  preload(lines: readonly string[]): void {
    for (const line of lines) this.#queue.push(Buffer.from(`${line}\r\n`))
    this.#parseNext()
  }

  receive(bytes: Buffer): void {
    this.#received.push(bytes)
    this.#held = Buffer.concat([this.#held, bytes])
    // A frame is shown whole, as terminals that know synchronized output do: no look ever falls into the middle of one.
    for (;;) {
      const start = this.#held.indexOf(frameStart)
      if (start === -1) {
        this.#release(this.#held.length - openingTail(this.#held))
        break
      }
      this.#release(start)
      const end = this.#held.indexOf(frameEnd)
      if (end === -1) break
      this.#release(end + frameEnd.length)
    }
    this.#parseNext()
  }

  /** Shows also what waits for the end of a frame: nothing more will come. */
  finish(): void {
    this.#release(this.#held.length)
    this.#parseNext()
  }

  get settled(): boolean {
    return !this.#parsing && this.#queue.length === 0
  }

  /** The number of reads so far. */
  get received(): number {
    return this.#received.length
  }

  /** The number of bytes that wait for the end of their frame. */
  get held(): number {
    return this.#held.length
  }

  /** Takes another size after everything that was received, as a terminal does, and then calls `then`. */
  resize(columns: number, rows: number, then: () => void): void {
    this.#queue.push(() => {
      this.#stale = true
      this.#terminal.resize(columns, rows)
      if (!this.#traits.reflows) cutLines(this.#terminal)
      then()
    })
    this.#parseNext()
  }

  get rows(): number {
    return this.#terminal.rows
  }

  /** Shows nothing more of the rows above the cursor, as if they had never been written. */
  forget(kept: number): void {
    const { normal } = this.#terminal.buffer
    let row = normal.baseY + normal.cursorY - kept
    // The next line may be written into blank rows above it.
    while (row > 0 && textOf(normal.getLine(row - 1)) === '') row -= 1
    this.#forgotten = row
  }

  /** The visible rows, without trailing blanks. */
  screen(): string[] {
    const { active } = this.#terminal.buffer
    const hidden = this.#hiddenRows
    return [
      ...Array<string>(hidden).fill(''),
      ...this.#lines(active, active.baseY + hidden, active.baseY + this.#terminal.rows),
    ]
  }

  /** The rows that have left the screen upwards. */
  scrollback(): string[] {
    const { normal } = this.#terminal.buffer
    return this.#lines(normal, this.#forgotten, normal.baseY)
  }

  cursor(): { row: number; column: number; shown: boolean } {
    const { active } = this.#terminal.buffer
    return { row: active.cursorY, column: active.cursorX, shown: this.mode(25) }
  }

  get alternate(): boolean {
    return this.#terminal.buffer.active.type === 'alternate'
  }

  bytes(): Buffer {
    return Buffer.concat(this.#received)
  }

  mode(number: number): boolean {
    return this.#modes.get(number) ?? onAtStart.has(number)
  }

  get applicationCursor(): boolean {
    return this.mode(1)
  }

  /** The kitty keyboard flags in force; 0 where the terminal does not know them. */
  get kittyFlags(): number {
    return this.#traits.kitty ? (this.#kittyFlags.at(-1) ?? 0) : 0
  }

  /** The look of the first occurrence of `text` on the screen, by its first character. */
  drawn(text: string): Drawn | undefined {
    const { active } = this.#terminal.buffer
    for (let row = this.#hiddenRows; row < this.#terminal.rows; row++) {
      const line = active.getLine(active.baseY + row)
      const columns: number[] = []
      let content = ''
      for (let column = 0; column < this.#terminal.cols; column++) {
        const cell = line?.getCell(column)
        if (!cell || cell.getWidth() === 0) continue
        const characters = cell.getChars() || ' '
        for (let unit = 0; unit < characters.length; unit++) columns.push(column)
        content += characters
      }
      const found = content.indexOf(text)
      const cell = found === -1 ? undefined : line?.getCell(columns[found] ?? 0)
      if (!cell) continue
      return {
        bold: cell.isBold() !== 0,
        dim: cell.isDim() !== 0,
        italic: cell.isItalic() !== 0,
        underline: cell.isUnderline() !== 0,
        inverse: cell.isInverse() !== 0,
        strikethrough: cell.isStrikethrough() !== 0,
        color: color(cell.isFgRGB(), cell.isFgPalette(), cell.getFgColor()),
        background: color(cell.isBgRGB(), cell.isBgPalette(), cell.getBgColor()),
      }
    }
    return undefined
  }

  /** Modes that the program changed and did not restore. */
  unbalanced(): string[] {
    const left = [...this.#otherModes]
    for (const [number, on] of this.#modes) {
      if (on === onAtStart.has(number)) continue
      left.push(`${modeNames[number] ?? 'mode'} (?${number}) left ${on ? 'on' : 'off'}`)
    }
    if (this.#kittyFlags.length > 0) left.push(`kitty keyboard: ${this.#kittyFlags.length} pushed and not popped`)
    return left
  }

  #release(length: number): void {
    if (length <= 0) return
    this.#queue.push(this.#held.subarray(0, length))
    this.#held = this.#held.subarray(length)
  }

  #parseNext(): void {
    if (this.#parsing) return
    let piece = this.#queue.shift()
    for (; typeof piece === 'function'; piece = this.#queue.shift()) piece()
    if (!piece) {
      this.onSettled()
      return
    }
    this.#parsing = true
    this.#startFrame()
    this.#terminal.write(piece, () => {
      this.#parsing = false
      this.#endFrame()
      this.#parseNext()
    })
  }

  /** Rows of the screen that are forgotten. */
  get #hiddenRows(): number {
    const hidden = this.alternate ? 0 : this.#forgotten - this.#terminal.buffer.normal.baseY
    return Math.min(Math.max(hidden, 0), this.#terminal.rows)
  }

  #lines(buffer: IBuffer, from: number, to: number): string[] {
    const lines: string[] = []
    for (let row = from; row < to; row++) lines.push(textOf(buffer.getLine(row)))
    return lines
  }

  #reply(text: string): void {
    if (this.#traits.answers) this.onReply(text)
  }

  #startFrame(): void {
    const { active } = this.#terminal.buffer
    let bottom = this.#terminal.rows - 1
    while (bottom > 0 && (active.getLine(active.baseY + bottom)?.translateToString(true) ?? '') === '') bottom--
    this.#frame = { bottom, top: Number.POSITIVE_INFINITY, redraws: false }
  }

  /** The rows that a frame goes back up to and redraws are the live zone of the frame before. */
  #endFrame(): void {
    const { bottom, top, redraws } = this.#frame
    if (redraws || this.#stale || this.alternate) return
    const height = bottom - top + 1
    this.tallest = Math.max(this.tallest, height)
    const most = this.#terminal.rows - 1
    if (height > most) this.#violate(`live zone of ${height} rows drawn again; the screen allows ${most}`)
  }

  #moveUp(rows: number): void {
    const target = this.#terminal.buffer.active.cursorY - rows
    this.#frame.top = Math.min(this.#frame.top, target)
    if (target < 0 && !this.#stale && !this.alternate) {
      this.#violate(`cursor moved ${-target} rows above the screen, into the scrollback or the shell's lines`)
    }
  }

  #redrawn(): void {
    this.#frame.redraws = true
    this.#stale = false
  }

  #violate(what: string): void {
    if (!this.violations.includes(what)) this.violations.push(what)
  }

  #watchScreen(): void {
    const { parser } = this.#terminal
    const erase = (params: Parameters): boolean => {
      const what = first(params, 0)
      if (what === 2 || what === 3) this.#violate(`wrote CSI ${what}J, which wipes what is not ours`)
      const { cursorX, cursorY } = this.#terminal.buffer.active
      if (what === 0 && cursorX === 0 && (cursorY === 0 || this.#stale)) {
        this.#redrawn()
      }
      return false
    }
    parser.registerCsiHandler({ final: 'J' }, erase)
    parser.registerCsiHandler({ prefix: '?', final: 'J' }, erase)
    for (const final of ['A', 'F']) {
      parser.registerCsiHandler({ final }, params => {
        this.#moveUp(Math.max(1, first(params, 1)))
        // To the beginning of a line above: only to draw the whole screen anew where a shell's lines stand on it, too.
        if (final === 'F') this.#redrawn()
        return false
      })
    }
    parser.registerEscHandler({ final: 'c' }, () => {
      this.#violate('wrote ESC c, which resets the terminal')
      return false
    })
  }

  #watchModes(): void {
    const { parser } = this.#terminal
    for (const [final, on] of [
      ['h', true],
      ['l', false],
    ] as const) {
      parser.registerCsiHandler({ prefix: '?', final }, params => {
        for (const number of params.flat()) this.#modes.set(number, on)
        return false
      })
      parser.registerCsiHandler({ final }, params => {
        for (const number of params.flat()) this.#other(`mode ${number}`, on)
        return false
      })
    }
    parser.registerCsiHandler({ prefix: '>', final: 'u' }, params => {
      this.#kittyFlags.push(first(params, 0))
      return true
    })
    parser.registerCsiHandler({ prefix: '<', final: 'u' }, params => {
      const count = Math.max(1, first(params, 1))
      // A pop too many is harmless: it is how a program makes sure.
      this.#kittyFlags = this.#kittyFlags.slice(0, Math.max(0, this.#kittyFlags.length - count))
      return true
    })
    parser.registerCsiHandler({ prefix: '>', final: 'm' }, params => {
      if (first(params, 0) === 4) this.#other('modifyOtherKeys', (params.flat()[1] ?? 0) !== 0)
      return true
    })
    parser.registerCsiHandler({ intermediates: ' ', final: 'q' }, params => {
      this.#other('cursor shape', first(params, 0) !== 0)
      return false
    })
    parser.registerCsiHandler({ final: 'r' }, params => {
      this.#other(
        'scroll region',
        params.flat().some(row => row > 0),
      )
      return false
    })
    for (const [final, on] of [
      ['=', true],
      ['>', false],
    ] as const) {
      parser.registerEscHandler({ final }, () => {
        this.#other('application keypad', on)
        return false
      })
    }
  }

  #watchSurroundings(): void {
    const { parser } = this.#terminal
    const saved: string[] = []
    this.#terminal.onTitleChange(title => {
      this.title = title
      this.titles.push(title)
    })
    this.#terminal.onBell(() => this.notifications.push('bell'))
    parser.registerCsiHandler({ final: 't' }, params => {
      const [what = 0] = params.flat()
      if (what === 22) saved.push(this.title)
      if (what === 23) this.title = saved.pop() ?? ''
      this.#other('the title', saved.length > 0)
      return true
    })
    parser.registerOscHandler(9, data => {
      const [kind, state] = data.split(';')
      if (kind === '4') this.progress = Number(state)
      else this.notifications.push(`osc9 ${data}`)
      this.#other('progress', this.progress !== 0)
      return true
    })
    for (const code of [99, 777]) {
      parser.registerOscHandler(code, data => {
        this.notifications.push(`osc${code} ${data}`)
        return true
      })
    }
    parser.registerOscHandler(133, data => {
      const { active } = this.#terminal.buffer
      const row = active.baseY + active.cursorY
      const text = (at: number): string => active.getLine(at)?.translateToString(true).trimEnd() ?? ''
      if (data.startsWith('A')) this.prompts.push(text(row) || text(row + 1))
      return true
    })
  }

  #other(name: string, on: boolean): void {
    if (on) this.#otherModes.add(`${name} left on`)
    else this.#otherModes.delete(`${name} left on`)
  }

  /** Answers that depend on what kind of terminal this plays; the rest (DA1, cursor position) the emulator gives itself. */
  #answer(): void {
    const { parser } = this.#terminal
    const { background, kitty, synchronized, name, kind, reflows } = this.#traits
    parser.registerCsiHandler({ prefix: '>', final: 'c' }, () => {
      const known = kind ?? (reflows ? null : '41;379;0')
      if (known !== null) this.#reply(`\x1b[>${known}c`)
      return known !== null
    })
    parser.registerCsiHandler({ prefix: '?', final: 'u' }, () => {
      if (kitty) this.#reply(`\x1b[?${this.kittyFlags}u`)
      return true
    })
    parser.registerCsiHandler({ prefix: '?', intermediates: '$', final: 'p' }, params => {
      if (first(params, 0) !== 2026) return false
      // 1 set, 2 reset, 0 not recognized.
      this.#reply(`\x1b[?2026;${synchronized ? (this.mode(2026) ? 1 : 2) : 0}$y`)
      return true
    })
    parser.registerCsiHandler({ prefix: '>', final: 'q' }, () => {
      if (name !== null) this.#reply(`\x1bP>|${name}\x1b\\`)
      return true
    })
    parser.registerCsiHandler({ prefix: '?', final: 'n' }, params => {
      if (first(params, 0) !== 996) return false
      if (background) this.#reply(`\x1b[?997;${background === 'dark' ? 1 : 2}n`)
      return true
    })
    const colors: Record<number, { dark: string; light: string }> = {
      10: { dark: 'rgb:e6e6/e6e6/e6e6', light: 'rgb:1a1a/1a1a/1a1a' },
      11: { dark: 'rgb:1414/1818/1c1c', light: 'rgb:fdfd/f6f6/e3e3' },
    }
    for (const [code, shades] of Object.entries(colors)) {
      parser.registerOscHandler(Number(code), data => {
        if (data !== '?') return false
        if (background) this.#reply(`\x1b]${code};${shades[background]}\x1b\\`)
        return true
      })
    }
  }
}

type Parameters = (number | number[])[]

const first = (params: Parameters, fallback: number): number => params.flat()[0] ?? fallback

/** The number of the last bytes that may be the beginning of a frame's mark. */
function openingTail(bytes: Buffer): number {
  for (let length = Math.min(frameStart.length - 1, bytes.length); length > 0; length--) {
    if (bytes.subarray(bytes.length - length).equals(frameStart.subarray(0, length))) return length
  }
  return 0
}

function color(isRgb: boolean, isPalette: boolean, value: number): string {
  if (isRgb) return `#${value.toString(16).padStart(6, '0')}`
  return isPalette ? String(value) : 'default'
}

/** Without the blanks at its end that carry a background. */
function textOf(line: IBufferLine | undefined): string {
  const text = line?.translateToString(true) ?? ''
  let last = (line?.length ?? 0) - 1
  while (last > 0 && line?.getCell(last)?.getChars() === '') last -= 1
  return line?.getCell(last)?.isBgDefault() === false ? text.trimEnd() : text
}
