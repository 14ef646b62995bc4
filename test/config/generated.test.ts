/** The files that are made of tables say what the tables say. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { generatedFiles } from '../../scripts/generated.ts'

/** As prose and JSON are laid out is the formatter's business. */
const bare = (text: string): string => text.replaceAll(/[\s-]+/g, ' ')

test.each([...generatedFiles()])('%s is as `npm run generate` makes it', (name, text) => {
  expect(bare(readFileSync(fileURLToPath(new URL(`../../${name}`, import.meta.url)), 'utf8'))).toBe(bare(text))
})
