/** Holds the demo's calls until they are allowed: the permissions of a `Backend` without a process to guard. */
import type { Backend } from '../../agent/backend.ts'
import type { AgentEvent } from '../../agent/event.ts'
import { createListeners } from '../../agent/listeners.ts'
import { requestFacts, type Judge, type ToolKind, type ToolRequest, type Verdict } from '../../agent/permission.ts'
import type { PermissionAnswer, RunningCommand } from '../../agent/requests.ts'
import { refusal } from '../../agent/refusal.ts'
import { forwardTo, type OwnMethods } from '../host/forwarding.ts'
import type { ToolUse } from './script/script.ts'
import { lookup } from '../../text/lookup.ts'

/** The decision about a call. `command` runs instead of the requested one; `words` are the call's result. */
export type HeldOutcome = { allowed: true; command?: string } | { allowed: false; words: string }

/** The demo's end. */
export type DemoGate = {
  /** Whether calls are held at all. */
  isOn: () => boolean
  /** Holds a call until `decided` is called, which may be at once. Returns a function that allows it, unless it is decided. */
  hold: (call: { id: string; use: ToolUse }, decided: (decision: HeldOutcome) => void) => () => void
  /** Drops the pending questions: their answers are no longer needed. */
  withdraw: () => void
  /** Notes a command that runs. Returns a function that notes its end; `end` is called to end it earlier. */
  runs: (call: { id: string; command: string }, end: () => void) => () => void
}

type Held = { request: ToolRequest; decided: (decision: HeldOutcome) => void }

/** A gate, and the backend with the methods that control it. */
export function createGate(options: { folder: string; now?: () => number }): {
  gate: DemoGate
  guarded: (backend: Backend) => Backend
} {
  const { folder, now = Date.now } = options
  const { tell: emit, subscribe } = createListeners<[AgentEvent]>()
  const held = new Map<string, Held>()
  const running = new Map<number, { command: RunningCommand; end: () => void }>()
  let judge: Judge | null = null
  let count = 0
  let pids = 4200
  return { gate: { isOn: () => judge !== null, hold, withdraw, runs }, guarded }

  function hold({ id: callId, use }: { id: string; use: ToolUse }, decided: Held['decided']): () => void {
    const id = `demo-${(count += 1)}`
    const request = requestOf(use, { id, callId, folder })
    const made = judged(request)
    if (made instanceof Promise) void made.then(verdict => follow(request, decided, verdict))
    else follow(request, decided, made)
    return () => settle(id, { answer: 'allow' }, 'rule')
  }

  function follow(request: ToolRequest, decided: Held['decided'], made: Verdict): void {
    const { verdict, because, ...more } = made
    const { id, callId, tool } = request
    if (verdict === 'refuse') {
      emit({ type: 'call_refused', at: now(), callId, tool, because })
      decided({ allowed: false, words: 'words' in more ? more.words : because })
    } else if (verdict === 'allow') decided({ allowed: true })
    else {
      held.set(id, { request, decided })
      emit({ type: 'permission_requested', at: now(), ...requestFacts(request), because })
    }
  }

  function withdraw(): void {
    for (const id of held.keys()) emit({ type: 'permission_decided', at: now(), id, allowed: false, by: 'end' })
    held.clear()
  }

  function judged(request: ToolRequest): ReturnType<Judge> {
    try {
      return judge?.(request) ?? { verdict: 'allow', because: '' }
    } catch {
      return { verdict: 'ask', because: 'it could not be judged' }
    }
  }

  function runs({ id, command }: { id: string; command: string }, end: () => void): () => void {
    const pid = (pids += 7)
    running.set(pid, { command: { pid, command, startedAt: now(), callId: id }, end })
    return () => void running.delete(pid)
  }

  function guarded(backend: Backend): Backend {
    backend.subscribe(emit)
    const permissions: OwnMethods = {
      subscribe,
      judgeWith: next => void (judge = next),
      answerPermission(id, answer, by = 'user') {
        if (answer.answer !== 'stop') return settle(id, answer, by)
        for (const each of held.keys()) settle(each, { answer: 'refuse', words: '' }, 'user')
        backend.abort()
      },
      setPermissionMode: mode => emit({ type: 'permission_mode_changed', at: now(), mode }),
      listRunning: async () => [...running.values()].map(({ command }) => command),
      async endRunning(pid) {
        const found = running.get(pid)
        found?.end()
        return found ? { ok: true, value: undefined } : { ok: false, message: `no command has the id ${pid}` }
      },
    }
    const abilities = new Set([...backend.abilities, ...PERMISSIONS])
    return forwardTo(
      () => backend,
      permissions,
      () => abilities,
    )
  }

  function settle(id: string, answer: Exclude<PermissionAnswer, { answer: 'stop' }>, by: 'user' | 'rule'): void {
    const call = held.get(id)
    if (!call || !held.delete(id)) return
    const at = now()
    if (answer.answer === 'refuse') {
      const words = answer.words === '' ? refusal('') : answer.words
      const { because } = answer
      emit({ type: 'permission_decided', at, id, allowed: false, by, words, ...(because !== undefined && { because }) })
      return call.decided({ allowed: false, words })
    }
    const command = answer.answer === 'allow_changed' ? answer.command : undefined
    emit({ type: 'permission_decided', at, id, allowed: true, by, ...(command !== undefined && { command }) })
    call.decided({ allowed: true, ...(command !== undefined && { command }) })
  }
}

const PERMISSIONS: Backend['abilities'] = new Set(['judgeWith', 'setPermissionMode', 'listRunning'])

const KINDS: Readonly<Record<string, ToolKind>> = {
  bash: 'command',
  write: 'edit',
  edit: 'edit',
  read: 'read',
  glob: 'read',
  skill: 'read',
}

function requestOf(use: ToolUse, facts: Pick<ToolRequest, 'id' | 'callId' | 'folder'>): ToolRequest {
  const { name, args, result } = use
  const { path, pattern, content, command } = args
  const kind = lookup(KINDS, name) ?? 'other'
  const diff =
    name === 'write' && typeof content === 'string'
      ? linesOf(content).map(line => `+${line}`)
      : name === 'edit' && 'text' in result && result.failed !== true
        ? linesOf(result.text)
        : null
  return {
    ...facts,
    tool: name,
    kind,
    arguments: args,
    ...(typeof command === 'string' && { command }),
    ...(typeof path === 'string' && { paths: [`${facts.folder}/${path}`] }),
    ...(typeof pattern === 'string' && { paths: [facts.folder] }),
    ...(diff && typeof path === 'string' && { diff: patchOf(path, diff, name === 'write') }),
  }
}

const linesOf = (text: string): string[] => text.replace(/\n$/, '').split('\n')

/** The rows of a change as a unified diff. `...` between two places begins a new hunk. */
function patchOf(path: string, rows: readonly string[], isNew: boolean): string {
  const hunks: string[][] = [[]]
  for (const row of rows) {
    if (row === '...') hunks.push([])
    else hunks.at(-1)?.push(row)
  }
  const counted = hunks.filter(hunk => hunk.length > 0)
  const head = [isNew ? '--- /dev/null' : `--- a/${path}`, `+++ b/${path}`]
  // The demo has no file, and so no line numbers but those of a new one.
  const place = (hunk: readonly string[]): string => (isNew ? `@@ -0,0 +1,${hunk.length} @@` : '@@ @@')
  return [...head, ...counted.flatMap(hunk => [place(hunk)].concat(hunk)), ''].join('\n')
}
