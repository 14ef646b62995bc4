/** A real zot in a pod of a real cluster, which is evicted in the middle of an answer. Its model is on loopback, which the pod shares. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startModel } from '../helpers/model.ts'
import { open } from '../helpers/screen.ts'
import { noZot, storySteps, tellStory } from '../real-zot/story-in-place.ts'
import { zot } from '../real-zot/talk.ts'
import { lastingHome } from '../stories/stage.ts'
import { evict, makeVolume, startCluster, withCluster, type TestCluster } from './cluster.ts'

noZot('a real zot in a pod')

const TEMPLATE = `context: tests
namespace: default
folder: /mnt/src
afterwards: remove
volume: { claim: work, at: /mnt }
image: local/agent
`

withCluster(
  'a real zot in a pod',
  () => {
    let cluster: TestCluster
    let volume = ''

    beforeAll(async () => {
      volume = mkdtempSync(join(tmpdir(), 'zotui-volume-'))
      mkdirSync(join(volume, 'bin'))
      copyFileSync(zot, join(volume, 'bin/zot'))
      // Each pod has an empty /tmp, in which the Node of this checkout may be.
      copyFileSync(process.execPath, join(volume, 'bin/node'))
      cluster = await startCluster({ images: `/mnt/bin:${process.env['PATH'] ?? ''}` })
      makeVolume(cluster, 'work', volume)
    }, 240_000)
    afterAll(async () => {
      await cluster.stop()
      rmSync(volume, { recursive: true, force: true })
    })

    test(
      'asks here, works there, is stopped, and knows what was said after the eviction',
      { timeout: 240_000 },
      async () => {
        const home = lastingHome()
        const model = await startModel(storySteps)
        const templates = join(home.path, '.config/zotui/jobs')
        mkdirSync(templates, { recursive: true, mode: 0o700 })
        writeFileSync(join(templates, 'real.yaml'), TEMPLATE, { mode: 0o600 })
        const zotui = await open({
          home,
          columns: 120,
          rows: 30,
          env: {
            KUBECONFIG: cluster.kubeconfig,
            PATH: process.env['PATH'] ?? '',
            ZOTUI_ZOT: undefined,
            ZOTUI_PERMISSIONS: undefined,
          },
          args: ['--on', 'job:real', '--zot', '/mnt/bin/zot', '--permissions', 'ask', ...model.flags],
        })
        await zotui.see('anthropic/claude-sonnet-4-5', { timeout: 60_000 })
        await zotui.see('job:real/zotui-real-')
        await tellStory({
          zotui,
          model,
          folder: join(volume, 'src'),
          lose: () => evict(cluster, cluster.kubectl(['get', 'pods', '-o', 'name']).trim().replace('pod/', '')),
          // The pod's processes are those of this machine.
          running: () => execFileSync('ps', ['-e', '-o', 'args'], { encoding: 'utf8' }),
        })
        await zotui.close()
        await expect.poll(() => cluster.kubectl(['get', 'jobs', '-o', 'name']).trim()).toBe('')
      },
    )
  },
  { isSkipped: zot === '' },
)
