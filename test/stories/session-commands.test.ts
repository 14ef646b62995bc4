/** The commands that need no terminal: what is kept, shown, written and read. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import { exported } from '../../src/export/formats.ts'
import { displayWidth } from '../../src/text/lines/width.ts'
import { openLedger } from '../../src/storage/usage/ledger.ts'
import { accepted, costs, ended, prompt, started, timed } from '../conversation/events.ts'
import { sample } from '../export/sample.ts'
import { environment, type Home } from '../helpers/home.ts'
import { homeAfter, lastingHome, program, type Outcome } from './stage.ts'

type Machine = { home: Home; zotui: (...args: readonly string[]) => Promise<Outcome> }

function machine(home = lastingHome()): Machine {
  return {
    home,
    async zotui(...args) {
      const { exitCode, stdout, stderr } = await execa(process.execPath, [program, ...args], {
        cwd: home.project,
        env: environment(home.path),
        extendEnv: false,
        reject: false,
        timeout: 15_000,
      })
      return { code: exitCode, stdout, stderr }
    },
  }
}

let id = ''
const afterImport = homeAfter(importSample)

async function importSample(home: Home): Promise<void> {
  const file = join(home.path, 'sample.zotsession')
  writeFileSync(file, await exported(sample, 'zotsession'))
  const wide = join(home.path, '日本語')
  mkdirSync(wide)
  for (const project of [wide, home.project]) {
    const { code, stdout, stderr } = await machine({ ...home, project }).zotui('import', file)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^Imported "Fix the failing test" as ([\w-]+): 4 turns\.$/)
    id = /as ([\w-]+):/.exec(stdout)?.[1] ?? ''
  }
}

/** One with the sample imported into two folders, and the id that it got in the project. */
async function withSession(): Promise<Machine & { id: string }> {
  return { ...machine(await afterImport()), id }
}

/** The folder with the sessions of its project. */
function sessionFolder({ path }: Home): string {
  const root = join(path, '.local', 'state', 'zotui', 'sessions')
  return join(root, readdirSync(root).find(name => name.startsWith('project-')) ?? '')
}

describe('an imported session', () => {
  test('is listed, shown and exported, over an existing file only with --force', async () => {
    const { home, zotui, id } = await withSession()
    const listed = await zotui('sessions')
    expect(listed.stdout).toMatch(
      new RegExp(`^${id} +2026-\\d\\d-\\d\\d \\d\\d:\\d\\d +4 turns +≥ \\$0\\.025 +Fix the failing test$`),
    )
    const rows: unknown = JSON.parse((await zotui('sessions', '--json')).stdout)
    expect(rows).toMatchObject([{ id, turns: 4, title: 'Fix the failing test', folder: home.project }])

    const shown = await zotui('show', id.slice(-6))
    expect(shown.stdout).toContain('# Fix the failing test')
    expect((await zotui('show', 'last')).stdout).toBe(shown.stdout)

    const written: Record<string, string> = {}
    for (const format of ['md', 'html', 'json', 'zotsession']) {
      const { code, stdout } = await zotui('export', id, '--format', format)
      expect(code).toBe(0)
      expect(stdout).toMatch(new RegExp(`/project/2026-\\d\\d-\\d\\d-fix-the-failing-test\\.${format}$`))
      expect(statSync(stdout).mode & 0o777).toBe(0o600)
      written[format] = stdout
    }
    const { md = '', json = '' } = written
    expect((await zotui('export', 'last', '-f', 'json', '-o', '-')).stdout).toBe(
      readFileSync(json, 'utf8').replace(/\n$/, ''),
    )

    expect((await zotui('export', id)).stdout).toBe(md.replace(/\.md$/, '-2.md'))
    const mine = join(home.project, 'mine.html')
    writeFileSync(mine, 'mine')
    const refused = await zotui('export', id, '--output', 'mine.html')
    expect(refused.code).toBe(1)
    expect(refused.stderr).toMatch(/mine\.html already exists\. .*--force/)
    expect(readFileSync(mine, 'utf8')).toBe('mine')
    expect((await zotui('export', id, '-o', mine, '--force')).code).toBe(0)
    expect(readFileSync(mine, 'utf8')).toContain('<!doctype html>')
  })

  test('a reader that closes the pipe is not a failure', async () => {
    const { home, id } = await withSession()
    const { exitCode, stdout, stderr } = await execa({
      cwd: home.project,
      env: environment(home.path),
      extendEnv: false,
      reject: false,
      shell: '/bin/sh',
    })`set -e; { ${process.execPath} ${program} export ${id} -f html -o -; echo $? >&2; } | head -c 9`
    expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 0, stdout: '<!doctype', stderr: '0' })
  })
})

