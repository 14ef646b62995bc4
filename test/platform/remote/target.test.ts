import { execFileSync } from 'node:child_process'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { asLine, BOOT, quoted } from '../../../src/platform/remote/quoting.ts'
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

  test.each(['', 'build', 'ssh:', 'ssh::/srv', 'ssh:-oProxyCommand=x', 'docker:-v', 'kubectl:--all', 'ssh:a b', 'x:y'])(
    'refuses %j',
    text => expect(readOn(text).ok).toBe(false),
  )

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

  test.each(['', '   ', "'open", '-x y'])('refuses %j', text => expect(readVia(text).ok).toBe(false))
})

describe.each(['sh', 'bash', 'dash'])('a script as one line, in %s', shell => {
  test('runs as it was written, whatever is in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), text => {
        const clean = text.replaceAll('\0', '').toWellFormed()
        const line = asLine(`printf %s ${quoted(clean)}\nprintf '\\n%s' ok`)
        expect(line).not.toContain('\n')
        const out = execFileSync(shell, ['-c', BOOT], { input: `${line}\nmore input\n` })
        expect(out.toString('utf8')).toBe(`${clean}\nok`)
      }),
      { numRuns: 60 },
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
    ['Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is it running?', 'docker does not run here'],
    ['Error response from daemon: No such container: build', 'there is no running'],
    ['Error from server (NotFound): pods "build" not found', 'there is no running'],
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
