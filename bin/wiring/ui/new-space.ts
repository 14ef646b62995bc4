/** Limits the memory for short-lived objects. */
import process from 'node:process'
import v8 from 'node:v8'

/** The newest major version of V8 that is known to have the flag. */
const KNOWN = 14

/**
 * Keeps V8's space for new objects at its current size. Under a steady stream V8 doubles it up to 64 MB, although drawn lines
 * do not outlive a frame: memory would seem to grow with the length of an answer.
 */
export function keepNewSpaceSmall(): void {
  if (Number.parseInt(process.versions.v8, 10) <= KNOWN) v8.setFlagsFromString('--semi-space-growth-factor=1')
}
