/** Reads a stream of small pieces once a frame: reading each on its own takes longer than the piece itself. */
import { handleOf } from '../../platform/node-internals.ts'
import { FRAME } from '../../platform/pace.ts'

/** As many quick reads in a row are a stream. What an agent says while it starts, or about a call, is less. */
const STREAM = 16
/**
 * A read of this many bytes or lines comes from an agent that writes fast, and would have to wait for us: a pipe of Linux is full after
 * about 280 writes, however short. Then it is read at once for a while.
 */
const LARGE = 16 * 1024
const MANY = 64
const A_WHILE = 256

const LF = 0x0a

export type ReadPace = {
  /** To be called with the bytes of each read, before they are used. Stops reading for a frame while they are part of a stream. */
  follow: (chunk: Buffer) => void
  /** Reads at once: the agent got something that it may answer, or has ended. */
  hurry: () => void
}

/** Where Node cannot stop reading, each piece is read at once. */
export function createReadPace(stream: object): ReadPace {
  let quick = 0
  let last = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | null = null

  function start(): void {
    timer = null
    last = performance.now()
    handleOf(stream)?.readStart?.()
  }

  return {
    follow(chunk) {
      const at = performance.now()
      const isQuick = at - last < FRAME
      last = at
      quick = isLarge(chunk) ? -A_WHILE : isQuick ? quick + 1 : 0
      const pipe = handleOf(stream)
      if (quick < STREAM || timer || !pipe?.readStop || !pipe.readStart) return
      pipe.readStop()
      timer = setTimeout(start, FRAME)
    },
    hurry() {
      quick = 0
      if (!timer) return
      clearTimeout(timer)
      start()
    },
  }
}

function isLarge(chunk: Buffer): boolean {
  if (chunk.length >= LARGE) return true
  let lines = 0
  for (let at = chunk.indexOf(LF); at !== -1 && lines < MANY; at = chunk.indexOf(LF, at + 1)) lines += 1
  return lines >= MANY
}
