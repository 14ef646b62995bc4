/** A script asks for an answer in JSON of a schema of its own. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { execa } from 'execa'
import { expect, test } from 'vitest'
import { environment } from '../helpers/home.ts'
import { open } from '../helpers/screen.ts'
import { installZot, lastingHome, program, run } from './stage.ts'

const schema = { type: 'object', properties: { files: { type: 'integer' } }, required: ['files'] }

/** Asks an agent that gives these answers, one after the other. */
async function ask(answers: readonly string[], flags: readonly string[] = []) {
  const home = lastingHome()
  const file = join(home.path, 'schema.json')
  writeFileSync(file, JSON.stringify(schema))
  writeFileSync(join(home.path, 'answers.json'), JSON.stringify(answers))
  const env = { ZOTUI_ZOT: installZot(home, 'answers'), HOME: home.path }
  const outcome = await run(['-p', '--output-schema', file, ...flags, 'How many files?'], { env })
  const asked = join(home.path, 'prompts.ndjson')
  const prompts = existsSync(asked)
    ? readFileSync(asked, 'utf8')
        .trimEnd()
        .split('\n')
        .map(line => String(JSON.parse(line)))
    : []
  return { ...outcome, prompts }
}

test('the answer is printed as JSON alone, and the agent gets the schema', async () => {
  const { code, stdout, stderr, prompts } = await ask(['```json\n{"files": 3}\n```'])
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '{"files": 3}', stderr: '' })
  expect(prompts).toHaveLength(1)
  expect(prompts[0]).toContain('How many files?')
  expect(prompts[0]).toContain(JSON.stringify(schema))
})

test('--output-schema takes the schema itself, and lists of sessions show the prompt without it', async () => {
  const home = lastingHome()
  writeFileSync(join(home.path, 'answers.json'), JSON.stringify(['{"files": 3}']))
  const env = environment(home.path, { ZOTUI_ZOT: installZot(home, 'answers') })
  const zotui = (...args: string[]) =>
    execa(process.execPath, [program, ...args], {
      cwd: home.project,
      env,
      extendEnv: false,
      stdin: 'ignore',
      reject: false,
    })
  const given = [` ${JSON.stringify(schema)}`, 'How many files?']
  expect(await zotui('-p', '--output-schema', ...given)).toMatchObject({
    exitCode: 0,
    stdout: '{"files": 3}',
    stderr: '',
  })
  expect(readFileSync(join(home.path, 'prompts.ndjson'), 'utf8')).toContain('must satisfy this JSON Schema')
  const { stdout } = await zotui('sessions', '--json')
  const asked = 'How many files?'
  expect(JSON.parse(stdout)).toMatchObject([{ firstPrompt: asked, lastPrompt: asked }])
  const { stdout: exported } = await zotui('export', 'last', '--format', 'json', '--output', '-')
  expect(JSON.parse(exported)).toMatchObject({ title: asked, entries: [{ typed: asked }] })
  const broken = await zotui('-p', '--output-schema', '{"type": "text"}', 'hi')
  expect(broken).toMatchObject({ exitCode: 2, stdout: '' })
  expect(broken.stderr).toMatch(/^zotui: The JSON of --output-schema is not a JSON Schema that can be used: [^\n]*$/)
})

test('a wrong answer is asked for once more, with what is wrong', async () => {
  const { code, stdout, prompts } = await ask(['{"files": "three"}', '{"files": 3}'])
  expect({ code, stdout }).toEqual({ code: 0, stdout: '{"files": 3}' })
  expect(prompts).toHaveLength(2)
  expect(prompts[1]).toContain('/files must be integer.')
})

test('the prompt that asks once more is shown as sent by zotui, and lists of sessions show that of the user', async () => {
  const home = lastingHome()
  writeFileSync(join(home.path, 'answers.json'), JSON.stringify(['none', '{"files": 3}']))
  const agent = { ZOTUI_ZOT: installZot(home, 'answers') }
  const zotui = (...args: string[]) =>
    execa(process.execPath, [program, ...args], {
      cwd: home.project,
      env: environment(home.path, agent),
      extendEnv: false,
      stdin: 'ignore',
      reject: false,
    })
  const printed = await zotui('-p', '--json', '--output-schema', ` ${JSON.stringify(schema)}`, 'How many files?')
  const lines = printed.stdout.split('\n').map(line => JSON.parse(line) as { type: string; by?: string })
  expect(lines.filter(({ type }) => type === 'prompt_sent').map(({ by }) => by)).toEqual([undefined, 'zotui'])
  const { stdout } = await zotui('sessions', '--json')
  const asked = 'How many files?'
  const sessions = JSON.parse(stdout) as { id: string }[]
  expect(sessions).toMatchObject([{ firstPrompt: asked, lastPrompt: asked }])
  const screen = await open({ home, env: agent, args: ['--resume', sessions[0]?.id ?? ''], columns: 100, rows: 40 })
  await screen.see('Answer again, with the whole corrected JSON only.')
  const rows = screen.screen()
  const author = rows.findIndex(row => row.includes('sent by zotui, not by you'))
  expect(rows[author + 1]).toContain('Your answer does not satisfy the JSON Schema:')
  expect(rows.filter(row => row.includes('sent by zotui'))).toHaveLength(1)
})

test('a second wrong answer fails, and nothing is printed to standard output', async () => {
  const { code, stdout, stderr, prompts } = await ask(['none', 'still none', '{"files": 3}'])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toBe('zotui: The answer does not satisfy the schema of --output-schema. The answer is not JSON.')
  expect(prompts).toHaveLength(2)
})

test('--json prints the events of both turns, and the exit code says whether the last answer satisfies the schema', async () => {
  const { code, stdout } = await ask(['none', '{"files": 3}'], ['--json'])
  const types = stdout.split('\n').map(line => (JSON.parse(line) as { type: string }).type)
  expect(code).toBe(0)
  expect(types.filter(type => type === 'turn_ended')).toHaveLength(2)
})

test.each([
  ['{', / is not JSON: /],
  ['{"type": "text"}', / is not a JSON Schema that can be used: /],
])('the schema %s is refused before the agent is asked', async (text, words) => {
  const home = lastingHome()
  const file = join(home.path, 'schema.json')
  writeFileSync(file, text)
  const { code, stdout, stderr } = await run(['--demo', '-p', '--output-schema', file, 'hi'])
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(words)
})

test('a missing file is a mistake on the command line', async () => {
  const { code, stderr } = await run(['--demo', '-p', '--output-schema', '/no/such.json', 'hi'])
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringMatching(/such\.json is not there\./) })
})

test('--output-schema needs -p, and cannot be used with --background', async () => {
  const zotui = await open({ args: ['--demo', '--output-schema', 'x.json'] })
  expect(await zotui.exit()).toEqual({ code: 2, signal: null })
  await zotui.see('--output-schema can only be used with -p')
  const { code, stderr } = await ask(['{"files": 3}'], ['--background'])
  expect({ code, stderr }).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--output-schema and --background cannot be used together'),
  })
})
