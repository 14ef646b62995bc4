/** The session of a real agent goes to another home and another folder, as to another machine, and comes back. */
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fetchSession, sendSession } from '../../src/move/agent-session.ts'
import type { MoveSides } from '../../src/move/away.ts'
import { sideHere, sideThere } from '../../src/move/side.ts'
import { createUndoing } from '../../src/move/undoing.ts'
import { createMachine } from '../../src/platform/remote/machine.ts'
import { createRemoteFiles } from '../../src/platform/remote/remote-files.ts'
import { readVia } from '../../src/platform/remote/target.ts'
import { environment, makeHome, type Home } from '../helpers/home.ts'
import { reply } from '../helpers/model.ts'
import { converse, onRealAgents, sent } from './converse.ts'

/** Milliseconds for a test of several processes. */
const LONG = 180_000

/** A home whose project has another path. */
function otherHome(): Home {
  const home = makeHome()
  const project = path.join(home.path, 'work', 'the app')
  mkdirSync(project, { recursive: true })
  return { ...home, project }
}

const signal = (): AbortSignal => new AbortController().signal

function sidesOf(home: Home, other: Home): MoveSides {
  const read = readVia(`env HOME=${other.path}`)
  if (!read.ok) throw new Error(read.reason)
  const env = environment(home.path)
  const machine = createMachine({ ...read.target, name: 'ssh:far' }, env)
  onTestFinished(() => machine.close())

  const files = createRemoteFiles(machine, 'ssh:far')
  return {
    here: sideHere({ env, home: home.path, stateFolder: path.join(home.path, 'state'), signal }),
    there: sideThere({ machine, files, home: other.path, signal }),
    machine,
  }
}

onRealAgents('its session', agent => {
  test('goes to another machine and folder, and comes back with what was said there', { timeout: LONG }, async () => {
    const first = await converse(
      agent,
      ['Noted.', 'Blue.', 'Still blue.'].map(text => reply().text(text)),
    )
    await first.turn('my colour is blue')
    const { id } = await first.until('agent_session_opened')
    await first.close()
    const { home, model } = first
    const other = otherHome()
    const sides = sidesOf(home, other)
    const session = { agent: agent.name, id, folder: other.project }
    const how = { signal: signal(), undoing: createUndoing() }
    expect(await sendSession(sides, session, how)).toBeNull()

    const there = await converse(agent, [], { home: other, model, session: { id } })
    expect(there.told('agent_session_opened')).toMatchObject([{ id, remembers: true }])
    expect((await there.turn('which colour')).text).toBe('Blue.')
    expect(sent(await model.request(2))).toContain('my colour is blue')
    await there.close()

    expect(await fetchSession(sides, { ...session, folder: home.project }, { signal: signal() })).toBeNull()
    const back = await converse(agent, [], { home, model, session: { id } })
    expect(back.told('agent_session_opened')).toMatchObject([{ id, remembers: true }])
    expect((await back.turn('and now')).text).toBe('Still blue.')
    expect(sent(await model.request(3))).toContain('which colour')
    await back.close()

    // Here it has continued: what is older there must not take its place, and what is there must not be lost.
    expect(await fetchSession(sides, { ...session, folder: home.project }, { signal: signal() })).toBe(
      'it has continued here on its own',
    )
  })
})
