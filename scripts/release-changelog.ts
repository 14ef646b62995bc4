/** Called by `npm version`, when the number is in package.json and before it commits: dates the changelog. */
import { readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { released } from './changelog.ts'

const file = fileURLToPath(new URL('../CHANGELOG.md', import.meta.url))
const version = process.env['npm_package_version'] ?? ''
if (version === '') throw new Error('this is for `npm version` to call')
writeFileSync(file, released(readFileSync(file, 'utf8'), version, new Date().toISOString().slice(0, 10)))
