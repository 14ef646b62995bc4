/**
 * Attacks by commands that may write the project: on what is outside of it, on what decides what runs later, and on the box itself. Outside
 * of the box each of them succeeds, where that is harmless; in the box nothing outside changes.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import process from 'node:process'
import { describe, expect, onTestFinished, test } from 'vitest'
import { snapshot } from '../helpers/folder-snapshot.ts'
import { writeStage, type WriteStage } from '../helpers/write-box-stage.ts'
import { canBox } from '../helpers/can-box.ts'

const python = spawnSync('python3', ['--version']).status === 0

/** A neighbour of the project, what a person has at home, and protected files in the project. */
function furnish({ home, folder, top }: WriteStage): void {
  for (const file of ['.bashrc', '.ssh/id', 'other/secret.txt', 'other/.git/config'])
    mkdirSync(path.dirname(path.join(home, file)), { recursive: true })
  for (const file of ['.bashrc', '.ssh/id', 'other/secret.txt', 'other/.git/config'])
    writeFileSync(path.join(home, file), `before of ${file}\n`)
  mkdirSync(path.join(folder, '.vscode'))
  mkdirSync(path.join(folder, '.claude'))
  mkdirSync(path.join(folder, 'sub'))
  for (const file of ['.envrc', '.mcp.json', '.vscode/settings.json', '.claude/settings.json', 'sub/b.txt'])
    writeFileSync(path.join(folder, file), '{}\n')
  writeFileSync(path.join(top, 'evil'), `#!/bin/sh\necho ran >> ${top}/ran\n`, { mode: 0o755 })
}

/** What may not change: all that is outside of the project, and in it what decides what runs later. */
function kept({ top, folder, caches }: WriteStage): string {
  const decisive = ['.git/hooks', '.git/config', '.git/info', '.envrc', '.mcp.json', '.vscode', '.claude']
  return snapshot([top, ...decisive.map(name => path.join(folder, name))], [folder, caches])
}

type Attack = [name: string, command: string]

const attacks: readonly Attack[] = [
  ['a startup file', 'echo evil >> $REAL/.bashrc'],
  ['a new startup file', 'echo evil > $REAL/.zshenv'],
  ['a key', 'echo evil > $REAL/.ssh/authorized_keys'],
  ['the neighbour of the project', 'echo evil > ../other/secret.txt'],
  ['the settings of a neighbour repository', 'echo evil >> $REAL/other/.git/config'],
  ['a neighbour, removed', 'rm -rf ../other'],
  ['a neighbour, renamed', 'mv ../other ../others'],
  ['the mode of a neighbour', 'chmod -R 777 ../other'],
  ['the project, renamed', 'mv $PROJECT $PROJECT-2'],
  ['a link out of the project', 'ln -s ../other/secret.txt link; echo evil > link'],
  ['a folder that is a link out', 'ln -s ../other out; echo evil > out/secret.txt'],
  ['a new hard link to a file outside', 'ln ../other/secret.txt hard; echo evil > hard'],
  ['the root of a process', 'echo evil > /proc/self/root/$REAL/other/secret.txt'],
  ['the folder of a process', 'echo evil > /proc/self/cwd/../other/secret.txt'],
  ['the root of another process', 'for p in /proc/[0-9]*; do echo evil > $p/root/$REAL/other/secret.txt; done'],
  ['a folder between', 'cd sub; echo evil > ../../other/secret.txt'],
  ['a rename out of the project', 'mv a.txt ../a.txt'],
  [
    'an archive with a path out',
    'tar -cPf x.tar ../other/secret.txt; echo evil > a.txt; tar -xPf x.tar; cp a.txt ../other/secret.txt',
  ],
  ['a hook', 'cp $EVIL .git/hooks/pre-commit'],
  ['a hook that is a link', 'ln -s $EVIL .git/hooks/pre-commit'],
  ['the folder of hooks, replaced', 'rm -rf .git/hooks; mkdir .git/hooks; cp $EVIL .git/hooks/pre-commit'],
  ['the folder of hooks, renamed', 'mv .git/hooks .git/h; mkdir .git/hooks; cp $EVIL .git/hooks/pre-commit'],
  ['the folder of hooks, a link', 'rm -rf .git/hooks; ln -s .. .git/hooks'],
  ['the mode of the hooks', 'chmod 777 .git/hooks'],
  ['.git, replaced', 'mv .git x; cp -r x .git; cp $EVIL .git/hooks/pre-commit'],
  ['.git, removed', 'rm -rf .git; git init -q; cp $EVIL .git/hooks/pre-commit'],
  [
    '.git, exchanged',
    'cp -r .git x; cp $EVIL x/hooks/pre-commit; mv -T --exchange x .git || { mv .git y && mv x .git; }',
  ],
  ['a monitor of files', 'git config core.fsmonitor $EVIL'],
  ['a path of hooks', 'git config core.hooksPath sub'],
  ['the settings, replaced', 'cp .git/config c; echo "[core] fsmonitor = $EVIL" >> c; mv c .git/config'],
  ['the settings, through a link', 'ln -s .git/config c; echo evil >> c'],
  ['the settings, through a hard link', 'ln .git/config c; echo evil >> c'],
  ['attributes with a filter', 'mkdir -p .git/info; echo "* filter=x" > .git/info/attributes'],
  [
    'the folder of attributes, replaced',
    'mv .git/info .git/i; mkdir .git/info; echo "* filter=x" > .git/info/attributes',
  ],
  ['.envrc', 'echo evil > .envrc'],
  ['.envrc, replaced', 'echo evil > e; mv e .envrc'],
  ['.envrc, removed', 'rm -f .envrc'],
  ['the settings of an editor', 'echo evil > .vscode/tasks.json'],
  ['the folder of an editor, replaced', 'mv .vscode v; mkdir .vscode; echo evil > .vscode/tasks.json'],
  ['the servers of agents', 'echo evil > .mcp.json'],
  ['the hooks of an agent', 'echo evil > .claude/settings.json'],
]

