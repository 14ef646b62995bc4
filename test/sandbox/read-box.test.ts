/**
 * Commands that only read, held to that by the real bubblewrap: each way out is tried in the box, and outside of it as a control, so that a
 * test cannot pass because the way does not exist here.
 */
import { canBox } from '../helpers/can-box.ts'
import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { createLocalTools } from '../../src/local-tools/local-tools.ts'
import { machineReadBox } from '../../src/local-tools/machine-read-box.ts'
import { readPolicy } from '../../src/sandbox/read-places.ts'
import { workingBoxMaker } from '../../src/sandbox/working-box.ts'
import { readArguments } from '../../src/sandbox/read-policy.ts'
import { seccompFilter, type Processor } from '../../src/sandbox/seccomp.ts'

const top = realpathSync(mkdtempSync(path.join(homedir(), '.zotui-box-')))
afterAll(() => rmSync(top, { recursive: true, force: true }))
const home = path.join(top, 'home')
const folder = path.join(home, 'project')
mkdirSync(folder, { recursive: true })
const env: NodeJS.ProcessEnv = {
  ...process.env,
  HOME: home,
  SECRET_TOKEN: 'a secret',
  GIT_CONFIG_GLOBAL: path.join(home, '.gitconfig'),
}

const python = spawnSync('python3', ['--version']).status === 0

/** Root in a container may not. */
function mayMount(): boolean {
  const at = mkdtempSync(path.join(top, 'mount-'))
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', 'zotui', at]).status === 0
  if (isMounted) execFileSync('umount', [at])
  return isMounted
}

type Ran = { output: string; exitCode: number | undefined; warnings: string[] }

async function run(
  command: string,
  { inBox = true, at = folder, environment = env, git = false, isBoxed = true } = {},
): Promise<Ran> {
  const warnings: string[] = []
  const readBox: typeof machineReadBox = async place => {
    const made = await machineReadBox(place)
    if ((made.box !== null) !== isBoxed) throw new Error(`the box: ${JSON.stringify(await workingBoxMaker(place))}`)
    return made
  }
  const tools = createLocalTools({ folder: at, env: environment, readBox })
  const { content, exitCode } = await tools.run(
    'bash',
    { command },
    { ...(inBox && { box: { kind: 'reading', git: git ? [] : null } }), onUnboxed: why => void warnings.push(why) },
  )
  return { output: content.map(part => (part.type === 'text' ? part.text : '')).join(''), exitCode, warnings }
}

/** Runs Python in the box and outside: what the first is refused, the second may do. */
async function attempts(code: string): Promise<{ inside: Ran; outside: Ran }> {
  writeFileSync(path.join(folder, 'attempt.py'), code)
  return { inside: await run('python3 attempt.py'), outside: await run('python3 attempt.py', { inBox: false }) }
}

