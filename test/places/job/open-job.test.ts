import {
  chmodSync,
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
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createOpenJob } from '../../../src/places/job/open-job.ts'
import { jobTemplateText } from '../../../src/places/job/template-text.ts'
import { aJob, aPod, createJobStage, running, SIMPLE, type JobStage } from './job-stage.ts'

let folder = ''
let stage: JobStage
const openJob = createOpenJob({ pause: 10, stuck: 100 })
const open = (words: string, signal?: AbortSignal) => openJob(words, stage.start(signal))

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'zotui-places-'))
  stage = createJobStage(folder)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A cluster that makes what it is asked for, and in which the pod runs at once. It prints the Job that was made. */
function playsAlong(state: 'running' | 'silent' = 'running'): void {
  const status = state === 'running' ? { phase: 'Running', containerStatuses: running } : {}
  const pod = JSON.stringify(aPod('POD', status)).replaceAll('"', String.raw`\"`)
  const job = JSON.stringify(aJob('JOB', { suspend: true })).replaceAll('"', String.raw`\"`)
  stage.play(String.raw`
made="$here/made"; name() { sed -n 's/.*"name":"\(zotui-[a-z0-9-]*\)","namespace".*/\1/p' "$made"; }
suspended=true; [ ! -e "$here/begun" ] || suspended=false
case $verb in
create) cat >"$made" ;;
patch) : >"$here/begun" ;;
delete) mv "$made" "$here/removed" ;;
get)
  [ -e "$made" ] || { echo '{"items":[]}'; exit; }
  j=$(printf '%s' "${job}" | sed "s/JOB/$(name)/; s/\"suspend\":true/\"suspend\":$suspended/")
  case $* in
  *jobs,pods*) printf '{"items":[%s,%s]}' "$j" "$(printf '%s' "${pod}" | sed "s/POD/$(name)-abcde/")" ;;
  *) printf '{"items":[%s]}' "$j" ;;
  esac ;;
esac`)
}

test('the Job that is asked for has no token, a deadline, a time to live, and is made suspended', async () => {
  playsAlong()
  stage.template('big', [
    ...SIMPLE,
    'volume: { claim: work, at: /tmp }',
    'resources: { limits: { memory: 2Gi, cpu: 2 } }',
  ])
  const place = await open('job:big')
  const made: unknown = JSON.parse(readFileSync(join(stage.bin, 'made'), 'utf8'))
  expect(made).toMatchObject({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { namespace: 'agents', labels: { 'app.kubernetes.io/managed-by': 'zotui', 'zotui/template': 'big' } },
    spec: {
      suspend: true,
      backoffLimit: 3,
      activeDeadlineSeconds: 8 * 3600,
      ttlSecondsAfterFinished: 3600,
      template: {
        spec: {
          restartPolicy: 'Never',
          automountServiceAccountToken: false,
          securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
          containers: [
            {
              image: 'me/agent:1',
              resources: { limits: { memory: '2Gi', cpu: '2' } },
              securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
            },
          ],
        },
      },
    },
  })
  expect(JSON.stringify(made)).not.toContain(folder)
  expect(place.target().args.slice(0, 3)).toEqual(['--context=here', '--namespace=agents', 'exec'])
  await place.end()
})

test('what the person wrote into a whole Job is kept, but for what zotui decides', async () => {
  playsAlong()
  stage.template('whole', [
    'context: here',
    'namespace: agents',
    'container: agent',
    'job:',
    '  metadata: { labels: { team: tools } }',
    '  spec:',
    '    backoffLimit: 0',
    '    template:',
    '      spec:',
    '        automountServiceAccountToken: true',
    '        containers:',
    '          - { name: beside, image: b, command: [serve] }',
    '          - { name: agent, image: a }',
  ])
  const place = await open('job:whole')
  const made: unknown = JSON.parse(readFileSync(join(stage.bin, 'made'), 'utf8'))
  expect(made).toMatchObject({
    metadata: { labels: { team: 'tools', 'zotui/template': 'whole' } },
    spec: {
      backoffLimit: 0,
      suspend: true,
      template: {
        spec: {
          automountServiceAccountToken: true,
          containers: [{ command: ['serve'] }, { command: ['/bin/sh', '-c', expect.any(String)] }],
        },
      },
    },
  })
  expect(place.target().args).toContain('agent')
  await place.end()
})

test.each([
  ['context', ['namespace: n', 'image: i'], /big\.yaml:1: context: /],
  ['an unknown key', [...SIMPLE, 'imagee: x'], /big\.yaml:4: imagee: there is no such key/],
  ['an amount', [...SIMPLE, 'resources: { limits: { cpu: much } }'], /:4: resources\.limits\.cpu: /],
  [
    'both an image and a Job',
    [...SIMPLE, 'job: { spec: { template: { spec: { containers: [{name: a}] } } } }'],
    /either/,
  ],
  [
    'a command of its own',
    [
      ...SIMPLE.slice(0, 2),
      'job:',
      '  spec:',
      '    template:',
      '      spec:',
      '        containers:',
      '          - name: a',
      '            command: [x]',
    ],
    /:9: job\.spec\.template\.spec\.containers\.0\.command: zotui sets the command/,
  ],
  ['root', [...SIMPLE, 'user: 0'], /:4: user: root is refused/],
  ['an idle time of 0', [...SIMPLE, 'idleMinutes: 0'], /:4: idleMinutes: /],
])('a fault of the template is one line with its place: %s', async (_name, lines, words) => {
  playsAlong()
  stage.template('big', lines)
  await expect(open('job:big')).rejects.toThrow(words)
  expect(stage.calls()).toEqual([])
})

