/** A namespace of a cluster, as kubectl reaches it with the person's own configuration. */
import { UserError } from '../../platform/errors.ts'
import type { ProgramResult } from '../../platform/shell/run-program.ts'
import { sentence } from '../../text/sentence.ts'
import { findEngine, runEngine, type PlaceEngine } from '../run-engine.ts'

export type Cluster = {
  engine: PlaceEngine
  /** The arguments of every call: context and namespace. */
  where: readonly string[]
  /** For the person. Not sanitised. */
  name: string
}

export type ClusterAnswer = { ok: true; output: string } | { ok: false; trouble: ClusterTrouble }

export type ClusterTrouble = {
  /** `forbidden` and `login`: it stays so until the person does something. `missing`: there is no such object. */
  kind: 'missing' | 'forbidden' | 'login' | 'configuration' | 'unreachable' | 'stopped' | 'other'
  /** Without a full stop. */
  reason: string
  hint: string
}

/** Milliseconds for a call. */
const LIMIT = 30_000
/** Characters of the words of kubectl. */
const SHOWN = 400

/** @throws UserError if there is no kubectl outside of the project of `folder`. */
export function findCluster(
  { context, namespace }: { context: string; namespace: string },
  { env, folder }: { env: NodeJS.ProcessEnv; folder: string },
): Cluster {
  return {
    engine: findKubectl(env, folder),
    where: [`--context=${context}`, `--namespace=${namespace}`],
    name: `${context}/${namespace}`,
  }
}

/** @throws UserError if there is none outside of the project. */
function findKubectl(env: NodeJS.ProcessEnv, folder: string): PlaceEngine {
  const engine = findEngine('kubectl', env, folder)
  if (engine === null)
    throw new UserError('There is no program kubectl here.', 'https://kubernetes.io/docs/tasks/tools/', 2)
  return engine
}

/** Calls kubectl. Never rejects. */
export async function askCluster(
  { engine, where, name }: Cluster,
  args: readonly string[],
  {
    input = '',
    signal,
    limit = LIMIT,
  }: { input?: string; signal?: AbortSignal | undefined; limit?: number | undefined } = {},
): Promise<ClusterAnswer> {
  const seconds = Math.max(1, Math.round(limit / 1000) - 1)
  const result = await runEngine(engine, {
    args: [...where, `--request-timeout=${seconds}s`, ...args],
    input,
    limit,
    ...(signal && { signal }),
  })
  if (result.how === 'exited' && result.exitCode === 0) return { ok: true, output: result.output }
  return { ok: false, trouble: clusterTrouble(result, name) }
}

export function clusterError({ reason, hint }: ClusterTrouble): UserError {
  return new UserError(sentence(reason), sentence(hint), 2)
}

type ClusterFault = {
  pattern: RegExp
  kind: ClusterTrouble['kind']
  explain: (words: string, name: string) => [string, string]
}

const KNOWN: readonly ClusterFault[] = [
  {
    pattern: /\(NotFound\).*namespaces? "|namespaces? "[^"]*" not found/u,
    kind: 'configuration',
    explain: (words, name) => [
      `the cluster has no such namespace (${name}): ${words}`,
      'name another one in the template',
    ],
  },
  {
    pattern: /\(NotFound\)/u,
    kind: 'missing',
    explain: words => [words, ''],
  },
  {
    pattern: /\(Forbidden\)|is forbidden/u,
    kind: 'forbidden',
    explain: (words, name) => [
      `the cluster ${name} does not allow it: ${words}`,
      /quota/u.test(words) ? '' : 'docs/fleet.md lists the rights that zotui needs there',
    ],
  },
  {
    pattern: /Unauthorized|must be logged in|provide credentials|getting credentials|token (?:has|is) expired/iu,
    kind: 'login',
    explain: (_words, name) => [
      `the login at the cluster ${name} was refused, or has run out`,
      'log in there as you do for kubectl',
    ],
  },
  {
    pattern: /context "?[^"]*"? does not exist|no context exists|context was not found/iu,
    kind: 'configuration',
    explain: words => [`kubectl does not know the context: ${words}`, '`kubectl config get-contexts` lists them'],
  },
  {
    pattern:
      /Unable to connect|was refused|timed? ?out|deadline exceeded|no such host|no route to host|network is unreachable|EOF$|TLS handshake|ServiceUnavailable|connection reset/iu,
    kind: 'unreachable',
    explain: (words, name) => [`the cluster ${name} cannot be reached: ${words}`, ''],
  },
]

/** What kubectl said, in our words where they are known. Pure. */
function clusterTrouble({ how, exitCode, killedBy, errors }: ProgramResult, name: string): ClusterTrouble {
  if (how === 'aborted') return { kind: 'stopped', reason: 'stopped', hint: '' }
  if (how === 'timeout') return { kind: 'unreachable', reason: `kubectl does not answer (${name})`, hint: '' }
  if (how === 'too_much') return { kind: 'other', reason: 'the answer of the cluster is too large', hint: '' }
  if (how === 'not_started') return { kind: 'other', reason: 'kubectl cannot be started', hint: '' }
  if (how === 'signal') return { kind: 'other', reason: `kubectl was ended by ${killedBy}`, hint: '' }
  const lines = errors
    .split(/\r?\n/)
    .map(line => line.trim())
    // Its library writes notes of this form, with times.
    .filter(line => line !== '' && !/^[EWI]\d{4} /.test(line))
  const all = lines.join('\n')
  const known = KNOWN.find(({ pattern }) => pattern.test(all))
  const telling =
    lines.find(line => known?.pattern.test(line)) ?? lines.at(-1) ?? `kubectl ended with exit code ${exitCode}`
  const words = telling.replace(/^(?:error: |Error from server(?: \(\w+\))?: )+/, '').slice(0, SHOWN)
  if (!known) return { kind: 'other', reason: words, hint: '' }
  const [reason, hint] = known.explain(words, name)
  return { kind: known.kind, reason, hint }
}
