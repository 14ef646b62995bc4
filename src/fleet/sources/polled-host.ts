/** Places that zotui has started, which are looked at again and again. What was there stays while they do not answer. */
import { messageOf } from '../../platform/errors.ts'
import type { Timers } from '../../platform/timers.ts'
import type { BoardRow } from '../board-row.ts'
import type { BoardHost, BoardSource } from '../board-source.ts'

/** Milliseconds between two looks, and the most while nobody answers. */
const LOOK = 5000
const SLOWEST = 60_000

/** The facts of a row for a place in which no conversation is known. */
export const noConversation = {
  pid: null,
  attach: null,
  session: null,
  worktreeOf: null,
  branch: null,
  agent: '',
  model: '',
  costUsd: null,
  mode: null,
  changes: null,
  questions: [],
  stays: '',
} as const

export type PolledHost = Pick<BoardSource, 'name' | 'start' | 'host' | 'close'> & {
  /** Looks at once. */
  look: () => void
  /** Aborted when it is closed. */
  signal: AbortSignal
}

/** `rows` rejects with why they do not answer, as a sentence. */
export function pollHost(
  name: string,
  rows: (signal: AbortSignal) => Promise<readonly BoardRow[]>,
  { after }: Timers,
): PolledHost {
  let host: BoardHost = { name, state: 'connecting', problem: '', rows: [] }
  let pause = LOOK
  let cancel: (() => void) | null = null
  let onChange: (() => void) | null = null
  let looks = 0
  const closing = new AbortController()
  const { signal } = closing

  async function look(): Promise<void> {
    cancel?.()
    const number = (looks += 1)
    const next = await lookNow()
    // Another look has begun meanwhile, and knows more.
    if (signal.aborted || number !== looks) return
    const isChanged = JSON.stringify(next) !== JSON.stringify(host)
    host = next
    pause = host.state === 'connected' ? LOOK : Math.min(pause * 2, SLOWEST)
    cancel = after(pause, () => void look())
    if (isChanged) onChange?.()
  }

  async function lookNow(): Promise<BoardHost> {
    try {
      return { name, state: 'connected', problem: '', rows: await rows(signal) }
    } catch (error) {
      const state = host.state === 'connected' || host.state === 'lost' ? 'lost' : 'failed'
      return { ...host, state, problem: messageOf(error) }
    }
  }

  return {
    name,
    start(changed) {
      onChange = changed
      void look()
    },
    host: () => host,
    look: () => void look(),
    signal,
    close() {
      cancel?.()
      closing.abort()
    },
  }
}
