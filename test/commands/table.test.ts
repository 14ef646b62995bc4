/** What holds for all slash commands. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { slashCommands } from '../../src/commands/table.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

const filesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => /\.tsx?$/.test(name))
    .map(name => `${folder}/${name}`)

const textOf = (file: string): string => readFileSync(join(root, file), 'utf8')

/** The files whose code is loaded with a file: neither those of types nor those that are loaded on demand. */
function loadedWith(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found
  found.add(file)
  for (const [, path = ''] of textOf(file).matchAll(/^(?:import|export)(?! type)[^'"]*? from '(\.[^']+)'/gm))
    loadedWith(join(file, '..', path), found)
  return found
}

test('the table of slash commands loads nothing of the program', () => {
  const loaded = [...loadedWith('src/commands/table.ts')]
  expect(loaded).toContain('src/commands/program/exit.ts')
  expect(loaded.filter(file => file.startsWith('src/app/'))).toEqual([])
})

test('each file of a command is in the table', () => {
  const defining = filesIn('src/commands').filter(file => /= slashCommand\(/.test(textOf(file)))
  expect(defining).toHaveLength(slashCommands.length)
  const loaded = loadedWith('src/commands/table.ts')
  expect(defining.filter(file => !loaded.has(file))).toEqual([])
})

test('keys, lists and questions run commands that are in the table', () => {
  const names = new Set(slashCommands.map(({ name }) => name))
  const used = ['src/app', 'src/commands', 'components'].flatMap(folder =>
    filesIn(folder).flatMap(file => [...textOf(file).matchAll(/\bcommand\('(\w+)'/g)].map(([, name = '']) => name)),
  )
  expect(used).toContain('login')
  expect(used.filter(name => !names.has(name))).toEqual([])
})
