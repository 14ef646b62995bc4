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
  [['--help'], ['start', 'cli']],
  [['-h'], ['start', 'cli']],
  [
    ['sessions', '--help'],
    ['start', 'cli', 'command', 'meow'],
  ],
  [
    ['completion', 'bash'],
    ['start', 'cli', 'command', 'completion'],
  ],
])('%j loads only the files %j', async (args, expected) => {
  const home = makeHome()
  const loaded = join(home.path, 'loaded')
  const { stdout } = await execa(process.execPath, ['--import', hook, program, ...args], {
    cwd: home.project,
    env: environment(home.path, { LOADED_MODULES: loaded }),
    extendEnv: false,
  })
  expect(stdout).toContain('sessions')
  const files = readFileSync(loaded, 'utf8').trim().split('\n')
  // A file that only passes on what another one exports has next to no text.
  const chunks = files.filter(file => file.includes('/chunks/') && readFileSync(file, 'utf8').length > 1000)
  expect(chunks.map(file => basename(file).replace(/-.{8}\.js$/, ''))).toEqual(expected)
  home.remove()
})
