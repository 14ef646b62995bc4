/** Plays what works beside the turns of the demo: subagents with conversations of their own, a command in the background. */
import type { Backend } from '../../agent/backend.ts'
import type { AgentEvent } from '../../agent/event.ts'
import { createListeners } from '../../agent/listeners.ts'
import { forwardTo, type OwnMethods } from '../host/forwarding.ts'
import type { BesideStep } from './script/script.ts'
import { scriptFor } from './scripts.ts'
import type { DemoTimers } from './timers.ts'

type WorkLane = { id: string; left: BesideStep[]; cancel: () => void; question: string | null }

/** The backend, which also reports what its scripts have beside their turns. */
export function withBeside(backend: Backend, { timers, speed }: { timers: DemoTimers; speed: number }): Backend {
  const { emit, subscribe } = createListeners<[AgentEvent]>()
  let lanes: WorkLane[] = []
  let rounds = 0
  backend.subscribe(event => {
    emit(event)
    if (event.type === 'agent_ended' || event.type === 'conversation_cleared') forget()
  })

  function forget(): void {
    for (const { cancel } of lanes) cancel()
    lanes = []
  }

  /** The ids differ from those of an earlier prompt. */
  function begin(text: string): void {
    const { beside = [] } = scriptFor(text)
    if (beside.length === 0) return
    rounds += 1
    for (const { id, steps } of beside) {
      const lane: WorkLane = { id: `${id} ${rounds}`, left: [...steps], cancel: () => {}, question: null }
      lanes.push(lane)
      goOn(lane)
    }
  }

  function goOn(lane: WorkLane): void {
    const [step] = lane.left
    if (step) lane.cancel = timers.after(speed === 0 ? 0 : step.after / speed, () => play(lane))
  }

  function play(lane: WorkLane): void {
    const step = lane.left.shift()
    if (!step) return
    const at = timers.now()
    const { id } = lane
    if ('reports' in step) emit({ type: 'task_reported', at, id, ...step.reports })
    else if ('does' in step) emit({ type: 'task_event', at, id, event: { ...step.does, at } })
    else {
      lane.question = `${id} asks`
      emit({ type: 'task_reported', at, id, state: 'waiting' })
      return emit({ type: 'question_asked', at, id: lane.question, task: id, ...step.asks })
    }
    goOn(lane)
  }

  function answered(lane: WorkLane, ...[, values, answer]: Parameters<Backend['answerQuestion']>): void {
    const at = timers.now()
    const id = lane.question ?? ''
    lane.question = null
    emit({
      type: 'question_answered',
      at,
      id,
      answer,
      ...(values && { values: Object.fromEntries(Object.entries(values)) }),
    })
    emit({ type: 'task_reported', at, id: lane.id, state: 'running' })
    goOn(lane)
  }

  const own: OwnMethods = {
    subscribe,
    prompt(prompt) {
      const turn = backend.prompt(prompt)
      begin(prompt.text)
      return turn
    },
    answerQuestion(id, values, how) {
      const lane = lanes.find(({ question }) => question === id)
      if (lane) answered(lane, id, values, how)
      else backend.answerQuestion(id, values, how)
    },
    async stopTask(id) {
      const lane = lanes.find(each => each.id === id && each.left.length > 0)
      if (!lane) return { ok: false, message: 'it does not run' }
      lane.cancel()
      lane.left = []
      const at = timers.now()
      if (lane.question !== null) emit({ type: 'question_answered', at, id: lane.question, answer: 'cancelled' })
      emit({ type: 'task_reported', at, id, state: 'stopped', canStop: false })
      return { ok: true, value: undefined }
    },
  }
  const abilities = new Set<Backend['abilities'] extends ReadonlySet<infer Each> ? Each : never>([
    ...backend.abilities,
    'stopTask',
  ])
  return forwardTo(
    () => backend,
    own,
    () => abilities,
  )
}
