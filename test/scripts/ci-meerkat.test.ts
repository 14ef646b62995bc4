/** The script that tests a real Meerkat, with a `cargo` and an `npm` that only note what they are asked for. */
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { describe, expect, onTestFinished, test } from 'vitest'

const ci = fileURLToPath(new URL('../../.ci', import.meta.url))
const version = readFileSync(join(ci, 'meerkat-version'), 'utf8').trim()

/** Installs a program as cargo does: into the folder behind `--root`. */
const CARGO = `echo "cargo $*" >> "$NOTES"
while [ "$1" != --root ]; do shift; done
mkdir -p "$2/bin"
printf '#!/bin/sh\\necho rkat-rpc ${version}\\n' > "$2/bin/rkat-rpc"
chmod +x "$2/bin/rkat-rpc"`
const NPM = `echo "npm $*, with $ZOTUI_RKAT_RPC" >> "$NOTES"`

/** Nothing else is in PATH: the machine may have a cargo. */
const TOOLS = ['bash', 'chmod', 'dirname', 'mkdir', 'realpath']

function checkout(programs: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'zotui-ci-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const notes = join(folder, 'notes')
  for (const name of ['.ci', 'bin']) mkdirSync(join(folder, name))
  for (const name of ['meerkat', 'meerkat-version']) copyFileSync(join(ci, name), join(folder, '.ci', name))
  writeFileSync(notes, '')
  for (const tool of TOOLS) {
    const path = ['/usr/bin', '/bin'].map(bin => join(bin, tool)).find(existsSync)
    if (path !== undefined) symlinkSync(path, join(folder, 'bin', tool))
  }
  for (const [name, body] of Object.entries({ npm: NPM, ...programs })) {
    const path = join(folder, 'bin', name)
    writeFileSync(path, `#!/bin/sh\n${body}\n`)
    chmodSync(path, 0o755)
  }
  return {
    folder,
    rkat: join(folder, '.cache/meerkat', version, 'bin/rkat-rpc'),
    run: async (env: Record<string, string>, ...args: string[]) => {
      const found = await execa(join(folder, '.ci/meerkat'), args, {
        env: { PATH: join(folder, 'bin'), NOTES: notes, ...env },
        extendEnv: false,
        reject: false,
        all: true,
      })
      return { code: found.exitCode, said: found.all, notes: readFileSync(notes, 'utf8').split('\n').slice(0, -1) }
    },
  }
}

describe('.ci/meerkat', () => {
  test('says loudly that it skips where nobody asked for the build, and runs nothing', async () => {
    const { code, said, notes } = await checkout({ cargo: CARGO }).run({})
    expect(said).toMatch(
      /^!! SKIPPED: tests against a real Meerkat\n!! no ZOTUI_RKAT_RPC, and ZOTUI_CI_MEERKAT is not 1/m,
    )
    expect([code, notes]).toEqual([77, []])
  })

  test('builds the pinned version into the cache once, and runs the suite on it', async () => {
    const { rkat, folder, run } = checkout({ cargo: CARGO })
    const suite = `npm run test:meerkat -- --reporter=json, with ${rkat}`
    const first = await run({ ZOTUI_CI_MEERKAT: '1' }, '--reporter=json')
    expect(first.said).toContain(`== meerkat: rkat-rpc ${version}`)
    const root = join(folder, '.cache/meerkat', version)
    const install = `cargo install meerkat-rpc --version ${version} --locked --no-default-features --debug --root ${root}`
    expect([first.code, first.notes]).toEqual([0, [install, suite]])
    const second = await run({}, '--reporter=json')
    expect([second.code, second.notes]).toEqual([0, [install, suite, suite]])
  })

  test.each([
    ['there is no cargo', {}, 'no cargo to build Meerkat'],
    ['the build fails', { cargo: 'echo out of memory; exit 101' }, 'could not be built'],
  ])('skips where %s', async (_name, programs: Record<string, string>, why) => {
    const { code, said, notes } = await checkout(programs).run({ ZOTUI_CI_MEERKAT: '1' })
    expect(said?.split('\n').at(-1)).toContain(why)
    expect([code, notes]).toEqual([77, []])
  })

  test('fails as the suite fails', async () => {
    const { code } = await checkout({ cargo: CARGO, npm: 'exit 3' }).run({ ZOTUI_CI_MEERKAT: '1' })
    expect(code).toBe(3)
  })

  test('takes the Meerkat that is named, and fails where that is none', async () => {
    const { folder, run } = checkout({ mine: 'echo rkat-rpc 9' })
    const mine = join(folder, 'bin', 'mine')
    expect((await run({ ZOTUI_RKAT_RPC: 'mine' })).notes).toEqual([`npm run test:meerkat --, with ${mine}`])
    const missing = await run({ ZOTUI_RKAT_RPC: '/missing/rkat' })
    expect([missing.code, missing.said]).toEqual([1, 'ZOTUI_RKAT_RPC names /missing/rkat, which is not a program'])
  })
})
