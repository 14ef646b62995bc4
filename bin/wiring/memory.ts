/** How much memory the program takes for what it does not keep. */
import process from 'node:process'
import v8 from 'node:v8'

/** The last major version of V8 of which it is known that it has the flag. */
const KNOWN = 14

/**
 * Keeps the space for new objects as large as it is now. Under a steady stream V8 doubles it up to 64 MB, though nothing of
 * what is drawn lives longer than a frame: the program would seem to grow with the length of an answer.
 */
export function keepNewSpaceSmall(): void {
  if (Number.parseInt(process.versions.v8, 10) <= KNOWN) v8.setFlagsFromString('--semi-space-growth-factor=1')
}
