/** zotui and a fake zot in a container of a real engine: from the command line to the end. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { afterAll, describe, expect, test } from 'vitest'
import { environment, type Home } from '../helpers/home.ts'
import { open } from '../helpers/screen.ts'
import { installZot, lastingHome, program, send } from '../stories/stage.ts'
import { IMAGE, startEngine, whyNoContainers } from './engine.ts'

const real = startEngine()
if (real === null) process.emitWarning(whyNoContainers())
afterAll(() => real?.remove())

const command = (line: string) => ({ calls: [{ id: line, name: 'bash', args: { command: line } }] })

/** A person with a template, whose agent says these steps. */
function stage(steps: readonly object[], template = '') {
  const home = lastingHome()
  const script = join(home.path, 'steps', 'script.json')
  mkdirSync(join(home.path, 'steps'))
  writeFileSync(script, JSON.stringify(steps))
  const zot = installZot(home, 'guardable')
  const templates = join(home.path, '.config/zotui/containers')
  mkdirSync(templates, { recursive: true })
  const sources = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')
  const mounts = [sources, join(home.path, 'bin')].map(from => `  - from: ${from}\n`).join('')
  const text = `engine: ${real?.name}\nimage: ${IMAGE}\npull: never\nnetwork: none\nenv: [ZOT_SCRIPT, ZOT_INTERCEPT_LIMIT]\n${template}mounts:\n${mounts}  - from: ${join(home.path, 'steps')}\n    write: true\n`
  writeFileSync(join(templates, 'web.yaml'), text)
  const git = (...args: readonly string[]): string => execFileSync('git', args, { cwd: home.project, encoding: 'utf8' })
  git('init', '-q', '-b', 'main')
  for (const [key, value] of [
    ['user.name', 'Me'],
    ['user.email', 'me@example.com'],
  ] as const)
    git('config', key, value)
  git('commit', '-q', '--allow-empty', '-m', 'one')
  const env = {
    ...real?.env,
    ZOT_SCRIPT: script,
    ZOT_INTERCEPT_LIMIT: '5000',
    ZOTUI_ZOT: undefined,
    ZOTUI_PERMISSIONS: undefined,
  }
  const args = ['--on', 'container:web', '--zot', zot]
  return { home, zot, env, args, git }
}

/** Of this home alone: a daemon may have others. */
const containers = ({ home }: { home: Home }): string[] =>
  (real?.run('ps', '--all', '--filter', `label=zotui.folder=${home.project}`, '--format', '{{.Names}}') ?? '')
    .split('\n')
    .filter(each => each !== '')

async function run({ home, env }: { home: Home; env: Record<string, string | undefined> }, args: readonly string[]) {
  const { exitCode, stdout, stderr } = await execa(process.execPath, [program, ...args], {
    cwd: home.project,
    env: environment(home.path, env),
    extendEnv: false,
    input: '',
    reject: false,
    timeout: 60_000,
  })
  return { code: exitCode, stdout, stderr: stderr.trimEnd() }
}

describe.skipIf(real === null)('zot in a container', { timeout: 180_000 }, () => {
  test('asks before a call runs there, is replaced with its session after it was killed, and is gone at the end', async () => {
    const place = stage([command('touch made; pwd'), command('touch second'), { text: 'Done.' }])
    const zotui = await open({
      home: place.home,
      env: place.env,
      columns: 120,
      args: [...place.args, '--permissions', 'ask'],
    })
    await zotui.see(/anthropic\/sonnet/)
    await zotui.see('container:web')
    await send(zotui, 'go')
    await zotui.see(/› \d/)
    expect(existsSync(join(place.home.project, 'made'))).toBe(false)
    await zotui.type('y')
    await expect.poll(() => existsSync(join(place.home.project, 'made'))).toBe(true)
    await zotui.see('touch second')
    await zotui.see(/› \d/)
    const [name = ''] = containers(place)
    expect(name).toMatch(/^zotui-web-/)
    real?.run('kill', name)
    await zotui.see('/restart')
    await zotui.gone(/› \d/)
    expect(existsSync(join(place.home.project, 'second'))).toBe(false)
    await send(zotui, '/restart')
    await zotui.see('Restarted zot')
    expect(containers(place)).toEqual([name])
    // What happens is said on the screen before the UI, and not over it.
    expect(zotui.history().join('\n').split('starting the container')).toHaveLength(2)
    await zotui.close()
    await expect.poll(() => containers(place)).toEqual([])
  })

  test('without the UI works in a clone, whose commits come back as a branch', async () => {
    const place = stage(
      [command('echo two > b.txt; git add b.txt; git commit -qm two'), { text: 'Done.' }],
      'folder: cloned\n',
    )
    const { code, stdout, stderr } = await run(place, ['-p', 'go', ...place.args, '--permissions', 'allow'])
    expect(stderr).toContain('zotui: cloning the folder')
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Done.' })
    expect(stderr).toMatch(/What is new in zotui-web-\w+ is the branch zotui\/web-\w+ now\./)
    expect(place.git('log', '--format=%s', '--glob=refs/heads/zotui/*')).toBe('two\none\n')
    expect(existsSync(join(place.home.project, 'b.txt'))).toBe(false)
    expect(containers(place)).toEqual([])
  })

  test('what is missing in the image is named, and nothing is left', async () => {
    const place = stage([])
    const { code, stderr } = await run(place, ['-p', 'go', '--on', 'container:web', '--permissions', 'ask'])
    expect(code).toBe(2)
    expect(stderr).toMatch(/There is no zot on container:web/i)
    expect(containers(place)).toEqual([])
  })

  test('the command writes a template that can be read, lists containers, and ends one that was left', async () => {
    const place = stage([])
    const written = await run(place, ['container', 'template', 'mine'])
    expect(written).toMatchObject({ code: 0, stdout: expect.stringContaining('.config/zotui/containers/mine.yaml') })
    expect(await run(place, ['container', 'template', 'mine'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is a template mine already'),
    })
    expect(await run(place, ['-p', 'go', '--on', 'container:mien'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean mine?'),
    })
    const before = await run(place, ['container', 'list'])
    // A daemon may have those of others.
    expect(before.stdout || before.stderr).toMatch(
      real?.name === 'docker' ? /./ : /There are no containers of zotui\.$/,
    )
    expect(before.stdout).not.toContain(place.home.project)
    const labels = ['zotui.place=container', 'zotui.template=web', `zotui.folder=${place.home.project}`]
    const name = `zotui-web-${process.pid.toString(16).padStart(8, '0')}`
    const label = labels.flatMap(each => ['--label', each])
    real?.run(
      'run',
      '--detach',
      '--rm',
      '--pull=never',
      '--network=none',
      '--name',
      name,
      ...label,
      IMAGE,
      'sleep',
      '600',
    )
    const listed = await run(place, ['container', 'list'])
    expect(listed.stdout).toContain(`${name}  running  ${place.home.project}`)
    expect(await run(place, ['container', 'end', name])).toMatchObject({ code: 0, stderr: `zotui: Ended ${name}.` })
    expect(containers(place)).toEqual([])
  })
})
