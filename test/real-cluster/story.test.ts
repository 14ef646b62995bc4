/** zotui in a terminal, and zot in a pod of a real cluster, which is evicted in the middle of a turn. */
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { execa } from 'execa'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { environment } from '../helpers/home.ts'
import { open } from '../helpers/screen.ts'
import { installZot, lastingHome, program, send } from '../stories/stage.ts'
import { evict, makeVolume, startCluster, withCluster, type TestCluster } from './cluster.ts'

const command = (line: string) => ({ calls: [{ id: line, name: 'bash', args: { command: line } }] })

// Each pod has an empty /tmp, and the fake zot is in this checkout.
const isHidden = program.startsWith('/tmp/')
if (isHidden)
  process.stderr.write('!! SKIPPED: a zot in a pod, evicted: this checkout is in /tmp, which is empty in a pod\n')

withCluster('zotui and zot in a pod', () => {
  let cluster: TestCluster
  let volume = ''

  beforeAll(async () => {
    volume = mkdtempSync(join(tmpdir(), 'zotui-volume-'))
    cluster = await startCluster()
    makeVolume(cluster, 'work', volume)
  }, 240_000)
  afterAll(async () => {
    await cluster.stop()
    rmSync(volume, { recursive: true, force: true })
  })

  test.skipIf(isHidden)(
    'a pod that is evicted while a call waits runs nothing; zotui comes back to the next pod, and the Job ends with it',
    async () => {
      const home = lastingHome()
      const script = join(volume, 'script.json')
      writeFileSync(script, JSON.stringify([command('touch made'), command('touch again'), { text: 'All done.' }]))
      // Each pod has an empty /tmp.
      cpSync(dirname(installZot(home, 'guardable')), join(volume, 'bin'), { recursive: true })
      const env = { KUBECONFIG: cluster.kubeconfig, PATH: process.env['PATH'] ?? '', ZOTUI_ZOT: undefined }
      const written = await execa(process.execPath, [program, 'kubernetes', 'template', 'unused'], {
        env: environment(home.path, env),
        extendEnv: false,
      })
      const templates = dirname(written.stdout.trim())
      expect(readFileSync(join(templates, 'unused.yaml'), 'utf8')).toContain('context: "tests"')
      writeFileSync(join(templates, 'story.yaml'), templateOf(dirname(process.execPath)), { mode: 0o600 })

      const args = ['--on', 'job:story', '--zot', '/mnt/bin/zot', '--permissions', 'ask']
      const zotui = await open({ home, env: { ...env, ZOTUI_PERMISSIONS: undefined }, columns: 120, args })
      await zotui.see(/anthropic\/sonnet/)
      await zotui.see('job:story/zotui-story-')
      await send(zotui, 'go')
      await zotui.see(/› \d/)
      const pod = cluster.kubectl(['get', 'pods', '-o', 'name']).trim().replace('pod/', '')
      evict(cluster, pod)
      await zotui.see(/was lost|is gone/)
      expect(existsSync(join(volume, 'src', 'made'))).toBe(false)
      await zotui.gone(/› \d/)
      await send(zotui, '/restart')
      await zotui.see('Restarted zot', { timeout: 60_000 })
      zotui.forget()
      await send(zotui, 'go on')
      await zotui.see(/› \d/)
      await zotui.type('y')
      await zotui.see('All done.')
      expect(existsSync(join(volume, 'src', 'again'))).toBe(true)
      await send(zotui, '/exit')
      await zotui.exit()
      await expect.poll(() => cluster.kubectl(['get', 'jobs', '-o', 'name']).trim(), { timeout: 10_000 }).toBe('')
    },
  )

  test('zotui kubernetes lists a Job that a killed zotui has left, and removes it', async () => {
    const home = lastingHome()
    const env = environment(home.path, { KUBECONFIG: cluster.kubeconfig, PATH: process.env['PATH'] ?? '' })
    const run = (...words: string[]) =>
      execa(process.execPath, [program, ...words], {
        env,
        extendEnv: false,
        reject: false,
        cwd: home.project,
        input: '',
      })
    const templates = dirname((await run('kubernetes', 'template', 'left')).stdout.trim())
    writeFileSync(join(templates, 'left.yaml'), 'context: tests\nnamespace: default\nimage: local/agent\n', {
      mode: 0o600,
    })
    const zotui = run('--on', 'job:left', '-p', 'hello')
    await expect
      .poll(() => cluster.kubectl(['get', 'pods', '-o', 'name']), { timeout: 30_000 })
      .toContain('zotui-left-')
    zotui.kill('SIGKILL')
    await zotui
    const { stdout } = await run('kubernetes', 'jobs', '--json')
    const [left] = JSON.parse(stdout) as { job: string; isLive: boolean }[]
    expect(left).toMatchObject({ template: 'left', isLive: true })
    expect((await run('kubernetes', 'remove', left?.job ?? '')).stderr).toContain(`Removed ${left?.job}.`)
    expect((await run('kubernetes', 'jobs')).stderr).toContain('You have no Jobs.')
  })
})

/** zot's script is on the volume. */
function templateOf(node: string): string {
  return `context: tests
namespace: default
folder: /mnt/src
afterwards: remove
job:
  spec:
    template:
      spec:
        volumes: [{ name: work, persistentVolumeClaim: { claimName: work } }]
        containers:
          - name: agent
            image: local/agent
            volumeMounts: [{ name: work, mountPath: /mnt }]
            env:
              - { name: HOME, value: /mnt }
              - { name: PATH, value: '${node}:/usr/local/bin:/usr/bin:/bin' }
              - { name: ZOT_SCRIPT, value: /mnt/script.json }
`
}
