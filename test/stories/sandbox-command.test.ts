/** `zotui sandbox test` in a real process: it runs a command in the sandbox, says what that allows, and ends with its exit code. */
import { canBox } from '../helpers/can-box.ts'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { execa } from 'execa'
import { describe, expect, onTestFinished, test } from 'vitest'
import { environment, homeWith } from '../helpers/home.ts'
import { program } from './stage.ts'

function machine(files: Record<string, string> = {}, env: Record<string, string> = {}) {
  const home = homeWith({ '.netrc': 'a password', ...files })
  onTestFinished(() => home.remove())
  return {
    home,
    run: (...args: readonly string[]) =>
      execa(process.execPath, [program, 'sandbox', ...args], {
        cwd: home.project,
        env: environment(home.path, { XDG_CACHE_HOME: path.join(home.path, '.cache'), ...env }),
        extendEnv: false,
        reject: false,
      }),
  }
}

describe.skipIf(!canBox)('zotui sandbox test', () => {
  test('runs the command, says what it can do, and ends with its exit code', async () => {
    const { home, run } = machine()
    const { stdout, stderr, exitCode } = await run('test', 'echo in > in.txt; cat ~/.netrc; echo done; exit 5')
    expect(exitCode).toBe(5)
    expect(stdout).toContain('done')
    expect(stdout).not.toContain('a password')
    expect(readFileSync(path.join(home.project, 'in.txt'), 'utf8')).toBe('in\n')
    expect(stderr).toContain('sandbox: off (tested as on)')
    expect(stderr).toMatch(/can write: ~\/project/)
    expect(stderr).toContain('hosts: none; each asks')
  })

  test('says what was refused', async () => {
    const { stderr } = await machine().run('test', 'curl -s http://elsewhere.example/; echo out > /etc/out; exit 1')
    expect(stderr).toContain('refused: the host elsewhere.example:80, which would ask')
    expect(stderr).toMatch(/refused: .*Read-only file system \(a hint from its output\)/)
  })

  test('says what was left that can decide what runs later', async () => {
    const { stderr } = await machine().run('test', 'touch .envrc plain.txt')
    expect(stderr).toMatch(/left, and can decide what runs later: \S*\/\.envrc \(\/sandbox\)/)
    expect(stderr).not.toContain('plain.txt')
  })

  test('follows the settings', async () => {
    const settings = { sandbox: 'closed', sandboxWrite: ['~/beside'], sandboxHosts: ['registry.npmjs.org', 'a b'] }
    const { home, run } = machine({ '.config/zotui/config.json': JSON.stringify(settings), 'beside/a': '' })
    const { stderr } = await run('test', 'echo in > ~/beside/in.txt')
    expect(existsSync(path.join(home.path, 'beside/in.txt'))).toBe(true)
    expect(stderr).toContain('sandbox: closed')
    expect(stderr).toContain('~/beside')
    expect(stderr).toContain('hosts: none (closed)')
    expect(stderr).toContain('sandboxHosts: "a b" is not a host')
  })

  test('uses the box for reading with --read', async () => {
    const { home, run } = machine()
    const { stderr, exitCode } = await run('test', '--read', 'touch in.txt')
    expect(exitCode).not.toBe(0)
    expect(stderr).toContain('the box for reading')
    expect(existsSync(path.join(home.project, 'in.txt'))).toBe(false)
  })

  test('prints JSON', async () => {
    const { stdout, exitCode } = await machine().run('test', '--json', 'echo hi; exit 2')
    expect(exitCode).toBe(2)
    expect(JSON.parse(stdout)).toMatchObject({
      box: 'writing',
      level: 'on',
      setting: 'off',
      exitCode: 2,
      output: 'hi\n',
    })
  })
})

test('without words, `zotui sandbox` is an error of usage', async () => {
  expect(await machine().run()).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('needs ACTION') })
})

test('where no box can be made, nothing runs', async () => {
  const { home, run } = machine({}, { PATH: '/nowhere' })
  const { exitCode, stderr } = await run('test', 'touch in.txt')
  expect(exitCode).toBe(1)
  expect(stderr).toContain('bubblewrap is not installed')
  expect(existsSync(path.join(home.project, 'in.txt'))).toBe(false)
})
