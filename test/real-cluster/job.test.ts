import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createMachine } from '../../src/platform/remote/machine.ts'
import { createOpenJob } from '../../src/places/job/open-job.ts'
import type { PlaceStart, StartedPlace } from '../../src/places/started-place.ts'
import { startCluster, withCluster, makeVolume, type TestCluster } from './cluster.ts'

withCluster('a Job', () => {
  let cluster: TestCluster
  let folder = ''
  let said: string[] = []
  const openJob = createOpenJob({ pause: 200, stuck: 3000 })

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'zotui-job-'))
    mkdirSync(join(folder, 'jobs'), { mode: 0o700 })
    cluster = await startCluster()
    makeVolume(cluster, 'work', join(folder, 'volume'))
  }, 120_000)
  afterAll(async () => {
    await cluster.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  beforeEach(() => (said = []))

  function template(name: string, lines: readonly string[] = []): void {
    const all = ['context: tests', 'namespace: default', ...lines]
    if (!all.some(line => line.startsWith('image:'))) all.push('image: local/agent')
    writeFileSync(join(folder, 'jobs', `${name}.yaml`), `${all.join('\n')}\n`, { mode: 0o600 })
  }

  function start(signal = new AbortController().signal): PlaceStart {
    return {
      folder,
      progress: words => said.push(words),
      signal,
      env: { ...process.env, KUBECONFIG: cluster.kubeconfig },
      configFolder: folder,
      stateFolder: join(folder, 'state'),
    }
  }

  async function run(place: StartedPlace, script: string): Promise<string> {
    const machine = createMachine(place.target(), start().env)
    const answer = await machine.ask(script)
    machine.close()
    return answer.ok ? answer.bytes.toString().trim() : `lost: ${answer.words}`
  }

  const jobs = (): string => cluster.kubectl(['get', 'jobs', '-o', 'name']).trim()

  test('a shell answers in the pod, in the folder on the volume, and the Job ends with the place', async () => {
    template('big', ['volume: { claim: work, at: /mnt }', 'folder: /mnt/src', 'afterwards: remove'])
    const place = await openJob('job:big', start())
    expect(said.join('\n')).toMatch(/asks tests\/default for the Job zotui-big-/)
    expect(await run(place, 'pwd; echo $HOME; echo file >here')).toBe('/mnt/src\n/mnt/home')
    expect(jobs()).toMatch(/^job\.batch\/zotui-big-[0-9a-f]{6}$/)
    expect(await place.end()).toBeNull()
    expect(jobs()).toBe('')
  })
})