test('columns are aligned, whatever the folders are called', async () => {
  const { zotui } = await withSession()
  const lines = (await zotui('sessions', '--all')).stdout.split('\n')
  const columns = lines.map(line => displayWidth(line.slice(0, line.indexOf('Fix the'))))
  expect(columns).toEqual([columns[0], columns[0]])
})

describe('sessions that zot keeps', () => {
  test('are listed and shown, and do not change', async () => {
    const { home, zotui } = machine()
    const mark = createHash('sha256').update(home.project).digest('hex').slice(0, 16)
    const folder = join(home.path, '.local', 'state', 'zot', 'sessions', mark)
    mkdirSync(folder, { recursive: true })
    const text = await exported(sample, 'zotsession')
    writeFileSync(join(folder, '20261122-140200-0a1b2c3d.jsonl'), text)
    writeFileSync(join(folder, '20261122-140201-damaged0.jsonl'), 'nothing')
    const { stdout } = await zotui('sessions')
    expect(stdout).toMatch(/^zot-20261122-140200-0a1b2c3d .* 4 turns .* Fix the failing test$/)
    expect((await zotui('show', 'zot-20261122-140200-0a1b2c3d')).stdout).toContain('# Fix the failing test')
    expect(readFileSync(join(folder, '20261122-140200-0a1b2c3d.jsonl'), 'utf8')).toBe(text)
  })
})

describe('usage', () => {
  test('reports that nothing was used', async () => {
    const { zotui } = machine()
    expect(await zotui('usage')).toEqual({ code: 0, stdout: 'No usage in the last 30 days.', stderr: '' })
    const { stdout } = await zotui('usage', '--json', '--days', '7')
    expect(JSON.parse(stdout)).toMatchObject({ days: 7, total: { turns: 0, costUsd: 0 }, byDay: {} })
  })

  test('is shown by model and by day', async () => {
    const { home, zotui } = machine()
    const stateFolder = join(home.path, '.local', 'state', 'zotui')
    const place = {
      stateFolder,
      projectFolder: home.project,
      now: Date.now,
      onProblem: (words: string) => expect.fail(words),
    }
    const turn = [prompt('go'), accepted, costs({ input: 100, cacheRead: 900, output: 50, costUsd: 0.5 }), ended]
    openLedger(place).add(timed([started, ...turn], Date.now() - 10_000), 's1')
    openLedger({ ...place, projectFolder: home.path }).add(timed([started, ...turn], Date.now() - 10_000), 's2')
    const { stdout } = await zotui('usage')
    expect(stdout).toMatch(/^anthropic\/claude +2 +2k +90 % +100 +\$1\.00 +6\.0s$/m)
    expect(stdout).toMatch(/^the last 30 days +2 /m)
    expect(stdout).toMatch(/^\d\d-\d\d {2}█{12} {2}\$1\.00$/m)
    const own: unknown = JSON.parse((await zotui('usage', '--folder', '--json')).stdout)
    expect(own).toMatchObject({
      total: { turns: 1, calls: 1, costUsd: 0.5 },
      byModel: { 'anthropic/claude': { turns: 1 } },
      bySession: { s1: { costUsd: 0.5 } },
    })
    expect((await zotui('usage', '--by', 'agent', '--days', 'all')).stdout).toMatch(/^zot +2 .*\nall days +2 /m)
    const csv = (await zotui('usage', '--csv', '--by', 'folder')).stdout.split(/\r?\n/)
    expect(csv.map(line => line.split(',').slice(0, 3).join(','))).toEqual([
      'folder,turns,calls',
      `${home.project},1,1`,
      `${home.path},1,1`,
    ])
  })

  test('has names that fit into a table; CSV has all of them', async () => {
    const { home, zotui } = machine()
    const projectFolder = `/${'deep/'.repeat(100)}app`
    const stateFolder = join(home.path, '.local', 'state', 'zotui')
    const place = { stateFolder, projectFolder, now: Date.now, onProblem: (words: string) => expect.fail(words) }
    openLedger(place).add(timed([started, prompt('go'), accepted, ended], Date.now() - 10_000), 's1')
    expect((await zotui('usage', '--by', 'folder')).stdout).toMatch(/^\/deep\/…\/[\w/]{20,50}\/app +1 /m)
    expect((await zotui('usage', '--by', 'folder', '--csv')).stdout).toContain(`\n${projectFolder},1,`)
  })
})

