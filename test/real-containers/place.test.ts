/** The place `container:TEMPLATE` with a real podman or Docker. */
import { execFileSync, spawn } from 'node:child_process'
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { startedContainers } from '../../src/places/container/containers.ts'
import { endContainer } from '../../src/places/container/end-container.ts'
import { openContainerPlace } from '../../src/places/container/place.ts'
import { findEngine } from '../../src/places/run-engine.ts'
import type { PlaceStart, StartedPlace } from '../../src/places/started-place.ts'
import { heldPlaces } from '../../src/platform/held-places.ts'
import { listUnfinishedIn } from '../../src/platform/unfinished-folder.ts'
import { createMachine } from '../../src/platform/remote/machine.ts'
import { IMAGE, isRoot, startEngine, whyNoContainers, type RealEngine } from './engine.ts'

const real = startEngine()
if (real === null) process.emitWarning(whyNoContainers())
else process.stdout.write(`${real.name} runs ${real.how}\n`)
afterAll(() => real?.remove())

type Stage = {
  folder: string
  start: PlaceStart
  told: string[]
  open: (words?: string) => Promise<StartedPlace>
  /** Runs a script in the folder there; its output and its errors. */
  run: (place: StartedPlace, script: string) => Promise<{ code: number; output: string; errors: string }>
  git: (...args: readonly string[]) => string
}

function needed(): RealEngine {
  if (real === null) throw new Error('there is no engine')
  return real
}

/** A repository, and a template for it. Not in the folder for temporary files: such a folder is no project of a person. */
function stage(template = ''): Stage {
  const { env: own, name } = needed()
  const top = realpathSync(mkdtempSync(join(homedir(), '.zotui-containers-')))
  onTestFinished(() => rmSync(top, { recursive: true, force: true, maxRetries: 5 }))
  const [folder, configFolder, stateFolder] = [join(top, 'app'), join(top, 'config'), join(top, 'state')]
  mkdirSync(folder)
  mkdirSync(join(configFolder, 'containers'), { recursive: true, mode: 0o700 })
  writeFileSync(
    join(configFolder, 'containers/web.yaml'),
    `engine: ${name}\nimage: ${IMAGE}\npull: never\nnetwork: none\n${template}`,
    { mode: 0o600 },
  )
  const env = { ...process.env, ...own }
  listUnfinishedIn(stateFolder)
  const git = (...args: readonly string[]): string => execFileSync('git', args, { cwd: folder, encoding: 'utf8' })
  git('init', '-q', '-b', 'main')
  git('config', 'user.name', 'Me')
  git('config', 'user.email', 'me@example.com')
  writeFileSync(join(folder, 'a.txt'), 'one\n')
  mkdirSync(join(folder, '.vscode'))
  writeFileSync(join(folder, '.vscode/tasks.json'), '{}\n')
  git('add', '-A')
  git('commit', '-qm', 'one')
  const told: string[] = []
  const start: PlaceStart = {
    folder,
    progress: words => told.push(words),
    signal: AbortSignal.timeout(60_000),
    env,
    configFolder,
    stateFolder,
  }
  return {
    folder,
    start,
    told,
    git,
    async open(words = 'container:web') {
      const place = await openContainerPlace(words, start)
      onTestFinished(async () => void (await place.end()))
      return place
    },
    async run(place, script) {
      const machine = createMachine(place.target(), env)
      const answer = await machine.ask(`cd ${folder}\n${script}`)
      machine.close()
      if (!answer.ok) throw new Error(`${answer.why}: ${answer.words}`)
      return { code: answer.code, output: answer.bytes.toString(), errors: answer.words }
    },
  }
}

const moduleAt = (name: string): string =>
  JSON.stringify(fileURLToPath(new URL(`../../src/${name}.ts`, import.meta.url)))

