/** The newest agents beside those that were tested: the lines that say what differs, and the script, with an `npm` that plays a registry. */
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { describe, expect, onTestFinished, test } from 'vitest'
import { newestLines } from '../../scripts/newest-agents.ts'
import type { TestReport } from '../../scripts/test-report.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A report of tests by their names, each with the message of its failure; '' of one that passed. */
function reportOf(tests: Record<string, string>): TestReport {
  const failed = Object.values(tests).filter(message => message !== '').length
  return {
    numPassedTests: Object.keys(tests).length - failed,
    numFailedTests: failed,
    numPendingTests: 0,
    numTodoTests: 0,
    testResults: [
      {
        name: '/repo/test/real-agents/turns.test.ts',
        status: failed > 0 ? 'failed' : 'passed',
        message: '',
        assertionResults: Object.entries(tests).map(([title, message]) => ({
          ancestorTitles: ['claude: a turn'],
          title,
          status: message === '' ? 'passed' : 'failed',
          failureMessages: message === '' ? [] : [`${message}\n    at /repo/test/real-agents/turns.test.ts:1:1`],
        })),
      },
    ],
  }
}

const packages = [{ name: 'claude-agent-acp', tested: '0.100.0', newest: '0.101.0' }]
const VERSIONS = 'tests against the newest agents (claude-agent-acp 0.100.0 -> 0.101.0)'
const fine = reportOf({ streams: '', stops: '' })
const broken = reportOf({ streams: '', stops: 'Error: expected auto to be default' })
const unloaded: TestReport = {
  ...fine,
  testResults: [
    { name: 'test/real-agents/login.test.ts', status: 'failed', message: 'Error: no module x', assertionResults: [] },
  ],
}

test.each([
  [
    'no version is newer',
    { packages: [], code: 0, newest: null, tested: fine },
    ['ran      tests against the newest agents: they are those that were tested'],
  ],
  ['all tests pass', { packages, code: 0, newest: fine, tested: fine }, [`ran      ${VERSIONS}: nothing differs`]],
  [
    'a test fails that passed before',
    { packages, code: 1, newest: broken, tested: fine },
    [
      `DIFFERS  ${VERSIONS}, exit 1; it fails nothing here`,
      '         claude: a turn > stops',
      '           Error: expected auto to be default',
    ],
  ],
  [
    'a test fails with both',
    { packages, code: 1, newest: broken, tested: broken },
    [`ran      ${VERSIONS}: nothing differs; 1 test fails with both`],
  ],
  [
    'one fails with both, and another does not',
    { packages, code: 1, newest: reportOf({ streams: 'Error: no text', stops: 'Error: expected' }), tested: broken },
    [
      `DIFFERS  ${VERSIONS}, exit 1; it fails nothing here; 1 test fails with both`,
      '         claude: a turn > streams',
      '           Error: no text',
    ],
  ],
  [
    'the tested ones were not tested',
    { packages, code: 1, newest: broken, tested: null },
    [
      `DIFFERS  ${VERSIONS}, exit 1; it fails nothing here`,
      '         claude: a turn > stops',
      '           Error: expected auto to be default',
    ],
  ],
  [
    'a file cannot be loaded',
    { packages, code: 1, newest: unloaded, tested: fine },
    [
      `DIFFERS  ${VERSIONS}, exit 1; it fails nothing here`,
      '         test/real-agents/login.test.ts',
      '           Error: no module x',
    ],
  ],
  [
    'the suite wrote nothing',
    { packages, code: 2, newest: null, tested: fine },
    [`DIFFERS  ${VERSIONS}, exit 2; it fails nothing here`, '         no test failed: the suite itself did'],
  ],
] as const)('the summary says what differs: %s', (_case, run, lines) => {
  expect(newestLines(run)).toEqual(lines)
})

test('a long list of differences is cut', () => {
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`test ${index}`, 'Error: no']))
  const lines = newestLines({ packages, code: 1, newest: reportOf(many), tested: null })
  expect(lines).toHaveLength(42)
  expect(lines.at(-1)).toBe('         10 more')
})

/** The registry has the versions of the file `newest`; the suite ends with the code and the report of two others. */
const NPM = `echo "npm $*" >> "$AT/notes"
case "$1" in
  view) grep -F "$2 " "$AT/newest" | cut -d' ' -f2 ;;
  install) [ ! -e "$AT/uninstallable" ] || { echo "404 no such package"; exit 1; } ;;
  run)
    for word; do case "$word" in --outputFile.json=*) report=\${word#*=} ;; esac; done
    [ ! -e "$AT/report.json" ] || cp "$AT/report.json" "$report"
    echo "agents in $ZOTUI_AGENTS" >> "$AT/notes"
    exit "$(cat "$AT/code")" ;;
  exec) shift 2; exec "$@" ;;
esac`