describe('mistakes', () => {
  test('an empty folder has no sessions', async () => {
    const { zotui } = machine()
    expect(await zotui('sessions')).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('--all') })
    expect((await zotui('sessions', '--json')).stdout).toBe('[]')
    expect(await zotui('show', 'last')).toMatchObject({ code: 2, stdout: '' })
  })

  test.each<[args: string[], code: number, words: RegExp]>([
    [['show', 'nobody'], 2, /There is no session nobody\. .*zotui sessions --all/],
    [['show', '../../../etc/passwd'], 2, /There is no session/],
    [['export', 'nobody', '--format', 'pdf'], 2, /There is no format pdf\. Formats: md, html, json, zotsession/],
    [['import', 'nothing.zotsession'], 1, /nothing\.zotsession cannot be read: ENOENT/],
    [['import', '.'], 1, /is a folder\. Pass a/],
    [['replay', '.'], 2, /\. is a folder\. Choose one of `zotui sessions --all`/],
    [['import'], 2, /needs FILE/],
    [['show', ''], 2, /needs ID/],
    [['sesions'], 2, /There is no command `zotui sesions`\. Did you mean `zotui sessions`\?/],
    [['sessions', 'lst'], 2, /Did you mean `zotui sessions`\?/],
    [['sessions', 'of', 'yesterday'], 2, /To send it to the agent, use `zotui --prompt "sessions \.\.\."`/],
    [['sessions', '--jsn'], 2, /There is no flag --jsn. Did you mean --json\?/],
    [['usage', '--days', 'many'], 2, /--days needs a whole number from 1/],
    [['usage', '--by', 'hour'], 2, /--by needs day, model, agent, folder, not "hour"/],
    [['usage', '--json', '--csv'], 2, /--json and --csv do not go together/],
    [['--demo', 'sessions'], 2, /`sessions` is a command and must come first/],
  ])('%j', async (args, code, words) => {
    const { home, zotui } = machine()
    const outcome = await zotui(...args)
    expect(outcome).toMatchObject({ code, stdout: '' })
    expect(outcome.stderr).toMatch(words)
    expect(outcome.stderr.trim().split('\n')).toHaveLength(1)
    expect(readdirSync(home.project)).toEqual([])
  })

  test('a mistyped or ambiguous id is explained', async () => {
    const { zotui, id } = await withSession()
    const typo = `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`
    expect(await zotui('show', typo)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`There is no session ${typo}. Did you mean ${id}?`),
    })
    expect(await zotui('show', '20')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^zotui: 2 sessions match 20: \S+, \S+\. Type more of the ID\.$/),
    })
  })

  test('a damaged session file is reported', async () => {
    const { home, zotui, id } = await withSession()
    const folder = sessionFolder(home)
    const whole = (await zotui('show', id)).stdout
    writeFileSync(join(folder, '20260101-000000-nothing0.jsonl'), Buffer.from([0xff, 0, 1, 0x0a, 2]))
    mkdirSync(join(folder, '20260101-000000-folder00.jsonl'))
    writeFileSync(join(folder, `${id}.jsonl`), 'torn {"type"\n', { flag: 'a' })

    const listed = await zotui('sessions')
    expect(listed.stderr).toBe('zotui: These sessions cannot be read: 20260101-000000-nothing0.')
    expect(listed.stdout).toMatch(new RegExp(`^${id} .*$`))
    expect(await zotui('show', 'nothing0')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^zotui: The session \S+nothing0 cannot be read: its file is damaged\.$/),
    })
    expect(await zotui('show', id)).toEqual({
      code: 0,
      stdout: whole,
      stderr: 'zotui: Skipped one line that could not be read.',
    })
  })

  test('a session without a prompt is not imported', async () => {
    const { home, zotui } = machine()
    const file = join(home.path, 'a.zotsession')
    writeFileSync(file, '{"type":"meta","meta":{"id":"a"}}\n')
    expect(await zotui('import', file)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('contains no prompt'),
    })
    expect(existsSync(join(home.path, '.local', 'state', 'zotui', 'sessions'))).toBe(false)
  })

  test('--help shows the arguments and flags of a command', async () => {
    const { zotui } = machine()
    const { code, stdout } = await zotui('export', '--help')
    expect(code).toBe(0)
    expect(stdout).toContain('zotui export ID [--format NAME]')
    expect((await zotui('checkpoints', '--help')).stdout).toMatch(/^ {2}ACTION {17}list, show, restore, undo, prune$/m)
  })
})
