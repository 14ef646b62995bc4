/** What keys do to a replay. */
import { formatDuration } from '../../text/format.ts'
import type { ReplayClock } from './pace.ts'

export type ReplayControls = {
  /** Takes a key, or a character that was typed; false where it means nothing to a replay. */
  hear: (key: string) => boolean
  /** Where it stands, in one line. */
  status: () => string
}

export type Replayed = {
  /** Milliseconds from the first to the last line. */
  length: number
  /** When prompts were sent, in milliseconds from the start. */
  prompts: readonly number[]
}

export const CONTROLS =
  'Space pauses and goes on, Right takes one step, n goes to the next prompt, End to the end; + and - change the speed; q leaves.'

const SLOWEST = 1 / 16
const FASTEST = 64

export function createReplayControls(
  pace: ReplayClock,
  { length, prompts }: Replayed,
  leave: () => void,
): ReplayControls {
  const scaled = (factor: number): void => {
    const speed = pace.speed() === Infinity ? 1 : pace.speed()
    pace.setSpeed(Math.min(FASTEST, Math.max(SLOWEST, speed * factor)))
  }
  const keys: Record<string, () => void> = {
    ' ': pace.toggle,
    space: pace.toggle,
    right: pace.step,
    n: () => pace.skipTo(prompts.find(at => at > pace.position()) ?? length),
    end: () => pace.skipTo(length),
    '+': () => scaled(2),
    '-': () => scaled(0.5),
    q: leave,
    escape: leave,
    'ctrl+c': leave,
    'ctrl+d': leave,
  }
  return {
    hear(key) {
      keys[key]?.()
      return key in keys
    },
    status() {
      const position = Math.min(pace.position(), length)
      const place = `${formatDuration(position)} of ${formatDuration(length)}`
      if (position >= length) return `The end of the recording. q leaves.`
      return pace.isPaused() ? `Paused at ${place}. Space goes on, Right takes one step.` : `${place}, ${pace.speed()}x`
    },
  }
}