describe.skipIf(!canBox)('in the box for writing, nothing outside changes by', () => {
  test.each(attacks)('%s', async (_, command) => {
    const changes: boolean[] = []
    for (const inBox of [false, true]) {
      const stage = writeStage()
      furnish(stage)
      const before = kept(stage)
      const names = `REAL='${stage.home}'; PROJECT='${stage.folder}'; EVIL='${stage.top}/evil'; export GIT_CONFIG_GLOBAL=/dev/null\n`
      await stage.run(names + command, { inBox })
      changes.push(kept(stage) !== before)
    }
    expect(changes).toEqual([true, false])
  })

  test('an old hard link is written through, as is known', async () => {
    const stage = writeStage()
    furnish(stage)
    linkSync(path.join(stage.home, 'other/secret.txt'), path.join(stage.folder, 'old'))
    await stage.run('echo changed > old')
    expect(readFileSync(path.join(stage.home, 'other/secret.txt'), 'utf8')).toBe('changed\n')
  })
})

describe.skipIf(!canBox)('in the box for writing, a repository', () => {
  test('whose hooks are a link can be read only', async () => {
    const stage = writeStage()
    mkdirSync(path.join(stage.top, 'hooks'))
    spawnSync('rm', ['-rf', path.join(stage.folder, '.git/hooks')])
    symlinkSync(path.join(stage.top, 'hooks'), path.join(stage.folder, '.git/hooks'))
    const { output } = await stage.run(
      'git log --oneline | wc -l; rm .git/hooks; mkdir .git/hooks; git commit --allow-empty -qm x',
    )
    expect(output).toContain('1\n')
    expect(output).toContain('Read-only file system')
    expect(stage.git('log', '--oneline').split('\n')).toHaveLength(2)
  })

  test('without hooks and information gets none', async () => {
    const stage = writeStage()
    spawnSync('rm', ['-rf', path.join(stage.folder, '.git/hooks'), path.join(stage.folder, '.git/info')])
    await stage.run(
      'cp /bin/true .git/hooks/pre-commit; echo "* filter=x" > .git/info/attributes; echo x > .git/config.worktree',
    )
    expect(
      spawnSync('find', [path.join(stage.folder, '.git/hooks'), path.join(stage.folder, '.git/info'), '-type', 'f'], {
        encoding: 'utf8',
      }).stdout,
    ).toBe('')
    expect(stage.git('status', '--porcelain')).toBe('')
  })

  test('of a linked worktree can be written, and its main tree cannot', async () => {
    const stage = writeStage()
    const main = stage.folder
    const linked = path.join(stage.home, 'linked')
    stage.git('worktree', 'add', '-q', linked)
    const evil =
      'echo x > .git; mv .git y; git config a.b c; echo x > ../project/a.txt; touch ../project/new; echo x > ../project/.git/hooks/pre-commit; echo / > ../project/.git/worktrees/linked/commondir'
    const { output } = await stage.run(
      `echo b > b.txt; git add -A; git commit -qm second && git log --oneline | wc -l; ${evil}`,
      { at: linked },
    )
    expect(output).toMatch(/^2\n/)
    expect(readFileSync(path.join(main, 'a.txt'), 'utf8')).toBe('one\n')
    expect(existsSync(path.join(main, 'new'))).toBe(false)
    expect(existsSync(path.join(main, '.git/hooks/pre-commit'))).toBe(false)
    expect(readFileSync(path.join(linked, '.git'), 'utf8')).toBe(`gitdir: ${main}/.git/worktrees/linked\n`)
    expect(readFileSync(path.join(main, '.git/worktrees/linked/commondir'), 'utf8')).toBe('../..\n')
    expect(stage.git('config', '--local', '--list')).not.toContain('a.b')
  })

  test('that a file .git only claims is not opened', async () => {
    const stage = writeStage({ isRepository: false })
    const other = path.join(stage.home, 'other')
    spawnSync('git', ['init', '-q', other])
    writeFileSync(path.join(stage.folder, '.git'), `gitdir: ${other}/.git\n`)
    const { output } = await stage.run(`ls ${other}; git status; echo x > ${other}/.git/hooks/pre-commit`)
    expect(output).toMatch(/No such file[^]*not a git repository/)
    expect(existsSync(path.join(other, '.git/hooks/pre-commit'))).toBe(false)
  })

  test('that is the project itself, without a tree, keeps its hooks and settings', async () => {
    const stage = writeStage({ isRepository: false })
    const bare = path.join(stage.home, 'bare.git')
    spawnSync('git', ['init', '-q', '--bare', bare])
    const { output } = await stage.run(
      'cp /bin/true hooks/post-update; git config a.b c; mv hooks h; git branch -a; touch x',
      { at: bare },
    )
    expect(output).toMatch(/Read-only[^]*busy[^]*busy/)
    expect([stage.has(`${bare}/hooks/post-update`), stage.has(`${bare}/x`)]).toEqual([false, true])
  })

  test('around a subfolder can be written, and its other files cannot', async () => {
    const stage = writeStage()
    mkdirSync(path.join(stage.folder, 'sub'))
    writeFileSync(path.join(stage.folder, 'sub/b.txt'), 'b')
    const { output } = await stage.run(
      'git add -A; git commit -qm second; git log --oneline | wc -l; echo x > ../a.txt; touch ../new; mv ../.git ../x; touch ../.git/hooks/x',
      { at: path.join(stage.folder, 'sub') },
    )
    expect(output).toMatch(/^2\n/)
    expect(stage.git('status', '--porcelain')).toBe('')
    expect(stage.has('.git/hooks/x')).toBe(false)
  })

  test('of a submodule keeps its settings and hooks, in the project and as the project', async () => {
    const stage = writeStage()
    const library = path.join(stage.home, 'library')
    spawnSync('sh', ['-c', `git init -q ${library} && cd ${library} && git commit -q --allow-empty -m x`], {
      env: stage.env,
    })
    stage.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', library, 'libs/a')
    stage.git('commit', '-qm', 'submodule')
    const own = path.join(stage.folder, '.git/modules/libs/a')
    const evil = `git config core.fsmonitor x; cp /bin/true ${own}/hooks/pre-commit; mv ${own} ${own}-2; mv ${path.dirname(own)} ${own}-3`
    for (const at of [stage.folder, path.join(stage.folder, 'libs/a')]) {
      const { output } = await stage.run(
        `cd ${stage.folder}/libs/a && git commit -q --allow-empty -m more && git log --oneline | wc -l; ${evil}`,
        { at },
      )
      expect(output).toMatch(at === stage.folder ? /^2\n/ : /^3\n/)
    }
    expect(existsSync(path.join(own, 'hooks/pre-commit'))).toBe(false)
    expect(readFileSync(path.join(own, 'config'), 'utf8')).not.toContain('fsmonitor')
  })

  test('keeps the hooks and the settings that its own settings name', async () => {
    const stage = writeStage()
    mkdirSync(path.join(stage.folder, 'tools/hooks'), { recursive: true })
    writeFileSync(path.join(stage.folder, 'tools/git'), '')
    stage.git('config', 'core.hooksPath', 'tools/hooks')
    stage.git('config', 'include.path', '../tools/git')
    await stage.run(
      'cp /bin/true tools/hooks/pre-commit; echo x > tools/git; mv tools t; mkdir -p tools/hooks; cp /bin/true tools/hooks/pre-commit; echo more > tools/other',
    )
    expect([stage.has('tools/hooks/pre-commit'), stage.has('tools/other')]).toEqual([false, true])
    expect(readFileSync(path.join(stage.folder, 'tools/git'), 'utf8')).toBe('')
  })
})