const TOOLS = ['bash', 'cat', 'cp', 'cut', 'dirname', 'grep', 'mktemp', 'rm', 'sh', 'tail', 'timeout']

type Registry = { newest: string; code?: number; report?: TestReport; files?: readonly string[] }

async function runScript({ newest, code = 0, report, files = [] }: Registry, tested: TestReport | null = fine) {
  const at = mkdtempSync(join(tmpdir(), 'zotui-ci-'))
  onTestFinished(() => rmSync(at, { recursive: true }))
  for (const name of ['.ci', 'bin', 'old/node_modules/claude-agent-acp']) mkdirSync(join(at, name), { recursive: true })
  copyFileSync(join(root, '.ci/newest-agents'), join(at, '.ci/newest-agents'))
  symlinkSync(join(root, 'scripts'), join(at, 'scripts'))
  symlinkSync(process.execPath, join(at, 'bin/node'))
  for (const tool of TOOLS) {
    const path = ['/usr/bin', '/bin'].map(bin => join(bin, tool)).find(existsSync)
    if (path !== undefined) symlinkSync(path, join(at, 'bin', tool))
  }
  const write = (name: string, text: string): void => writeFileSync(join(at, name), text)
  write('.ci/agent-versions', 'claude-agent-acp@0.99.0\ncodex-acp@2.6.0\n')
  write('old/node_modules/claude-agent-acp/package.json', '{"version": "0.100.0"}')
  write('newest', newest)
  write('code', String(code))
  write('notes', '')
  for (const name of files) write(name, '')
  if (report) write('report.json', JSON.stringify(report))
  if (tested) write('tested.json', JSON.stringify(tested))
  write('bin/npm', `#!/bin/sh\n${NPM}\n`)
  chmodSync(join(at, 'bin/npm'), 0o755)
  const { exitCode } = await execa(
    join(at, '.ci/newest-agents'),
    [join(at, 'summary'), join(at, 'tested.json'), '180'],
    {
      env: { PATH: join(at, 'bin'), AT: at, TMPDIR: at, ZOTUI_AGENTS: join(at, 'old') },
      extendEnv: false,
      reject: false,
    },
  )
  const lines = (name: string) => readFileSync(join(at, name), 'utf8').split('\n').slice(0, -1)
  return { exitCode, summary: lines('summary'), notes: lines('notes'), at }
}

describe('.ci/newest-agents', () => {
  const NEWER = 'claude-agent-acp 0.101.0\ncodex-acp 2.6.0\n'

  test('installs what is newer than the tested version, runs the suite on it, and names what differs', async () => {
    const { exitCode, summary, notes, at } = await runScript({ newest: NEWER, code: 1, report: broken })
    expect(exitCode).toBe(0)
    expect(summary).toEqual([
      `DIFFERS  ${VERSIONS}, exit 1; it fails nothing here`,
      '         claude: a turn > stops',
      '           Error: expected auto to be default',
    ])
    const installed = notes.find(note => note.startsWith('npm install'))
    expect(installed).toMatch(/ claude-agent-acp@0\.101\.0$/)
    expect(notes.at(-2)).toMatch(/^agents in .+/)
    expect(notes.at(-2)).not.toContain(join(at, 'old'))
  })

  test('says that nothing differs', async () => {
    const { summary } = await runScript({ newest: NEWER, report: fine })
    expect(summary).toEqual([`ran      ${VERSIONS}: nothing differs`])
  })

  test('runs nothing if the tested versions are the newest', async () => {
    const { summary, notes } = await runScript({ newest: 'claude-agent-acp 0.100.0\ncodex-acp 2.6.0\n' })
    expect(summary).toEqual(['ran      tests against the newest agents: they are those that were tested'])
    expect(notes.filter(note => /^npm (?:install|run)/.test(note))).toEqual([])
  })

  test.each([
    [
      'the registry does not answer',
      { newest: '' },
      'the registry does not tell the newest version of claude-agent-acp',
    ],
    [
      'they cannot be installed',
      { newest: NEWER, files: ['uninstallable'] },
      'the agents could not be installed within 100 s: 404 no such package',
    ],
    [
      'the suite takes too long',
      { newest: NEWER, code: 124 },
      'claude-agent-acp@0.101.0: with their installation they took longer than 180 s',
    ],
  ])('is skipped with a reason if %s', async (_case, registry, why) => {
    const { exitCode, summary } = await runScript(registry)
    expect(exitCode).toBe(0)
    expect(summary).toEqual([`SKIPPED  tests against the newest agents: ${why}`])
  })
})
