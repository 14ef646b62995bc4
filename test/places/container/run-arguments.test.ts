import { expect, test } from 'vitest'
import {
  mountsOf,
  runArguments,
  whyUnmountable,
  type ContainerRun,
} from '../../../src/places/container/run-arguments.ts'
import { containerTemplateSchema } from '../../../src/places/container/template.ts'
import { nothing } from '../../../src/sandbox/repositories.ts'

function runOf(template: Record<string, unknown> = {}, more: Partial<ContainerRun> = {}): ContainerRun {
  return {
    name: 'zotui-web-1',
    template: containerTemplateSchema.parse({ image: 'node:24', ...template }),
    templateName: 'web',
    folder: '/home/me/app',
    source: '/home/me/app',
    held: nothing,
    home: null,
    mounts: [],
    empty: { file: '/state/empty-file', folder: '/state/empty' },
    user: { uid: 1000, gid: 1000 },
    engine: { name: 'docker', isRootless: false, hasSelinux: false },
    hasInit: true,
    ...more,
  }
}

const valuesOf = (args: readonly string[], flag: string): string[] =>
  args.flatMap((each, at) => (args[at - 1] === flag ? [each] : []))

test('a container has no rights, no host network and no socket, and runs as the person', () => {
  const args = runArguments(runOf())
  expect(args).toContain('--rm')
  expect(args).toContain('--init')
  expect(args).toContain('--interactive')
  expect(valuesOf(args, '--cap-drop')).toEqual(['ALL'])
  expect(valuesOf(args, '--security-opt')).toEqual(['no-new-privileges'])
  expect(valuesOf(args, '--user')).toEqual(['1000:1000'])
  expect(valuesOf(args, '--volume')).toEqual(['/home/me/app:/home/me/app:rw'])
  expect(args.some(each => /network|privileged|device|\.sock/.test(each))).toBe(false)
  expect(args.indexOf('node:24')).toBe(args.length - 3)
})

test('the template limits it, and names variables without their values', () => {
  const template = {
    memory: '4g',
    cpus: 2,
    processes: 100,
    network: 'none',
    env: ['API_KEY'],
    arguments: ['--dns=1.1.1.1'],
  }
  const args = runArguments(runOf(template))
  expect(args).toEqual(
    expect.arrayContaining(['--memory=4g', '--cpus=2', '--pids-limit=100', '--network=none', '--dns=1.1.1.1']),
  )
  expect(valuesOf(args, '--env')).toEqual(['API_KEY'])
})

test.each([
  [{ name: 'podman', isRootless: true, hasSelinux: false }, ['--userns=keep-id'], '1000:1000'],
  [{ name: 'podman', isRootless: false, hasSelinux: false }, [], '1000:1000'],
  // Root in a rootless Docker is the person.
  [{ name: 'docker', isRootless: true, hasSelinux: false }, [], '0:0'],
] as const)('files belong to the person with %o', (engine, more, user) => {
  const args = runArguments(runOf({}, { engine }))
  expect(args.filter(each => each.startsWith('--userns'))).toEqual(more)
  expect(valuesOf(args, '--user')).toEqual([user])
})

test('the files of the person get no label of SELinux', () => {
  const args = runArguments(runOf({}, { engine: { name: 'podman', isRootless: true, hasSelinux: true } }))
  expect(valuesOf(args, '--security-opt')).toContain('label=disable')
  expect(args.some(each => /:[zZ]$|,[zZ]$/.test(each))).toBe(false)
})

test('what can run something later is mounted read-only over the folder, also what is not there yet', () => {
  const held = {
    seen: ['/home/me'],
    writable: ['/home/me/app/.git'],
    held: ['/home/me/app/.git/config', '/home/me/app/.vscode'],
    absent: [{ path: '/home/me/app/.git/hooks', isFolder: true }],
  }
  const mounts = mountsOf(runOf({}, { held }))
  expect(mounts.map(({ from, to, write }) => `${from} ${to} ${write ? 'rw' : 'ro'}`)).toEqual([
    '/home/me /home/me ro',
    '/home/me/app /home/me/app rw',
    '/home/me/app/.git /home/me/app/.git rw',
    '/home/me/app/.vscode /home/me/app/.vscode ro',
    '/home/me/app/.git/config /home/me/app/.git/config ro',
    '/state/empty /home/me/app/.git/hooks ro',
  ])
})

test.each([
  [{ from: '/tmp/x', to: '/home/me/app/.vscode/tasks.json', write: false }, 'stays as it is'],
  [{ from: '/tmp/x', to: '/home/me/app/.vscode', write: true }, 'stays as it is'],
  // There its .git could be written.
  [{ from: '/home/me', to: '/all', write: true }, 'has the folder or is in it'],
  [{ from: '/', to: '/all', write: true }, 'has the folder or is in it'],
  [{ from: '/home/me/app/.vscode', to: '/other', write: true }, 'has the folder or is in it'],
])('no mount of the template opens what is held: %o', (mount, words) => {
  const held = { ...nothing, held: ['/home/me/app/.vscode'] }
  expect(whyUnmountable(runOf({}, { held, mounts: [mount] }))).toContain(words)
  expect(whyUnmountable(runOf({}, { held, mounts: [{ ...mount, from: '/srv/data', to: '/data' }] }))).toBeNull()
})

test('a path with a colon is refused: it would be read as two', () => {
  const run = runOf({}, { folder: '/a:b', source: '/a:b' })
  expect(whyUnmountable(run)).toContain('a colon')
  expect(whyUnmountable(runOf())).toBeNull()
})

test.each([
  { arguments: ['--privileged'] },
  { arguments: ['--dns', '1.1.1.1'] },
  { arguments: ['--hostname'] },
  { arguments: ['--device=/dev/sda'] },
  { arguments: ['--cap-add=ALL'] },
  { arguments: ['--security-opt=seccomp=unconfined'] },
  { arguments: ['--volume=/:/host'] },
  { network: 'container:other' },
  { env: ['KEY=secret'] },
  { image: '--privileged' },
  { mounts: [{ from: 'relative' }] },
  { mounts: [{ from: '/a:/b' }] },
  { idleMinutes: 0 },
])('a template cannot say %o', template => {
  expect(containerTemplateSchema.safeParse({ image: 'node:24', ...template }).success).toBe(false)
})
