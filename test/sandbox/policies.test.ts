/** The arguments, profiles and filters of boxes, as they are handed to the system. */
import { expect, test } from 'vitest'
import { cleanEnvironment } from '../../src/sandbox/clean-environment.ts'
import { readArguments } from '../../src/sandbox/read-policy.ts'
import { readProfile, writeProfile } from '../../src/sandbox/seatbelt.ts'
import { isHeldName } from '../../src/sandbox/protected-names.ts'
import { namedFiles, withoutSecrets } from '../../src/sandbox/tool-places.ts'
import { writeArguments, type WritePolicy } from '../../src/sandbox/write-policy.ts'
import { seccompFilter } from '../../src/sandbox/seccomp.ts'

const folder = (path: string) => ({ path, isFolder: true })

/** The arguments that place something, each as one line. */
const placed = (policy: Parameters<typeof readArguments>[0]): string[] =>
  readArguments(policy)
    .join(' ')
    .split(/ (?=--)/)
    .filter(line => /^--(?:ro-bind|tmpfs|perms|dev|proc|remount-ro|chdir)/.test(line))

test('what lies in a closed folder, and is seen, is placed after it, and the way to it can be passed', () => {
  expect(
    placed({
      folder: '/home/me/.docker/app',
      seen: ['/home/me/.docker/app', '/home/me'],
      closed: [
        folder('/home/me/.docker/app/.aws'),
        folder('/home/me/.docker'),
        { path: '/home/me/.netrc', isFolder: false },
      ],
    }),
  ).toEqual([
    '--ro-bind / /',
    '--dev /dev',
    '--proc /proc',
    '--tmpfs /run',
    '--tmpfs /tmp',
    '--tmpfs /dev/shm',
    '--tmpfs /var/tmp',
    '--perms 0111',
    '--tmpfs /home/me/.docker',
    '--ro-bind /dev/null /home/me/.netrc',
    '--ro-bind /home/me/.docker/app /home/me/.docker/app',
    '--perms 0000',
    '--tmpfs /home/me/.docker/app/.aws',
    '--remount-ro /home/me/.docker/app/.aws',
    '--remount-ro /home/me/.docker',
    '--remount-ro /dev',
    '--remount-ro /proc',
    '--chdir /home/me/.docker/app',
  ])
})

test('a project is seen among temporary files, on a disk in /run, and as the whole file system', () => {
  for (const path of ['/tmp/app', '/run/media/me/disk/app', '/dev/shm/app'])
    expect(placed({ folder: path, seen: [path], closed: [] })).toContain(`--ro-bind ${path} ${path}`)
  expect(placed({ folder: '/', seen: ['/'], closed: [folder('/root/.ssh')] }).join(' ')).toMatch(
    /^--ro-bind \/ \/ --dev .*--perms 0000 --tmpfs \/root\/\.ssh/,
  )
})

test('on macOS the rule for a closed place stands before that of what is seen in it, and names are quoted', () => {
  const profile = readProfile({ seen: ['/Users/me/.docker/a "b" \\ c'], closed: [folder('/Users/me/.docker')] })
  expect(profile).toMatch(/^\(version 1\)\n\(deny default\)\n/)
  expect(profile.split('\n').slice(-2)).toEqual([
    '(deny file-read* (subpath "/Users/me/.docker"))',
    String.raw`(allow file-read* (subpath "/Users/me/.docker/a \"b\" \\ c"))`,
  ])
  expect(profile).not.toMatch(/allow (?:network|file-write\*)/)
})

const writing: WritePolicy = {
  places: new Map(),
  folder: '/home/me/work/app',
  own: [
    { path: '/tmp', from: '/caches/temporary' },
    { path: '/home/me', from: '/caches/home' },
  ],
  hidden: [],
  seen: ['/home/me/.nvm', '/home/me/.local/bin', '/usr/bin'],
  writable: ['/home/me/work/app', '/home/me/work/app/.git'],
  held: ['/home/me/work/app/.git/hooks', '/home/me/work/app/.vscode', '/home/me/work/app/tools/hooks'],
  absent: [{ path: '/home/me/work/app/.git/config.worktree', isFolder: false }],
  closed: [folder('/home/me/.ssh'), folder('/home/me/work/app/secret')],
  sockets: ['/srv/a.sock'],
  empty: '/caches/empty',
  copies: [{ path: '/home/me/.gitconfig', from: '/caches/settings-0' }],
}

