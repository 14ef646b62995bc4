/**
 * Starts the server for browsers as a process, shows what it says, and passes on what the person decides. Only the channel between the two
 * processes is used for that: a command of the agent reaches neither end of it.
 */
import { fromServerSchema, type FromServer, type ToServer, type WaitingAsk } from '../../published/control.ts'
import { deviceName } from '../../published/device-name.ts'
import type { Role } from '../../published/outside-call.ts'
import { qrRows } from '../../serve/qr.ts'
import type { LocalServer, LocalServerOptions, LocalServerState } from '../context/local-server.ts'

export type ServerProcess = {
  send: (message: ToServer) => void
  /** Resolves when it has ended: another one can have its port. */
  end: () => Promise<void>
}

/** `message` gets what the process sends. `ended` is called once, if it ends by itself; `why` is a sentence. */
export type StartServerProcess = (on: {
  message: (message: unknown) => void
  ended: (why: string) => void
}) => ServerProcess

export type LocalServerParts = {
  startProcess: StartServerProcess
  /** Makes the secret by which the conversations of this zotui know the server. */
  newSecret: () => string
  /** Says one line in the conversation that is shown. */
  say: (words: string) => void
}

/** What the first device may do unless the person chooses: all that can be asked of a conversation from outside. */
export const FIRST_ROLE: Role = 'steer'

export function createLocalServer({ startProcess, newSecret, say }: LocalServerParts): LocalServer {
  let state: LocalServerState = { phase: 'off' }
  let process: ServerProcess | null = null
  let last: LocalServerOptions = { at: null, port: null }
  /** The end of the process before. */
  let over = Promise.resolve()
  let starts = 0
  const listeners = new Set<() => void>()
  /** Whether the first link was asked for. */
  let hasAsked = false
  /** Those that were announced. */
  let known: ReadonlySet<string> = new Set()

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    start,
    startAgain: () => start(last),
    act: action => process?.send({ type: 'action', action }),
    stop() {
      endProcess()
      change({ phase: 'off' })
    },
  }

  function start(options: LocalServerOptions): void {
    const isOn = state.phase === 'running' || state.phase === 'starting'
    if (isOn && options.at === last.at && options.port === last.port) return
    endProcess()
    last = options
    known = new Set()
    hasAsked = false
    change({ phase: 'starting' })
    void launchAfter(over, starts)
  }

  /** It may have been stopped, or started otherwise, meanwhile. */
  async function launchAfter(before: Promise<void>, own: number): Promise<void> {
    await before
    if (starts === own) launch(last)
  }

  function launch(options: LocalServerOptions): void {
    const own = startProcess({
      message: message => void (process === own && take(message)),
      ended: why => void (process === own && fail(why, '')),
    })
    process = own
    own.send({ type: 'start', start: { ...options, secret: newSecret() } })
  }

  /** One that is about to start does not. */
  function endProcess(): void {
    starts += 1
    if (process) over = process.end()
    process = null
  }

  function take(message: unknown): void {
    const { success, data } = fromServerSchema.safeParse(message)
    // Both are of the same program. Another one may have taken its place on the disk meanwhile.
    if (!success) return fail('The server says what this zotui does not understand.', 'Restart zotui after an update.')
    if (data.type === 'failed') return fail(data.message, data.hint)
    show(data.view)
  }

  function show(view: Extract<FromServer, { type: 'view' }>['view']): void {
    if (state.phase === 'starting' && view.pairing === null && !hasAsked) {
      // It is shown with its first link.
      hasAsked = true
      return process?.send({ type: 'action', action: { do: 'pair', role: FIRST_ROLE } })
    }
    const before = state.phase === 'running' ? state : null
    const link = view.pairing?.link
    const isSame = before !== null && before.view.pairing?.link === link
    change({ phase: 'running', view, qr: isSame ? before.qr : link === undefined ? null : qrRows(link) })
    announce(view.waiting)
  }

  /** Says what waits, once, unless the page shows it. */
  function announce(waiting: readonly WaitingAsk[]): void {
    const fresh = waiting.filter(({ id }) => !known.has(id))
    known = new Set(waiting.map(({ id }) => id))
    if (listeners.size > 0) return
    for (const ask of fresh) say(`${announcementOf(ask)} /serve asks you.`)
  }

  function fail(message: string, hint: string): void {
    endProcess()
    change({ phase: 'failed', message, hint })
    if (listeners.size === 0) say(`${message} ${hint}`.trim())
  }

  function change(next: LocalServerState): void {
    state = next
    for (const listener of listeners) listener()
  }
}

function announcementOf(ask: WaitingAsk): string {
  const name = deviceName(ask)
  switch (ask.kind) {
    case 'pair':
      return `${name} wants to be paired.`
    case 'admit':
      return `${name}, paired earlier, wants in again.`
    case 'steer':
      return `${name} wants to send prompts to a conversation whose mode does not ask.`
  }
}
