/** The results as one table. */
import { budgetOf, describeBudget, isWithin, type Budget, type Budgets } from './budgets.ts'
import { ratioOf, type Figure, type Unit } from './figures.ts'

export type Result = { scenario: string; figures: readonly Figure[] }

const digits: Record<Unit, number> = { ratio: 2, ms: 1, s: 2, MB: 0, bytes: 0, count: 0 }
const header = ['', '', 'zotui', 'floor', 'times', 'budget', '']
const alignedRight = [false, false, true, true, true, false, false]

export function table(results: readonly Result[], budgets: Budgets): string {
  const rows = results.flatMap(({ scenario, figures }) =>
    figures.map((figure, index) =>
      rowOf(index === 0 ? scenario : '', figure, budgetOf(budgets, scenario, figure) ?? {}),
    ),
  )
  const all = [header, ...rows]
  const widths = header.map((_, column) => Math.max(...all.map(row => row[column]?.length ?? 0)))
  return all
    .map(row => row.map((cell, column) => fit(cell, widths[column] ?? 0, alignedRight[column] === true)).join('  '))
    .map(line => `${line.trimEnd()}\n`)
    .join('')
}

function rowOf(scenario: string, figure: Figure, budget: Budget): string[] {
  const { name, unit, value, floor } = figure
  const ratio = ratioOf(figure)
  const label = unit === 'ratio' || unit === 'count' || name.includes(unit) ? name : `${name}, ${unit}`
  return [
    scenario,
    label,
    value.toFixed(digits[unit]),
    floor === undefined ? '' : floor.toFixed(digits[unit]),
    ratio === null ? '' : ratio.toFixed(1),
    describeBudget(budget),
    isWithin(figure, budget) ? '' : '!',
  ]
}

function fit(text: string, width: number, right: boolean): string {
  return right ? text.padStart(width) : text.padEnd(width)
}