test('what can be written, and the way to it, is a mount, and what is held lies in that', () => {
  const lines = writeArguments(writing, { hasNetwork: false })
    .join(' ')
    .split(/ (?=--)/)
  expect(lines.filter(line => /^--(?:bind|ro-bind|perms|unshare-net|remount)/.test(line))).toEqual([
    '--unshare-net',
    '--ro-bind / /',
    '--bind /caches/temporary /tmp',
    '--bind /caches/home /home/me',
    '--ro-bind /dev/null /srv/a.sock',
    '--bind /caches/home/.local /home/me/.local',
    '--bind /caches/home/work /home/me/work',
    '--ro-bind /home/me/.nvm /home/me/.nvm',
    '--ro-bind /caches/settings-0 /home/me/.gitconfig',
    '--ro-bind /home/me/.local/bin /home/me/.local/bin',
    '--bind /home/me/work/app /home/me/work/app',
    '--bind /home/me/work/app/tools /home/me/work/app/tools',
    '--perms 0000',
    '--bind /home/me/work/app/.git /home/me/work/app/.git',
    '--ro-bind /home/me/work/app/.vscode /home/me/work/app/.vscode',
    '--ro-bind /home/me/work/app/.git/hooks /home/me/work/app/.git/hooks',
    '--ro-bind /home/me/work/app/tools/hooks /home/me/work/app/tools/hooks',
    '--ro-bind /caches/empty /home/me/work/app/.git/config.worktree',
    '--remount-ro /home/me/work/app/secret',
    '--remount-ro /dev',
    '--remount-ro /proc',
  ])
  expect(writeArguments(writing, { hasNetwork: true })).not.toContain('--unshare-net')
})

test('on macOS what is held cannot be written, and no folder on the way to it can be renamed', () => {
  const lines = writeProfile(writing, null).split('\n')
  const at = (text: string): number => lines.findLastIndex(line => line === text)
  const app = '/home/me/work/app'
  const order = [
    `(deny file-read* (subpath "/home/me"))`,
    `(allow file-read* (subpath "${app}"))`,
    `(allow file-write* (subpath "${app}"))`,
    `(deny file-write-unlink file-write-create (literal "${app}"))`,
    `(allow file-write* (subpath "${app}/.git"))`,
    `(deny file-write-unlink file-write-create (literal "${app}/.git"))`,
    `(deny file-write* (subpath "${app}/.git/hooks"))`,
  ].map(line => at(line))
  expect(order).not.toContain(-1)
  expect(order).toEqual(order.toSorted((one, other) => one - other))
  expect(at(`(deny file-write-unlink file-write-create (literal "${app}/tools"))`)).toBeGreaterThan(0)
  expect(at(`(allow file-read-metadata (literal "/home/me/work"))`)).toBeGreaterThan(0)
  expect(at(`(deny file-read* file-write* (subpath "${app}/secret"))`)).toBeGreaterThan(0)
  expect(lines.join('\n')).not.toContain('network-outbound')
  expect(writeProfile(writing, 8080)).toContain('(allow network-outbound (remote ip "localhost:8080"))')
})

test('the settings of git are copied without what may be a secret', () => {
  const settings =
    '[user]\n\tname = me\n[url "https://t@a.b/"]\n\tinsteadOf = x\n[http]\n\textraHeader = t\n[include]\n\tpath = ~/more\n'
  expect(withoutSecrets(settings)).toBe('[user]\n\tname = me\n\tinsteadOf = x\n[http]\n[include]\n\tpath = ~/more\n')
  expect(namedFiles(settings)).toEqual(['~/more'])
})

test('the names that are held are those of mode edits, but for what builds keep', () => {
  const names = [
    '.envrc',
    '.vscode',
    '.claude',
    '.mcp.json',
    'mcp.json',
    '.venv',
    '.next',
    '.pytest_cache',
    '.gitignore',
    'a.txt',
    '.Envrc',
  ]
  expect(names.filter(name => isHeldName(name))).toEqual([
    '.envrc',
    '.vscode',
    '.claude',
    '.mcp.json',
    'mcp.json',
    '.Envrc',
  ])
})

