/** A simulated user who types. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Program } from './program.ts'

export type Typist = {
  /** Resolves with the milliseconds from each key to its echo. */
  stop: () => Promise<number[]>
  /** Milliseconds of CPU that the program took from each key to its echo, which say more on a busy machine. */
  work: readonly number[]
}

/** Types a key about every 150 ms, or after other pauses, until `stop`, never in step with anything else. */
export function startTyping(program: Program, every = 140): Typist {
  const times: number[] = []
  const work: number[] = []
  const stop = new AbortController()
  const typing = (async () => {
    for (let index = 0; !stop.signal.aborted; index += 1) {
      const { cpu } = program.usage()
      times.push(await program.echo())
      work.push((program.usage().cpu - cpu) * 1000)
      await pause(every + ((index * 7) % 24))
    }
  })()
  return {
    work,
    async stop() {
      stop.abort()
      await typing
      return times
    },
  }
}

/** Types `count` keys, one after the other. */
export async function typeKeys(program: Program, count: number): Promise<number[]> {
  const times: number[] = []
  for (let index = 0; index < count; index += 1) {
    await pause(20 + ((index * 7) % 24))
    times.push(await program.echo())
  }
  return times
}
