import type { ReadStream } from 'node:tty'
import { literal, type SafeText } from '../text/sanitize.ts'
import {
  answersQueries,
  isDeviceAttributes,
  parseBackground,
  type TerminalEnvironment,
  type TerminalColor,
} from './capabilities.ts'
import { alternateModes } from './output/alternate.ts'
import { TerminalInput } from './input/input.ts'
import { parseMouse, type MouseEvent } from './input/mouse.ts'
import { TerminalOutput } from './output/output.ts'
import type { TerminalStream } from './output/terminal-writer.ts'
import { ASK_NAME, reflowByAnswer } from './output/reflow.ts'
import {
  throughTmux,
  notification,
  POP_TITLE,
  PUSH_TITLE,
  setProgress,
  setTitle,
  type NotificationMethod,
} from './osc.ts'
import { parsePlace } from './output/rows-below-frame.ts'

/** Returns to the first column: another program may have left the cursor anywhere in its line. */
const CLEAR_LINE = '\r\u001B[K'
const ASK_KITTY_KEYS = '\u001B[?u'
const ASK_BACKGROUND = '\u001B]11;?\u001B\\'
/** Every terminal answers this question. Earlier questions without an answer by then never get one. */
const ASK_DEVICE_ATTRIBUTES = '\u001B[c'
const PUSH_KITTY_KEYS = '\u001B[>1u'
/** xterm's `modifyOtherKeys`, for keys that have no bytes of their own, such as Shift+Enter. */
const OTHER_KEYS = '\u001B[>4;1m'
const NO_OTHER_KEYS = '\u001B[>4m'
const BRACKETED_PASTE = '\u001B[?2004h'
const POP_KITTY_KEYS = '\u001B[<u'
/** The caret's shapes (DECSCUSR), all steady; the last one is the terminal's own. */
const CARETS = { block: '\u001B[2 q', underline: '\u001B[4 q', bar: '\u001B[6 q', own: '\u001B[0 q' } as const
const FOCUS_REPORTS = '\u001B[?1004h'
/** Switches all modes off and shows the cursor; harmless if they were never on. */
const PLAIN = '\u001B[?2026l\u001B[?2004l\u001B[?1004l\u001B[?25h'

/** Milliseconds to wait for answers that are shown to the user, long enough for a slow line. */
const ANSWER_WAIT = 1500

/** Milliseconds to wait for the answer about the background. */
const BACKGROUND_WAIT = 100

export type TerminalOptions = {
  /** Whether to ask for the background's colour. */
  asksBackground?: boolean
  /**
   * Called with the background's colour; with null, once, if it did not come before the answer to the last question or within
   * `BACKGROUND_WAIT`. Over a slow line a colour may still come after the null.
   */
  onBackground?: (color: TerminalColor | null) => void
  env?: TerminalEnvironment
  /** Whether a screen reader is used: then text on the screen is never changed. */
  isSpoken?: boolean
  /** Called with the sequences that undo our modes, now and when they change, and with null while the terminal is not ours. */
  onModes?: (giveBack: string | null) => void
  onMouse?: (event: MouseEvent) => void
}

export type Terminal = {
  input: TerminalInput
  output: TerminalOutput
  /** The title, progress and notifications. */
  surroundings: TerminalStatus
  /** Whether the terminal has the focus, as far as it reports. */
  hasFocus: () => boolean
  /** Whether the terminal uses the kitty protocol for keys. */
  hasKittyKeys: () => boolean
  /**
   * Asks the terminal `questions` and resolves to its answers: all that came before the answer to a last question that every
   * terminal answers, or within the time limit. `onRow` are questions that need an empty row and leave it empty; they are not
   * asked where text on the screen must not change.
   */
  ask(questions: string, onRow: string): Promise<string[]>
  /** Gives the caret a shape; null for the terminal's own. */
  shapeCaret(shape: 'block' | 'bar' | 'underline' | null): void
  /** Shows the alternate screen, with or without mouse events. */
  enterAlternate(mouse: boolean): void
  /** Returns to the shell's screen. */
  leaveAlternate(): void
  /** Gives the terminal, as it was before us, to another program until `resume`. Nothing is read meanwhile. */
  pause(): void
  resume(): void
  /** Restores the terminal at once and prints some last lines. Can be called at any time, also repeatedly. */
  restore(words?: SafeText): void
}

