/** The keys of a replay. */
import { formatDuration } from '../text/format.ts'
import type { ReplayClock } from './clock.ts'
import { lookup } from '../text/lookup.ts'
import type { Schedule } from './schedule.ts'

export type ReplayControls = {
  /** Handles a key or a typed character; false if it has no meaning in a replay. */
  press: (key: string) => boolean
  /** The position and speed, in one line. */
  status: () => string
}

export const CONTROLS =
  'Space pauses and resumes, Right takes one step, n jumps to the next prompt, End to the end; + and - change the speed; q quits.'

/** Speeds: 1 is the speed of the session. */
const SLOWEST = 1 / 16
const FASTEST = 64

export function createReplayControls(
  pace: ReplayClock,
  { length, prompts }: Pick<Schedule, 'length' | 'prompts'>,
  leave: () => void,
): ReplayControls {
  const scaleSpeed = (factor: number): void => {
    const speed = pace.speed() === Infinity ? 1 : pace.speed()
    pace.setSpeed(Math.min(FASTEST, Math.max(SLOWEST, speed * factor)))
  }
  const keys: Record<string, () => void> = {
    ' ': pace.toggle,
    space: pace.toggle,
    right: pace.step,
    n: () => pace.skipTo(prompts.find(at => at > pace.position()) ?? length),
    end: () => pace.skipTo(length),
    '+': () => scaleSpeed(2),
    '-': () => scaleSpeed(0.5),
    q: leave,
    escape: leave,
    'ctrl+c': leave,
    'ctrl+d': leave,
  }
  return {
    press(key) {
      const act = lookup(keys, key)
      act?.()
      return act !== undefined
    },
    status() {
      const position = Math.min(pace.position(), length)
      const progress = `${formatDuration(position)} of ${formatDuration(length)}`
      if (position >= length) return 'End of the replay. q quits.'
      return pace.isPaused()
        ? `Paused at ${progress}. Space resumes, Right takes one step.`
        : `${progress}, ${pace.speed()}x`
    },
  }
}