describe.skipIf(!canBox)('a command that only reads', () => {
  test('reads the project, and says with its exit code how it went', async () => {
    writeFileSync(path.join(folder, 'note.txt'), 'hello\n')
    expect(await run('cat note.txt; exit 3')).toMatchObject({
      exitCode: 3,
      output: expect.stringContaining('\nhello\n'),
    })
    expect((await run('ls nothing')).output).toContain('No such file')
  })

  test('changes no file: in the project, in the home folder, in the system, in the temporary files of others', async () => {
    const other = mkdtempSync(path.join(tmpdir(), 'zotui-other-'))
    onTestFinished(() => rmSync(other, { recursive: true, force: true }))
    writeFileSync(path.join(other, 'theirs'), 'theirs')
    const files = [path.join(folder, 'new'), path.join(home, '.bashrc'), '/etc/zotui-box', path.join(other, 'theirs')]
    for (const file of files) await run(`echo changed > ${file}`)
    expect(files.map(file => existsSync(file))).toEqual([false, false, false, true])
    expect(readFileSync(path.join(other, 'theirs'), 'utf8')).toBe('theirs')
    await run(`echo changed > ${files[0]}`, { inBox: false })
    expect(existsSync(path.join(folder, 'new'))).toBe(true)
  })

  test('has temporary files of its own, which are gone with it', async () => {
    const file = `/tmp/zotui-box-${process.pid}`
    expect((await run(`echo mine > ${file} && cat ${file}`)).output).toContain('\nmine\n')
    expect(existsSync(file)).toBe(false)
  })

  test('sees the project, and its repository, among temporary files', async () => {
    const at = realpathSync(mkdtempSync(path.join(tmpdir(), 'zotui-project-')))
    onTestFinished(() => rmSync(at, { recursive: true, force: true }))
    mkdirSync(path.join(at, 'sub'))
    execFileSync('git', ['init', '-q', at])
    writeFileSync(path.join(at, 'sub/a.txt'), 'a')
    const { output } = await run('git status --porcelain; touch b', { at: path.join(at, 'sub'), git: true })
    expect(output).toContain('\n?? sub/\n')
    expect(output).toContain('Read-only file system')
  })

  test('sees no secret of the person: keys, passwords, credentials', async () => {
    for (const file of ['.ssh/id_ed25519', '.netrc', '.aws/credentials', '.config/gh/hosts.yml']) {
      mkdirSync(path.dirname(path.join(home, file)), { recursive: true })
      writeFileSync(path.join(home, file), 'a secret')
      const command = `cat ${path.join(home, file)}`
      expect((await run(command, { inBox: false })).output).toContain('\na secret\n')
      expect((await run(command)).output).toContain('Permission denied')
    }
  })

  test('sees no secret through a link, nor where the project is the home folder', async () => {
    mkdirSync(path.join(top, 'elsewhere'), { recursive: true })
    writeFileSync(path.join(top, 'elsewhere/config'), 'a secret')
    symlinkSync(path.join(top, 'elsewhere'), path.join(home, '.kube'))
    for (const at of [folder, home]) {
      expect((await run(`cat ${home}/.kube/config`, { at })).output).toContain('Permission denied')
      expect((await run(`cat ${top}/elsewhere/config`, { at })).output).toContain('Permission denied')
    }
  })

  test('sees a project that lies in a closed folder, and nothing else of that', async () => {
    const at = path.join(home, '.docker/project')
    mkdirSync(at, { recursive: true })
    writeFileSync(path.join(at, 'a.txt'), 'mine')
    writeFileSync(path.join(home, '.docker/config.json'), 'a secret')
    expect((await run('cat a.txt', { at })).output).toContain('\nmine\n')
    expect((await run('cat ../config.json; touch ../new', { at })).output).not.toContain('a secret')
    expect(existsSync(path.join(home, '.docker/new'))).toBe(false)
  })

  test('sees no secret that a link in a closed folder leads to, or that a variable names', async () => {
    mkdirSync(path.join(top, 'dot'), { recursive: true })
    mkdirSync(path.join(home, '.gnupg'), { recursive: true })
    for (const name of ['key', 'kube']) writeFileSync(path.join(top, 'dot', name), 'a secret')
    symlinkSync(path.join(top, 'dot/key'), path.join(home, '.gnupg/key'))
    const environment = { ...env, KUBECONFIG: `/nowhere:${path.join(top, 'dot/kube')}` }
    for (const name of ['key', 'kube'])
      expect((await run(`cat ${top}/dot/${name}`, { environment })).output).toContain('Permission denied')
  })

  test('opens no other folder by naming it as the repository of a worktree', async () => {
    const at = path.join(home, 'claims')
    mkdirSync(at)
    mkdirSync(path.join(home, '.azure'))
    writeFileSync(path.join(home, '.azure/token'), 'a secret')
    const others = mkdtempSync('/tmp/zotui-others-')
    onTestFinished(() => rmSync(others, { recursive: true, force: true }))
    for (const other of [path.join(home, '.azure'), '/tmp', '/proc', '/dev']) {
      writeFileSync(path.join(at, '.git'), `gitdir: ${other}/.git/worktrees/x\n`)
      const { output } = await run(`cat ${home}/.azure/token; ls ${others}; ls /proc | grep -c '^[0-9]'`, { at })
      expect(output).toMatch(/Permission denied\n.*No such file or directory\n[1-9]\n/)
    }
  })

  test('sees the repository of a real worktree, which lies among temporary files', async () => {
    const main = realpathSync(mkdtempSync('/tmp/zotui-main-'))
    onTestFinished(() => rmSync(main, { recursive: true, force: true }))
    const git = (...args: string[]): void =>
      void execFileSync('git', ['-C', main, '-c', 'user.name=me', '-c', 'user.email=a@example.com', ...args], {
        stdio: 'ignore',
      })
    git('init', '-q')
    git('commit', '-q', '--allow-empty', '-m', 'the first one')
    const at = path.join(home, 'linked')
    git('worktree', 'add', '-q', at)
    const { output } = await run('git log --oneline; ls -A /tmp/zotui-main-*', { at, git: true })
    expect(output).toMatch(/the first one\n\.git\n/)
  })

  test('gets no file descriptor that zotui was started with', () => {
    const script = path.join(top, 'inherit.mts')
    const root = process.cwd()
    writeFileSync(
      script,
      `import { createLocalTools } from '${root}/src/local-tools/local-tools.ts'
import { machineReadBox } from '${root}/src/local-tools/machine-read-box.ts'
const tools = createLocalTools({ folder: ${JSON.stringify(folder)}, env: process.env, readBox: machineReadBox })
const command = 'ls /proc/self/fd/20/ /proc/self/fd/63/; echo x > /proc/self/fd/20/escaped'
const { content } = await tools.run('bash', { command }, { box: { kind: 'reading', git: null } })
console.log(content[0].text)`,
    )
    const line = 'exec 20<"$0" 63<"$0"; exec "$1" "$2"'
    const { stdout } = spawnSync('bash', ['-c', line, home, process.execPath, script], { encoding: 'utf8', env })
    expect(stdout).toContain('/proc/self/fd/20/')
    expect(stdout).not.toContain('project')
    expect(existsSync(path.join(home, 'escaped'))).toBe(false)
  })

  test.skipIf(!mayMount())('cannot write to what is mounted meanwhile', async () => {
    const mount = path.join(folder, 'mount')
    mkdirSync(mount)
    onTestFinished(() => void spawnSync('umount', [mount]))
    const tools = createLocalTools({ folder, env, readBox: machineReadBox })
    const { content } = await tools.run(
      'bash',
      { command: 'echo ready; until [ -e go ]; do sleep 0.02; done; touch mount/new', timeout: 20 },
      {
        box: { kind: 'reading', git: null },
        onProgress(text) {
          if (!text.includes('ready')) return
          execFileSync('mount', ['-t', 'tmpfs', 'zotui', mount])
          writeFileSync(path.join(mount, 'mounted'), '')
          writeFileSync(path.join(folder, 'go'), '')
        },
      },
    )
    expect(JSON.stringify(content)).toContain('Read-only file system')
    expect(existsSync(path.join(mount, 'mounted'))).toBe(true)
    expect(existsSync(path.join(mount, 'new'))).toBe(false)
  })

  test('cannot use all of the memory for temporary files, and cannot write to devices', async () => {
    const { output } = await run('df -k --output=size /tmp /var/tmp /dev/shm /run; touch /dev/new')
    expect(output).toMatch(/(?: *65536\n){4}/)
    expect(output).toContain("cannot touch '/dev/new'")
  })

  test('has an environment without secrets, also in /proc', async () => {
    const command = 'echo "[$SECRET_TOKEN]"; cat /proc/1/environ /proc/self/environ | tr "\\0" "\\n"'
    expect((await run(command, { inBox: false })).output).toContain('a secret')
    const { output } = await run(command)
    expect(output).toContain('[]')
    expect(output).not.toContain('a secret')
  })

  test('sees and reaches no process outside', async () => {
    const { output } = await run(`kill -0 ${process.pid} && echo reached; ls /proc | grep -c '^[0-9]'`)
    expect(output).not.toContain('\nreached\n')
    expect(Number(/\n(\d+)\n/.exec(output)?.[1])).toBeLessThan(10)
    expect((await run(`kill -0 ${process.pid} && echo reached`, { inBox: false })).output).toContain('\nreached\n')
  })

  test('leaves nothing running', async () => {
    const mark = `98765.${process.pid}`
    await run(`setsid sleep ${mark} & nohup sleep ${mark} & echo`)
    expect(spawnSync('pgrep', ['-f', `sleep ${mark}`]).status).toBe(1)
  })

  test('cannot become somebody else, or get a namespace of its own', async () => {
    const { output } = await run(
      'grep -E "NoNewPrivs|CapEff|CapBnd" /proc/self/status; unshare -Ur true; mount -t tmpfs x /mnt',
    )
    expect(output).toMatch(/CapEff:\t0+\n/)
    expect(output).toMatch(/CapBnd:\t0+\n/)
    expect(output).toMatch(/NoNewPrivs:\t1/)
    expect(output).toMatch(/unshare.*(?:No space left|not permitted)/)
    expect(output).toMatch(/mount: .*(?:permission denied|must be superuser)/)
  })

  test('has no terminal to type into', async () => {
    expect((await run('tty; echo x > /dev/tty')).output).toMatch(/not a tty[^]*No such device/)
  })

  test('with 100 kB, quotes and several lines runs as it is', async () => {
    const long = 'x'.repeat(100_000)
    expect((await run(`echo ${long} | wc -c`)).output).toContain('\n100001\n')
    expect((await run(`cat <<'E'\nit's "\${HOME}" \\ $(no)\nE\necho 'a'"b"`)).output).toContain(
      `\nit's "\${HOME}" \\ $(no)\nab\n`,
    )
  })

  test('runs beside twenty others', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, (_, at) => run(`echo number ${at}`)))
    expect(all.map(({ output }) => /\nnumber (\d+)\n/.exec(output)?.[1])).toEqual(all.map((_, at) => String(at)))
  })

  test('that is stopped ends with all that it started', async () => {
    const mark = `98766.${process.pid}`
    const stop = new AbortController()
    const tools = createLocalTools({ folder, env, readBox: machineReadBox })
    const ran = tools.run(
      'bash',
      { command: `echo begun; sleep ${mark} & sleep ${mark}` },
      { box: { kind: 'reading', git: null }, signal: stop.signal, onProgress: () => stop.abort() },
    )
    expect((await ran).content).toMatchObject([{ text: expect.stringContaining('[exit -1]') }])
    expect(spawnSync('pgrep', ['-f', `sleep ${mark}`]).status).toBe(1)
  })

  describe.skipIf(!python)('that is a program of its own', () => {
    test('reaches no server here, neither by TCP nor by a socket in a folder', async () => {
      const server = createServer(socket => socket.end('reached')).listen(0, '127.0.0.1')
      const local = createServer(socket => socket.end('reached')).listen(path.join(home, 'agent.sock'))
      const abstract = createServer(socket => socket.end('reached')).listen(`\0zotui-box-${process.pid}`)
      onTestFinished(() => void [server, local, abstract].map(each => each.close()))
      await Promise.all([server, local, abstract].map(async each => each.listening || once(each, 'listening')))
      const { port } = server.address() as { port: number }
      const addresses = [
        `socket.AF_INET, ('127.0.0.1', ${port})`,
        `socket.AF_UNIX, '${home}/agent.sock'`,
        `socket.AF_UNIX, '\\0zotui-box-${process.pid}'`,
      ]
      for (const address of addresses) {
        const [family, ...where] = address.split(', ')
        const { inside, outside } = await attempts(
          `import socket\ns = socket.socket(${family})\ns.connect(${where.join(', ')})\nprint(s.recv(9).decode())`,
        )
        expect(outside.output).toContain('\nreached\n')
        expect(inside.output).toContain('Operation not permitted')
      }
    })

    test('may use no system call that reaches keys, other processes, or files past their folders', async () => {
      const calls =
        process.arch === 'x64'
          ? { keyctl: 250, ptrace: 101, io_uring_setup: 425, bpf: 321 }
          : { keyctl: 219, ptrace: 117, io_uring_setup: 425, bpf: 280 }
      for (const number of Object.values(calls)) {
        const { inside } = await attempts(
          `import ctypes, os\nlibc = ctypes.CDLL(None, use_errno=True)\nprint(libc.syscall(${number}, 0, 0, 0, 0), os.strerror(ctypes.get_errno()))`,
        )
        expect(inside.output).toContain('-1 Operation not permitted')
      }
    })

    test('types nothing into a terminal, not even one of its own', async () => {
      const { inside } = await attempts(
        `import fcntl, os, pty, termios\nm, s = os.openpty()\nos.setsid() if os.getpid() != os.getsid(0) else None\nfcntl.ioctl(s, termios.TIOCSTI, b'x')`,
      )
      expect(inside.output).toContain('Operation not permitted')
    })
  })
})

