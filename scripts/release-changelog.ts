/** Dates the changelog. `npm version` calls this after it has set the version and before it commits. */
import { readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { released } from './changelog.ts'

const file = fileURLToPath(new URL('../CHANGELOG.md', import.meta.url))
const version = process.env['npm_package_version'] ?? ''
if (version === '') throw new Error('only `npm version` can call this')
writeFileSync(file, released(readFileSync(file, 'utf8'), version, new Date().toISOString().slice(0, 10)))