describe.skipIf(!canBox)('in the box for writing', () => {
  test('no secret is seen: in the home folder, in what is hidden, in the settings of git, in the environment', async () => {
    const stage = writeStage()
    furnish(stage)
    const hidden = path.join(stage.folder, 'sub')
    writeFileSync(
      path.join(stage.home, '.gitconfig'),
      '[user]\n\tname = me\n[url "https://a-secret@example.com/"]\n\tinsteadOf = x\n[http]\n\textraHeader = a-secret\n[credential]\n\thelper = store\n',
    )
    const environment = { ...stage.env, API_KEY: 'a-secret', SSH_AUTH_SOCK: '/tmp/a-secret' }
    const command = `cat ${stage.home}/.ssh/id ${stage.home}/other/secret.txt ${hidden}/b.txt; env; cat ~/.gitconfig; cat /proc/[0-9]*/environ | tr '\\0' '\\n'; git config user.name`
    const options = { environment, hide: [hidden] }
    expect((await stage.run(command, { ...options, inBox: false })).output).toMatch(/before of \.ssh\/id[^]*a-secret/)
    const { output } = await stage.run(command, options)
    expect(output).not.toMatch(/before of|a-secret/)
    expect(output).toMatch(/Permission denied[^]*me\n$/)
  })

  test('no process outside is seen, reached or ended', async () => {
    const { run } = writeStage()
    const other = spawn('sleep', ['600'], { stdio: 'ignore' })
    onTestFinished(() => void other.kill('SIGKILL'))
    const { output } = await run(`kill -9 ${other.pid}; kill -9 -1; ls /proc/${other.pid}; ls -d /proc/[0-9]* | wc -l`)
    expect(other.signalCode).toBeNull()
    expect(output).toMatch(/No such (?:process|file)/)
  })

  test('no right can be won: by a program with setuid, a namespace, a mount or another root', async () => {
    const { run } = writeStage()
    const { output } = await run(
      `grep -E 'CapEff|CapBnd|NoNewPrivs' /proc/self/status
for line in 'unshare -Ur true' 'unshare -m true' 'mount -t tmpfs x /mnt' 'mount -o remount,rw /' 'mount --bind /tmp /etc' 'umount .git/hooks' 'pivot_root . .' 'chroot / true' 'nsenter -t 1 -m true' 'su -c id nobody' 'mknod d b 254 0'; do
  $line >/dev/null 2>&1 && echo "could: $line"
done`,
    )
    expect(output).toMatch(/^CapEff:\t0+\nCapBnd:\t0+\nNoNewPrivs:\t1\n$/m)
    expect(output).not.toContain('could')
  })

  test('no setting of the kernel can be written', async () => {
    const { run } = writeStage()
    const files =
      '/proc/sys/kernel/core_pattern /proc/sys/kernel/modprobe /proc/sys/vm/drop_caches /proc/sysrq-trigger /proc/self/oom_score_adj'
    const { output } = await run(
      `for f in ${files}; do (: >> $f) 2>/dev/null && echo "opened $f"; done; find /sys /proc/sys -writable -type f 2>/dev/null | head -3`,
    )
    expect(output).not.toContain('opened')
    const outside = await run(`(: >> /proc/sys/kernel/core_pattern) && echo opened`, { inBox: false })
    expect(outside.output.includes('opened')).toBe(process.getuid?.() === 0)
  })

  test('no terminal is there, and no device of the machine', async () => {
    const { run } = writeStage()
    const { output } = await run('tty; echo x > /dev/tty; ls /dev | grep -cE "^(sd|vd|nvme|kvm|fuse|mem)"')
    expect(output).toMatch(/not a tty[^]*No such device[^]*\n0\n$/)
  })

  test('links in its own home folder and temporary files lead no later box out', async () => {
    for (const at of [undefined, `/tmp/zotui-deep-${process.pid}/x/project`]) {
      const stage = writeStage(at === undefined ? {} : { at })
      onTestFinished(() => void spawnSync('rm', ['-rf', `/tmp/zotui-deep-${process.pid}`]))
      const program = path.join(stage.home, '.nvm')
      mkdirSync(program)
      mkdirSync(path.join(stage.home, '.cargo/bin'), { recursive: true })
      mkdirSync(path.join(stage.home, 'victim/.cargo/bin'), { recursive: true })
      const before = kept(stage)
      const out = `../../../../../../oldroot${stage.home}`
      const { output } = await stage.run(
        `cd ~; rm -rf .nvm .cargo .gitconfig; ln -s ${out}/new .nvm; ln -s ${out}/new2 .cargo; ln -s ${out}/new3 .gitconfig; rm -rf /tmp/zotui-deep-*; ln -s ${out}/new4 /tmp/zotui-deep-${process.pid}; mv /tmp/* /tmp/x; ls -la ~`,
      )
      expect(output).toContain('busy')
      expect((await stage.run('echo works')).output).toBe('works\n')
      expect(kept(stage)).toBe(before)
    }
  })

  test('modes that a command gives to its own folders stop no later box', async () => {
    const { run } = writeStage()
    await run('chmod 000 /tmp ~ ~/project; mkdir -p ~/x; chmod 000 ~')
    expect((await run('echo works > /tmp/x && cat /tmp/x')).output).toBe('works\n')
  })

  test('nothing is left when the command ends, is stopped, or zotui is killed', async () => {
    const stage = writeStage()
    const mark = `98767.${process.pid}`
    await stage.run(`setsid sleep ${mark} & nohup sleep ${mark} & (sleep ${mark} &) ; echo`)
    expect(spawnSync('pgrep', ['-f', `sleep ${mark}`]).status).toBe(1)
    const script = path.join(stage.top, 'killed.mts')
    writeFileSync(
      script,
      `import { runShell } from '${process.cwd()}/src/platform/shell/run.ts'
import { writeBox } from '${process.cwd()}/src/sandbox/write-box.ts'
const box = await writeBox(${JSON.stringify({ folder: stage.folder, write: [], hide: [], caches: stage.caches, env: stage.env })}, null)
runShell({ command: 'setsid sleep ${mark} & echo begun; touch begun; sleep ${mark}', cwd: '/', env: process.env, shell: '/bin/sh', box, limitBytes: 100, onOutput: text => process.stdout.write(text) })`,
    )
    const zotui = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(zotui.stdout, 'data')
    expect(spawnSync('pgrep', ['-f', `sleep ${mark}`]).status).toBe(0)
    zotui.kill('SIGKILL')
    await once(zotui, 'exit')
    await expect.poll(() => spawnSync('pgrep', ['-f', `sleep ${mark}`]).status).toBe(1)
    expect(stage.git('status', '--porcelain')).toBe('?? begun\n')
  })

  test('two hundred commands at once are all held', { timeout: 120_000 }, async () => {
    const stage = writeStage()
    furnish(stage)
    const before = kept(stage)
    const all = await Promise.all(
      Array.from({ length: 200 }, (_, at) =>
        stage.run(`echo ${at} > n${at}; echo evil >> ${stage.home}/.bashrc; echo x > .envrc; echo number ${at}`),
      ),
    )
    expect(all.map(({ output }) => /^number (\d+)$/m.exec(output)?.[1])).toEqual(all.map((_, at) => String(at)))
    expect(kept(stage)).toBe(before)
  })

  test('a protected file that appears while a box is open is held by none until it has ended', async () => {
    const stage = writeStage()
    const first = stage.run('until [ -e go ]; do sleep 0.02; done')
    await expect.poll(() => spawnSync('pgrep', ['-f', 'until . -e go']).status).toBe(0)
    writeFileSync(path.join(stage.folder, '.envrc'), 'x')
    expect((await stage.run('echo y > .envrc')).exitCode).toBe(0)
    writeFileSync(path.join(stage.folder, 'go'), '')
    await first
    expect((await stage.run('echo z > .envrc')).output).toContain('Read-only file system')
  })

  test('folders of the system are refused', async () => {
    const { run } = writeStage()
    for (const at of ['/', '/tmp', '/etc', '/proc', '/var'])
      await expect(run('true', { at })).rejects.toThrow(`a box cannot hold commands that may write in ${at}:`)
    await expect(run('true', { write: ['/'] })).rejects.toThrow('may write in /:')
  })
})

