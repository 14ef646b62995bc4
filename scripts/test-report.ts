/**
 * Prints the end of `.ci/run`: which tests failed, which passed only on a retry, and how many ran. Ends with exit code 1 if too many
 * needed a retry: tests that are tried again until they pass hold nothing.
 *
 *     node scripts/test-report.ts FOLDER    # each file in it is a report of vitest's JSON reporter
 */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { stripVTControlCharacters } from 'node:util'
import { z } from 'zod'

/** The report of vitest's JSON reporter. */
export const reportSchema = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string(),
      assertionResults: z.array(
        z.object({
          ancestorTitles: z.array(z.string()),
          title: z.string(),
          status: z.string(),
          // One for each try that failed, also of a test that passed in the end.
          failureMessages: z.array(z.string()),
        }),
      ),
    }),
  ),
})

export type TestReport = z.infer<typeof reportSchema>

/** A test with the messages of the tries that failed. */
type Trouble = { name: string; messages: readonly string[] }

/** All messages together are about this long, so that the names stay within the last 60 lines. */
const MESSAGE_LINES = 20
/** The most failed tests that are listed, and the most that passed on a retry. */
const MOST_NAMES = 10

/** The most tests of a run that may pass only on a retry. */
export const MOST_FLAKY = 3

/** `isFine` is false if too many tests needed a retry. Whether a test failed is in the exit code of the suite. */
export type ReportedRun = { lines: readonly string[]; isFine: boolean }

/** The lines to print. The last one has the numbers; a file that could not even be loaded counts as one failed test. */
export function testReport(reports: readonly TestReport[], root: string): ReportedRun {
  const failed: Trouble[] = []
  const flaky: Trouble[] = []
  const sum = { passed: 0, failed: 0, skipped: 0 }
  for (const { testResults, ...numbers } of reports) {
    sum.passed += numbers.numPassedTests
    sum.skipped += numbers.numPendingTests + numbers.numTodoTests
    for (const file of testResults) {
      const place = path.relative(root, file.name)
      for (const { ancestorTitles, title, status, failureMessages: messages } of file.assertionResults) {
        const name = [place, ...ancestorTitles, title].filter(Boolean).join(' > ')
        if (status === 'failed') failed.push({ name, messages })
        else if (messages.length > 0) flaky.push({ name, messages })
      }
      const isExplained = file.assertionResults.some(({ status }) => status === 'failed')
      if (file.status === 'failed' && !isExplained) failed.push({ name: place, messages: [file.message] })
    }
  }
  sum.failed = failed.length
  const lines = Math.max(1, Math.floor(MESSAGE_LINES / Math.max(1, failed.length + flaky.length)))
  const isFine = flaky.length <= MOST_FLAKY
  const rows = [
    ...listed('FAILED  ', failed, lines),
    ...listed('FLAKY   ', flaky, lines),
    ...(isFine ? [] : [`FAILED   ${flaky.length} tests passed only when tried again; ${MOST_FLAKY} may`]),
    `${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`,
  ]
  return { lines: rows, isFine }
}

function listed(label: string, troubles: readonly Trouble[], most: number): string[] {
  const rows: string[] = []
  for (const { name, messages } of troubles.slice(0, MOST_NAMES)) {
    rows.push(`${label} ${name} (${messages.length} ${messages.length === 1 ? 'try' : 'tries'} failed)`)
    for (const line of readable(messages[0] ?? '').slice(0, most)) rows.push(`         ${line}`)
  }
  const rest = troubles.length - MOST_NAMES
  return rest > 0 ? [...rows, `${label} ${rest} more`] : rows
}

const stackFrame = /^\s+at .*(?::\d+:\d+|<anonymous>)\)?$/

/** The message without colours and blank lines; of the stack only the line of the test itself. */
export function readable(message: string): string[] {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter(line => line.trim() !== '')
  const test = lines.find(line => stackFrame.test(line) && line.includes('.test.ts'))
  const [first = '', ...rest] = lines.filter(line => !stackFrame.test(line))
  return [first, ...(test === undefined ? [] : [test.trim()]), ...rest]
}

function read(folder: string): TestReport[] {
  return readdirSync(folder).map(name => reportSchema.parse(JSON.parse(readFileSync(path.join(folder, name), 'utf8'))))
}

if (import.meta.main) {
  const [folder = '.'] = process.argv.slice(2)
  const { lines, isFine } = testReport(read(folder), process.cwd())
  for (const line of lines) console.log(line)
  if (!isFine) process.exitCode = 1
}
