import { execFileSync } from 'node:child_process'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { asLine, BOOT } from '../../../src/platform/remote/quoting.ts'
import { quoted } from '../../../src/platform/shell/quoting.ts'
import { readOn, readVia } from '../../../src/platform/remote/target.ts'
import { troubleOf } from '../../../src/platform/remote/trouble.ts'

const script = `sh -c '${BOOT}'`

describe('--on', () => {
  test.each([
    ['ssh:build', 'ssh', ['-T', '--', 'build', script], null],
    ['ssh:me@build:/srv/a b', 'ssh', ['-T', '--', 'me@build', script], '/srv/a b'],
    ['ssh:build:~/x:y\nz', 'ssh', ['-T', '--', 'build', script], '~/x:y\nz'],
    ['ssh:[::1]:/srv', 'ssh', ['-T', '--', '::1', script], '/srv'],
    ['ssh:build:', 'ssh', ['-T', '--', 'build', script], null],
    ['docker:web', 'docker', ['exec', '-i', 'web', 'sh', '-c', BOOT], null],
    ['kubectl:pod/web:-x', 'kubectl', ['exec', '-i', 'pod/web', '--', 'sh', '-c', BOOT], '-x'],
  ])('%j', (text, file, args, folder) => {
    expect(readOn(text)).toMatchObject({ ok: true, target: { file, args, folder } })
  })

  test.each([
    ['', 'does not understand'],
    ['build', 'does not understand'],
    ['x:y', '--on does not understand "x:y"'],
    ['ssh:', 'needs a'],
    ['ssh::/srv', 'needs a'],
    ['docker:', '--on docker needs a container'],
    ['ssh:-oProxyCommand=x', 'begins with a dash'],
    ['ssh:me@-oProxyCommand=x', 'begins with a dash'],
    ['docker:-v', 'begins with a dash'],
    ['kubectl:--all', 'begins with a dash'],
    ['ssh:a b', 'contains spaces'],
  ])('refuses %j', (text, reason) => {
    expect(readOn(text)).toMatchObject({ ok: false, reason: expect.stringContaining(reason) })
  })

  test('no name of a host becomes a flag', () => {
    fc.assert(
      fc.property(fc.constantFrom('ssh', 'docker', 'kubectl'), fc.string(), (way, host) => {
        const read = readOn(`${way}:${host}`)
        expect(read.ok ? read.target.name.slice(way.length + 1) : 'refused').not.toMatch(/^-|\s/)
      }),
    )
  })
})

describe('--via', () => {
  test.each([
    ["nsenter -t 5 -a 'a b'", 'nsenter', ['-t', '5', '-a', 'a b', 'sh', '-c', BOOT]],
    ['/usr/bin/ssh -p 22 me@build', '/usr/bin/ssh', ['-p', '22', 'me@build', script]],
  ])('%s', (text, file, args) => expect(readVia(text)).toMatchObject({ ok: true, target: { file, args } }))

  test.each([
    ['', 'needs a command'],
    ['   ', 'needs a command'],
    ["env 'open", '--via has a quote that is left open'],
    ['-x y', 'begins with a dash'],
  ])('refuses %j', (text, reason) => {
    expect(readVia(text)).toMatchObject({ ok: false, reason: expect.stringContaining(reason) })
  })
})

describe.each(['sh', 'bash', 'dash'])('a script as one line, in %s', shell => {
  test('runs as it was written, whatever is in it', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 60 }), { minLength: 1 }), texts => {
        const clean = texts.map(text => text.replaceAll('\0', '').toWellFormed())
        const line = asLine(clean.map(text => `printf '%s\\0' ${quoted(text)}`).join('\n'))
        expect(line).not.toContain('\n')
        const out = execFileSync(shell, ['-c', BOOT], { input: `${line}\nmore input\n` })
        expect(out.toString('utf8').split('\0')).toEqual([...clean, ''])
      }),
      { numRuns: 12 },
    )
  })
})

describe('what a failed connection says', () => {
  test.each([
    ['@@@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @@@\nHost key verification failed.', 'has changed'],
    ['Host key verification failed.', 'is unknown'],
    ['me@build: Permission denied (publickey,password).', 'was refused'],
    ['ssh: Could not resolve hostname build: Name or service not known', 'there is no host'],
    ['ssh: connect to host build port 22: Connection refused', 'cannot be reached'],
    [
      'Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is it running?',
      'the Docker daemon is not running or cannot be reached',
    ],
    ['Error response from daemon: No such container: build', 'does not exist or is not running'],
    ['Error from server (NotFound): pods "build" not found', 'does not exist or is not running'],
    ['OCI runtime exec failed: exec: "sh": executable file not found in $PATH', 'there is no sh on'],
    ['something else', 'something else'],
  ])('%j', (words, told) => {
    const end = { code: 255, spawnError: null, words: words.split('\n') }
    expect(troubleOf({ file: 'x', name: 'x:build' }, end).reason).toContain(told)
  })

  test('a program that is not there', () => {
    const end = { code: null, spawnError: 'ENOENT', words: [] }
    expect(troubleOf({ file: 'docker', name: 'docker:x' }, end).reason).toBe('there is no program docker here')
  })
})
