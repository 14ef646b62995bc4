/** The commands that come with zotui, as their files are. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { customCommands } from '../../../src/config/prompts/custom-commands.ts'
import { shippedCommandsFolder } from '../../../src/config/prompts/shipped-folder.ts'

const folder = shippedCommandsFolder() ?? ''
const { commands, notices } = await customCommands(
  () => '/nowhere',
  '/nowhere',
  path => path,
  folder,
)()

test('the commands that come with zotui are six, and two answers are used further', () => {
  expect(readdirSync(folder)).toEqual(commands.map(({ name }) => `${name}.md`))
  expect(commands.map(({ name, answer = '' }) => `${name} ${answer}`.trim())).toEqual([
    'commit commit',
    'explain',
    'init',
    'pr',
    'review findings',
    'test',
  ])
  expect(notices).toEqual([])
})

describe.each(commands)('/$name', ({ help, argument, problem, prompt }) => {
  test('has a description and an argument that fit into the list', () => {
    expect(problem).toBeNull()
    expect(help).toMatch(/^[a-z].{20,90}[^.]$/)
    expect(argument).toMatch(/^\[.{2,25}\]$/)
  })

  test('has one place for its argument, which is not repeated below', async () => {
    const [bare, filled] = await Promise.all([prompt(''), prompt('a $1 "b')])
    if (!bare.ok || !filled.ok) throw new Error('it makes no prompt')
    expect(filled.text.split('a $1 "b')).toHaveLength(2)
    const lines = filled.text.split('\n')
    const line = lines.find(each => each.includes('a $1 "b'))
    const others = bare.text.split('\n').filter(each => !lines.includes(each))
    // Without an argument the line is missing, or it says what to do.
    expect([[], [line?.replace(': a $1 "b', '.')]]).toContainEqual(others)
    expect(bare.text).not.toMatch(/this\.$|\n{3}|[ \n]$/)
    expect(bare.text).not.toMatch(/\$(?:ARGUMENTS|\d)/)
  })
})

test('the folder is found from the sources', () => expect(folder).toBe(join(import.meta.dirname, '../../../prompts/')))
