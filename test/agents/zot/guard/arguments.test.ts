import { describe, expect, test } from 'vitest'
import { parsePs } from '../../../../src/agents/tool-host/process-table.ts'
import { guardedOptions } from '../../../../src/agents/zot/guard/guarded-launch.ts'
import { readArguments, toRequest } from '../../../../src/agents/zot/guard/requests.ts'
import { decodeGuardFrame } from '../../../../src/agents/zot/guard/link/frames.ts'
import { inheritedNames } from '../../../helpers/inherited-names.ts'
import type { ZotOptions } from '../../../../src/agents/zot/program/options.ts'

describe('arguments', () => {
  test.each([
    [{ command: 'ls', Command: 'rm' }],
    [{ Command: 'rm' }],
    [{ PATH: 'a' }],
    // The letter of the degree sign of Kelvin, which folds into k.
    [{ tasK: 1, task: 2 }],
    [{ editſ: [] }],
    [['ls']],
    ['ls'],
  ])('%j can be read in two ways', value => expect(readArguments(value)).toBeNull())

  test.each([[{ command: 'ls', timeout: 3 }], [{ path: 'a', oldText: 'b' }], [{ Unknown: 1 }]])(
    '%j have one meaning',
    value => expect(readArguments(value)).toEqual(value),
  )

  test.each(inheritedNames)('%s is a tool and an argument like any other', name => {
    const frame = JSON.stringify({ type: 'event_intercept', id: name, event: name, tool_id: name, tool_name: name })
    expect(decodeGuardFrame(frame)).toMatchObject({ id: name, event: name, tool_id: name, tool_name: name })
    expect(decodeGuardFrame(JSON.stringify({ type: name }))).toBeNull()
    const args = readArguments(JSON.parse(`{ ${JSON.stringify(name)}: { "path": "a", "command": "b" } }`))
    expect(Object.keys(args ?? {})).toEqual([name])
    const request = toRequest({ id: name, callId: name, tool: name, args: args ?? {}, folder: '/w' })
    expect(request).toMatchObject({ tool: name, kind: 'other' })
    expect([request.command, request.paths]).toEqual([undefined, undefined])
  })

  test('absent arguments are none', () => expect(readArguments(null)).toEqual({}))

  test('paths are seen from the folder of zot', () => {
    const facts = { id: '1', callId: 'c', folder: '/w/project' }
    expect(toRequest({ ...facts, tool: 'read', args: { path: '../a' } })).toMatchObject({
      kind: 'read',
      paths: ['/w/a'],
    })
    // zot leaves this to the system, for which `..` of a link is elsewhere.
    expect(toRequest({ ...facts, tool: 'read', args: { path: '/w/project/a/../b' } }).paths).toEqual([
      '/w/project/a/../b',
    ])
    expect(toRequest({ ...facts, tool: 'glob', args: { path: '.', pattern: 'a/../../*' } }).paths).toEqual([
      '/w/project',
      '/w',
    ])
    // Without a path zot searches its folder.
    expect(toRequest({ ...facts, tool: 'glob', args: { pattern: '**/*.ts' } }).paths).toEqual(['/w/project'])
    expect(toRequest({ ...facts, tool: 'glob', args: { pattern: '/etc/*' } }).paths).toEqual(['/w/project', '/'])
    expect(toRequest({ ...facts, tool: 'glob', args: { path: 7, pattern: '*' } }).paths).toBeUndefined()
    expect(toRequest({ ...facts, tool: 'swarm_spawn', args: {} })).toMatchObject({ kind: 'other' })
    expect(toRequest({ ...facts, tool: 'bash', args: { command: 'ls' } })).toMatchObject({
      kind: 'command',
      command: 'ls',
    })
  })
})

describe("zot's options with a guard", () => {
  const own = ['read', 'write', 'bash'].map(name => ({ name, description: '', schema: {} }))
  const choice = (options: ZotOptions) => {
    const { options: guarded, registered } = guardedOptions(options, own)
    return { ...guarded, registered: registered.map(({ name }) => name) }
  }

  test.each<[string, ZotOptions, string[]]>([
    ['none', {}, ['read', 'write', 'bash']],
    ['--tools', { tools: ['read', 'write', 'swarm_spawn'] }, ['read', 'write']],
    ['--no-tools', { noTools: true }, []],
    ['--ext', { ext: ['/e'] }, ['read', 'write', 'bash']],
  ])('of the user: %s: zot has no tool of its own, and the guard has what is left', (_name, options, registered) => {
    expect(choice(options)).toMatchObject({ ...options, noExt: true, noTools: true, tools: undefined, registered })
  })
})

test('the output of ps, with commands of several lines', () => {
  const now = 1_000_000_000
  const text = [
    '    1     0     1 Ss   10-02:03:04 /sbin/init',
    '  812   700   812 S          00:05 /bin/sh -c touch a',
    'sleep 3',
    '  900   812   812 S       01:00:05 sleep 3',
  ].join('\n')
  expect(parsePs(text, now)).toEqual([
    { pid: 1, parent: 0, group: 1, session: null, startedAt: now - 871_384_000, command: '/sbin/init' },
    { pid: 812, parent: 700, group: 812, session: null, startedAt: now - 5000, command: 'touch a\nsleep 3' },
    { pid: 900, parent: 812, group: 812, session: null, startedAt: now - 3_605_000, command: 'sleep 3' },
  ])
})
