import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { commandScript } from '../../../src/platform/remote/command.ts'
import { createMachine, surveyMachine, type RemoteMachine } from '../../../src/platform/remote/machine.ts'
import { createRemotePaths } from '../../../src/platform/remote/real-paths.ts'
import { realPath } from '../../../src/platform/real-path.ts'
import { agentShellFile, isTriedFile } from '../../../src/platform/shell/tried-shell.ts'
import { runShell } from '../../../src/platform/shell/run.ts'
import { BOOT } from '../../../src/platform/remote/quoting.ts'
import { quoted } from '../../../src/platform/shell/quoting.ts'
import { readVia } from '../../../src/platform/remote/target.ts'

function machineVia(command: string): RemoteMachine {
  const read = readVia(command)
  if (!read.ok) throw new Error(read.reason)
  const machine = createMachine(read.target, { PATH: process.env['PATH'], HOME: tmpdir() })
  onTestFinished(() => machine.close())
  return machine
}

const PREFIX = 'env'
/** The shells that a machine may have for `sh`. */
const shellsHere = ['/bin/sh', '/bin/bash', '/bin/dash', '/bin/busybox'].filter(existsSync)

describe('a connection to a shell', () => {
  test('passes any text through exactly', async () => {
    const machine = machineVia(PREFIX)
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 200 }), async text => {
        const clean = text.replaceAll('\0', '').toWellFormed()
        const answer = await machine.ask(`printf %s ${quoted(clean)}`)
        expect(answer).toMatchObject({ ok: true, code: 0, words: '' })
        expect(answer.ok && answer.bytes.toString('utf8')).toBe(clean)
      }),
      { numRuns: 150 },
    )
  })

  test('distinguishes bytes, errors and exit codes', async () => {
    const machine = machineVia(PREFIX)
    const answer = await machine.ask(`printf '\\000\\377\\n'; echo 'not good' >&2; exit 7`)
    expect(answer).toEqual({ ok: true, code: 7, bytes: Buffer.from([0, 255, 10]), words: 'not good' })
    expect(await machine.ask(':')).toEqual({ ok: true, code: 0, bytes: Buffer.alloc(0), words: '' })
    expect(await machine.ask('if')).toMatchObject({ ok: true, code: 2 })
    expect(await machine.ask('echo there')).toMatchObject({ ok: true, bytes: Buffer.from('there\n') })
  })

  test('gives up on an answer that is too long or too late, and answers the next question', async () => {
    const machine = machineVia(PREFIX)
    expect(await machine.ask('yes', { most: 1000 })).toMatchObject({ ok: false, why: 'large' })
    expect(await machine.ask('sleep 60', { limit: 50 })).toMatchObject({ ok: false, why: 'slow' })
    const stopping = new AbortController()
    const stopped = machine.ask('sleep 60', { signal: stopping.signal })
    stopping.abort()
    expect(await stopped).toMatchObject({ ok: false, why: 'stopped' })
    expect(await machine.ask('echo on')).toMatchObject({ ok: true, bytes: Buffer.from('on\n') })
  })

  test('connects again after the connection was lost', async () => {
    const machine = machineVia(PREFIX)
    expect(await machine.ask('kill -9 $$')).toMatchObject({ ok: false, why: 'lost' })
    expect(await machine.ask('echo on')).toMatchObject({ ok: true })
  })

  test('answers many questions at once', async () => {
    const machine = machineVia(PREFIX)
    const numbers = Array.from({ length: 30 }, (_, number) => number)
    const answers = await Promise.all(numbers.map(number => machine.ask(`echo ${number}`)))
    expect(answers.map(answer => answer.ok && Number(answer.bytes.toString()))).toEqual(numbers)
  })

  test('ignores what the files of a shell print before', async () => {
    const machine = machineVia(`sh -c 'echo Welcome; echo; exec "$@"' x`)
    expect(await machine.ask('echo on')).toMatchObject({ ok: true, bytes: Buffer.from('on\n') })
  })

  test.each([
    ['a program that is not there', '/no/such/program', 'there is no program /no/such/program here'],
    ['one that ends', `sh -c 'echo broken >&2; exit 3' x`, 'broken'],
    ['one that says nothing', 'false', 'false ended with exit code 1'],
  ])('says why it failed: %s', async (_name, command, words) => {
    expect((await machineVia(command).connect(5000))?.reason).toContain(words)
  })

  test('waits no longer than it may for a machine that is silent', async () => {
    expect((await machineVia(`sh -c 'exec sleep 60' x`).connect(100))?.reason).toMatch(/does not answer|failed/)
  })
})

