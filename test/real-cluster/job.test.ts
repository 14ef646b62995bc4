import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createMachine } from '../../src/platform/remote/machine.ts'
import { createOpenJob } from '../../src/places/job/open-job.ts'
import type { PlaceStart, StartedPlace } from '../../src/places/started-place.ts'
import { evict, startCluster, withCluster, makeVolume, type TestCluster } from './cluster.ts'

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
  }, 240_000)
  afterAll(async () => {
    await cluster.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  beforeEach(() => (said = []))

  function template(name: string, lines: readonly string[] = []): void {
    const all = ['context: tests', 'namespace: default', ...lines]
    if (!all.some(line => /^(?:image|job):/.test(line))) all.push('image: local/agent')
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

  const jobs = (labels = 'app.kubernetes.io/managed-by=zotui'): string =>
    cluster.kubectl(['get', 'jobs', '-l', labels, '-o', 'name']).trim()

  test('a shell answers in the pod, in the folder on the volume, and the Job ends with the place', async () => {
    template('big', ['volume: { claim: work, at: /mnt }', 'folder: /mnt/src', 'afterwards: remove'])
    const place = await openJob('job:big', start())
    expect(said.join('\n')).toMatch(/asks tests\/default for the Job zotui-big-/)
    expect(await run(place, 'cd /mnt/src && pwd; echo $HOME')).toBe('/mnt/src\n/mnt/home')
    expect(place.target()).toMatchObject({ file: 'kubectl', folder: '/mnt/src' })
    expect(jobs()).toMatch(/^job\.batch\/zotui-big-[0-9a-f]{6}$/)
    expect(await place.end()).toBeNull()
    expect(jobs()).toBe('')
  })

  test('after an eviction the cluster makes another pod, and the files on the volume are there', async () => {
    template('moved', ['volume: { claim: work, at: /mnt }', 'afterwards: remove'])
    const place = await openJob('job:moved', start())
    await run(place, 'echo kept >/mnt/file')
    const before = podOf(place)
    evict(cluster, before)
    expect(await place.comeBack(new AbortController().signal)).toBeNull()
    expect(podOf(place)).not.toBe(before)
    expect(await run(place, 'cat /mnt/file')).toBe('kept')
    expect(said.join('\n')).toContain('waits for the pod')
    await place.end()
  })

  test('a Job that is kept is come back to by its name or that of its pod, and is removed by its end', async () => {
    template('kept', ['idleMinutes: 30'])
    const place = await openJob('job:kept', start())
    await run(place, 'echo still >/tmp/there')
    expect(await place.end()).toMatch(
      /^The Job zotui-kept-\w+ goes on for 30 minutes: zotui --on job:kept\/zotui-kept-/,
    )
    for (const again of [place.again, `job:kept/${podOf(place)}`]) {
      const second = await openJob(`${again}:/tmp`, start())
      expect(await run(second, 'cat /tmp/there')).toBe('still')
      expect(second.target().folder).toBe('/tmp')
      await second.end()
    }
    cluster.kubectl(['delete', 'job', place.again.split('/')[1] ?? ''])
    await expect(openJob(place.again, start())).rejects.toThrow(
      /There is no Job zotui-kept-\w+ of zotui in tests\/default/,
    )
  })

  test('a Job of another person, or of another template, is not come back to', async () => {
    template('mine')
    template('other')
    const place = await openJob('job:mine', start())
    const stranger = { ...start(), stateFolder: join(folder, 'stranger') }
    await expect(openJob(place.again, stranger)).rejects.toThrow('belongs to another template or person')
    await expect(openJob(place.again.replace('job:mine', 'job:other'), start())).rejects.toThrow('belongs to another')
    cluster.kubectl(['delete', 'jobs', '--all'])
  })

  test('a Job that no node can take says why while it waits, and Esc removes it', async () => {
    template('huge', ['resources: { requests: { cpu: 1000 } }'])
    const stop = new AbortController()
    const all = start(stop.signal)
    const progress = (words: string): void => {
      said.push(words)
      if (words.includes('Insufficient cpu')) stop.abort()
    }
    await expect(openJob('job:huge', { ...all, progress })).rejects.toThrow(
      /^Stopped\. The Job zotui-huge-\w+ was removed\.$/,
    )
    expect(said.at(-1)).toMatch(/^waiting for a node: 0\/1 nodes are available: 1 Insufficient cpu/)
    expect(jobs()).toBe('')
  })

  test('an image that cannot be pulled is given up with its reason, and the Job is removed', async () => {
    template('broken', ['image: missing/agent:7'])
    await expect(openJob('job:broken', start())).rejects.toThrow(
      /the container agent does not start: (?:ImagePullBackOff|ErrImagePull): failed to pull missing\/agent:7: not found/,
    )
    expect(jobs()).toBe('')
  })

  test('no more Jobs begin at once than the template says, also when five zotuis ask in the same moment', async () => {
    template('few', ['jobsAtOnce: 2', 'afterwards: remove'])
    const asked = await Promise.allSettled(Array.from({ length: 5 }, () => openJob('job:few', start())))
    const places = asked.flatMap(each => (each.status === 'fulfilled' ? [each.value] : []))
    const refused = asked.flatMap(each => (each.status === 'rejected' ? [String(each.reason)] : []))
    expect(places).toHaveLength(2)
    expect(refused.every(words => /There (?:is|are) already \d of 2 Jobs of the template few/.test(words))).toBe(true)
    expect(jobs().split('\n')).toHaveLength(2)
    await Promise.all(places.map(place => place.end()))
    expect(jobs()).toBe('')
  })

  test('rights that are missing are named, and nothing is left', async () => {
    template('denied')
    const text = 'context: reader\nnamespace: default\nimage: local/agent\n'
    writeFileSync(join(folder, 'jobs', 'denied.yaml'), text, { mode: 0o600 })
    await expect(openJob('job:denied', start())).rejects.toThrow(
      /^The cluster reader\/default does not allow it: .*User "reader" cannot list resource "jobs"/,
    )
    expect(jobs()).toBe('')
  })

  test('a context, and a namespace, that do not exist are named', async () => {
    writeFileSync(join(folder, 'jobs', 'nowhere.yaml'), 'context: nowhere\nnamespace: x\nimage: a\n', { mode: 0o600 })
    await expect(openJob('job:nowhere', start())).rejects.toThrow(/^Kubectl does not know the context: .*nowhere/)
    writeFileSync(join(folder, 'jobs', 'lost.yaml'), 'context: tests\nnamespace: lost\nimage: a\n', { mode: 0o600 })
    await expect(openJob('job:lost', start())).rejects.toThrow(/no such namespace \(tests\/lost\)/)
  })

  test('a quota that forbids the pod is shown as what the cluster says', async () => {
    cluster.kubectl(['create', 'namespace', 'poor'])
    cluster.kubectl(['create', 'quota', 'none', '--hard=pods=0', '--namespace=poor'])
    writeFileSync(join(folder, 'jobs', 'poor.yaml'), 'context: tests\nnamespace: poor\nimage: a\n', { mode: 0o600 })
    await expect(openJob('job:poor', start())).rejects.toThrow(/the cluster does not make the pod: .*exceeded quota/)
    expect(cluster.kubectl(['get', 'jobs', '-n', 'poor', '-o', 'name'])).toBe('')
  })

  test('while the API server is gone nothing waits for ever, and when it is back the place is, too', async () => {
    template('crash', ['afterwards: remove'])
    const place = await openJob('job:crash', start())
    await cluster.stopServer()
    expect(await place.comeBack(new AbortController().signal)).toMatch(/The cluster tests\/default cannot be reached/i)
    await cluster.startServer()
    expect(await place.comeBack(new AbortController().signal)).toBeNull()
    expect(await run(place, 'echo back')).toBe('back')
    await cluster.stopServer()
    expect(await place.end()).toMatch(/could not be removed .*it ends itself after 30 minutes without zotui/)
    await cluster.startServer()
  })

  test('a pod without zotui ends itself, the cluster makes no other one, and coming back says so', async () => {
    // It sleeps a third of a second where it should sleep five.
    const quick = join(folder, 'volume', 'quick')
    mkdirSync(quick)
    writeFileSync(join(quick, 'sleep'), '#!/bin/sh\nexec /usr/bin/sleep 0.3\n', { mode: 0o755 })
    template('alone', [
      'idleMinutes: 1',
      'job:',
      '  metadata: { labels: { team: tools } }',
      '  spec:',
      '    template:',
      '      spec:',
      '        volumes: [{ name: work, persistentVolumeClaim: { claimName: work } }]',
      '        containers:',
      '          - name: tools',
      '            image: local/agent',
      '            volumeMounts: [{ name: work, mountPath: /mnt }]',
      `            env: [{ name: PATH, value: '/mnt/quick:${process.env['PATH'] ?? ''}' }]`,
    ])
    const place = await openJob('job:alone', start())
    expect(jobs('team=tools')).toContain(place.again.split('/')[1])
    await place.end()
    const [, job = ''] = place.again.split('/')
    cluster.kubectl(['wait', '--for=condition=complete', `job/${job}`, '--timeout=60s'])
    expect(await place.comeBack(new AbortController().signal)).toMatch(
      /the pod has ended itself: no zotui was there\.$/,
    )
    expect(
      cluster
        .kubectl(['get', 'pods', '-l', `zotui/job=${job}`, '-o', 'name'])
        .trim()
        .split('\n'),
    ).toHaveLength(1)
    cluster.kubectl(['delete', 'job', job])
  })
})

function podOf(place: StartedPlace): string {
  const { args } = place.target()
  return args[args.indexOf('-i') + 1] ?? ''
}
