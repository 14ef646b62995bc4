/** Limits the memory for short-lived objects. */
import process from 'node:process'
import { setFlagsFromString } from 'node:v8'

/** The newest major version of V8 that is known to have the flag. */
const KNOWN = 14

/**
 * Keeps V8's space for new objects at its current size. V8 makes it 16 MB while the program is loaded, and doubles it under a steady
 * stream up to 64 MB, although drawn lines do not outlive a frame: memory would seem to grow with the length of an answer.
 */
export function keepNewSpaceSmall(): void {
  if (Number.parseInt(process.versions.v8, 10) <= KNOWN) setFlagsFromString('--semi-space-growth-factor=1')
}