const bwrap = spawnSync('/bin/sh', ['-c', 'command -v bwrap'], { encoding: 'utf8' }).stdout.trim()

describe.skipIf(!canBox || bwrap === '' || process.getuid?.() !== 0)('an ordinary user', () => {
  const nobody = { uid: 65_534, gid: 65_534 }
  const project = mkdtempSync('/var/tmp/zotui-nobody-')
  chmodSync(project, 0o777)
  afterAll(() => rmSync(project, { recursive: true, force: true }))

  /** The same box, started as that user. */
  function attempt(command: string): string {
    const filter = path.join(top, 'filter')
    writeFileSync(filter, seccompFilter(process.arch as Processor, { sockets: false }))
    const input = openSync(filter, 'r')
    const policy = { ...readPolicy(project, { PATH: process.env['PATH'], HOME: project }), closed: [] }
    const { stdout, stderr } = spawnSync(
      bwrap,
      [...readArguments(policy), '--seccomp', '3', '--', '/bin/sh', '-c', command],
      {
        ...nobody,
        cwd: project,
        stdio: ['ignore', 'pipe', 'pipe', input],
        encoding: 'utf8',
        env: { PATH: process.env['PATH'] },
      },
    )
    closeSync(input)
    return stdout + stderr
  }

  // A system may allow boxes to root only.
  test.skipIf(attempt('echo works') !== 'works\n')('has the same box', () => {
    expect(attempt('id -u; echo read')).toBe('65534\nread\n')
    expect(attempt('touch new')).toContain('Read-only file system')
    expect(existsSync(path.join(project, 'new'))).toBe(false)
    expect(attempt('unshare -Ur true')).toContain('unshare failed')
    expect(attempt('cat /proc/self/status')).toMatch(/CapEff:\t0+\n/)
    expect(attempt(`bash -c 'echo >/dev/tcp/127.0.0.1/1'`)).toContain('Operation not permitted')
  })
})