/** Runs a filter as the kernel does. */
function verdict(
  filter: Uint8Array,
  call: { audit: number; number: number; first?: number; request?: number },
): number {
  const view = new DataView(filter.buffer)
  const data = new Map([
    [0, call.number],
    [4, call.audit],
    [16, call.first ?? 0],
    [24, call.request ?? 0],
  ])
  let loaded = 0
  for (let at = 0; at < filter.length / 8; at += 1) {
    const code = view.getUint16(at * 8, true)
    const [ifTrue, ifFalse, value] = [
      view.getUint8(at * 8 + 2),
      view.getUint8(at * 8 + 3),
      view.getUint32(at * 8 + 4, true),
    ]
    if (code === 0x20) loaded = data.get(value) ?? Number.NaN
    else if (code === 0x06) return value
    else at += (code === 0x15 ? loaded === value : loaded >= value) ? ifTrue : ifFalse
  }
  throw new Error('the filter has no end')
}

const ALLOW = 0x7fff0000
const EPERM = 0x00050001
const KILL = 0x80000000
const x64 = 0xc000003e

test('the filter refuses what no mount prevents, and allows the rest', () => {
  const reading = seccompFilter('x64', { sockets: false })
  const withSockets = seccompFilter('x64', { sockets: true })
  expect([0, 1, 59, 231].map(number => verdict(reading, { audit: x64, number }))).toEqual([ALLOW, ALLOW, ALLOW, ALLOW])
  expect([101, 250, 425, 321].map(number => verdict(withSockets, { audit: x64, number }))).toEqual([
    EPERM,
    EPERM,
    EPERM,
    EPERM,
  ])
  const inet = { audit: x64, number: 41, first: 2 }
  expect([reading, withSockets].map(filter => verdict(filter, inet))).toEqual([EPERM, ALLOW])
})

test('the filter with sockets allows those of a network namespace only', () => {
  const filter = seccompFilter('x64', { sockets: true })
  const family = (first: number): number => verdict(filter, { audit: x64, number: 41, first })
  expect([1, 2, 10, 16].map(each => family(each))).toEqual([ALLOW, ALLOW, ALLOW, ALLOW])
  // AF_PACKET, AF_ALG, AF_VSOCK
  expect([17, 38, 40].map(each => family(each))).toEqual([EPERM, EPERM, EPERM])
  expect(verdict(filter, { audit: x64, number: 53, first: 1 })).toBe(ALLOW)
  expect(verdict(filter, { audit: x64, number: 16, request: 0x5412 })).toBe(EPERM)
})

test('the filter refuses to type into a terminal, and the same calls by other numbers', () => {
  const filter = seccompFilter('x64', { sockets: false })
  expect(verdict(filter, { audit: x64, number: 16, request: 0x5412 })).toBe(EPERM)
  expect(verdict(filter, { audit: x64, number: 16, request: 0x541c })).toBe(EPERM)
  expect(verdict(filter, { audit: x64, number: 16, request: 0x5413 })).toBe(ALLOW)
  expect(verdict(filter, { audit: x64, number: 0x40000000 + 41 })).toBe(EPERM)
  expect(verdict(filter, { audit: 0x40000003, number: 102 })).toBe(KILL)
  expect(verdict(seccompFilter('arm64', { sockets: false }), { audit: 0xc00000b7, number: 198 })).toBe(EPERM)
})

test('the environment has no variable that is not on the list', () => {
  const env = {
    PATH: '/bin',
    HOME: '/home/me',
    LC_ALL: 'C',
    API_KEY: 'x',
    SSH_AUTH_SOCK: '/a',
    GIT_ASKPASS: 'x',
    GIT_CONFIG_COUNT: '1',
    RIPGREP_CONFIG_PATH: 'x',
  }
  expect(cleanEnvironment(env, { runsGit: false })).toEqual({
    PATH: '/bin',
    HOME: '/home/me',
    LC_ALL: 'C',
    TMPDIR: '/tmp',
  })
  expect(cleanEnvironment(env, { runsGit: true })).toHaveProperty('GIT_CONFIG_COUNT', '1')
})
