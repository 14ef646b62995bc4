/**
 * Prints the lines of `.ci/run`'s summary about the suite on the newest agents: what is different from the tested ones.
 *
 *     node scripts/newest-agents.ts CODE NEWEST-REPORT TESTED-REPORT 'NAME TESTED NEWEST'...
 *
 * CODE is the exit code of the suite on the newest. A report is a file of vitest's JSON reporter; it may be empty or missing.
 */
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { readable, reportSchema, type TestReport } from './test-report.ts'

const SUITE = 'tests against the newest agents'
/** The most tests that are listed. */
const MOST = 20

export type NewestRun = {
  /** The packages of which the registry has another version than the tested one. */
  packages: readonly { name: string; tested: string; newest: string }[]
  /** The exit code of the suite on them. */
  code: number
  /** Null if the suite has written none. */
  newest: TestReport | null
  /** The same suite on the tested versions; null if it did not run. */
  tested: TestReport | null
}

export function newestLines({ packages, code, newest, tested }: NewestRun): string[] {
  if (packages.length === 0) return [`ran      ${SUITE}: they are those that were tested`]
  const versions = packages.map(each => `${each.name} ${each.tested} -> ${each.newest}`).join(', ')
  if (code === 0) return [`ran      ${SUITE} (${versions}): nothing differs`]
  const before = tested && new Map(failuresOf(tested))
  const failures = newest ? failuresOf(newest) : []
  const differing = failures.filter(([name]) => before?.has(name) !== true)
  const others = failures.length - differing.length
  const also = others === 0 ? '' : `; ${others} ${others === 1 ? 'test fails' : 'tests fail'} with both`
  if (failures.length > 0 && differing.length === 0) return [`ran      ${SUITE} (${versions}): nothing differs${also}`]
  return [
    `DIFFERS  ${SUITE} (${versions}), exit ${code}; it fails nothing here${also}`,
    ...(failures.length === 0 ? ['         no test failed: the suite itself did'] : []),
    ...differing
      .slice(0, MOST)
      .flatMap(([name, message]) => [`         ${name}`].concat(message === '' ? [] : `           ${message}`)),
    ...(differing.length > MOST ? [`         ${differing.length - MOST} more`] : []),
  ]
}

/** The names of the failed tests, each with the first line of its message. A file that could not be loaded counts as one. */
function failuresOf({ testResults }: TestReport): [name: string, message: string][] {
  return testResults.flatMap(({ name: file, status, message, assertionResults }) => {
    const failed = assertionResults.filter(each => each.status === 'failed')
    if (failed.length === 0) return status === 'failed' ? [[file, readable(message)[0] ?? '']] : []
    return failed.map(({ ancestorTitles, title, failureMessages }): [string, string] => [
      [...ancestorTitles, title].filter(Boolean).join(' > '),
      readable(failureMessages[0] ?? '')[0] ?? '',
    ])
  })
}

function read(file: string): TestReport | null {
  try {
    const text = readFileSync(file, 'utf8')
    return text === '' ? null : reportSchema.parse(JSON.parse(text))
  } catch {
    // The suite was ended before it had written all of it, or did not run.
    return null
  }
}

if (import.meta.main) {
  const [code = '1', newest = '', tested = '', ...words] = process.argv.slice(2)
  const packages = words.map(each => {
    const [name = '', from = '', to = ''] = each.split(' ')
    return { name, tested: from, newest: to }
  })
  const lines = newestLines({ packages, code: Number(code), newest: read(newest), tested: read(tested) })
  for (const line of lines) console.log(line)
}
