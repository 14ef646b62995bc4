/** Reads a stream of small pieces in larger turns: a wake-up for each takes longer than the piece itself. */
import { FRAME } from '../../platform/pace.ts'

/** As many quick reads in a row are a stream. What an agent says while it starts, or about a call, is less. */
const STREAM = 16
/** A read of this many bytes comes from an agent that writes faster than turns would be read: its pipe must not get full. */
const LARGE = 16 * 1024

/** The part of Node's pipes that starts and stops reading. A paused stream would read on until it has 64 KB. */
type PipeHandle = { readStart?: () => void; readStop?: () => void }

/** Null after its end. */
function pipeOf(stream: object): PipeHandle | null | undefined {
  const { _handle: pipe } = stream as { _handle?: PipeHandle | null }
  return pipe
}

/**
 * Makes a function to be called after each read, with its bytes. In a stream it stops reading for a frame. What comes
 * meanwhile is read in one turn, and the agent waits for none of it. Node has no public API for this: where it is
 * missing, each piece is read at once.
 */
export function createReadPace(stream: object): (bytes: number) => void {
  let quick = 0
  let last = Number.NEGATIVE_INFINITY
  return bytes => {
    const at = performance.now()
    quick = bytes < LARGE && at - last < FRAME ? quick + 1 : 0
    last = at
    const pipe = pipeOf(stream)
    if (quick < STREAM || !pipe?.readStop || !pipe.readStart) return
    pipe.readStop()
    setTimeout(() => {
      last = performance.now()
      pipeOf(stream)?.readStart?.()
    }, FRAME)
  }
}
