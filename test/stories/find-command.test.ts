/** `zotui find` searches all sessions. */
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import { findReportSchema, type FindReport } from '../../src/storage/find/report.ts'
import { exported } from '../../src/export/formats.ts'
import { sample } from '../export/sample.ts'
import { environment, type Home } from '../helpers/home.ts'
import { homeAfter, lastingHome, program, type Outcome } from './stage.ts'

type Zotui = (...args: readonly string[]) => Promise<Outcome>

const afterImport = homeAfter(async home => {
  const file = join(home.path, 'sample.zotsession')
  writeFileSync(file, await exported(sample, 'zotsession'))
  await zotuiIn(home)('import', file)
})

function zotuiIn(home: Home): Zotui {
  return async (...args) => {
    const { exitCode, stdout, stderr } = await execa(process.execPath, [program, ...args], {
      cwd: home.project,
      env: environment(home.path),
      extendEnv: false,
      reject: false,
      timeout: 60_000,
    })
    return { code: exitCode, stdout, stderr }
  }
}

const stateOf = ({ path }: Home): string => join(path, '.local', 'state', 'zotui')

async function report(zotui: Zotui, ...args: readonly string[]): Promise<FindReport> {
  const { code, stdout, stderr } = await zotui('find', ...args, '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return findReportSchema.parse(JSON.parse(stdout))
}

describe('zotui find', () => {
  test('finds a prompt by its words in any order and by the beginning of the last one, with the words around them', async () => {
    const home = await afterImport()
    const zotui = zotuiIn(home)
    const { code, stdout, stderr } = await zotui('find', 'test FAIL')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^[\w-]+ {2}2026-\d\d-\d\d \d\d:\d\d {2}prompt {2}zot {2}~\/project$/m)
    expect(stdout).toMatch(/^ {4}.*Fix the failing test in `parser\.ts`$/m)
    const { found, share, isCut } = await report(zotui, 'test FAIL', '--kind', 'prompt', '--folder', '--agent', 'zot')
    expect({ share, isCut }).toEqual({ share: 1, isCut: false })
    expect(found).toMatchObject([{ kind: 'prompt', folder: home.project, agent: 'zot', title: 'Fix the failing test' }])
    const [{ excerpt, matches } = { excerpt: '', matches: [] }] = found
    expect(matches.map(([from, to]) => excerpt.slice(from, to))).toEqual(['test', 'failed', 'failing', 'test'])
  })

  test('keeps its index for the user alone, and finds nothing of a session that was removed', async () => {
    const home = await afterImport()
    const zotui = zotuiIn(home)
    expect((await report(zotui, 'failing')).found.length).toBeGreaterThan(0)
    const index = join(stateOf(home), 'find.db')
    expect(statSync(index).mode & 0o777).toBe(0o600)
    expect(existsSync(`${index}-wal`)).toBe(false)
    const sessions = join(stateOf(home), 'sessions')
    for (const folder of readdirSync(sessions)) rmSync(join(sessions, folder), { recursive: true })
    expect(await zotui('find', 'failing')).toEqual({ code: 0, stdout: '', stderr: 'zotui: Nothing found.' })
  })

  test('reads a damaged index again', async () => {
    const home = await afterImport()
    const zotui = zotuiIn(home)
    writeFileSync(join(stateOf(home), 'find.db'), 'this is no database '.repeat(1000))
    expect((await report(zotui, 'failing')).found.length).toBeGreaterThan(0)
  })

  test.each([
    [['the', 'bug'], /takes no argument "bug".*zotui --prompt "find \.\.\."/],
    [[], /needs WORDS/],
    [['x', '--kind', 'prompts'], /--kind needs some of prompt, .*, not "prompts"/],
    [['x', '--since', 'yesterday'], /--since needs a time such as 12h.*, not "yesterday"/],
    [['x', '--max', '0'], /--max needs a whole number from 1 to 1000, not "0"/],
  ])('%j is one line and exit code 2', async (args, words) => {
    const { code, stdout, stderr } = await zotuiIn(lastingHome())('find', ...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(words)
    expect(stderr).not.toContain('\n')
  })
})
