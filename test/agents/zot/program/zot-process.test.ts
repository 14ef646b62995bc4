import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { launchZot, zotEnvironment } from '../../../../src/agents/zot/program/zot-process.ts'
import { locateZot } from '../../../../src/agents/zot/program/locate.ts'
import { zotVersion } from '../../../../src/agents/zot/program/models.ts'
import { zotArguments } from '../../../../src/agents/zot/program/options.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'zotui-launch-')))
afterAll(() => rmSync(folder, { recursive: true }))

function program(path: string, script: string, mode = 0o755): string {
  const full = join(folder, path)
  mkdirSync(join(full, '..'), { recursive: true })
  writeFileSync(full, `#!/bin/sh\n${script}\n`)
  chmodSync(full, mode)
  return full
}

test('every option becomes a flag and a separate value', () => {
  const options = {
    provider: 'anthropic',
    model: 'sonnet',
    apiKey: 'k',
    baseUrl: 'http://127.0.0.1:1',
    systemPrompt: '-x',
    appendSystemPrompt: ['a', 'b'],
    reasoning: 'low',
    maxSteps: 3,
    tools: ['read', 'bash'],
    noTools: true,
    ext: ['/e', '/f'],
    noExt: true,
    noSkill: true,
    noContextFiles: true,
    temperature: 0.5,
    insecure: true,
    cwd: '/w',
    extra: ['--new', '1'],
  }
  expect(zotArguments(options).join(' ')).toBe(
    'rpc --provider anthropic --model sonnet --api-key k --base-url http://127.0.0.1:1 --system-prompt -x ' +
      '--append-system-prompt a --append-system-prompt b --reasoning low --max-steps 3 --tools read,bash --no-tools ' +
      '--ext /e --ext /f --no-ext --no-skill --no-context-files --temperature 0.5 --insecure --cwd /w --new 1',
  )
})

test('unset options are left to zot', () => {
  expect(zotArguments({ noTools: false, provider: undefined, temperature: 0 })).toEqual(['rpc', '--temperature', '0'])
})

test('an inherited token does not reach zot, and one from the caller does', () => {
  const env = { PATH: '/bin', ZOTCORE_RPC_TOKEN: 'inherited' }
  expect(zotEnvironment(env, undefined)).toEqual({ PATH: '/bin' })
  expect(zotEnvironment(env, 'ours')).toEqual({ PATH: '/bin', ZOTCORE_RPC_TOKEN: 'ours' })
})

test('zot runs in its folder, with paths relative to ours', async () => {
  const path = program('echo-zot', 'pwd; echo "$@"; echo "${ZOTCORE_RPC_TOKEN-none}"')
  mkdirSync(join(folder, 'work'))
  const options = {
    cwd: relative(process.cwd(), join(folder, 'work')),
    ext: [relative(process.cwd(), join(folder, 'e'))],
  }
  const transport = launchZot({ path, options, env: { ...process.env, ZOTCORE_RPC_TOKEN: 'inherited' } })
  const lines: string[] = []
  transport.receive(line => lines.push(line))
  expect(await transport.ended).toMatchObject({ code: 0 })
  expect(lines).toEqual([join(folder, 'work'), `rpc --ext ${folder}/e --cwd ${folder}/work`, 'none'])
})

test('a missing folder is reported at the start', async () => {
  const path = program('any-zot', 'true')
  const transport = launchZot({ path, options: { cwd: join(folder, 'absent') }, env: {} })
  expect(await transport.ended).toMatchObject({ spawnError: 'ENOTDIR' })
})

test('zot is found at the path of the call, else at ZOTUI_ZOT, else in PATH', () => {
  const first = program('a/zot', '')
  const second = program('b/zot', '')
  const third = program('c/zot', '')
  const env = { PATH: `${folder}/none:${folder}/c`, ZOTUI_ZOT: second }
  expect(locateZot(first, env, '/')).toEqual({ ok: true, path: first })
  expect(locateZot(undefined, env, '/')).toEqual({ ok: true, path: second })
  expect(locateZot(undefined, { ...env, ZOTUI_ZOT: '' }, '/')).toEqual({ ok: true, path: third })
  expect(locateZot('zot', env, '/')).toEqual({ ok: true, path: third })
})

test('a named zot that is missing is not replaced by another', () => {
  const env = { PATH: `${folder}/c` }
  expect(locateZot(join(folder, 'absent'), env, '/')).toMatchObject({
    ok: false,
    reason: `zot was not found: ${folder}/absent`,
    hint: expect.stringContaining('go install'),
  })
  expect(locateZot(folder, env, '/')).toMatchObject({ ok: false })
})

test('a file in PATH that is not executable is skipped, and reported if there is no other', () => {
  program('d/zot', '', 0o644)
  expect(locateZot(undefined, { PATH: `${folder}/d:${folder}/c` }, '/')).toMatchObject({ ok: true })
  expect(locateZot(undefined, { PATH: `${folder}/d` }, '/')).toMatchObject({
    ok: false,
    reason: 'zot is not executable',
  })
  expect(locateZot(undefined, {}, '/')).toMatchObject({ ok: false, reason: 'zot was not found' })
})

test.each([
  ['a release', 'echo "zot 0.3.36 (086a9fe, 2026-08-06T15:07:14Z)"', '0.3.36 (086a9fe, 2026-08-06T15:07:14Z)'],
  ['a source build', 'echo zot 0.0.0; echo more', '0.0.0'],
  ['one that fails', 'echo zot 1; exit 1', null],
  ['one that says nothing', 'true', null],
  ['one that never ends', 'exec sleep 60', null],
])('the version of %s', async (name, script, version) => {
  expect(await zotVersion(program(`${name}/zot`, script), { PATH: process.env['PATH'] }, 300)).toBe(version)
})