const nameOf = (place: StartedPlace): string => place.name.replace(/^.*\//, '')

async function listed({ start }: Stage) {
  const program = findEngine(needed().name, start.env, start.folder)
  const found = program === null ? [] : await startedContainers(program)
  if (found instanceof Error) throw found
  return found.filter(each => each.folder === start.folder)
}

describe.skipIf(real === null)('a container of a real engine', { timeout: 120_000 }, () => {
  test('has the folder at its path, without rights, and the files in it belong to the person', async () => {
    const here = stage()
    const place = await here.open()
    const { output, code } = await here.run(
      place,
      'pwd; cat a.txt; touch made; grep -i "capeff\\|nonewprivs" /proc/self/status; id -u',
    )
    expect(code).toBe(0)
    expect(output).toMatch(
      new RegExp(`^${here.folder}\none\nCapEff:\\s+0+\nNoNewPrivs:\\s+1\n${process.getuid?.()}\n$`),
    )
    expect(existsSync(join(here.folder, 'made'))).toBe(true)
    expect(await place.end()).toBeNull()
    expect(await listed(here)).toEqual([])
  })

  test('with a user of its own takes nothing of this machine, not even /dev/null', async context => {
    if (!isRoot) context.skip('only root could lose it')
    const before = statSync('/dev/null').uid
    onTestFinished(() => chownSync('/dev/null', before, before))
    const here = stage('user: "1000:1000"\nmounts:\n  - from: /dev/null\n    write: true\n')
    const place = await here.open()
    expect((await here.run(place, 'id -u')).output).toBe('1000\n')
    expect(statSync('/dev/null').uid).toBe(before)
  })

  test('cannot change what can run something later, also what is not there yet, and git works', async () => {
    const here = stage()
    rmSync(join(here.folder, '.git/hooks'), { recursive: true, force: true })
    const place = await here.open()
    const tries = [
      'echo x > .git/config',
      'echo x > .git/hooks/post-commit',
      'echo x > .vscode/tasks.json',
      'mv .vscode other',
      'rm -rf .git/hooks',
      'mv .git g',
    ]
    const codes = []
    for (const each of tries) codes.push((await here.run(place, each)).code === 0 ? each : 'refused')
    expect(new Set(codes)).toEqual(new Set(['refused']))
    const committed = await here.run(place, 'echo two > b.txt && git add b.txt && git commit -qm two')
    expect(committed.errors).toBe('')
    expect(here.git('log', '--format=%s')).toBe('two\none\n')
    expect(readFileSync(join(here.folder, '.vscode/tasks.json'), 'utf8')).toBe('{}\n')
    expect(readdirSync(join(here.folder, '.git/hooks'))).toEqual([])
  })

  test('what it has left that can run something later waits for the person, and the end says so', async () => {
    const here = stage()
    const place = await here.open()
    await here.run(place, 'echo "touch ~/pwned" > .envrc')
    expect(await place.end()).toContain('1 place in')
    const left = heldPlaces(here.folder).list()
    expect(left).toMatchObject([{ path: join(here.folder, '.envrc'), kind: 'protected', isNew: true }])
    await heldPlaces(here.folder).answer(join(here.folder, '.envrc'), 'remove')
  })

  test('a socket of an engine is not given to it', async () => {
    const here = stage('mounts:\n  - from: /run\n    to: /run-here\n')
    writeFileSync(join(here.folder, 'x'), '')
    await expect(here.open()).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringMatching(/web\.yaml:6: mounts\.0\.from: \/run has the socket/),
    })
  })

  test('keeps its home folder for the next one of this template and folder', async () => {
    const here = stage()
    const first = await here.open()
    await here.run(first, 'echo token > ~/login')
    await first.end()
    const second = await here.open()
    expect(second.name).not.toBe(first.name)
    expect((await here.run(second, 'cat ~/login')).output).toBe('token\n')
  })

  test('one that was killed is replaced by another of its name, in which the work goes on', async () => {
    const here = stage()
    const place = await here.open()
    await here.run(place, 'echo work > ~/session')
    needed().run('kill', nameOf(place))
    expect(await place.comeBack(AbortSignal.timeout(30_000))).toBeNull()
    expect((await here.run(place, 'cat ~/session')).output).toBe('work\n')
    expect((await listed(here)).map(({ name }) => name)).toEqual([nameOf(place)])
  })

  test('two zotuis use one container, and the last one ends it', async () => {
    const here = stage()
    const first = await here.open()
    const second = await here.open(first.again)
    expect(second.name).toBe(first.name)
    await first.end()
    expect((await here.run(second, 'echo still here')).output).toBe('still here\n')
    await second.end()
    expect(await listed(here)).toEqual([])
    await expect(here.open(first.again)).rejects.toThrow(`The container ${nameOf(first)} of ${needed().name} is gone.`)
  })

  test('ends itself when its zotui was killed', { timeout: 150_000 }, async () => {
    const here = stage('idleMinutes: 1\n')
    const script = `import { openContainerPlace } from ${moduleAt('places/container/place')}
import { listUnfinishedIn } from ${moduleAt('platform/unfinished-folder')}
const start = JSON.parse(process.argv[1])
listUnfinishedIn(start.stateFolder)
const place = await openContainerPlace('container:web', { ...start, env: process.env, progress() {}, signal: AbortSignal.timeout(60000) })
console.log(place.name)
setInterval(() => {}, 1000)`
    const { folder, configFolder, stateFolder } = here.start
    const zotui = spawn(
      process.execPath,
      ['--input-type=module', '-e', script, JSON.stringify({ folder, configFolder, stateFolder })],
      { env: here.start.env, stdio: ['ignore', 'pipe', 'inherit'] },
    )
    await new Promise(resolve => zotui.stdout.once('data', resolve))
    const began = performance.now()
    zotui.kill('SIGKILL')
    expect(await listed(here)).toMatchObject([{ isRunning: true, template: 'web' }])
    await expect.poll(() => listed(here), { timeout: 120_000, interval: 2000 }).toEqual([])
    expect(performance.now() - began).toBeGreaterThan(40_000)
    // Nobody has looked at what it left.
    expect(heldPlaces(here.folder).list()).toMatchObject([{ kind: 'unknown' }])
    await heldPlaces(here.folder).answer(here.folder, 'keep')
  })

  test('one without an image says so in one line, and with its line in the template', async () => {
    const here = stage()
    const path = join(here.start.configFolder, 'containers/web.yaml')
    writeFileSync(path, `engine: ${needed().name}\nimage: localhost/none:1\npull: never\n`)
    await expect(here.open()).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining(`${path}:2: image: there is no image localhost/none:1 here`),
    })
    writeFileSync(path, `engine: ${needed().name}\nimage: 127.0.0.1:1/none:1\n`)
    await expect(here.open()).rejects.toThrow(
      /^(?:Podman|Docker) did not pull 127\.0\.0\.1:1\/none:1: .*connection refused/i,
    )
    expect(here.told).toContain('pulling the image 127.0.0.1:1/none:1')
    expect(await listed(here)).toEqual([])
  })

  test('a start that is stopped leaves nothing', async () => {
    const here = stage()
    const stopping = new AbortController()
    const progress = (words: string): void => void (words === 'starting the container' && stopping.abort())
    await expect(
      openContainerPlace('container:web', { ...here.start, progress, signal: stopping.signal }),
    ).rejects.toThrow('Stopped.')
    expect(await listed(here)).toEqual([])
  })
})

