/** The setting `mcp`. */
import { describe, expect, test } from 'vitest'
import { readSettingsDocument } from '../../src/config/document/document.ts'
import { projectValues } from '../../src/config/document/ignored.ts'
import { noLayer, resolveSettings } from '../../src/config/layers.ts'
import { secretsOfServers } from '../../src/config/mcp-secrets.ts'
import { readTyped, shownValue } from '../../src/config/typed.ts'

const files = { command: 'files', args: ['--all'], env: { TOKEN: '$FILES_TOKEN' } }
const web = { type: 'http', url: 'https://mcp.example/', headers: { Authorization: 'Bearer $WEB_TOKEN' } } as const

test('servers are read from a file and from a variable, and are shown as they are written', () => {
  const mcp = { files, web, plain: { command: 'plain' }, old: { type: 'sse', url: 'http://a/' } as const }
  expect(readSettingsDocument(JSON.stringify({ mcp }))).toMatchObject({ values: { mcp }, notices: [] })
  expect(readTyped('mcp', shownValue(mcp))).toEqual({ ok: true, value: { mcp } })
})

describe('a mistake is reported in one line, and no server of the setting is used', () => {
  test.each<[string, unknown]>([
    ['a list', [files]],
    ['a server that is a text', { files: 'files' }],
    ['no command', { files: { args: [] } }],
    ['an empty command', { files: { command: '' } }],
    ['another type', { web: { ...web, type: 'stdio' } }],
    ['an address without a type', { web: { url: 'https://mcp.example/' } }],
    ['a program with an address', { web: { ...web, command: 'x' } }],
    ['a value that is no text', { files: { command: 'files', env: { PORT: 1 } } }],
  ])('%s', (_case, mcp) => {
    const { values, notices } = readSettingsDocument(JSON.stringify({ mcp }))
    expect(values).toEqual({})
    expect(notices).toMatchObject([{ text: expect.stringContaining('mcp must be an object of servers') as string }])
  })

  test.each(['', 'a b', '-a', '__proto__', 'x'.repeat(65), 'a"b'])('the name %o', name => {
    const { values, notices } = readSettingsDocument(`{"mcp": {${JSON.stringify(name)}: {"command": "x"}}}`)
    expect(values).toEqual({})
    expect(notices).toHaveLength(1)
  })
})

/** What the project's file has. */
const theirs = { web: { command: 'theirs' }, more: { command: 'more' } }
const projectValue = () => theirs as never

describe('a project', () => {
  const user = { ...noLayer, values: { mcp: { files, web } } }
  const project = { ...noLayer, values: { mcp: theirs } }
  const layers = { user, project, environment: noLayer, flag: noLayer }

  test('adds its servers once it is trusted, and its own wins of two with the same name', () => {
    expect(resolveSettings(layers, () => true).values.mcp).toEqual({ files, ...project.values.mcp })
  })

  test('adds none before that', () => {
    expect(resolveSettings(layers, () => false)).toMatchObject({
      values: { mcp: { files, web } },
      needingTrust: ['mcp'],
    })
    expect(projectValues(['mcp'], { projectValue })).toBe('mcp = 2 servers (/mcp lists them)')
  })
})

describe('the secrets of servers', () => {
  const env = { FILES_TOKEN: 'one-secret', WEB_TOKEN: 'two-secret', HOME: '/home/me', PLAIN: 'three-secret' }

  test.each<[string, Parameters<typeof secretsOfServers>[0], string[]]>([
    ['a variable', { files }, ['one-secret']],
    ['a variable in a header', { web }, ['two-secret']],
    [
      'a variable with a plain name for a secret',
      { a: { command: 'a', env: { API_KEY: '${PLAIN}' } } },
      ['three-secret'],
    ],
    ['a variable whose name says nothing', { a: { command: 'a', env: { GITLAB_PAT: '$PLAIN' } } }, ['three-secret']],
    ['no variable after `$$`', { a: { command: 'a', env: { API_KEY: 'pa$$PLAIN' } } }, ['pa$PLAIN']],
    ['a written value', { a: { command: 'a', env: { API_KEY: 'written' } } }, ['written']],
    ['a written header', { a: { ...web, headers: { Authorization: 'Bearer written' } } }, ['written']],
    [
      'nothing',
      { a: { command: 'a', env: { HOME: '$HOME', MODE: 'production' } }, b: { ...web, headers: { Accept: 'x' } } },
      [],
    ],
  ])('%s', (_case, servers, secrets) => {
    expect(secretsOfServers(servers, env)).toEqual(secrets)
  })
})
