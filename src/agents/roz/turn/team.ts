/** The workers of a task as one call with a call for each of them, so that they have a panel. Pure. */
import type { AgentEvent } from '../../../agent/event.ts'
import type { TeamEvent } from '../wire/messages.ts'

export type RozTeam = {
  readonly taskId: string
  /** A turn has begun: shows the workers that are there. */
  begin(at: number): AgentEvent[]
  event(event: TeamEvent, at: number): AgentEvent[]
  /** The turn ends, or nothing more can come. */
  end(at: number): AgentEvent[]
}

type Worker = { id: string; host: string; isOver: boolean }

/**
 * The highest number of workers that are kept. Beyond it, finished ones are dropped first; if none has finished, new ones are not
 * shown.
 */
const MOST_WORKERS = 100

export function createRozTeam(taskId: string, newId: () => string): RozTeam {
  const workers = new Map<string, Worker>()
  /** The number of workers that are over and no longer kept. */
  let forgotten = 0
  /** The call of the panel; null while there is none. */
  let panel: string | null = null
  let isInTurn = false
  /** Ids of calls, by those of the workers. */
  let calls = new Map<string, string>()

  return {
    taskId,
    begin(at) {
      isInTurn = true
      const left = [...workers.values()].filter(({ isOver }) => !isOver)
      return left.flatMap(worker => shown(worker, at))
    },
    event(event, at) {
      const worker = workerOf(event.worker_id)
      // An event after its end has no meaning.
      if (!worker || (worker.isOver && event.type !== 'worker_started')) return []
      if (event.type === 'worker_started') Object.assign(worker, { host: event.about, isOver: false })
      const isEnd =
        event.type === 'worker_completed' || event.type === 'worker_failed' || event.type === 'worker_exited'
      worker.isOver = isEnd
      if (!isInTurn) return []
      const begun = shown(worker, at)
      const id = calls.get(worker.id) ?? ''
      const words = wordsOf(event)
      if (!isEnd) return words === '' ? begun : [...begun, { type: 'tool_progressed', at, id, text: `${words}\n` }]
      calls.delete(worker.id)
      const failed = event.type === 'worker_failed'
      return [...begun, { type: 'tool_finished', at, id, failed, content: [{ type: 'text', text: words }] }]
    },
    end(at) {
      isInTurn = false
      const open = [...calls.values()]
      const ends: AgentEvent[] = open.map(id => finished(id, 'It is still working.', at))
      const whole: AgentEvent[] = panel === null ? [] : [finished(panel, summary([...workers.values()], forgotten), at)]
      panel = null
      calls = new Map()
      return [...ends, ...whole]
    },
  }

  /** Null if there are too many. */
  function workerOf(id: string): Worker | null {
    const known = workers.get(id)
    if (known) return known
    if (workers.size >= MOST_WORKERS) {
      const over = [...workers.values()].find(({ isOver }) => isOver)
      if (!over) return null
      workers.delete(over.id)
      forgotten += 1
    }
    const fresh = { id, host: '', isOver: false }
    workers.set(id, fresh)
    return fresh
  }

  /** The calls of the panel and of a worker, as far as they are not there yet. */
  function shown({ id: worker, host }: Worker, at: number): AgentEvent[] {
    if (calls.has(worker)) return []
    const begun: AgentEvent[] = []
    if (panel === null) {
      panel = newId()
      begun.push(...started(panel, 'team', { task: taskId }, at))
    }
    const id = newId()
    calls.set(worker, id)
    return [...begun, ...started(id, 'worker', { worker, ...(host !== '' && { host }) }, at, panel)]
  }
}

function started(id: string, name: string, args: object, at: number, parent?: string): AgentEvent[] {
  return [
    { type: 'tool_called', at, id, name, arguments: args, ...(parent !== undefined && { parent }) },
    { type: 'tool_started', at, id },
  ]
}

function finished(id: string, text: string, at: number): AgentEvent {
  return { type: 'tool_finished', at, id, failed: false, content: [{ type: 'text', text }] }
}

function summary(workers: readonly Worker[], forgotten: number): string {
  const left = workers.filter(({ isOver }) => !isOver).length
  const count = workers.length + forgotten
  const all = `${count} ${count === 1 ? 'worker' : 'workers'}`
  return left === 0 ? `${all}, all done.` : `${all}, ${left} working.`
}

function wordsOf(event: TeamEvent): string {
  switch (event.type) {
    case 'worker_started':
      return ''
    case 'worker_phase':
      return `phase ${event.phase}${event.mode === '' ? '' : ` (${event.mode})`}`
    case 'worker_tool_call':
      return `calls ${event.about}`
    case 'worker_completed':
    case 'worker_failed':
      return event.about
    case 'worker_exited':
      return 'It has ended.'
    case 'worker_approval_requested':
      return 'waits for an approval'
    case 'worker_approval_resolved':
      return 'its approval was decided'
  }
}
