/** A transport without a process: two ends in memory, for the demo agent and for tests. */
import { createInbox, createLineInbox } from './inbox.ts'
import type { Ending, Transport } from './transport.ts'

/** The agent's end of an in-memory `Transport`. */
export type FarEnd = {
  /** Sets the one receiver of the lines that the near end writes. Earlier lines are kept for it. */
  receive(onLine: (line: string) => void): void
  /** Sends one line to the near end. After the end it does nothing. */
  write(line: string): void
  /** Sends a line of so many bytes that the near end does not keep. */
  writeDropped(bytes: number): void
  /** Adds one line of standard error to `Transport.words` and `Ending.lastWords`. */
  writeError(line: string): void
  /** Calls `callback` once the near end will write nothing more, after its last line. A real agent ends then. */
  onInputClosed(callback: () => void): void
  /**
   * Calls `callback` for each signal. Without a callback any signal ends this side. With one, `SIGTERM` must be answered
   * with `end`, and `SIGKILL` still ends this side.
   */
  onKill(callback: (signal: 'SIGTERM' | 'SIGKILL') => void): void
  /** Ends this side, after the lines already written. Defaults: code 0, no signal, no words. Only the first call counts. */
  end(ending?: Partial<Ending>): void
}

/**
 * Makes both ends. Lines arrive in order and never within the call that sent them, as with a pipe: they arrive in a
 * microtask, so a test needs no real time.
 */
export function createMemoryPair(): { near: Transport; far: FarEnd } {
  const [toNear, toFar, closings] = [createLineInbox(), createInbox<string>(), createInbox<void>()]
  const { promise: ended, resolve } = Promise.withResolvers<Ending>()
  const stderr: string[] = []
  /** The far end has ended; nothing reaches it any more. */
  let isOver = false
  /** The near end has closed its output. */
  let isClosed = false
  let onKill: ((signal: 'SIGTERM' | 'SIGKILL') => void) | undefined

  const words = (): readonly string[] => stderr.slice(-200)
  const deliverLater = (deliver: () => void): void =>
    queueMicrotask(() => {
      if (!isOver) deliver()
    })

  function end(ending: Partial<Ending> = {}): void {
    if (isOver) return
    isOver = true
    const code = ending.signal || ending.spawnError ? null : 0
    const whole = { code, signal: null, spawnError: null, outputClosed: false, lastWords: words(), ...ending }
    queueMicrotask(() => resolve(whole))
  }

  const near: Transport = {
    pid: undefined,
    ended,
    receive: toNear.receive,
    words,
    write(line) {
      if (!isClosed) deliverLater(() => toFar.push(line))
    },
    closeInput() {
      if (!isClosed) deliverLater(() => closings.push())
      isClosed = true
    },
    kill: signal =>
      deliverLater(() => {
        onKill?.(signal)
        if (!onKill || signal === 'SIGKILL') end({ code: null, signal })
      }),
  }
  const far: FarEnd = {
    end,
    receive: toFar.receive,
    onInputClosed: closings.receive,
    write(line) {
      if (!isOver) queueMicrotask(() => toNear.push(line))
    },
    writeDropped(bytes) {
      if (!isOver) queueMicrotask(() => toNear.drop(bytes))
    },
    writeError: line => void stderr.push(line),
    onKill(callback) {
      onKill = callback
    },
  }
  return { near, far }
}
