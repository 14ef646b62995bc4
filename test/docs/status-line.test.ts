/** What docs/appearance.md says of the status line: it has the JSON as it is, and its examples work. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { statusFacts } from '../../src/config/status-facts.ts'
import { statusReport } from '../../src/state/status-report.ts'
import { stateWith } from '../components/stage.ts'
import { findProgram } from '../../src/platform/programs.ts'

const whole = readFileSync(fileURLToPath(new URL('../../docs/appearance.md', import.meta.url)), 'utf8')
/** The section about the status line. */
const page = /^## The status line\n[^]*?(?=^## |$(?![^]))/m.exec(whole)?.[0] ?? ''
const blocks = (language: string): string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, 'gm'))].map(([, text = '']) => text)
const [sample = '{}'] = blocks('json')

/** The names of the fields, and those in their objects. */
function namesIn(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [path]
  return Object.entries(value).flatMap(([name, inner]) => namesIn(inner, `${path}.${name}`))
}

describe('the section about the status line', () => {
  test('has all fields of the JSON and no others', () => {
    const report: unknown = statusReport(stateWith(), { folder: '/p', machine: null, session: null })
    expect(namesIn(JSON.parse(sample))).toEqual(namesIn(report))
  })

  test('names every fact in its order', () => {
    const named = [...page.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = '']) => cell.split(', '))
    expect(named.map(name => name.replaceAll('`', ''))).toEqual([...statusFacts])
  })

  test('has examples that print what it says', async ({ skip }) => {
    if (findProgram('jq', process.env, '/') === null) skip('there is no jq here')
    const scripts = blocks('sh')
    const outputs = blocks('text')
    expect(scripts.length).toBeGreaterThan(0)
    const printed = scripts.map(script => execFileSync('sh', ['-c', script], { input: sample, encoding: 'utf8' }))
    expect(printed).toEqual(outputs)
  })
})
