/** The build splits each subcommand; the files say the same as the table. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { commands } from '../../bin/cli/commands.ts'
import { loadCommand } from '../../bin/cli/load-command.ts'
import { splitCommand } from '../../scripts/split-commands.ts'

const folder = fileURLToPath(new URL('../../bin/cli/commands/', import.meta.url))
const files = readdirSync(folder)

test('each file of a command is in the table, under the name of the file', () => {
  expect(commands.map(({ name }) => `${name}.ts`).toSorted()).toEqual(files)
})

test.each(files)('the facts of %s name nothing else of the file, and its run is the rest', async file => {
  const { facts, rest } = splitCommand(file, readFileSync(folder + file, 'utf8'))
  const { default: read } = (await import(`data:text/javascript,export default ${encodeURIComponent(facts)}`)) as {
    default: object
  }
  const { run, ...written } = commands.find(({ name }) => `${name}.ts` === file) ?? { run: null }
  expect(read).toEqual(written)
  expect(rest).toContain('export const run = ')
  expect(rest).not.toContain('export const command')
  expect((await loadCommand(file.slice(0, -'.ts'.length))).run).toBe(run)
})

test('a file without a command, or with one that cannot be split, fails the build', () => {
  for (const text of [
    'export const other = {}',
    'export const command = make()',
    `export const command = { name: 'a' }`,
  ])
    expect(() => splitCommand('a.ts', text)).toThrow('a.ts exports no object "command"')
})
