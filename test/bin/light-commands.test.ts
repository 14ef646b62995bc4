/** Commands that need no agent and no settings load none of their code. */
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { expect, test } from 'vitest'
import { environment, makeHome } from '../helpers/home.ts'
import { program } from '../stories/stage.ts'

const hook = fileURLToPath(new URL('../helpers/loaded-modules.ts', import.meta.url))

test.each([
  [['--help'], ['cli', 'commands'], 32_000],
  [['-h'], ['cli', 'commands'], 32_000],
  [['sessions', '--help'], ['cli', 'commands', 'command', 'meow'], 96_500],
  [['--version'], ['cli', 'main'], 127_500],
  [['completion', 'bash'], ['cli', 'commands', 'command', 'completion'], 38_900],
])('%j loads only the files %j, and less than %i bytes', async (args, expected, most) => {
  const home = makeHome()
  const loaded = join(home.path, 'loaded')
  const { stdout } = await execa(process.execPath, ['--import', hook, program, ...args], {
    cwd: home.project,
    env: environment(home.path, { LOADED_MODULES: loaded, PATH: '/nowhere' }),
    extendEnv: false,
  })
  expect(stdout).toContain(args[0] === '--version' ? 'zotui' : 'sessions')
  const files = readFileSync(loaded, 'utf8').trim().split('\n')
  // A file that only passes on what another one exports has next to no text.
  const chunks = files.filter(file => file.includes('/chunks/') && readFileSync(file, 'utf8').length > 1000)
  expect(chunks.map(file => basename(file).replace(/-.{8}\.js$/, ''))).toEqual(expected)
  expect(chunks.reduce((sum, file) => sum + readFileSync(file).length, 0)).toBeLessThan(most)
  home.remove()
})
