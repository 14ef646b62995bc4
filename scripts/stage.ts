/**
 * Runs the real program on a terminal emulator with a held clock (`held-clock.ts`): types, advances the clock and reads
 * the screen cell by cell. This is for pictures; the tests have a stage of their own, on the real clock.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import path from 'node:path'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { spawn } from '@lydell/node-pty'
import { UnicodeGraphemesAddon } from '@xterm/addon-unicode-graphemes'
import xterm, { type IBufferCell } from '@xterm/headless'
import { environment, makeHome, type Home } from '../test/helpers/home.ts'
import { encode } from '../test/helpers/keys.ts'

/** A number is an index into the palette, a text `#rrggbb`, null the terminal's own. */
export type Color = number | string | null

export type Style = {
  color: Color
  background: Color
  bold: boolean
  dim: boolean
  italic: boolean
  underline: boolean
  strike: boolean
  inverse: boolean
}

export type Cell = {
  text: string
  /** In columns: 2 for wide characters. The column that they cover has no cell of its own. */
  width: number
  column: number
  style: Style
}

export type Picture = {
  columns: number
  rows: readonly (readonly Cell[])[]
  /** Null while it is hidden. */
  cursor: { row: number; column: number } | null
}

export type Stage = {
  type: (text: string) => Promise<void>
  press: (...keys: string[]) => Promise<void>
  /** Moves the program's clock. */
  pass: (ms: number) => Promise<void>
  /** Moves the program's clock until `text` is on the screen. */
  see: (text: string) => Promise<void>
  /** Moves the program's clock until `text` is no longer on the screen. */
  gone: (text: string) => Promise<void>
  picture: () => Picture
  end: () => void
}

const program = fileURLToPath(new URL('../dist/zotui.js', import.meta.url))
const heldClock = new URL('held-clock.ts', import.meta.url).href

/** Real milliseconds for the immediate effect of keys: the program's clock does not move meanwhile. */
const TYPING = 200
/** The longest wait for the output of a key, in real milliseconds. */
const SILENCE = 2000
/** Real milliseconds for what the program loads in the background: the colours of code. */
const LOADING = 1000
/** The step of the clock between two checks. */
const STEP = 40
/**
 * The time on the clock when a script begins, however long the program took to load: animations follow the clock, and
 * must be at the same frame in every run.
 */
const CURTAIN = 20_000
/** The longest wait, in milliseconds of the program's clock. */
const PATIENCE = 120_000

export type StageOptions = {
  columns: number
  rows: number
  args: readonly string[]
  /** The terminal's own colours, `#rrggbb`, as it tells them to a program that asks. */
  colors: { text: string; background: string }
  /** Prepares the home; returns the environment variables that the program then needs. */
  prepare?: ((home: Home) => Record<string, string>) | undefined
}

export async function openStage({ columns, rows, args, colors, prepare }: StageOptions): Promise<Stage> {
  const home = makeHome()
  makeProject(home.project)
  const clock = await openClock(path.join(home.path, 'clock'))
  const terminal = new xterm.Terminal({ cols: columns, rows, scrollback: 10_000, allowProposedApi: true })
  terminal.loadAddon(new UnicodeGraphemesAddon())
  let isCursorShown = true
  for (const [final, shown] of [['h', true] as const, ['l', false] as const]) {
    terminal.parser.registerCsiHandler({ prefix: '?', final }, params => {
      if (params.includes(25)) isCursorShown = shown
      return false
    })
  }
  for (const [code, color] of [
    [10, colors.text],
    [11, colors.background],
  ] as const) {
    terminal.parser.registerOscHandler(code, data => {
      if (data === '?') terminal.input(`\u001B]${code};${answerOf(color)}\u001B\\`, false)
      return true
    })
  }
  const pty = spawn(process.execPath, ['--import', heldClock, program, ...args], {
    name: 'xterm-256color',
    cols: columns,
    rows,
    cwd: home.project,
    env: environment(home.path, { ...prepare?.(home), HELD_CLOCK: clock.address }),
    encoding: null,
  })
  let drawn = Promise.withResolvers<void>()
  pty.onData(data => {
    drawn.resolve()
    terminal.write(data)
  })
  terminal.parser.registerOscHandler(7777, () => {
    clock.arrived()
    return true
  })
  terminal.onData(reply => pty.write(reply))
  pty.onExit(clock.lost)

  const isShown = (text: string): boolean =>
    lines(terminal)
      .map(line => line.translateToString(true))
      .join('\n')
      .includes(text)

  async function until(what: string, holds: () => boolean): Promise<void> {
    for (let waited = 0; ; waited += STEP) {
      if (holds()) return
      if (waited > PATIENCE) throw new Error(`waited for ${what}:\n${screenText(terminal)}`)
      await clock.advance(STEP)
    }
  }

  async function send(bytes: string): Promise<void> {
    drawn = Promise.withResolvers()
    pty.write(bytes)
    // On a busy machine the program may read them late, and its clock must not advance meanwhile.
    await Promise.race([drawn.promise, pause(SILENCE)])
    await pause(TYPING)
    await clock.advance(100)
  }

  await clock.opened
  // The first frame is drawn and the colours of code are loaded before time begins.
  let waited = 0
  for (; lines(terminal).every(line => line.translateToString(true) === ''); waited += STEP) {
    if (waited >= CURTAIN) throw new Error('the program draws nothing')
    await pause(STEP)
    await clock.advance(STEP)
  }
  await pause(LOADING)
  await clock.advance(CURTAIN - waited)

  return {
    type: send,
    async press(...keys) {
      for (const key of keys) await send(encode(key, { applicationCursor: false, kitty: 0 }))
    },
    pass: clock.advance,
    see: text => until(text, () => isShown(text)),
    gone: text => until(`${text} to be gone`, () => !isShown(text)),
    picture: () => ({
      columns,
      rows: lines(terminal).map(line => {
        const cells: Cell[] = []
        for (let column = 0; column < columns; column += 1) {
          const cell = line.getCell(column)
          if (cell && cell.getWidth() > 0) cells.push(readCell(cell, column))
        }
        return cells
      }),
      cursor: isCursorShown ? { row: terminal.buffer.active.cursorY, column: terminal.buffer.active.cursorX } : null,
    }),
    end() {
      pty.kill('SIGKILL')
      clock.close()
      home.remove()
    },
  }
}

