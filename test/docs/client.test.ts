/** The example in docs/automation.md, run as it stands there. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { expect, test } from 'vitest'
import { environment, makeHome } from '../helpers/home.ts'
import { installZot } from '../stories/stage.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const page = readFileSync(join(root, 'docs/automation.md'), 'utf8')

test('the example prints the answer of zot, and loads nothing of the UI', async () => {
  const home = makeHome()
  const example = /```js\n([^]*?)```/.exec(page)?.[1] ?? ''
  const file = join(home.project, 'example.mjs')
  const loaded = join(home.path, 'loaded')
  writeFileSync(file, example)
  mkdirSync(join(home.project, 'node_modules'))
  symlinkSync(root, join(home.project, 'node_modules/zotui'))
  const hook = fileURLToPath(new URL('../helpers/loaded-modules.ts', import.meta.url))
  const { stdout, stderr } = await execa(process.execPath, ['--import', hook, file], {
    cwd: home.project,
    env: environment(home.path, { ZOTUI_ZOT: installZot(home, 'echo'), LOADED_MODULES: loaded }),
    extendEnv: false,
  })
  expect({ stdout, stderr }).toEqual({ stdout: 'You said: What is in this folder?.', stderr: '' })
  const files = readFileSync(loaded, 'utf8').trim().split('\n')
  expect(files.some(each => each.endsWith('client.js'))).toBe(true)
  expect(files.filter(each => /react\.transitional\.element|yoga/i.test(readFileSync(each, 'utf8')))).toEqual([])
  home.remove()
})

test('the page names every exported value', async () => {
  const names = Object.keys(await import('../../src/client.ts'))
  expect(
    names.filter(name => !page.includes(`\`${name}\``) && !['PROTOCOL_VERSION', 'wireLine'].includes(name)),
  ).toEqual([])
})