describe('a look at the machine', () => {
  test.each(['plain', 'with blanks', "it's", '-dash', 'new\nline', 'ünï', '$HOME `x` "q" \\', 'end\n', '*', '~'])(
    'finds the folder %j',
    async name => {
      const root = realpathSync(mkdtempSync(join(tmpdir(), 'zotui-place-')))
      mkdirSync(join(root, name))
      writeFileSync(join(root, 'zot'), '#!/bin/sh\n', { mode: 0o755 })
      const machine = machineVia(`env PATH=${root}:${process.env['PATH']}`)
      const found = await surveyMachine(machine, { folder: join(root, name), zot: null })
      expect(found).toMatchObject({ ok: true, survey: { folder: join(root, name), branch: null, home: tmpdir() } })
      expect(found.ok && found.survey.zot).toBe(join(root, 'zot'))
    },
  )

  test('says which folder is gone', async () => {
    const found = await surveyMachine(machineVia(PREFIX), { folder: '/no/such', zot: null })
    expect(found).toMatchObject({ ok: false, reason: 'there is no folder /no/such on via:env' })
  })
})

/** A machine that gives this answer to every question, whatever was asked. */
function liar(answer: string): RemoteMachine {
  const folder = mkdtempSync(join(tmpdir(), 'liar-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const program = join(folder, 'liar.mjs')
  const script = `
    import { createInterface } from 'node:readline'
    const answer = Buffer.from(${JSON.stringify(`${answer}\n\n0 0`)}).toString('base64')
    let isFirst = true
    createInterface({ input: process.stdin }).on('line', line => {
      const [mark] = /zotui-[0-9a-f]{16}/.exec(line) ?? []
      process.stdout.write(isFirst ? '\\n' + mark + '\\n' : answer + '\\n.\\n')
      isFirst = false
    })`
  writeFileSync(program, script)
  return machineVia(`${quoted(process.execPath)} ${quoted(program)}`)
}

describe('a machine that lies', () => {
  test.each(['/../home/you/project', '/srv/app/.', '/srv//app', '/srv/app/', '/srv/\u001b]0;x\u0007/..'])(
    'is not believed that it works in %j: what is kept for another folder is not for it',
    async folder => {
      const machine = liar(
        [folder, '/root', '/tmp', '', '/bin/zot', '/bin/node', 'v22.0.0', '/bin/grep', ''].join('\0'),
      )
      const found = await surveyMachine(machine, { folder: null, zot: null })
      expect(found).toMatchObject({ ok: false, reason: 'the shell of via:node does not answer as expected' })
    },
  )

  test('is not believed that a path leads into the folder by a way around', async () => {
    const paths = createRemotePaths(liar('+/srv/app/../../etc/shadow\0\0'), { folder: '/srv/app', home: '/root' })
    await paths.learn(['/srv/app/x'], '')
    expect(paths.resolve('/srv/app/x')).toBe('/(not looked up)')
  })

  test('may say that a path leads to another place', async () => {
    const paths = createRemotePaths(liar('+/etc/shadow\0\0'), { folder: '/srv/app', home: '/root' })
    await paths.learn(['/srv/app/x'], '')
    expect(paths.resolve('/srv/app/x')).toBe('/etc/shadow')
  })
})

test('An answer that comes together with the greeting of the shell is not lost', async () => {
  for (let count = 0; count < 40; count += 1) {
    expect(await machineVia(PREFIX).ask('echo on', { limit: 5000 })).toMatchObject({ ok: true })
  }
})

/** Prints a name without a path where the shell has a grep of its own. */
const OWN_GREP = 'command -v grep'

describe.each(shellsHere)('in %s, what runs for us', shell => {
  /** A machine whose PATH has the programs of a project first, in many ways. */
  function stage(below = '') {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'zotui there ')))
    onTestFinished(() => rmSync(root, { recursive: true }))
    const [home, project] = [join(root, 'home'), join(root, "home/it's [a] *project")]
    const bin = join(project, 'node_modules/.bin')
    mkdirSync(join(project, '.git'), { recursive: true })
    mkdirSync(join(project, 'packages/one'), { recursive: true })
    mkdirSync(bin, { recursive: true })
    mkdirSync(join(home, '.local/bin'), { recursive: true })
    for (const name of ['git', 'sleep', 'zot', 'node', 'mkdir'])
      writeFileSync(join(bin, name), `#!/bin/sh\ntouch '${root}/ran'; echo mine\n`, { mode: 0o755 })
    symlinkSync(bin, join(root, 'link'))
    const PATH = `${bin}:.:node_modules/.bin::${root}/link:${home}/.local/bin:/usr/bin:/bin`
    // busybox is a shell by the name that it is called by.
    const sh = join(root, 'sh')
    symlinkSync(shell, sh)
    const args = ['-i', `HOME=${home}`, `PATH=${PATH}`, sh, '-c', BOOT]
    const target = { name: 'there', identity: '', file: 'env', args, folder: join(project, below) }
    const machine = createMachine(target, { PATH: process.env['PATH'], HOME: tmpdir() })
    onTestFinished(() => machine.close())
    return { machine, project: join(project, below), bin, ran: () => existsSync(join(root, 'ran')), PATH, home }
  }

  test.each(['', 'packages/one'])('has a PATH without the project of %j', async below => {
    const { machine, home, ran } = stage(below)
    const answer = await machine.ask('echo "$PATH"; git --version')
    const [path, version] = answer.ok ? answer.bytes.toString().split('\n') : []
    expect(path).toBe(`${home}/.local/bin:/usr/bin:/bin`)
    expect(version).toMatch(/^git version/)
    expect(ran()).toBe(false)
  })

  test('does not take zot, git or Node of the project', async () => {
    const { machine, project, ran } = stage()
    const found = await surveyMachine(machine, { folder: project, zot: null })
    expect(found).toMatchObject({ ok: true, survey: { folder: project, zot: null } })
    expect(ran()).toBe(false)
  })

  test('says whether lines for reading were tried in its shell', async () => {
    const { machine, project } = stage()
    const found = await surveyMachine(machine, { folder: project, zot: null })
    const isTriedShell = isTriedFile(realPath(agentShellFile()))
    expect(found).toMatchObject({ ok: true, survey: { isTriedShell } })
  })

  test('says whether its programs are those of busybox', async () => {
    for (const hasBusybox of [false, true]) {
      const { machine, project, home } = stage()
      if (hasBusybox) {
        writeFileSync(join(home, '.local/bin/busybox'), '#!/bin/sh\n', { mode: 0o755 })
        symlinkSync('busybox', join(home, '.local/bin/grep'))
      }
      const found = await surveyMachine(machine, { folder: project, zot: null })
      const hasOwn = execFileSync(shell, shell.endsWith('busybox') ? ['sh', '-c', OWN_GREP] : ['-c', OWN_GREP], {
        encoding: 'utf8',
      })
      expect(found).toMatchObject({ ok: true, survey: { hasBusybox: hasBusybox || hasOwn === 'grep\n' } })
    }
  })

  test("but the user's commands have the PATH of that machine", async () => {
    const { machine, project, PATH } = stage()
    const program = machine.program(commandScript(project, 'echo "$PATH"'))
    const run = runShell({ command: '', cwd: '/', env: {}, program, limitBytes: 10_000, onOutput: () => undefined })
    expect((await run.done).output).toBe(`${PATH}\n`)
  })
})