test('a template that is a link, or that others can change, is refused before anything is asked', async () => {
  playsAlong()
  const path = stage.template('big', SIMPLE)
  chmodSync(path, 0o666)
  await expect(open('job:big')).rejects.toThrow('can be changed by other users')
  symlinkSync(path, join(folder, 'config/jobs/linked.yaml'))
  await expect(open('job:linked')).rejects.toThrow('is a link')
  mkdirSync(join(folder, 'project/jobs'))
  writeFileSync(join(folder, 'project/jobs/theirs.yaml'), SIMPLE.join('\n'))
  await expect(open('job:theirs')).rejects.toThrow('there is no template theirs'.replace('there', 'There'))
  await expect(open('job:../jobs/big')).rejects.toThrow('--on does not understand')
  expect(stage.calls()).toEqual([])
})

test('without kubectl, and with one of the project only, the missing program is named', async () => {
  stage.template('big', SIMPLE)
  const start = stage.start()
  mkdirSync(join(folder, 'project/bin'))
  const own = join(folder, 'project/bin/kubectl')
  writeFileSync(own, `#!/bin/sh\n: >'${folder}/ran'\n`, { mode: 0o755 })
  await expect(
    openJob('job:big', { ...start, env: { PATH: `${join(folder, 'project/bin')}:${join(folder, 'state')}` } }),
  ).rejects.toThrow('There is no program kubectl here.')
  expect(existsSync(join(folder, 'ran'))).toBe(false)
})

test('Esc while kubectl hangs ends it, and the Job that it may have made is removed', async () => {
  stage.template('big', SIMPLE)
  stage.play(String.raw`case $verb in get) echo '{"items":[]}' ;; create) : >"$here/hangs"; exec sleep 600 ;; esac`)
  const stop = new AbortController()
  const opening = open('job:big', stop.signal)
  opening.catch(() => {})
  await expect.poll(() => existsSync(join(stage.bin, 'hangs')), { timeout: 5000 }).toBe(true)
  stop.abort()
  await expect(opening).rejects.toThrow(/^Stopped\. The Job zotui-big-[0-9a-f]{6} was removed\.$/)
  expect(stage.calls().at(-1)).toEqual(expect.arrayContaining(['delete', 'job', '--ignore-not-found']))
})

test('a pod that runs but has no shell is given up with what kubectl says, and the Job is removed', async () => {
  playsAlong()
  writeFileSync(join(stage.bin, 'no-shell'), '')
  stage.template('big', SIMPLE)
  await expect(open('job:big')).rejects.toThrow(/runs, but has no shell yet: container not found/)
  expect(existsSync(join(stage.bin, 'removed'))).toBe(true)
})

test('a Job that cannot be removed is named, with what ends it', async () => {
  playsAlong('silent')
  stage.template('big', [...SIMPLE, 'startMinutes: 1'])
  const stop = new AbortController()
  const start = stage.start(stop.signal)
  const progress = (words: string): void => {
    if (!words.startsWith('n1 pulls')) return
    stage.play(`echo 'Unable to connect to the server: EOF' >&2; exit 1`)
    stop.abort()
  }
  await expect(openJob('job:big', { ...start, progress })).rejects.toThrow(
    /could not be removed \(the cluster here\/agents cannot be reached: .*it ends itself after 30 minutes without zotui.*delete job zotui-big-/,
  )
})

test('no key and no secret of the environment is in the arguments or in the Job', async () => {
  playsAlong()
  stage.template('big', SIMPLE)
  const start = stage.start()
  const place = await openJob('job:big', { ...start, env: { ...start.env, ANTHROPIC_API_KEY: 'sk-secret' } })
  expect(JSON.stringify(stage.calls())).not.toContain('sk-secret')
  expect(readFileSync(join(stage.bin, 'made'), 'utf8')).not.toContain('sk-secret')
  await place.end()
})

test('a name that no cluster allows is not used in an argument', async () => {
  stage.template('big', SIMPLE)
  const odd = { ...aJob('zotui-big-000000'), metadata: { ...aJob('x').metadata, name: '--all' } }
  stage.play(stage.answers([odd, aPod('-x')]))
  await expect(open('job:big/zotui-big-000000')).rejects.toThrow('There is no Job zotui-big-000000')
})

test('the template that zotui writes is one that zotui reads', async () => {
  playsAlong()
  stage.template('mine', jobTemplateText('here').split('\n'))
  const place = await open('job:mine')
  expect(place.again).toMatch(/^job:mine\/zotui-mine-/)
  await place.end()
})