/**
 * Takes the terminal: switches to raw mode, so that nothing typed before the first frame is lost, and asks the terminal questions
 * without waiting for the answers.
 */
export function openTerminal(
  stdin: ReadStream,
  stdout: TerminalStream,
  { asksBackground = false, onBackground, onModes, env = {}, isSpoken = false, onMouse }: TerminalOptions = {},
): Terminal {
  let kittyKeys = false
  // tmux then distinguishes more keys; it supports nothing else.
  const asksOtherKeys = Boolean(env['TMUX'])
  /** The caret's shape; null while it is the terminal's own. */
  let caret: 'block' | 'bar' | 'underline' | null = null
  /** The sequence that leaves the alternate screen, while it is shown. */
  let leavesAlternate = ''
  let paused = false
  let restored = false
  /** The number of last questions without an answer. */
  let unanswered = 1
  const listeners = new Set<(sequence: string) => void>()
  // A user who just started the program is looking at it.
  let focused = true
  // The program may have been busy for that long: then waiting input is read first.
  let waiting: NodeJS.Timeout | null = setTimeout(() => setImmediate(() => reportBackground(null)), BACKGROUND_WAIT)
  const output = new TerminalOutput(stdout)
  const input = new TerminalInput(stdin, {
    onReply(sequence) {
      if (restored) return
      const mouse = parseMouse(sequence)
      if (mouse) return onMouse?.(mouse)
      const isLast = isDeviceAttributes(sequence)
      if (isLast) unanswered -= 1
      for (const listener of listeners) listener(sequence)
      const reflow = reflowByAnswer(sequence)
      if (reflow) output.learn(reflow)
      const place = listeners.size === 0 ? parsePlace(sequence) : null
      if (place) output.takePlace(place)
      const color = parseBackground(sequence)
      if (color || isLast) reportBackground(color)
      if (kittyKeys || !/^\u001B\[\?\d+u$/.test(sequence)) return
      kittyKeys = true
      output.send(PUSH_KITTY_KEYS)
      reportModes()
    },
    onFocus: now => {
      focused = now
    },
  })
  const surroundings = createTerminalStatus(bytes => {
    output.send(bytes)
    reportModes()
  }, env)
  stdin.setRawMode(true)
  reportModes()
  if (asksOtherKeys) output.send(OTHER_KEYS)
  output.asksPlace = answersQueries(env) && !isSpoken
  // tmux before 3.4 knows no background. The terminal around it does, if tmux lets the question through; its answer comes late.
  const outer = env['TMUX'] ? throughTmux(ASK_BACKGROUND) : ''
  const background = asksBackground ? ASK_BACKGROUND + outer : ''
  const questions = ASK_KITTY_KEYS + background + (output.asksPlace ? ASK_NAME : '')
  output.send(BRACKETED_PASTE + FOCUS_REPORTS + questions + ASK_DEVICE_ATTRIBUTES)

  function reportModes(): void {
    if (!paused && !restored) onModes?.(leavesAlternate + giveBack())
  }

  /** Reports the modes only after leaving, so that a kill before then still leaves the alternate screen. */
  async function reportAfterLeaving(): Promise<void> {
    await output.taken()
    if (output.isAlternate) return
    leavesAlternate = ''
    reportModes()
  }

  /** The sequences that undo all modes set so far. */
  function giveBack(): string {
    return (
      (kittyKeys ? POP_KITTY_KEYS : '') +
      (asksOtherKeys ? NO_OTHER_KEYS : '') +
      (caret ? CARETS.own : '') +
      PLAIN +
      surroundings.leave()
    )
  }

  function reportBackground(color: TerminalColor | null): void {
    const first = waiting !== null
    if (waiting) clearTimeout(waiting)
    waiting = null
    if (!restored && (first || color)) onBackground?.(color)
  }

  async function ask(questions: string, onRow: string): Promise<string[]> {
    const answers: string[] = []
    unanswered += 1
    await new Promise<void>(resolve => {
      const listener = (sequence: string): void => {
        answers.push(sequence)
        if (unanswered === 0) finish()
      }
      const finish = (): void => {
        clearTimeout(limit)
        listeners.delete(listener)
        resolve()
      }
      const limit = setTimeout(finish, ANSWER_WAIT)
      listeners.add(listener)
      output.send(questions)
      if (!isSpoken) output.writeBelow(onRow)
      output.send(ASK_DEVICE_ATTRIBUTES)
    })
    return answers
  }

  function restore(words: SafeText = literal``): void {
    if (restored) return
    restored = true
    if (waiting) clearTimeout(waiting)
    input.stop()
    output.release()
    const lines = words.replaceAll('\n', '\r\n')
    // While paused, another program has set up the terminal for itself.
    if (paused) output.give(lines)
    else give(lines)
  }

  function pause(): void {
    if (paused || restored) return
    paused = true
    input.stop()
    give('')
  }

  function resume(): void {
    if (!paused || restored) return
    paused = false
    const keys = (kittyKeys ? PUSH_KITTY_KEYS : '') + (asksOtherKeys ? OTHER_KEYS : '')
    const shape = caret ? CARETS[caret] : ''
    output.take(keys + shape + (isSpoken ? '' : CLEAR_LINE) + BRACKETED_PASTE + FOCUS_REPORTS + surroundings.enter())
    stdin.setRawMode(true)
    // If that failed, the terminal is gone or a shell has it again.
    if (stdin.isRaw) onModes?.(giveBack())
    input.start()
  }

  /** Writes at once, without the event loop. If the terminal does not take it, the owner of `onModes` restores it. */
  function give(words: string): void {
    const isTaken = output.give(giveBack() + words)
    stdin.setRawMode(false)
    if (isTaken && !stdin.isRaw) onModes?.(null)
  }

  return {
    input,
    output,
    surroundings,
    shapeCaret(shape) {
      if (shape === caret) return
      caret = shape
      if (paused || restored) return
      output.send(CARETS[shape ?? 'own'])
      reportModes()
    },
    enterAlternate(mouse) {
      if (paused || restored || output.isAlternate) return
      const keys = kittyKeys ? { push: PUSH_KITTY_KEYS, pop: POP_KITTY_KEYS } : { push: '', pop: '' }
      const modes = alternateModes({ mouse, keys })
      // Reported first, so that a kill between the two still leaves the alternate screen.
      leavesAlternate = modes.leave
      reportModes()
      output.enterAlternate(modes)
    },
    leaveAlternate() {
      output.leaveAlternate()
      void reportAfterLeaving()
    },
    hasFocus: () => focused,
    hasKittyKeys: () => kittyKeys,
    ask,
    pause,
    resume,
    restore,
  }
}

type TerminalStatus = {
  /** `title` is null for the terminal's own; `now` is in milliseconds of any clock. */
  show: (status: { title: string | null; busy: boolean }, now: number) => void
  notify: (method: NotificationMethod, title: string, text: string) => void
  /** Bytes to write when the terminal becomes ours again, and when another program gets it. */
  enter: () => string
  leave: () => string
}

/** In milliseconds. Some terminals remove a progress bar that was not updated for 15 s. */
const PROGRESS_LASTS = 10_000

function createTerminalStatus(send: (bytes: string) => void, env: TerminalEnvironment): TerminalStatus {
  let title: string | null = null
  let busy = false
  let sentAt = 0
  const outside = env['TMUX'] ? throughTmux : (bytes: string): string => bytes

  return {
    show(status, now) {
      const isDue = status.busy !== busy || (busy && now - sentAt >= PROGRESS_LASTS)
      if (status.title === title && !isDue) return
      const bytes = titleBytes(title, status.title) + (isDue ? outside(setProgress(status.busy)) : '')
      if (isDue) sentAt = now
      title = status.title
      busy = status.busy
      send(bytes)
    },
    notify(method, heading, text) {
      const bytes = notification(method, heading, text)
      send(method === 'bell' ? bytes : outside(bytes))
    },
    enter: () => titleBytes(null, title) + (busy ? outside(setProgress(true)) : ''),
    leave: () => titleBytes(title, null) + (busy ? outside(setProgress(false)) : ''),
  }
}

function titleBytes(from: string | null, to: string | null): string {
  if (from === to) return ''
  if (to === null) return POP_TITLE
  return (from === null ? PUSH_TITLE : '') + setTitle(to)
}
