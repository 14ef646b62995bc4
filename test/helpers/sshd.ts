/** A real sshd on this machine's loopback, with keys and settings of its own. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

/** Null where there is none: Debian's package is openssh-server. */
export const sshdPath = isOnlyNamedRoot()
  ? null
  : (['/usr/sbin/sshd', '/usr/local/sbin/sshd'].find(path => existsSync(path)) ?? null)

/** Whether this user is root in a namespace that has no other user: an sshd cannot change to its own there. */
function isOnlyNamedRoot(): boolean {
  const map = '/proc/self/uid_map'
  return process.getuid?.() === 0 && existsSync(map) && /^\s*0\s+\d+\s+1\s*$/.test(readFileSync(map, 'utf8'))
}

export type Sshd = {
  /** The folder with the program `ssh` that knows the host `far`. */
  bin: string
  /** Replaces the host key that the client knows by another one. */
  changeKnownKey: () => void
  forgetKey: () => void
  /** Lets nobody in any more. */
  refuseLogins: () => void
  stop: () => void
  /** Cuts the connections that there are, as a network does: what runs in them is not told. */
  cut: () => void
}

type Key = { name: string; secret: string; known: string }

/** Made once. */
let keys: Key[] | undefined

function makeKey(name: string, path: string): Key {
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', path])
  return { name, secret: readFileSync(path, 'utf8'), known: readFileSync(`${path}.pub`, 'utf8') }
}

/** Starts it; every session there gets these variables. `shares` lets the client share one connection. */
export async function startSshd(
  folder: string,
  variables: Readonly<Record<string, string>>,
  { shares = false } = {},
): Promise<Sshd> {
  const at = (name: string): string => join(folder, name)
  mkdirSync(folder, { recursive: true })
  // As root it wants an empty folder that only root may write to.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true })
  keys ??= ['host', 'user', 'other'].map(name => makeKey(name, at(name)))
  for (const { name, secret, known } of keys) {
    writeFileSync(at(name), secret, { mode: 0o600 })
    writeFileSync(at(`${name}.pub`), known)
  }
  writeFileSync(at('authorized'), readFileSync(at('user.pub')))
  const port = await freePort()
  const settings = Object.entries(variables).map(([name, value]) => `"${name}=${value}"`)
  writeFileSync(
    at('sshd_config'),
    [
      `Port ${port}`,
      'ListenAddress 127.0.0.1',
      `HostKey ${at('host')}`,
      `AuthorizedKeysFile ${at('authorized')}`,
      'PidFile none',
      'StrictModes no',
      'UsePAM no',
      'PasswordAuthentication no',
      'KbdInteractiveAuthentication no',
      'PermitRootLogin yes',
      'AcceptEnv *',
      `SetEnv ${settings.join(' ')}`,
      '',
    ].join('\n'),
  )
  const know = (key: string): void => {
    const [kind = '', text = ''] = readFileSync(at(`${key}.pub`), 'utf8').split(' ')
    writeFileSync(at('known_hosts'), `[127.0.0.1]:${port} ${kind} ${text}\n`)
  }
  know('host')
  const sharing = shares ? ['ControlMaster auto', `ControlPath ${at('c')}`, 'ControlPersist 5'] : []
  writeFileSync(
    at('ssh_config'),
    [
      'Host far',
      'HostName 127.0.0.1',
      `Port ${port}`,
      `User ${userInfo().username}`,
      `IdentityFile ${at('user')}`,
      'IdentitiesOnly yes',
      'IdentityAgent none',
      `UserKnownHostsFile ${at('known_hosts')}`,
      'GlobalKnownHostsFile /dev/null',
      'SendEnv *_API_KEY',
      ...sharing,
      '',
    ].join('\n'),
  )
  const bin = at('bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'ssh'), `#!/bin/sh\nexec /usr/bin/ssh -F '${at('ssh_config')}' "$@"\n`)
  chmodSync(join(bin, 'ssh'), 0o755)
  const server = spawn(sshdPath ?? '', ['-D', '-e', '-f', at('sshd_config')], { stdio: ['ignore', 'ignore', 'pipe'] })
  onTestFinished(() => void server.kill('SIGKILL'))
  await listening(server)
  return {
    bin,
    changeKnownKey: () => know('other'),
    forgetKey: () => writeFileSync(at('known_hosts'), ''),
    refuseLogins: () => writeFileSync(at('authorized'), ''),
    stop: () => void server.kill('SIGKILL'),
    cut: () => cutBelow(server.pid ?? 0),
  }
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
}

/** Kills what serves each connection, and no command in it. */
function cutBelow(server: number): void {
  const direct = childrenOf(server)
  const served = direct.flatMap(childrenOf).concat(direct)
  for (const pid of served.filter(each => readFileSync(`/proc/${each}/comm`, 'utf8').startsWith('sshd')))
    process.kill(pid, 'SIGKILL')
}

async function listening(server: ChildProcess): Promise<void> {
  const words: string[] = []
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.stderr?.on('data', (chunk: Buffer) => {
    words.push(chunk.toString())
    if (words.join('').includes('Server listening')) resolve()
  })
  server.on('exit', () => reject(new Error(`sshd ended: ${words.join('')}`)))
  await Promise.race([promise, setTimeout(10_000).then(() => Promise.reject(new Error(words.join(''))))])
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise(resolve => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('there is no free port')
  return address.port
}
