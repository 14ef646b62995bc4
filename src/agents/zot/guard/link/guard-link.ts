/** The connection to a guard. Its end is reported once, whatever the reason, because zot must not continue without a guard. */
import { createInbox } from '../../../transport/inbox.ts'
import type { OpenGuardChannel } from './channel.ts'
import { isEarly } from '../requests.ts'
import { decodeGuardFrame, type GuardFrame, type GuardReply, type RegisteredTool } from './frames.ts'

export type GuardLink = {
  /** Sets the only receiver of frames. Earlier frames are buffered for it. */
  receive(onFrame: (frame: GuardFrame) => void): void
  send(reply: GuardReply): void
  /** Whether the guard must answer pings: only while calls are possible, so that an idle program stays idle. */
  watch(isOn: boolean): void
  /** Resolves, never rejects, with the reason as text when the guard has gone or does not answer. */
  readonly lost: Promise<string>
  /**
   * Ends the connection and removes its files: zot has ended. `lost` does not resolve after that. Resolves when they are
   * removed, or when another machine takes too long to do so.
   */
  close(): Promise<void>
}

export type GuardBeat = {
  /** The time between two pings of the guard, in milliseconds. */
  every: number
  /** The number of unanswered pings in a row after which the guard counts as dead. */
  misses: number
}

/** 2 s: zot runs an unanswered call after 5 s. */
export const DEFAULT_BEAT: GuardBeat = { every: 500, misses: 4 }
const SILENT = 'the guard that asks before calls run does not answer'

export type LinkOptions = {
  open: OpenGuardChannel
  /** The tools and events that the guard registers. */
  tools: readonly RegisteredTool[]
  beat: GuardBeat
  /** Removes what was made for the guard. Called once. */
  onClose: () => Promise<void>
}

/** Waits for the one guard that zot starts. */
export function createGuardLink({ open, tools, beat, onClose }: LinkOptions): GuardLink {
  const inbox = createInbox<GuardFrame>()
  const { promise: lost, resolve } = Promise.withResolvers<string>()
  let closed = false
  let closing: Promise<void> | null = null
  let timer: NodeJS.Timeout | undefined
  let missed = 0

  const lose = (why: string): void => {
    if (closed) return
    clearInterval(timer)
    resolve(why)
  }
  const channel = open({
    onOpen: () => send({ type: 'tools', tools, early: tools.map(({ name }) => name).filter(isEarly) }),
    onLine(line) {
      missed = 0
      const frame = decodeGuardFrame(line)
      if (frame && frame.type !== 'pong') inbox.push(frame)
    },
    onLost: lose,
  })
  const send = (reply: GuardReply): void => channel.write(JSON.stringify(reply))

  return {
    receive: inbox.receive,
    send,
    lost,
    watch(isOn) {
      clearInterval(timer)
      missed = 0
      if (!isOn || closed) return
      const look = (): void => {
        // A ping counts only when its timer runs, so that a pause of zotui itself does not count.
        if (missed >= beat.misses) return lose(SILENT)
        missed += 1
        send({ type: 'ping' })
      }
      timer = setInterval(look, beat.every)
      timer.unref()
      look()
    },
    close() {
      closing ??= end()
      return closing
    },
  }

  async function end(): Promise<void> {
    closed = true
    clearInterval(timer)
    channel.close()
    await onClose()
  }
}
