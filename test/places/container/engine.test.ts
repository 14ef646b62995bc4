import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findContainerEngine } from '../../../src/places/container/engine.ts'

/** A folder of PATH with engines that are these scripts. */
function machineWith(engines: Record<string, string>): { env: NodeJS.ProcessEnv; folder: string; top: string } {
  const top = mkdtempSync(join(tmpdir(), 'zotui-engine-'))
  const [bin, folder] = [join(top, 'bin'), join(top, 'app')]
  for (const each of [bin, folder]) mkdirSync(each)
  for (const [name, script] of Object.entries(engines)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  return { env: { PATH: bin, HOME: top }, folder, top }
}

const PODMAN = "echo 'true false'"
const DEAD =
  "echo 'Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?' >&2; exit 1"

test('podman is taken where both are there, and its facts are read', async () => {
  const place = machineWith({ podman: PODMAN, docker: `echo '["name=rootless"]'` })
  expect(await findContainerEngine(undefined, place)).toMatchObject({
    name: 'podman',
    isRootless: true,
    hasSelinux: false,
  })
  const docker = await findContainerEngine('docker', place)
  expect(docker).toMatchObject({ name: 'docker', isRootless: true, hasSelinux: false })
})

test('an engine that works is taken where the first one does not', async () => {
  const place = machineWith({ podman: 'exit 125', docker: `echo '["name=seccomp,profile=builtin","name=selinux"]'` })
  expect(await findContainerEngine(undefined, place)).toMatchObject({
    name: 'docker',
    isRootless: false,
    hasSelinux: true,
  })
})

test.each([
  [{ docker: DEAD }, 'The Docker daemon is not running or cannot be reached.'],
  [{ podman: 'echo "Error: cannot re-exec process" >&2; exit 125' }, 'Podman did not answer: cannot re-exec process.'],
  [
    {
      docker:
        'echo "permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock" >&2; exit 1',
    },
    'You may not use the Docker daemon.',
  ],
  [{}, 'There is no docker and no podman here.'],
])('one that does not work says so in one line: %o', async (engines, words) => {
  await expect(findContainerEngine(undefined, machineWith(engines))).rejects.toMatchObject({
    exitCode: 2,
    message: words,
  })
})

test('one whose service does not run is known apart from one that fails', async () => {
  const unreachable = { podman: 'echo "Error: cannot connect to Podman" >&2; exit 125', docker: DEAD }
  await expect(findContainerEngine('docker', machineWith(unreachable))).rejects.toHaveProperty('isUnreachable', true)
  await expect(findContainerEngine('podman', machineWith(unreachable))).rejects.toHaveProperty('isUnreachable', true)
  const fails = machineWith({ podman: 'echo "Error: cannot re-exec process" >&2; exit 125' })
  await expect(findContainerEngine('podman', fails)).rejects.toHaveProperty('isUnreachable', false)
})

test('an engine of the project is not run, and is named', async () => {
  const place = machineWith({})
  const bin = join(place.folder, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'podman'), '#!/bin/sh\ntouch "$HOME/ran"\n')
  chmodSync(join(bin, 'podman'), 0o755)
  await expect(
    findContainerEngine('podman', { ...place, env: { ...place.env, PATH: `${bin}:${place.env['PATH'] ?? ''}` } }),
  ).rejects.toMatchObject({
    message: 'There is no podman here.',
    hint: expect.stringContaining(join(bin, 'podman')),
  })
})

test('one that hangs is given up when the start is stopped', async () => {
  const place = machineWith({ podman: 'exec /bin/sleep 100' })
  const signal = AbortSignal.timeout(200)
  await expect(findContainerEngine('podman', { ...place, signal })).rejects.toThrow('Stopped.')
})
