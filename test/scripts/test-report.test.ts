import { expect, test } from 'vitest'
import { MOST_FLAKY, testReport, type TestReport } from '../../scripts/test-report.ts'

type Result = TestReport['testResults'][number]['assertionResults'][number]

const error = (words: string): string =>
  `\x1b[31mError: ${words}\x1b[39m\n    at Screen.see (/root/test/helpers/screen.ts:1:2)\n    at /root/test/a.test.ts:3:4\n    at new Promise (<anonymous>)`

function result(title: string, { failed = false, messages = [] as string[] } = {}): Result {
  return { ancestorTitles: ['', 'a file'], title, status: failed ? 'failed' : 'passed', failureMessages: messages }
}

function report(results: Result[], { status = 'passed', message = '' } = {}): TestReport {
  const numFailedTests = results.filter(({ status: how }) => how === 'failed').length
  const file = { name: '/root/test/a.test.ts', status, message, assertionResults: results }
  return {
    numPassedTests: results.length - numFailedTests,
    numFailedTests,
    numPendingTests: 1,
    numTodoTests: 1,
    testResults: [file],
  }
}

const linesOf = (...given: Parameters<typeof testReport>): readonly string[] => testReport(...given).lines

test('the numbers of all reports are the last line', () => {
  const lines = linesOf([report([result('a'), result('b')]), report([result('c')])], '/root')
  expect(lines).toEqual(['3 passed, 0 failed, 4 skipped'])
})

test('a failed test is named with its file, its message and its own line', () => {
  const failed = result('is there', { failed: true, messages: [error('gone\nscreen'), error('again')] })
  expect(linesOf([report([failed], { status: 'failed' })], '/root')).toEqual([
    'FAILED   test/a.test.ts > a file > is there (2 tries failed)',
    '         Error: gone',
    '         at /root/test/a.test.ts:3:4',
    '         screen',
    '0 passed, 1 failed, 2 skipped',
  ])
})

test('a test that passed only when tried again is flaky, and passed', () => {
  const lines = linesOf([report([result('is there', { messages: [error('late')] })])], '/root')
  expect(lines[0]).toBe('FLAKY    test/a.test.ts > a file > is there (1 try failed)')
  expect(lines[1]).toBe('         Error: late')
  expect(lines.at(-1)).toBe('1 passed, 0 failed, 2 skipped')
})

const flaky = (count: number): ReturnType<typeof testReport> =>
  testReport(
    [report(Array.from({ length: count }, (_, at) => result(`${at}`, { messages: [error('late')] })))],
    '/root',
  )

test('three tests may need another try, and a fourth fails the run, which says so', () => {
  expect(flaky(MOST_FLAKY).isFine).toBe(true)
  expect(flaky(MOST_FLAKY).lines.join('\n')).not.toContain('FAILED')
  const { lines, isFine } = flaky(MOST_FLAKY + 1)
  expect(isFine).toBe(false)
  expect(lines.filter(line => line.startsWith('FLAKY')).length).toBe(4)
  expect(lines).toContain('FAILED   4 tests passed only when tried again; 3 may')
})

test('a file that could not be loaded is one failed test', () => {
  const lines = linesOf([report([], { status: 'failed', message: 'no such module' })], '/root')
  expect(lines[0]).toContain('test/a.test.ts')
  expect(lines[1]).toContain('no such module')
  expect(lines.at(-1)).toBe('0 passed, 1 failed, 2 skipped')
})

test('however many failed, the report fits into 60 lines', () => {
  const long = error(Array.from({ length: 100 }, (_, line) => `line ${line}`).join('\n'))
  const many = (count: number): Result[] =>
    Array.from({ length: count }, (_, at) => result(`${at}`, { failed: at % 2 === 0, messages: [long] }))
  for (const count of [1, 2, 7, 20, 37, 500]) {
    const lines = linesOf([report(many(count), { status: 'failed' })], '/root')
    expect(lines.length).toBeLessThan(55)
    expect(lines[0]).toContain('a file > 0 ')
  }
  expect(linesOf([report(many(500), { status: 'failed' })], '/root')).toContain('FAILED   240 more')
})
