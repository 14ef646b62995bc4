/** Fails where an object is asked for a name that somebody else chose (`foreign-keys.ts`). */
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { foreignKeys } from './foreign-keys.ts'

const found = foreignKeys(fileURLToPath(new URL('..', import.meta.url)), ['bin', 'src', 'components'])
for (const place of found) console.error(place)
if (found.length > 0) {
  console.error(
    `${found.length} keys may be any text, so also \`constructor\` or \`__proto__\`: use a Map, or \`lookup\` of src/text/lookup.ts.`,
  )
  process.exitCode = 1
}
