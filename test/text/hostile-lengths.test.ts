/** Long texts of agents and projects, at which an expression such as `\n+$` would take the square of their length: minutes here. */
import { describe, expect, test } from 'vitest'
import { dangersOf } from '../../src/permissions/dangers.ts'
import { decide } from '../../src/permissions/decide.ts'
import { fenceOf, headingOf } from '../../src/markdown/blocks/line.ts'
import { createBlocks } from '../../src/markdown/blocks/blocks.ts'
import { plainBeginning } from '../../src/markdown/inline.ts'
import { languageOfPath } from '../../src/markdown/code/highlight.ts'
import { retryWords } from '../../src/conversation/queries/retry-words.ts'
import { plainMarkdown } from '../../src/text/markdown-table.ts'
import { withoutEnd } from '../../src/text/without-end.ts'
import { bash, place, policy } from '../permissions/policy.ts'

const MANY = 400_000
const many = (text: string): string => text.repeat(MANY / text.length)

const retry = (message: string): string =>
  retryWords({ type: 'retry_announced', at: 0, message, attempt: null, of: null, delayMs: null })

function growing(text: string): number {
  const blocks = createBlocks()
  blocks.push(text)
  return blocks.open().length
}

describe('a long text is read once', () => {
  test.each<[what: string, read: () => unknown, expected: unknown]>([
    ['lines at the end of an output', () => withoutEnd(`${many('\n')}x`, /\n/), `${many('\n')}x`],
    ['blanks in a table', () => plainMarkdown(`${many(' ')}x`), `${many(' ')}x`],
    ['dots in the message of a failed call', () => retry(`a${many('.')}b`), `a${many('.')}b. Trying again.`],
    ['signs of a heading', () => headingOf(`# ${many('#')}x`)?.text, `${many('#')}x`],
    ['ticks of a fence', () => fenceOf(`${many('`')}\u2028`)?.mark.length, MANY],
    ['blanks in a paragraph', () => plainBeginning(`${many(' ')}x  \ny`), many(' ').slice(1)],
    ['joiners in a line that grows', () => growing(`${many('\u200d')}x`) < 3, true],
    ['slashes of a path', () => languageOfPath(`${many('a')}/`), ''],
    ['pipes of a command', () => dangersOf(bash(`curl |${many('/|')}`), place).length > 0, true],
    ['downloads of a command', () => dangersOf(bash(many('curl ')), place).length > 0, true],
    ['shells of a command', () => dangersOf(bash(many('sh $(')), place).length > 0, true],
    ['beginnings of a token', () => dangersOf(bash(many('eyJ-')), place).length > 0, true],
    ['letters of a glob', () => decide(policy('ask'), bash(`ls ${'a'.repeat(49_000)}*/`)).verdict, 'allow'],
  ])('%s', (_what, read, expected) => {
    expect(read() === expected).toBe(true)
  })
})
