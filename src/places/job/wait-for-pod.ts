/** Waits until the pod of a Job runs and answers. It never waits without an end. */
import { setTimeout as rest } from 'node:timers/promises'
import type { Cluster, ClusterTrouble } from './cluster.ts'
import { lookAtJob } from './jobs.ts'
import { placeState, type PlaceState } from './place-state.ts'

/** In milliseconds. */
export type WaitTimes = {
  /** Between two looks. */
  pause: number
  /** For a state that will hardly go on by itself, a cluster that does not answer, or a pod that does not. */
  stuck: number
}

export const usualTimes: WaitTimes = { pause: 1000, stuck: 60_000 }

export type PodWait = {
  job: string
  container: string
  /** Milliseconds for all of it. */
  limit: number
  signal: AbortSignal
  progress: (words: string) => void
  /** Tries a shell in the pod. Resolves to why there is none; null if there is one. */
  tries: (pod: string) => Promise<string | null>
}

/** `why` has no full stop. `isLasting`: trying again changes nothing. */
export type WaitedPod =
  | { ok: true; pod: string; node: string }
  | { ok: false; why: string; hint: string; isLasting: boolean }

/** Never rejects. */
export async function waitForPod(cluster: Cluster, wait: PodWait, times: WaitTimes): Promise<WaitedPod> {
  const { job, container, limit, signal, progress, tries } = wait
  const began = performance.now()
  let shown = ''
  /** Since when the same trouble lasts, and its kind. */
  let trouble = { kind: '', since: began }

  for (;;) {
    if (signal.aborted) return stopped
    const found = await lookAtJob(cluster, job, signal)
    if (signal.aborted) return stopped
    if (!found.ok && isFinal(found.trouble)) return { ...failed(found.trouble.reason), hint: found.trouble.hint }
    const state: PlaceState = found.ok
      ? placeState({ job: found.jobs[0], pods: found.pods, events: found.events, container })
      : { kind: 'waiting', words: found.trouble.reason, isStuck: true }
    if (state.kind === 'ended') return failed(state.words)
    const noShell = state.kind === 'ready' ? await tries(state.pod) : null
    if (state.kind === 'ready' && noShell === null) return { ok: true, pod: state.pod, node: state.node }
    const words = state.kind === 'ready' ? `the pod ${state.pod} runs, but has no shell yet: ${noShell}` : state.words
    if (words !== shown) progress(words)
    shown = words
    const now = performance.now()
    const isStuck = state.kind === 'ready' || state.isStuck
    const kind = found.ok ? state.kind : 'cluster'
    if (!isStuck || trouble.kind !== kind) trouble = { kind: isStuck ? kind : '', since: now }
    if (isStuck && now - trouble.since >= times.stuck) return { ...failed(words), isLasting: found.ok }
    if (now - began >= limit) return failed(`after ${Math.round(limit / 60_000)} minutes: ${words}`)
    await rest(times.pause, undefined, { signal }).catch(() => {})
  }
}

const stopped: WaitedPod = { ok: false, why: 'stopped', hint: '', isLasting: false }

function failed(why: string): Extract<WaitedPod, { ok: false }> {
  return { ok: false, why, hint: '', isLasting: true }
}

/** Others may pass: a cluster is updated, a network changes. */
function isFinal({ kind }: ClusterTrouble): boolean {
  return ['forbidden', 'login', 'configuration', 'missing'].includes(kind)
}