/** Runs Python in the box and outside of it. */
async function attempts(stage: WriteStage, code: string) {
  writeFileSync(path.join(stage.folder, 'attempt.py'), code)
  return {
    inside: (await stage.run('python3 attempt.py')).output,
    outside: (await stage.run('python3 attempt.py', { inBox: false })).output,
  }
}

describe.skipIf(!canBox || !python)('in the box for writing, a program', () => {
  test(
    'reaches no server: by TCP, by sockets of agents and of the desktop, or abstract',
    { timeout: 120_000 },
    async () => {
      const stage = writeStage()
      mkdirSync(path.join(stage.home, '.docker/run'), { recursive: true })
      mkdirSync(path.join(stage.home, 'other'))
      mkdirSync(path.join(stage.home, '.nvm'))
      const unique = `zotui-box-${process.pid}`
      const beside = `/opt/${unique}`
      const runs = process.getuid?.() === 0
      if (runs) mkdirSync(beside)
      onTestFinished(() => void spawnSync('rm', ['-rf', beside, `/tmp/${unique}`, `/run/${unique}`]))
      const files = [
        `${stage.home}/.docker/run/docker.sock`,
        `${stage.home}/other/a.sock`,
        `${stage.home}/.nvm/a.sock`,
        `${stage.folder}/a.sock`,
        `${stage.folder}/.git/a.sock`,
        `/tmp/${unique}`,
        ...(runs ? [`${beside}/a.sock`, `/run/${unique}`] : []),
      ]
      const servers = [...files, `\0${unique}`].map(file => createServer(socket => socket.end('reached')).listen(file))
      const tcp = createServer(socket => socket.end('reached')).listen(0, '127.0.0.1')
      onTestFinished(() => void [...servers, tcp].map(each => each.close()))
      await Promise.all([...servers, tcp].map(async each => each.listening || once(each, 'listening')))
      for (const file of files) chmodSync(file, 0o777)
      const { port } = tcp.address() as { port: number }
      const addresses = [...files, `\\0${unique}`].map(file => `(socket.AF_UNIX, '${file}')`)
      const { inside, outside } = await attempts(
        stage,
        `import socket
for family, address in [${addresses.join(', ')}, (socket.AF_INET, ('127.0.0.1', ${port}))]:
    s = socket.socket(family)
    try:
        s.connect(address); print(s.recv(9).decode())
    except OSError as e: print(e.strerror)`,
      )
      expect(outside).toBe('reached\n'.repeat(addresses.length + 1))
      expect(inside).not.toContain('reached')
      expect(inside.trim().split('\n')).toHaveLength(addresses.length + 1)
    },
  )

  test('may use no system call that reaches keys, other processes, or files past their folders', async () => {
    const calls =
      process.arch === 'x64'
        ? {
            keyctl: 250,
            add_key: 248,
            ptrace: 101,
            process_vm_writev: 311,
            io_uring_setup: 425,
            bpf: 321,
            open_by_handle_at: 304,
            userfaultfd: 323,
          }
        : {
            keyctl: 219,
            add_key: 217,
            ptrace: 117,
            process_vm_writev: 271,
            io_uring_setup: 425,
            bpf: 280,
            open_by_handle_at: 265,
            userfaultfd: 282,
          }
    const { inside } = await attempts(
      writeStage(),
      `import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
for n in [${Object.values(calls).join(', ')}]: print(libc.syscall(n, 0, 0, 0, 0, 0), os.strerror(ctypes.get_errno()))`,
    )
    expect(inside).toBe('-1 Operation not permitted\n'.repeat(Object.keys(calls).length))
  })

  test('writes to no memory but its own, and types into no terminal', async () => {
    const { inside, outside } = await attempts(
      writeStage(),
      `import fcntl, os, pty, termios
pid = os.getppid()
try: open(f'/proc/{pid}/mem', 'r+b'); print('memory')
except OSError as e: print(e.strerror)
m, s = os.openpty()
try: fcntl.ioctl(s, termios.TIOCSTI, b'x'); print('typed')
except OSError as e: print(e.strerror)`,
    )
    expect(inside).toBe('Read-only file system\nOperation not permitted\n')
    expect(outside).not.toBe(inside)
  })
})
