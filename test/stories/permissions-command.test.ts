/** `zotui permissions test` in a real process: rules of files decide, and are named with their lines. */
import process from 'node:process'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import { environment, homeWith } from '../helpers/home.ts'
import { program } from './stage.ts'

const home = homeWith({
  '.config/zotui/config.json': '{\n  "allow": ["Bash(npm test:*)"],\n  "deny": [\n    "Bash(rm:*)"\n  ]\n}\n',
  'project/.zotui/config.json': '{\n  "allow": ["Bash"],\n  "ask": ["Bash(ls:*)"]\n}\n',
  'broken/.zotui/config.json': '{ "deny": ["Bash(rm"] }',
})

async function zotui(
  ...args: readonly string[]
): Promise<{ exitCode: number | undefined; stdout: string; stderr: string }> {
  const options = {
    cwd: home.project,
    env: environment(home.path, { ZOTUI_PERMISSIONS: undefined }),
    extendEnv: false,
    reject: false,
    timeout: 15_000,
  }
  const { exitCode, stdout, stderr } = await execa(process.execPath, [program, 'permissions', ...args], options)
  return { exitCode, stdout, stderr }
}

describe('zotui permissions test', () => {
  test.each([
    ['npm test -- x', /^runs without asking: the rule Bash\(npm test:\*\) \(~\/.config\/zotui\/config.json line 2\)/],
    ['git status; rm -rf /', /^is refused: the rule Bash\(rm:\*\) \(~\/.config\/zotui\/config.json line 4\)/],
    ['ls', /^asks first: the rule Bash\(ls:\*\) \(.*\.zotui\/config.json line 3\)/],
    ['git status; node x', /^asks first: it may change something: node x/],
    ["echo 'a", /cannot be parsed/],
    [
      "sudo sh -c 'ls; echo x'",
      /command: \[sudo\] \[sh\] \[-c\] .*\n {2}runs: \[sh\].*\n {4}runs: \[ls\]\n {4}runs: \[echo\] \[x\]/,
    ],
  ])('%s', async (command, words) => {
    const { exitCode, stdout } = await zotui('test', command)
    expect(stdout).toMatch(words)
    expect(exitCode).toBe(0)
  })

  test('takes a mode and a folder, and prints JSON', async () => {
    const { stdout } = await zotui('test', 'npm install', '--mode', 'plan', '--cwd', home.path, '--json')
    expect(JSON.parse(stdout)).toMatchObject({
      mode: 'plan',
      verdict: 'refuse',
      rule: null,
      commands: [{ words: ['npm', 'install'] }],
    })
  })

  test('names broken rules', async () => {
    const { stdout, stderr } = await zotui('test', 'git status', '--cwd', `${home.path}/broken`)
    expect(stderr).toMatch(/\.zotui\/config\.json line 1: the deny rule "Bash\(rm" cannot be read, so zotui asks/)
    expect(stdout).toMatch(/^asks first: the rule Bash\(rm .*cannot be read/)
  })

  test.each([
    [['tst', 'ls']],
    [['test']],
    [['test', 'ls', '--mode', 'x']],
    [['test', 'ls', '--cwd', '/no/such']],
    [['test', 'ls', '--no-such']],
  ])('%j is a usage error', async args => {
    const { exitCode, stdout, stderr } = await zotui(...args)
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toMatch(/^zotui: /)
  })
})
