/** Real shells, by their own names and as `sh`. */
import { copyFileSync, existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isTriedFile } from '../../../src/platform/shell/tried-shell.ts'
import { agentShell } from '../../../bin/wiring/start/agent/agent-shell.ts'
import { realPath } from '../../../src/platform/real-path.ts'
import { pathOfShell, shells } from '../../permissions/trapped-folder.ts'

test.each(shells.filter(shell => pathOfShell(shell) !== null))('%s is known by its name', shell => {
  expect(isTriedFile(realPath(pathOfShell(shell) ?? ''))).toBe(true)
})

test.each([
  ['bash', true],
  ['zsh', true],
  ['mksh', true],
  ['ksh93', true],
  // These do not say what they are.
  ['dash', false],
  ['fish', false],
  ['tcsh', false],
  ['yash', false],
])('where the file is called sh, %s itself says so: %s', async (name, isTried) => {
  const path = ['/bin', '/usr/bin', '/usr/local/bin'].map(at => join(at, name)).find(existsSync)
  if (path === undefined) return
  const sh = join(mkdtempSync(join(tmpdir(), 'zotui-shell-')), 'sh')
  copyFileSync(realPath(path), sh)
  const shell = agentShell(sh)
  expect(shell.isTried()).toBe(false)
  await Promise.all([shell.learn(), shell.learn()])
  expect(shell.isTried()).toBe(isTried)
})

test.each(['fish', 'tcsh', 'ksh', 'yash', 'posh', 'nu', 'sh', 'bash.sh', 'notbash', ''])('%s was not tried', name => {
  expect(isTriedFile(`/bin/${name}`)).toBe(false)
})

test('a shell that is not there was not tried', async () => {
  const shell = agentShell('/nonexistent/sh')
  await shell.learn()
  expect(shell.isTried()).toBe(false)
})
