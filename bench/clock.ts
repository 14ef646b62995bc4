/** One clock for all processes of a run. */
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'

/** Milliseconds of the system's monotonic clock: the same in every process, whatever happens to the time of day. */
export function now(): number {
  return Number(process.hrtime.bigint()) / 1e6
}

/**
 * Calls `act` with 0, 1, … at `rate` a second, each on time or, if this process was late, directly after the previous.
 * A rate of Infinity is as fast as possible. Resolves after `count` calls, or when `act` returned false.
 */
export async function pace(count: number, rate: number, act: (index: number) => boolean): Promise<void> {
  const start = now()
  const dueAt = (index: number): number => start + (index / rate) * 1000
  for (let index = 0; index < count;) {
    // Other work of this process, such as reading an abort, gets a turn now and then.
    for (let done = 0; done < 1000 && index < count && dueAt(index) <= now(); done += 1) {
      if (!act(index)) return
      index += 1
    }
    await pause(index < count ? Math.max(0, dueAt(index) - now()) : 0)
  }
}
