/** Shows the title and progress. Each is written when it changes, and reset when the terminal is given away. */
import type { TerminalEnvironment } from './capabilities.ts'
import {
  notification,
  POP_TITLE,
  PUSH_TITLE,
  setProgress,
  setTitle,
  throughTmux,
  type NotificationMethod,
} from './osc.ts'

export type TerminalStatus = {
  /** `title` is null for the terminal's own; `now` is in milliseconds of any clock. */
  show: (wanted: { title: string | null; busy: boolean }, now: number) => void
  notify: (method: NotificationMethod, title: string, text: string) => void
  /** Bytes to write when the terminal becomes ours again, and when it is given away. */
  enter: () => string
  leave: () => string
}

/** In milliseconds. Some terminals remove a progress bar that was not updated for 15 s. */
const PROGRESS_LASTS = 10_000

export function createTerminalStatus(send: (bytes: string) => void, env: TerminalEnvironment): TerminalStatus {
  let title: string | null = null
  let busy = false
  let sentAt = 0
  const outside = env['TMUX'] ? throughTmux : (bytes: string): string => bytes

  return {
    show(wanted, now) {
      const isDue = wanted.busy !== busy || (busy && now - sentAt >= PROGRESS_LASTS)
      if (wanted.title === title && !isDue) return
      const bytes = titleBytes(title, wanted.title) + (isDue ? outside(setProgress(wanted.busy)) : '')
      if (isDue) sentAt = now
      title = wanted.title
      busy = wanted.busy
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
