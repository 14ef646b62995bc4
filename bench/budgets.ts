/** The budgets of figures, and the check against them. */
import { readFileSync } from 'node:fs'
import { ratioOf, type Figure } from './figures.ts'

export type Budget = {
  /** The figure itself. */
  max?: number
  /** The highest ratio to the floor. */
  maxRatio?: number
  /** The largest difference to the floor. */
  maxOver?: number
  /** The lowest ratio to the floor. */
  minRatio?: number
  /** The goal in words; it is not checked. */
  aim?: string
}

/** By scenario and figure; `*` is the default for all scenarios. */
export type Budgets = Record<string, Record<string, Budget>>

export function readBudgets(): Budgets {
  return JSON.parse(readFileSync(new URL('budgets.json', import.meta.url), 'utf8')) as Budgets
}

export function budgetOf(budgets: Budgets, scenario: string, figure: Figure): Budget | undefined {
  return budgets[scenario]?.[figure.name] ?? budgets['*']?.[figure.name]
}

export function isWithin(figure: Figure, { max, maxRatio, maxOver, minRatio }: Budget): boolean {
  const ratio = ratioOf(figure)
  if (max !== undefined && !(figure.value <= max)) return false
  if (maxRatio !== undefined && !(ratio !== null && ratio <= maxRatio)) return false
  if (maxOver !== undefined && !(figure.value - (figure.floor ?? 0) <= maxOver)) return false
  return minRatio === undefined || (ratio !== null && ratio >= minRatio)
}

/** Whether it depends on the machine and its load: all but bytes, counts and ratios. */
export function isTimed({ unit }: Figure): boolean {
  return unit === 'ms' || unit === 's' || unit === 'MB'
}

export function describeBudget({ max, maxRatio, maxOver, minRatio, aim }: Budget): string {
  return [
    max === undefined ? '' : `<= ${max}`,
    maxRatio === undefined ? '' : `<= ${maxRatio}x`,
    maxOver === undefined ? '' : `<= floor + ${maxOver}`,
    minRatio === undefined ? '' : `>= ${minRatio}x`,
    aim === undefined ? '' : `(aim ${aim})`,
  ]
    .filter(part => part !== '')
    .join(' ')
}
