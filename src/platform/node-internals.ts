/**
 * What zotui uses of Node and V8 without a promise that it stays: methods of Node's stream handles, and the flags that stop V8's
 * compilers. The flags of a start are in `bin/boot/memory-flags.ts`.
 */
import { setFlagsFromString } from 'node:v8'

/** The part of Node's handle of a stream that is used here. Any method may be missing. */
export type StreamHandle = {
  /**
   * Whether writes block until everything is written, as they do by default: a terminal that hangs would stop keys and signals, too.
   * Returns 0 if that worked. Node opens the terminal for itself, so other programs are not affected.
   */
  setBlocking?: (on: boolean) => number
  /**
   * Start and stop reading at once; `pause()` does not stop it before 64 KB have come. A stream of small pieces that is read once a frame
   * interrupts the program 1,680 times in ten seconds, and not 4,850.
   */
  readStart?: () => void
  readStop?: () => void
}

/** The handle of an open stream; null or undefined after its end. */
export function handleOf(stream: object): StreamHandle | null | undefined {
  const { _handle: handle } = stream as { _handle?: StreamHandle | null }
  return handle
}

/** Lets V8 begin no more compilations: one that waits for a collection would keep `process.exit` from ending (nodejs/node#54918). */
export function stopCompiling(): void {
  for (const compiler of ['sparkplug', 'maglev', 'turbofan']) setFlagsFromString(`--no-${compiler}`)
}
