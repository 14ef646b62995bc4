/** What programs say when the sandbox refuses something. The lines are those of real programs. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { refusalIn, type RefusalPlace } from '../../src/sandbox/refusal.ts'

const place: RefusalPlace = {
  folder: '/home/ann/project',
  isWritable: path => path.startsWith('/home/ann/project/') || path.startsWith('/tmp/'),
  exists: path => path === '/home/ann/.npmrc',
}

describe('a path that could not be written is named by', () => {
  test.each([
    ['a shell', '/bin/bash: line 4: /etc/motd: Read-only file system', '/etc/motd'],
    ['touch', "touch: cannot touch '/usr/x': Read-only file system", '/usr/x'],
    ['mkdir', 'mkdir: cannot create directory ‘/opt/tool’: Permission denied', '/opt/tool'],
    ['cp', "cp: cannot create regular file '/usr/local/bin/a b': Read-only file system", '/usr/local/bin/a b'],
    ['git', 'error: could not lock config file .git/config: Read-only file system', '/home/ann/project/.git/config'],
    ['npm', "npm error EROFS: read-only file system, open '/usr/lib/node_modules/x'", '/usr/lib/node_modules/x'],
    ['Go', 'open /usr/local/go/x: read-only file system', '/usr/local/go/x'],
    ['Python', "PermissionError: [Errno 13] Permission denied: '/var/lib/x'", '/var/lib/x'],
    ['Python once more', "OSError: [Errno 30] Read-only file system: '.envrc'", '/home/ann/project/.envrc'],
    ['Node', "Error: EACCES: permission denied, mkdir '/opt/cache'", '/opt/cache'],
    ['Rust', 'error: failed to create file `/usr/share/x`: Read-only file system (os error 30)', '/usr/share/x'],
    ['a program in colours', '\u001B[31mcannot write /etc/hosts: Permission denied\u001B[0m', '/etc/hosts'],
    [
      'one that looks for a file that is hidden',
      'cat: /home/ann/.npmrc: No such file or directory',
      '/home/ann/.npmrc',
    ],
  ])('%s', (_program, line, path) => {
    const output = `before\n${line}\nafter, in other words\n`
    expect(refusalIn(output, place)?.path).toBe(path)
  })
})

test.each([
  'curl: (6) Could not resolve host: example.com',
  'ssh: Could not resolve hostname github.com: Temporary failure in name resolution',
  'Error: getaddrinfo EAI_AGAIN registry.npmjs.org',
  'dial tcp: lookup proxy.golang.org: no such host',
])('a program that knows no proxy was refused the network: %s', line => {
  expect(refusalIn(line, place)).toEqual({ hint: line, path: null })
})

test.each([
  ['a test that failed', 'FAIL src/a.test.ts > adds\nAssertionError: expected 1 to be 2'],
  ['a file that is nowhere', 'cat: /home/ann/nothing: No such file or directory'],
  ['a file of the project that nobody may read', "cat: '/home/ann/project/x': Permission denied"],
  ['a port that is closed', 'connect ECONNREFUSED 127.0.0.1:5432'],
  ['a shell that finds no file', '/bin/bash: line 1: /home/ann/nothing: No such file or directory'],
  ['words without a path', 'Permission denied (publickey).'],
  ['nothing', ''],
])('%s is not taken for a refusal', (_what, output) => expect(refusalIn(output, place)).toBeNull())

test('the last refusal counts, and only the end of a long output is looked at', () => {
  const old = 'a: /etc/first: Read-only file system\n'
  expect(refusalIn(`${old}b: /etc/last: Read-only file system\n`, place)?.path).toBe('/etc/last')
  expect(refusalIn(old + 'x\n'.repeat(100_000), place)).toBeNull()
})

test('no output takes long or throws, and a hint is at most 300 characters of it', () => {
  const words = fc.constantFrom(
    'Read-only file system',
    'ENOENT',
    '/a/b',
    "'",
    '‘',
    ':',
    '\u001B[',
    '\n',
    ' ',
    'x/'.repeat(400),
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(words, fc.string()), { maxLength: 60 }), pieces => {
      const found = refusalIn(pieces.join(''), place)
      expect(found?.hint.length ?? 0).toBeLessThanOrEqual(300)
    }),
  )
})
