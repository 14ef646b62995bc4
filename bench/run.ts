/**
 * `npm run bench`: builds zotui, runs the shipped program on a terminal emulator in each scenario, and prints its costs
 * next to the least possible ones.
 */
import { mkdirSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { resolve } from 'node:path'
import process from 'node:process'
import meow from 'meow'
import { budgetOf, describeBudget, isTimed, isWithin, readBudgets } from './budgets.ts'
import { medianFigures, ratioOf } from './figures.ts'
import { scenarios, type Scenario } from './scenarios.ts'
import { makeStage, type Stage } from './stage.ts'
import { table, type Result } from './table.ts'

const help = `
  Usage: npm run bench -- [options]

  --only a,b     run these scenarios
  --runs n       run each n times and print the medians
  --full         run the long versions
  --json         print JSON
  --check        fail if a budget of bench/budgets.json is not met
  --counts       with --check: only bytes and counts, which are the same on every machine
  --profile DIR  keep a CPU profile and the bytes of each start of zotui there

  Scenarios: ${scenarios.map(({ name }) => name).join(', ')}
`
const { flags } = meow(help, {
  importMeta: import.meta,
  description: 'Measures the built zotui on a terminal emulator.',
  allowUnknownFlags: false,
  flags: {
    only: { type: 'string' },
    runs: { type: 'number', default: 1 },
    full: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    counts: { type: 'boolean', default: false },
    profile: { type: 'string' },
  },
})
const chosen = choose(flags.only)
const runs = Math.max(1, Math.floor(flags.runs) || 1)
const profile = flags.profile === undefined ? null : resolve(flags.profile)
if (profile !== null) mkdirSync(profile, { recursive: true })

await import('../scripts/build.ts')
const stage = await makeStage({ full: flags.full, profile })
const results: Result[] = []
try {
  for (const scenario of chosen) results.push(await measure(stage, scenario))
} finally {
  stage.remove()
}
const budgets = readBudgets()
if (flags.json) {
  const machine = { node: process.version, platform: process.platform, cpus: cpus().length }
  console.log(JSON.stringify({ ...machine, runs, full: flags.full, results }, null, 2))
} else {
  console.log(table(results, budgets))
  const [load = 0] = loadavg()
  console.log(
    `${cpus().length} processors, load ${load.toFixed(1)}: with more load than processors all times are longer.\n`,
  )
  for (const { name, about } of chosen) console.log(`${name.padEnd(12)}${about}`)
}
if (flags.check) reportBroken()

function choose(only: string | undefined): readonly Scenario[] {
  if (only === undefined) return scenarios
  return only.split(',').map(name => {
    const scenario = scenarios.find(each => each.name === name)
    if (scenario) return scenario
    console.error(`There is no scenario ${name}; there are ${scenarios.map(each => each.name).join(', ')}.`)
    return process.exit(2)
  })
}

async function measure(stage: Stage, { name, run }: Scenario): Promise<Result> {
  const figures = []
  for (let number = 1; number <= runs; number += 1) {
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${name} ${number}/${runs}`)
    figures.push(await run(stage))
  }
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
  return { scenario: name, figures: medianFigures(figures) }
}

/** Reports the budgets that are not met, with the measured value, and then sets the exit code to 1. */
function reportBroken(): void {
  for (const { scenario, figures } of results) {
    for (const figure of figures) {
      const budget = budgetOf(budgets, scenario, figure)
      if (!budget || isWithin(figure, budget) || (flags.counts && isTimed(figure))) continue
      const ratio = ratioOf(figure)
      const measured = `${figure.value.toFixed(2)}${ratio === null ? '' : ` (${ratio.toFixed(2)} times the floor)`}`
      console.error(`over budget: ${scenario}, ${figure.name}: ${measured}, budget ${describeBudget(budget)}`)
      process.exitCode = 1
    }
  }
}
