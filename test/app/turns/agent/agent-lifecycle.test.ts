/** Changes of the agent, one after the other. */
import { expect, test } from 'vitest'
import type { Ability } from '../../../../src/agent/abilities.ts'
import type { OwnSession, Reply, StartOptions } from '../../../../src/agent/backend.ts'
import { AgentLifecycle } from '../../../../src/app/turns/agent/agent-lifecycle.ts'
import { AgentMemory } from '../../../../src/app/turns/agent/agent-memory.ts'
import { MachineKeeper } from '../../../../src/app/turns/turn-machine.ts'
import { inputsOf } from '../../../../src/turn/seen.ts'
import { initialState, type AppState } from '../../../../src/state/state.ts'
import type { AppContext } from '../../../../src/app/context/context.ts'
import { createEventBatcher } from '../../../../src/app/events/batcher.ts'
import { reduce } from '../../../../src/conversation/reduce.ts'
import { accepted, ended, prompt, started, type Told } from '../../../conversation/events.ts'
import { FakeBackend } from '../../fake-backend.ts'

const fell: Told = { type: 'agent_ended', code: 1, signal: null, reason: 'no key', hint: '', expected: false }

/** Notes the sessions that it is to continue in. */
class Remembering extends FakeBackend {
  override readonly abilities = new Set<Ability>(['startWith', 'replace', 'resumeSession'])
  readonly sessions: (OwnSession | undefined)[] = []
  resumes: () => Promise<Reply> = async () => ({ ok: true, value: undefined })
  replaces: (() => Reply) | null = null

  override open(session?: OwnSession): Promise<void> {
    this.sessions.push(session)
    return super.open()
  }

  override async replace(options: StartOptions, session?: OwnSession): Promise<Reply> {
    this.sessions.push(session)
    return this.replaces?.() ?? super.replace(options)
  }

  override resumeSession(session: OwnSession): Promise<Reply> {
    this.sessions.push(session)
    return this.resumes()
  }
}

function stage() {
  let state: AppState = initialState({ version: '1.2.3', folder: '~', branch: null, demo: false }, 0)
  const batcher = createEventBatcher(events => {
    state = { ...state, chat: events.reduce(reduce, state.chat) }
  })
  const backend = new Remembering(() => 0)
  backend.subscribe(batcher.push)
  const said: string[] = []
  const context = {
    backend,
    state: () => state,
    dispatch: () => undefined,
    addNotice: (_level: string, text: string) => said.push(text),
    hint: () => undefined,
    settings: { values: () => ({ memoryTokens: 1000 }) },
  } as unknown as AppContext
  const tell = (...events: Told[]): void => {
    backend.tell(...events)
    batcher.flush()
  }
  const machine = new MachineKeeper({ context, limit: { isReached: () => false, isTurnOver: () => false }, held: null })
  batcher.subscribe(events => {
    for (const input of inputsOf(events, state.chat, false)) machine.send(input)
  })
  const memory = new AgentMemory(context)
  const life = new AgentLifecycle({ context, batcher, machine, memory, askToShare: () => undefined })
  return { backend, life, machine, said, tell }
}

test('changes that wait for another one all take place', async () => {
  const { backend, life } = stage()
  backend.waits = true
  const opened = life.open()
  const taken: string[] = []
  const changes = [life.copy(() => taken.push('one')), life.copy(() => taken.push('two'))]
  await expect.poll(() => backend.asked).toContain('open')
  backend.letThrough()
  await Promise.all([opened, ...changes])
  expect(taken).toEqual(['one', 'two'])
})

test('a start that fails leaves the session for the next one', async () => {
  const { backend, life, tell } = stage()
  tell(started, prompt('hello'), accepted, ended, fell)
  const session = { id: 'old', copy: true }
  await life.resume(session)
  backend.startsWell = false
  await life.open()
  backend.startsWell = true
  await life.open()
  expect(backend.sessions).toEqual([session, session])
})

test('a session that was opened is not opened again by the next start', async () => {
  const { backend, life, tell } = stage()
  tell(started, prompt('hello'), accepted, ended, fell)
  await life.resume({ id: 'old', copy: true })
  await life.open()
  await life.exchange()
  expect(backend.sessions).toEqual([{ id: 'old', copy: true }, undefined])
})

test('an agent that failed to open a session is not being replaced any more', async () => {
  const { backend, life, machine, tell } = stage()
  tell(started, prompt('hello'), accepted, ended)
  backend.resumes = () => Promise.reject(new Error('broken'))
  await expect(life.resume({ id: 'old' })).rejects.toThrow('broken')
  expect(machine.isChanging()).toBe(false)
})

test('no notice claims that nothing changed if the fresh agent took over and ended', async () => {
  const { backend, life, tell, said } = stage()
  tell(started)
  backend.replaces = () => {
    backend.tell({ ...fell, expected: true }, { type: 'agent_starting', agent: 'zot' }, started, fell)
    return { ok: false, message: 'no key' }
  }
  await life.exchange()
  expect(said).toEqual([])
})
