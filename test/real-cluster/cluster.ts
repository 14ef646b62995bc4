/**
 * A real API server of Kubernetes with its controllers and its scheduler, on etcd, and the small kubelet of `test/fixtures/kubelet`:
 * `ZOTUI_CLUSTER` names the folder with the programs (`.ci/cluster` builds it). The kubelet needs root, for namespaces.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import process from 'node:process'
import { setTimeout as rest } from 'node:timers/promises'
import { describe } from 'vitest'
import { freePort } from '../helpers/free-port.ts'

const programs = process.env['ZOTUI_CLUSTER'] ?? ''
const needed = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubelet']
if (programs === '') process.stderr.write('!! SKIPPED: the tests on a real cluster: ZOTUI_CLUSTER names no programs\n')

const isThere = programs !== '' && needed.every(each => existsSync(join(programs, each))) && process.getuid?.() === 0

/** A group of tests that needs the cluster. */
export function withCluster(title: string, tests: () => void, { isSkipped = false } = {}): void {
  describe.skipIf(!isThere || isSkipped)(`cluster: ${title}`, () => {
    tests()
  })
}

export type TestCluster = {
  kubeconfig: string
  /** What kubectl prints. */
  kubectl: (args: readonly string[], input?: string) => string
  /** Ends the API server as a crash does, and starts it again on the same data. */
  stopServer: () => Promise<void>
  startServer: () => Promise<void>
  stop: () => Promise<void>
}

export async function startCluster({ images = process.env['PATH'] ?? '' } = {}): Promise<TestCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'zotui-cluster-'))
  chmodSync(folder, 0o755)
  const [client, peer, port] = [await freePort(), await freePort(), await freePort()]
  const children = new Set<ChildProcess>()
  const start = (file: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): ChildProcess => {
    // Into a file: a pipe that nobody reads for a moment would hold the program up.
    const log = join(folder, `${basename(file)}.log`)
    const words = openSync(log, 'a')
    const child = spawn(file, args, { stdio: ['pipe', 'pipe', words], env })
    closeSync(words)
    child.stdout?.resume()
    child.once('exit', code => {
      children.delete(child)
      if (code !== 0 && code !== null)
        process.stderr.write(`${file} ended with ${code}:\n${readFileSync(log, 'utf8').slice(-4000)}\n`)
    })
    children.add(child)
    return child
  }

  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text, { mode: 0o600 })
    return join(folder, name)
  }
  const signing = file('sa.key', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
  const verifying = file('sa.pub', publicKey.export({ type: 'spki', format: 'pem' }).toString())
  const tokens = file('tokens.csv', 'admin-token,admin,admin,system:masters\nreader-token,reader,reader,\n')
  const address = `https://127.0.0.1:${port}`
  const kubeconfig = file('kubeconfig', configOf(address))

  start(
    'etcd',
    [
      ['--data-dir', join(folder, 'etcd'), '--unsafe-no-fsync'],
      ['--listen-client-urls', `http://127.0.0.1:${client}`, '--advertise-client-urls', `http://127.0.0.1:${client}`],
      ['--listen-peer-urls', `http://127.0.0.1:${peer}`, '--initial-advertise-peer-urls', `http://127.0.0.1:${peer}`],
      ['--initial-cluster', `default=http://127.0.0.1:${peer}`],
    ].flat(),
  )
  let server: ChildProcess | null = null
  const startServer = async (): Promise<void> => {
    server = start(
      join(programs, 'kube-apiserver'),
      [
        ['--etcd-servers', `http://127.0.0.1:${client}`, '--cert-dir', join(folder, 'certs')],
        ['--bind-address', '127.0.0.1', '--secure-port', String(port), '--service-cluster-ip-range', '10.0.0.0/24'],
        ['--service-account-issuer', 'https://zotui.test', '--service-account-key-file', verifying],
        ['--service-account-signing-key-file', signing, '--token-auth-file', tokens, '--authorization-mode', 'RBAC'],
        ['--endpoint-reconciler-type', 'none', '--disable-admission-plugins', 'ServiceAccount'],
      ].flat(),
    )
    for (let n = 0; n < 600; n += 1) {
      if (await isReady(`${address}/readyz`)) return
      await rest(100)
    }
    throw new Error('the API server does not begin')
  }
  await startServer()
  start(
    join(programs, 'kube-controller-manager'),
    [
      ['--kubeconfig', kubeconfig, '--leader-elect=false', '--secure-port', '0'],
      ['--service-account-private-key-file', signing, '--use-service-account-credentials=false'],
    ].flat(),
  )
  start(join(programs, 'kube-scheduler'), ['--kubeconfig', kubeconfig, '--leader-elect=false', '--secure-port', '0'])
  const kubelet = start(join(programs, 'kubelet'), ['-kubeconfig', kubeconfig], { ...process.env, PATH: images })
  await once(kubelet.stdout ?? kubelet, 'data')

  return {
    kubeconfig,
    kubectl: (args, input = '') =>
      execFileSync('kubectl', [`--kubeconfig=${kubeconfig}`, '--context=tests', ...args], {
        input,
        stdio: 'pipe',
      }).toString(),
    async stopServer() {
      server?.kill('SIGKILL')
      if (server && server.exitCode === null && server.signalCode === null) await once(server, 'exit')
    },
    startServer,
    async stop() {
      const ends = [...children].map(child => once(child, 'exit'))
      kubelet.stdin?.end()
      for (const child of children) if (child !== kubelet) child.kill('SIGKILL')
      await Promise.all(ends)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** `tests` is an administrator; `reader` may do nothing. */
function configOf(server: string): string {
  const users = ['admin', 'reader'].map(name => ({ name, user: { token: `${name}-token` } }))
  const cluster = { server, 'insecure-skip-tls-verify': true }
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'tests', cluster }],
    users,
    contexts: [
      { name: 'tests', context: { cluster: 'tests', user: 'admin' } },
      { name: 'reader', context: { cluster: 'tests', user: 'reader' } },
    ],
    'current-context': 'tests',
  })
}

function isReady(url: string): Promise<boolean> {
  return new Promise(resolve => {
    const asked = get(url, { rejectUnauthorized: false }, ({ statusCode }) => resolve(statusCode === 200))
    asked.on('error', () => resolve(false))
    asked.on('response', response => response.resume())
  })
}

/** A claim of this name that is bound to a folder of this machine. */
export function makeVolume({ kubectl }: TestCluster, name: string, folder: string): void {
  mkdirSync(folder, { recursive: true })
  const shared = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], storageClassName: 'none' }
  const volume = {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name },
    spec: { ...shared, hostPath: { path: folder }, claimRef: { namespace: 'default', name } },
  }
  const claim = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace: 'default' },
    spec: {
      accessModes: shared.accessModes,
      storageClassName: 'none',
      volumeName: name,
      resources: { requests: { storage: '1Gi' } },
    },
  }
  kubectl(['create', '-f', '-'], JSON.stringify(volume))
  kubectl(['create', '-f', '-'], JSON.stringify(claim))
  // The controllers look at claims every few seconds.
  kubectl(['wait', '--for=jsonpath={.status.phase}=Bound', `pvc/${name}`, '--timeout=150s'])
}

/** As the cluster does to a pod whose node is needed for others. */
export function evict({ kubectl }: TestCluster, pod: string): void {
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: pod, namespace: 'default' } }
  const path = `/api/v1/namespaces/default/pods/${pod}/eviction`
  kubectl(['create', '--raw', path, '-f', '-'], JSON.stringify(eviction))
}