/** A bubblewrap that fails with these words as long as there is a certain file. */
function failing(name: string, words: string): { environment: NodeJS.ProcessEnv; flag: string } {
  const bin = path.join(top, name)
  mkdirSync(bin, { recursive: true })
  const flag = path.join(bin, 'fails')
  const script = `#!/bin/sh\nif [ "$1" != --version ] && [ -e ${flag} ]; then echo 'bwrap: ${words}' >&2; exit 1; fi\nexec ${bwrap} "$@"\n`
  writeFileSync(path.join(bin, 'bwrap'), script, { mode: 0o755 })
  return { environment: { ...env, PATH: `${bin}:${env['PATH']}` }, flag }
}

describe('where no box can be made', () => {
  test('the command runs as the permissions allow, and a line says why, once', async () => {
    const environment = { ...env, PATH: path.join(top, 'no-programs') }
    const first = await run('echo hello', { environment, isBoxed: false })
    const second = await run('echo hello', { environment, isBoxed: false })
    expect([first.output, second.output].every(text => text.includes('\nhello\n'))).toBe(true)
    expect([...first.warnings, ...second.warnings]).toEqual([
      'Commands that only read run without a box: bubblewrap is not installed; install the package bubblewrap. They run as the permissions allow.',
    ])
  })

  test.skipIf(!canBox)('a program of the project that is called bwrap is not taken for it', async () => {
    const bin = path.join(folder, 'bin')
    mkdirSync(bin, { recursive: true })
    writeFileSync(path.join(bin, 'bwrap'), `#!/bin/sh\ntouch ${folder}/ran-bwrap\n`, { mode: 0o755 })
    await run('echo hello', { environment: { ...env, PATH: `${bin}:${env['PATH']}` } })
    expect(existsSync(path.join(folder, 'ran-bwrap'))).toBe(false)
  })

  test.skipIf(!canBox)(
    'a bubblewrap that fails with the command runs nothing, and its words are the result',
    async () => {
      const { environment, flag } = failing('later', 'no namespaces left')
      expect((await run('echo hello', { environment })).output).toContain('\nhello\n')
      writeFileSync(flag, '')
      const { output } = await run('echo hello', { environment })
      expect(output).toContain('the box could not be made: bwrap: no namespaces left')
      expect(output).not.toContain('\nhello\n')
    },
  )

  test.skipIf(!canBox)(
    'one that fails at its first try for a reason that may pass runs nothing, and is tried again',
    async () => {
      const { environment, flag } = failing('busy', 'Resource temporarily unavailable')
      writeFileSync(flag, '')
      const first = await run('echo hello', { environment })
      expect(first.output).toBe('the box could not be made: bwrap: Resource temporarily unavailable')
      rmSync(flag)
      expect((await run('echo hello', { environment })).output).toContain('\nhello\n')
    },
  )

  test.skipIf(!canBox)('a system that does not allow boxes is told from that', async () => {
    const { environment, flag } = failing('refused', 'setting up uid map: Permission denied')
    writeFileSync(flag, '')
    const { warnings } = await run('echo hello', { environment, isBoxed: false })
    expect(warnings).toEqual([
      expect.stringContaining('bwrap: setting up uid map: Permission denied; user namespaces may be off'),
    ])
  })

  test.skipIf(!canBox)('a stop does not wait for a bubblewrap that hangs', async () => {
    const bin = path.join(top, 'hangs')
    mkdirSync(bin)
    const script = `#!/bin/sh\n[ "$1" = --version ] && exec ${bwrap} "$@"\nexec sleep 30\n`
    writeFileSync(path.join(bin, 'bwrap'), script, { mode: 0o755 })
    const environment = { ...env, PATH: `${bin}:${env['PATH']}` }
    const tools = createLocalTools({ folder, env: environment, readBox: machineReadBox })
    const stop = new AbortController()
    const ran = tools.run(
      'bash',
      { command: 'echo hello' },
      { box: { kind: 'reading', git: null }, signal: stop.signal },
    )
    stop.abort()
    const { content } = await ran
    expect(JSON.stringify(content)).toContain('aborted')
  })
})
