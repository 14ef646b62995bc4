/** Writes the files that are generated from the tables in the sources. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generatedFiles } from './generated.ts'

for (const [name, text] of generatedFiles()) {
  const path = fileURLToPath(new URL(`../${name}`, import.meta.url))
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
