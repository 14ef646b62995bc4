/** What goes on in the background of an agent, without the agent. */
import { expect, test } from 'vitest'
import type { AgentEvent } from '../../../src/agent/event.ts'
import { BackgroundTasks } from '../../../src/agents/acp/tasks/background.ts'
import type { AcpCall } from '../../../src/agents/acp/turn/call.ts'

const call = (fields: Partial<AcpCall>): AcpCall => ({ id: 'c', title: 'sleep 9', ...fields }) as AcpCall
const command = (id: string, backgroundTaskId: string): AcpCall =>
  call({ id, name: 'Bash', arguments: {}, response: { backgroundTaskId } })
const monitor = (taskId: string, timeoutMs: number): AcpCall =>
  call({ id: taskId, name: 'Monitor', arguments: { description: 'the log' }, response: { taskId, timeoutMs } })
const statesOf = (events: readonly AgentEvent[]): unknown[] =>
  events.flatMap(event => (event.type === 'task_reported' ? [event.state] : []))

function begun(...calls: readonly AcpCall[]): { tasks: BackgroundTasks; ids: string[] } {
  const tasks = new BackgroundTasks(() => 's', true)
  const reported = calls.flatMap(each => tasks.called(each, 0))
  return { tasks, ids: reported.flatMap(event => (event.type === 'task_reported' ? [event.id] : [])) }
}

test('a command whose process is never found is not observed for ever', () => {
  const { tasks, ids } = begun(command('a', 'b1'), command('b', 'b2'))
  const looks = Array.from({ length: 10 }, () => ids.flatMap(id => statesOf(tasks.missing(id, 1))))
  expect(looks.flat()).toEqual(['unknown', 'unknown'])
  expect(tasks.unreported).toEqual([])
})

test('a turn about a command that is not observed any more still says which one', () => {
  const { tasks, ids } = begun(command('a', 'b1'))
  const [id = ''] = ids
  while (tasks.unreported.length > 0) tasks.missing(id, 1)
  expect(tasks.turnBegins(2)).toMatchObject({ cause: 'task', about: 'sleep 9', task: id })
})

test('a command that was never found has ended well when a long turn about it is over', () => {
  const { tasks, ids } = begun(command('a', 'b1'))
  const [id = ''] = ids
  tasks.turnBegins(1)
  for (let look = 0; look < 10; look += 1) expect(tasks.missing(id, 2)).toEqual([])
  expect(statesOf(tasks.turnEnded(id, 3))).toEqual(['done'])
})

test('a wake-up that does not come ends, some looks after it was due', () => {
  const wakeup = call({ name: 'ScheduleWakeup', arguments: {}, response: { scheduledFor: 1000 } })
  const { tasks } = begun(wakeup)
  for (let look = 0; look < 100; look += 1) expect(tasks.overdue(999)).toEqual([])
  expect(tasks.overdue(1_000_000)).toEqual([])
  const looks = Array.from({ length: 100 }, () => statesOf(tasks.overdue(1_000_000)))
  expect(looks.flat()).toEqual(['unknown'])
  expect(tasks.hasTimes).toBe(false)
})

test('a monitor ends some looks after its time is over, and one without a time goes on', () => {
  const { tasks } = begun(monitor('m1', 1000), monitor('m2', 0))
  expect(Array.from({ length: 100 }, () => tasks.overdue(999)).flat()).toEqual([])
  const ends = Array.from({ length: 100 }, () => tasks.overdue(1001)).flat()
  expect(ends).toMatchObject([{ id: begun(monitor('m1', 1000)).ids[0], state: 'unknown' }])
  expect(tasks.hasTimes).toBe(false)
})

test('a wake-up that has begun a turn is not the cause of the next one', () => {
  const wakeup = call({ name: 'ScheduleWakeup', arguments: {}, response: { scheduledFor: 1000 } })
  const { tasks } = begun(wakeup)
  expect(tasks.turnBegins(1000)).toMatchObject({ cause: 'wakeup' })
  expect(tasks.turnBegins(2000)).toEqual({ cause: 'other', events: [] })
})

test('only a command that was stopped ends as stopped', () => {
  const { tasks, ids } = begun(command('a', 'b1'), command('b', 'b2'))
  const [one = '', two = ''] = ids
  for (const id of ids) tasks.found(id)
  expect([tasks.commandOf(one), tasks.commandOf(two)]).toEqual(['a', 'b'])
  tasks.stopping(two)
  expect(ids.flatMap(id => statesOf(tasks.missing(id, 1)))).toEqual(['done', 'stopped'])
})
