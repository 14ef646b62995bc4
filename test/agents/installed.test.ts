import { mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { installedVersion } from '../../src/agents/installed.ts'
import { fill, makeHome, type Home } from '../helpers/home.ts'

function homeOf(files: Record<string, string>): Home {
  const home = makeHome()
  onTestFinished(() => home.remove())
  fill(home, files)
  return home
}

function link(home: Home, from: string, to: string): string {
  const place = join(home.path, from)
  mkdirSync(dirname(place), { recursive: true })
  symlinkSync(join(home.path, to), place)
  return place
}

const packageOf = (name: string, version: string): string => JSON.stringify({ name, version })

test('the version of an npm package is that of the package which the program is in', async () => {
  const home = homeOf({
    'lib/node_modules/agent/package.json': packageOf('agent', '1.2.3'),
    'lib/node_modules/agent/dist/cli.js': '',
  })
  const program = link(home, 'bin/agent', 'lib/node_modules/agent/dist/cli.js')
  expect(await installedVersion(program, 'agent', 'npm')).toBe('1.2.3')
  expect(await installedVersion(program, 'another', 'npm')).toBeNull()
})

test('the program may be in a package for this system beside the one of that name', async () => {
  const home = homeOf({
    'node_modules/agent/package.json': packageOf('agent', '1.2.3'),
    'node_modules/@agent/linux/package.json': packageOf('@agent/linux', '9.9.9'),
    'node_modules/@agent/linux/bin/agent': '',
  })
  const program = link(home, 'node_modules/.bin/agent', 'node_modules/@agent/linux/bin/agent')
  expect(await installedVersion(program, 'agent', 'npm')).toBe('1.2.3')
})

test.each(['an_agent-3.0.2.dist-info', 'An.Agent-3.0.2.dist-info'])(
  'the version of a Python package is that of its folder %s beside the program',
  async name => {
    const home = homeOf({
      'tools/agent/bin/agent-acp': '',
      'tools/agent/lib/python3.12/site-packages/an_agent_more-1.0.dist-info/METADATA': '',
      [`tools/agent/lib/python3.12/site-packages/${name}/METADATA`]: '',
    })
    const program = link(home, '.local/bin/agent-acp', 'tools/agent/bin/agent-acp')
    expect(await installedVersion(program, 'an-agent', 'python')).toBe('3.0.2')
    expect(await installedVersion(program, 'other', 'python')).toBeNull()
  },
)

test('a program that is not there has no version', async () => {
  expect(await installedVersion('/no/such/agent', 'agent', 'npm')).toBeNull()
  expect(await installedVersion('/no/such/agent', 'agent', 'python')).toBeNull()
})
