/** A transport without a process: two ends in memory, for the demo agent and for tests. */
import { createInbox } from './inbox.ts'
import type { Ending, Transport } from './transport.ts'

/** The agent's end of an in-memory `Transport`. */
export type FarEnd = {
  /** Sets the one receiver of the lines that the near end writes. Earlier lines are kept for it. */
  receive(onLine: (line: string) => void): void
  /** Sends one line to the near end. After the end it does nothing. */
  write(line: string): void
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

type ToFar = { type: 'line'; line: string } | { type: 'closed' } | { type: 'signal'; signal: 'SIGTERM' | 'SIGKILL' }
type ToNear = { type: 'line'; line: string } | { type: 'ended'; ending: Ending }

/**
 * Makes both ends. Lines arrive in order and never within the call that sent them, as with a pipe: they arrive in a
 * microtask, so a test needs no real time.
 */
export function createMemoryPair(): { near: Transport; far: FarEnd } {
  const toFar = createMailbox<ToFar>()
  const toNear = createMailbox<ToNear>()
  const stderr: string[] = []
  const wire: Wire = { toFar, toNear, stderr, over: false, closed: false }
  return { near: createNearEnd(wire), far: createFarEnd(wire) }
}

type Wire = {
  toFar: Mailbox<ToFar>
  toNear: Mailbox<ToNear>
  stderr: string[]
  /** The far end has ended; nothing is delivered any more. */
  over: boolean
  /** The near end has closed its output. */
  closed: boolean
}

function createNearEnd(wire: Wire): Transport {
  const inbox = createInbox<string>()
  const ended = new Promise<Ending>(resolve => {
    wire.toNear.open(item => {
      if (item.type === 'ended') resolve(item.ending)
      else inbox.push(item.line)
    })
  })
  return {
    pid: undefined,
    ended,
    receive: inbox.receive,
    words: () => lastWords(wire),
    write(line) {
      if (!wire.over && !wire.closed) wire.toFar.push({ type: 'line', line })
    },
    closeInput() {
      if (wire.closed) return
      wire.closed = true
      wire.toFar.push({ type: 'closed' })
    },
    kill: signal => wire.toFar.push({ type: 'signal', signal }),
  }
}

function createFarEnd(wire: Wire): FarEnd {
  const lines = createInbox<string>()
  const closings = createInbox<void>()
  let onKill: ((signal: 'SIGTERM' | 'SIGKILL') => void) | undefined

  const end = (ending: Partial<Ending> = {}): void => {
    if (wire.over) return
    wire.over = true
    wire.toNear.push({ type: 'ended', ending: complete(ending, lastWords(wire)) })
  }
  wire.toFar.open(item => {
    if (wire.over) return
    if (item.type === 'line') lines.push(item.line)
    else if (item.type === 'closed') closings.push()
    else {
      onKill?.(item.signal)
      if (!onKill || item.signal === 'SIGKILL') end({ code: null, signal: item.signal })
    }
  })
  return {
    end,
    receive: lines.receive,
    onInputClosed: closings.receive,
    write(line) {
      if (!wire.over) wire.toNear.push({ type: 'line', line })
    },
    writeError: line => void wire.stderr.push(line),
    onKill(callback) {
      onKill = callback
    },
  }
}

function lastWords(wire: Wire): readonly string[] {
  return wire.stderr.slice(-200)
}

function complete(ending: Partial<Ending>, words: readonly string[]): Ending {
  const code = ending.signal || ending.spawnError ? null : 0
  return { code, signal: null, spawnError: null, outputClosed: false, lastWords: words, ...ending }
}

type Mailbox<Item> = { push(item: Item): void; open(deliver: (item: Item) => void): void }

/** Makes a queue that delivers its items in order, in a later microtask. */
function createMailbox<Item>(): Mailbox<Item> {
  const items: Item[] = []
  let deliver: ((item: Item) => void) | undefined
  let scheduled = false

  const drain = (): void => {
    scheduled = false
    // Items pushed meanwhile go into the next microtask, so an end that answers itself still lets promises run.
    for (const item of items.splice(0)) deliver?.(item)
  }
  const schedule = (): void => {
    if (scheduled || !deliver || items.length === 0) return
    scheduled = true
    queueMicrotask(drain)
  }
  return {
    push(item) {
      items.push(item)
      schedule()
    },
    open(receiver) {
      deliver = receiver
      schedule()
    },
  }
}
