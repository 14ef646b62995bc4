import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { boardRowSchema } from '../../src/fleet/board-row.ts'
import { createContainersSource } from '../../src/fleet/sources/containers-source.ts'
import { containerUses } from '../../src/places/container/uses.ts'

const inspected = (...names: readonly string[]) =>
  JSON.stringify(
    names.map(name => ({
      Name: name,
      State: { Status: 'running', Running: true, StartedAt: '2026-11-01T10:00:00.5Z' },
      Config: {
        Image: 'node:24',
        Labels: { 'zotui.place': 'container', 'zotui.template': 'web', 'zotui.folder': '/srv/app' },
      },
    })),
  )

/** A podman that knows the containers of the file `names`, removes them, and fails as the file `fails` says. */
function machine(...names: readonly string[]) {
  const top = mkdtempSync(join(tmpdir(), 'zotui-board-'))
  const at = (name: string): string => join(top, name)
  for (const folder of ['bin', 'config/containers', 'state', 'app']) mkdirSync(at(folder), { recursive: true })
  writeFileSync(at('config/containers/web.yaml'), 'image: node:24\n')
  writeFileSync(at('names'), names.map(each => `${each}\n`).join(''))
  writeFileSync(at('inspected'), inspected(...names))
  writeFileSync(
    at('bin/podman'),
    `#!/bin/sh
[ ! -e ${at('fails')} ] || { /bin/cat ${at('fails')} >&2; exit 125; }
case $1 in
ps) /bin/cat ${at('names')};;
inspect) /bin/cat ${at('inspected')};;
rm) echo "$@" >>${at('removed')}; : >${at('names')};;
esac
`,
  )
  chmodSync(at('bin/podman'), 0o755)
  const changes: string[] = []
  const source = createContainersSource({
    env: { PATH: at('bin'), HOME: top },
    folder: at('app'),
    configFolder: at('config'),
    stateFolder: at('state'),
    zotui: { file: '/usr/bin/zotui', args: [] },
  })
  if (!source) throw new Error('there is a template')
  onTestFinished(() => source.close())
  const started = () => source.start(() => changes.push(source.host().state))
  return { at, source, started, changes }
}

test('a container that no zotui works in is on the board, is opened by its name, and is ended once', async () => {
  const { at, source, started } = machine('zotui-web-00000001')
  started()
  await expect.poll(() => source.host().state).toBe('connected')
  const [row] = source.host().rows
  expect(boardRowSchema.parse(row)).toMatchObject({
    kind: 'container',
    folder: '/srv/app',
    title: 'container:web/zotui-web-00000001',
    state: 'resting',
    since: Date.parse('2026-11-01T10:00:00.5Z'),
  })
  expect(source.opens('zotui-web-00000001')).toEqual({
    file: '/usr/bin/zotui',
    args: ['--on', 'container:web/zotui-web-00000001'],
  })
  expect(await source.act('zotui-web-00000001', { do: 'stop' })).toMatchObject({ ok: false, why: 'forbidden' })
  expect(await source.act('zotui-web-00000001', { do: 'end' })).toEqual({ ok: true, how: 'done' })
  await expect.poll(() => source.host().rows).toEqual([])
  expect(readFileSync(at('removed'), 'utf8')).toBe('rm --force zotui-web-00000001\n')
  expect(await source.act('zotui-web-00000001', { do: 'end' })).toMatchObject({ ok: false, why: 'gone' })
})

test('one that a zotui works in is not: its conversation is a row of its own', async () => {
  const { at, source, started } = machine('zotui-web-00000001', 'zotui-web-00000002')
  containerUses(at('state'), 'zotui-web-00000001').begin()
  started()
  await expect.poll(() => source.host().rows.map(({ id }) => id)).toEqual(['zotui-web-00000002'])
})

test('an engine that ends is lost, and what was there stays on the board', async () => {
  const { at, source, started } = machine('zotui-web-00000001')
  started()
  await expect.poll(() => source.host().state).toBe('connected')
  writeFileSync(at('fails'), 'Error: cannot connect to Podman. Is it running?\n')
  // Ending it fails, and the next look finds nobody.
  expect(await source.act('zotui-web-00000001', { do: 'end' })).toMatchObject({ ok: false, why: 'failed' })
  expect(source.host().rows).toHaveLength(1)
})

test('without a template no engine is asked', () => {
  const folder = mkdtempSync(join(tmpdir(), 'zotui-board-'))
  const zotui = { file: '/usr/bin/zotui', args: [] }
  expect(createContainersSource({ env: {}, folder, configFolder: folder, stateFolder: folder, zotui })).toBeNull()
})
