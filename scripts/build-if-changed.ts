/** Builds what is shipped, unless it is there already, and says so before: a build takes ten seconds. */
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { isBuilt } from './build-stamp.ts'

const isThere = isBuilt(fileURLToPath(new URL('..', import.meta.url)))
const words = isThere ? 'Built already: nothing has changed since.' : 'Building zotui. This takes about ten seconds.'
// The output of the program may be piped.
process.stderr.write(`${words}\n`)
if (!isThere) await import('./build.ts')
