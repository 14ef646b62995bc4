/** A cluster of the tests, which a small `kubectl` of theirs plays from files. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import type { ClusterJob, ClusterPod } from '../../../src/places/job/objects.ts'
import type { PlaceStart } from '../../../src/places/started-place.ts'

/**
 * It writes its arguments into `calls`, one file a call, and does what the script `play` says, with the verb in `$verb`. Its exec runs the
 * command here.
 */
const KUBECTL = `#!/bin/sh
here=$(dirname "$0")
n=$(ls "$here/calls" | wc -l); while ! (set -C; printf '%s\\n' "$@" >"$here/calls/$(printf %04d $n)") 2>/dev/null; do n=$((n + 1)); done
verb=; for word; do case $word in -*) ;; *) [ -n "$verb" ] || verb=$word;; esac; done
if [ "$verb" = exec ]; then while [ "$1" != -- ]; do shift; done; shift; [ ! -e "$here/no-shell" ] || { echo 'container not found' >&2; exit 1; }; exec "$@"; fi
. "$here/play"
`

export type JobStage = ReturnType<typeof createJobStage>

export function createJobStage(folder: string) {
  const bin = join(folder, 'bin')
  mkdirSync(join(bin, 'calls'), { recursive: true })
  mkdirSync(join(folder, 'config/jobs'), { recursive: true, mode: 0o700 })
  mkdirSync(join(folder, 'project'))
  const said: string[] = []
  return {
    said,
    /** The script that answers. */
    play(script: string): void {
      writeFileSync(join(bin, 'kubectl'), KUBECTL, { mode: 0o755 })
      writeFileSync(join(bin, 'play'), `${script}\n`)
    },
    template(name: string, lines: readonly string[]): string {
      const path = join(folder, 'config/jobs', `${name}.yaml`)
      writeFileSync(path, `${lines.join('\n')}\n`, { mode: 0o600 })
      return path
    },
    /** Prints these objects where a list is asked for. */
    answers(objects: readonly object[]): string {
      const file = join(bin, `answer-${readdirSync(bin).length}`)
      writeFileSync(file, JSON.stringify({ kind: 'List', items: objects }))
      return `cat '${file}'`
    },
    start(signal = new AbortController().signal): PlaceStart {
      return {
        folder: join(folder, 'project'),
        progress: words => said.push(words),
        signal,
        env: { ...process.env, PATH: `${bin}:${process.env['PATH'] ?? ''}` },
        configFolder: join(folder, 'config'),
        stateFolder: join(folder, 'state'),
      }
    },
    /** The arguments of each call, in order. */
    calls(): string[][] {
      return readdirSync(join(bin, 'calls'))
        .toSorted()
        .map(name =>
          readFileSync(join(bin, 'calls', name), 'utf8')
            .trimEnd()
            .split('\n'),
        )
    },
    bin,
  }
}

export const SIMPLE = ['context: here', 'namespace: agents', 'image: me/agent:1']

export function aJob(
  name: string,
  changes: { suspend?: boolean; made?: string; conditions?: Partial<typeof condition>[] } = {},
): ClusterJob {
  const { suspend = false, made = '2026-01-01T00:00:00Z' } = changes
  const conditions: (typeof condition)[] = []
  for (const each of changes.conditions ?? []) conditions.push({ ...condition, ...each })
  return {
    kind: 'Job',
    metadata: { name, labels: {}, creationTimestamp: made, deletionTimestamp: null },
    spec: { suspend },
    status: { conditions, startTime: null },
  }
}

const condition = { type: '', status: 'True', reason: '', message: '' }

export function aPod(name: string, status: Partial<ClusterPod['status']> = {}, node = 'n1'): ClusterPod {
  return {
    kind: 'Pod',
    metadata: { name, labels: {}, creationTimestamp: '2026-01-01T00:00:01Z', deletionTimestamp: null },
    spec: { nodeName: node },
    status: {
      phase: 'Pending',
      reason: '',
      message: '',
      conditions: [],
      containerStatuses: [],
      initContainerStatuses: [],
      ...status,
    },
  }
}

export const running: ClusterPod['status']['containerStatuses'] = [
  { name: 'agent', state: { waiting: null, running: {}, terminated: null } },
]
