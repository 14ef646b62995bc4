/** Holds the demo's calls until they are allowed: the permissions of a `Backend` without a process to guard. */
import type { Backend } from '../../agent/backend.ts'
import type { AgentEvent } from '../../agent/event.ts'
import { createListeners } from '../../agent/listeners.ts'
import type { Judge, ToolKind, ToolRequest, Verdict } from '../../agent/permission.ts'
import type { RunningCommand } from '../../agent/requests.ts'
import { lookup } from '../../text/lookup.ts'
import { createQuestions, type CallDecision } from '../tool-host/questions.ts'
import { createWaitingWords, type WaitingWords } from '../tool-host/steering.ts'
import { callRefused, verdictOf } from '../tool-host/verdict.ts'
import { forwardTo, type OwnMethods } from '../host/forwarding.ts'
import type { ToolUse } from './script/script.ts'

/** The gate as the demo sees it. */
export type DemoGate = {
  /** Whether calls wait at all. */
  isOn: () => boolean
  /** Holds a call until `decided` is called, which may be at once. Returns a function that allows it, unless it is decided. */
  hold: (call: { id: string; use: ToolUse }, decided: (decision: CallDecision) => void) => () => void
  /** Refuses the calls that wait: their turn is over. */
  withdraw: () => void
  /** The user's words to the running turn. */
  words: Pick<WaitingWords, 'areAny' | 'take'>
  /** Such words came before this call, which does not run. Its question is not needed any more. */
  steered: (id: string) => void
  /** Notes a command that runs. Returns a function that notes its end; `end` is called to end it earlier. */
  runs: (call: { id: string; command: string }, end: () => void) => () => void
}

/** A gate, and the backend with the methods that control it. */
export function createGate(options: { folder: string; now?: () => number }): {
  gate: DemoGate
  guarded: (backend: Backend) => Backend
} {
  const { folder, now = Date.now } = options
  const { emit, subscribe } = createListeners<[AgentEvent]>()
  const questions = createQuestions(emit, now)
  const words = createWaitingWords(emit, now)
  const running = new Map<number, { command: RunningCommand; end: () => void }>()
  let judge: Judge | null = null
  let count = 0
  let pids = 4200
  const withdraw = (): void => questions.refuseAll('end')
  return { gate: { isOn: () => judge !== null, hold, withdraw, words, steered, runs }, guarded }

  function steered(id: string): void {
    questions.end(id)
    emit({ type: 'call_steered', at: now(), id })
  }

  function hold({ id: callId, use }: { id: string; use: ToolUse }, decided: (decision: CallDecision) => void) {
    const id = `demo-${(count += 1)}`
    const request = requestOf(use, { id, callId, folder })
    const made = judge ? verdictOf(judge, request) : ALLOWED
    if (made instanceof Promise) void made.then(verdict => follow(request, decided, verdict))
    else follow(request, decided, made)
    if (use.wants) emit({ type: 'call_held', at: now(), id: callId, where: 'sandbox' })
    return () => questions.answer(id, { answer: 'allow' }, 'rule')
  }

  function follow(request: ToolRequest, decided: (decision: CallDecision) => void, made: Verdict): void {
    if (made.verdict === 'ask') return questions.ask(request, made.because).decided(decided)
    if (made.verdict === 'allow') return decided({ allowed: true })
    emit(callRefused(request, made.because, now()))
    decided({ allowed: false, words: made.words, by: 'rule' })
  }

  function runs({ id, command }: { id: string; command: string }, end: () => void): () => void {
    const pid = (pids += 7)
    running.set(pid, { command: { pid, command, startedAt: now(), callId: id }, end })
    return () => void running.delete(pid)
  }

  function guarded(backend: Backend): Backend {
    backend.subscribe(event => {
      if (event.type === 'prompt_accepted') words.begin()
      else if (ENDS.has(event.type)) words.end()
      emit(event)
    })
    const permissions: OwnMethods = {
      subscribe,
      judgeWith: next => void (judge = next),
      answerPermission(id, answer, by = 'user') {
        if (answer.answer !== 'stop') return questions.answer(id, answer, by)
        questions.refuseAll('user')
        backend.abort()
      },
      setPermissionMode: mode => emit({ type: 'permission_mode_changed', at: now(), mode }),
      steer: steer => words.steer(steer),
      withdrawSteer: id => words.withdraw(id),
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
}

const ALLOWED: Verdict = { verdict: 'allow', because: '' }
const PERMISSIONS: Backend['abilities'] = new Set(['judgeWith', 'setPermissionMode', 'listRunning', 'steer'])
/** The events after which words to the turn come too late. */
const ENDS: ReadonlySet<AgentEvent['type']> = new Set([
  'abort_requested',
  'turn_ended',
  'prompt_refused',
  'agent_ended',
])

const KINDS: Readonly<Record<string, ToolKind>> = {
  bash: 'command',
  write: 'edit',
  edit: 'edit',
  read: 'read',
  glob: 'read',
  skill: 'read',
}

function requestOf(use: ToolUse, facts: Pick<ToolRequest, 'id' | 'callId' | 'folder'>): ToolRequest {
  const { name, args, result, wants } = use
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
    ...(wants && { wants }),
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
