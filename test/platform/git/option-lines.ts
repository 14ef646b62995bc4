/** Lines of git with every option of the table. */
import { readingGit, type ReadingCommand } from '../../../src/permissions/reading/reading-table.ts'
import { lookup } from '../../../src/text/lookup.ts'
import { isLong } from '../../helpers/length.ts'

/** Values of options; others take a word. */
const values: Record<string, readonly string[]> = {
  abbrev: ['4'],
  'abbrev-ref': ['strict'],
  color: ['always'],
  'diff-filter': ['M'],
  'find-renames': ['50%'],
  format: ['%G? %GG %GS', '%(describe) %(trailers) %N'],
  'max-count': ['3'],
  pretty: ['fuller', 'mine'],
  since: ['2001-01-01'],
  skip: ['1'],
  stat: ['80'],
  unified: ['3'],
  'word-diff': ['porcelain'],
}

function linesOf(name: string, { short, long = [] }: ReadingCommand, operands: readonly string[]): string[] {
  const letters = [...short.matchAll(/(?<letter>[^:])(?<colons>:*)/g)].map(({ groups = {} }) =>
    groups['colons'] === ':' ? `-${groups['letter']} 1` : `-${groups['letter']}`,
  )
  const words = long.flatMap(option =>
    option.endsWith('=')
      ? (lookup(values, option.slice(0, -1)) ?? ['x']).map(value => `--${option}'${value}'`)
      : `--${option}`,
  )
  const options = ['', ...letters, ...words]
  const single = options.flatMap(option => operands.map(operand => `git ${name} ${option} ${operand}`))
  const several = options.map((option, at) => {
    const [second = '', third = ''] = [options[(at * 7 + 3) % options.length], options[(at * 5 + 1) % options.length]]
    return `git ${name} ${option} ${second} ${third} ${operands[at % operands.length] ?? ''}`
  })
  return single.concat(several)
}

/** Each option of each row once with each of the operands, and three together; in a short run one of `part` lines. */
export function linesOfAll(operands: readonly string[], part: number): string[] {
  const all = Object.entries(readingGit).flatMap(([name, row]) => linesOf(name, row, operands))
  const start = Math.floor(Math.random() * part)
  return isLong ? all : all.filter((_line, at) => at % part === start)
}