/** `#15181d` as `rgb:1515/1818/1d1d`. */
function answerOf(color: string): string {
  return `rgb:${[1, 3, 5].map(at => color.slice(at, at + 2).repeat(2)).join('/')}`
}

/** A folder as people have them: a repository, on its main branch. */
function makeProject(folder: string): void {
  mkdirSync(path.join(folder, '.git'))
  writeFileSync(path.join(folder, '.git', 'HEAD'), 'ref: refs/heads/main\n')
}

type Clock = {
  address: string
  /** Settles when the program has found its clock. */
  opened: Promise<void>
  /** Resolves when the time has passed and everything drawn in it is on the screen. */
  advance: (ms: number) => Promise<void>
  /** Called when the program's clock has advanced that far. */
  arrived: () => void
  /** Called when the program has ended: rejects pending waits. */
  lost: () => void
  close: () => void
}

async function openClock(name: string): Promise<Clock> {
  const address = process.platform === 'win32' ? `\\\\.\\pipe\\${path.basename(path.dirname(name))}` : name
  let socket: Socket | null = null
  const opened = Promise.withResolvers<void>()
  let waiting = opened
  let hasEnded = false
  const server = createServer(connection => {
    socket = connection
    connection.on('error', () => waiting.reject(new Error('the clock is lost')))
    opened.resolve()
  })
  await new Promise<void>(done => server.listen(address, done))
  return {
    address,
    opened: opened.promise,
    async advance(ms) {
      if (hasEnded) throw new Error('the program has ended')
      waiting = Promise.withResolvers()
      socket?.write(`${ms}\n`)
      await waiting.promise
    },
    arrived: () => waiting.resolve(),
    lost() {
      hasEnded = true
      waiting.reject(new Error('the program has ended'))
    },
    close() {
      socket?.destroy()
      server.close()
    },
  }
}

function lines({ buffer, rows }: xterm.Terminal) {
  const { active } = buffer
  return Array.from({ length: rows }, (_, row) => active.getLine(active.baseY + row)).filter(line => line !== undefined)
}

function screenText(terminal: xterm.Terminal): string {
  return lines(terminal)
    .map(line => line.translateToString(true))
    .join('\n')
}

function readCell(cell: IBufferCell, column: number): Cell {
  const style = {
    color: colorOf(cell.isFgRGB(), cell.isFgPalette(), cell.getFgColor()),
    background: colorOf(cell.isBgRGB(), cell.isBgPalette(), cell.getBgColor()),
    bold: cell.isBold() !== 0,
    dim: cell.isDim() !== 0,
    italic: cell.isItalic() !== 0,
    underline: cell.isUnderline() !== 0,
    strike: cell.isStrikethrough() !== 0,
    inverse: cell.isInverse() !== 0,
  }
  return { text: cell.getChars() || ' ', width: cell.getWidth(), column, style }
}

function colorOf(isRgb: boolean, isPalette: boolean, value: number): Color {
  if (isRgb) return `#${value.toString(16).padStart(6, '0')}`
  return isPalette ? value : null
}