describe.skipIf(real === null)('a clone in a container', { timeout: 120_000 }, () => {
  test('comes back as a branch: commits, other branches, and what was not committed', async () => {
    const here = stage('folder: cloned\n')
    writeFileSync(join(here.folder, 'a.txt'), 'not committed here\n')
    const place = await here.open()
    const { output } = await here.run(place, 'git branch --show-current; cat a.txt; git config user.name')
    expect(output).toBe('main\none\nMe\n')
    await here.run(
      place,
      'echo evil > .git/hooks/post-commit; echo two > b.txt; git add .; git commit -qm two; git checkout -qb side; echo three > c.txt',
    )
    const branch = nameOf(place).replace('zotui-', 'zotui/')
    expect(await place.end()).toBe(`What is new in ${nameOf(place)} is the branch ${branch} now.`)
    expect(here.git('log', '--format=%s', branch)).toBe('Uncommitted changes\ntwo\none\n')
    expect(here.git('show', `${branch}:c.txt`)).toBe('three\n')
    expect(here.git('for-each-ref', '--format=%(refname)', 'refs/zotui')).toContain('/side')
    // Nothing of here has changed.
    expect(readFileSync(join(here.folder, 'a.txt'), 'utf8')).toBe('not committed here\n')
    expect(here.git('log', '--format=%s', 'main')).toBe('one\n')
    expect(readdirSync(join(here.start.stateFolder, 'places/clones'))).toEqual([])
  })

  test('without anything new leaves nothing', async () => {
    const here = stage('folder: cloned\n')
    const place = await here.open()
    expect(await place.end()).toBeNull()
    expect(here.git('branch')).toBe('* main\n')
  })

  test('stays where git here does not take it, and comes back later', async () => {
    const here = stage('folder: cloned\n')
    const place = await here.open()
    await here.run(place, 'echo two > b.txt; git add .; git commit -qm two')
    // A branch of that name is in the way of all that begin with it.
    here.git('branch', 'zotui')
    const said = await place.end()
    expect(said).toMatch(/did not come back \(.+\); it stays in /)
    here.git('branch', '-D', 'zotui')
    expect(await endContainer(nameOf(place), here.start)).toContain('is the branch')
    expect(here.git('log', '--format=%s', nameOf(place).replace('zotui-', 'zotui/'))).toBe('two\none\n')
  })

  test('on a full disk nothing is lost: the clone stays', async context => {
    if (!isRoot) context.skip('only root can make a small disk')
    const here = stage('folder: cloned\n')
    mkdirSync(here.start.stateFolder)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'none', here.start.stateFolder])
    onTestFinished(() => void execFileSync('umount', ['-l', here.start.stateFolder]))
    const place = await here.open()
    await here.run(place, 'echo two > b.txt; git add .; git commit -qm two; cat /dev/zero > ~/full; true')
    expect(await place.end()).toMatch(/did not come back \(.*No space left on device.*\); it stays in /i)
    const [home = ''] = readdirSync(join(here.start.stateFolder, 'places/homes'))
    rmSync(join(here.start.stateFolder, 'places/homes', home, 'full'))
    expect(await endContainer(nameOf(place), here.start)).toContain('is the branch')
  })
})
