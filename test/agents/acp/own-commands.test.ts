/** The commands that an agent runs itself, with real processes below this one, which stands for the agent. */
import { spawn, type ChildProcess } from 'node:child_process'
import process from 'node:process'
import { expect, onTestFinished, test } from 'vitest'
import type { AgentEvent, PlainEvent } from '../../../src/agent/event.ts'
import { createOwnCommands, type OwnCommands } from '../../../src/agents/acp/turn/own-commands.ts'

type Agent = {
  commands: OwnCommands
  notices: string[]
  /** The agent tells of a command and begins it in a shell, with more around it. */
  runs: (id: string, command: string, script?: string) => Promise<ChildProcess>
  tell: (...events: AgentEvent[]) => void
}

const text: AgentEvent = { type: 'text_received', at: 0, text: 'It runs.' }
const abort: AgentEvent = { type: 'abort_requested', at: 0 }
const ended: AgentEvent = { type: 'turn_ended', at: 0 }

function agentAtWork({ remembered = false } = {}): Agent {
  const notices: string[] = []
  const commands = createOwnCommands({
    name: 'it',
    pid: process.pid,
    grace: 100,
    now: Date.now,
    emit: event => {
      if (event.type === 'remark_made') notices.push(event.hint === null ? event.text : `${event.text} (${event.hint})`)
    },
  })
  const tell = (...events: AgentEvent[]): void => events.forEach(event => commands.note(event))
  tell({ type: 'prompt_sent', at: 0, text: 'go', images: [], ...(remembered && { remembered: true }) })
  return {
    commands,
    notices,
    tell,
    async runs(id, command, script = command) {
      const at = Date.now()
      tell(
        { type: 'tool_drafted', at, id, name: 'shell' },
        { type: 'tool_described', at, id, kind: 'command', title: 'A command' },
        { type: 'tool_called', at, id, name: 'shell', arguments: { command } },
        { type: 'tool_started', at, id },
      )
      const child = spawn('/bin/sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'], detached: true })
      onTestFinished(() => {
        if (!hasEnded(child) && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      })
      await new Promise(resolve => child.once('spawn', resolve))
      return child
    },
  }
}

const hasEnded = ({ signalCode, exitCode }: ChildProcess): boolean => signalCode !== null || exitCode !== null

test('a command is listed while it runs, with its call; and after its turn, without', async () => {
  const { commands, runs, tell } = agentAtWork()
  const child = await runs('a', 'sleep 41001; true')
  await expect
    .poll(() => commands.list())
    .toMatchObject([{ pid: child.pid, command: 'sleep 41001; true', callId: 'a' }])
  tell(text, ended)
  expect(await commands.list()).toMatchObject([{ pid: child.pid, callId: null }])
  expect(await commands.end(child.pid ?? 0)).toEqual({ ok: true, value: undefined })
  await expect.poll(() => hasEnded(child)).toBe(true)
  expect(await commands.list()).toEqual([])
})

test('a command that the agent puts into a script of its own is found in it', async () => {
  const { commands, runs } = agentAtWork()
  const child = await runs('a', 'sleep 41002', "cd / && eval 'sleep 41002' < /dev/null; exit")
  await expect.poll(() => commands.list()).toMatchObject([{ pid: child.pid, command: 'sleep 41002' }])
})

test('a part of a longer command, and a word that only contains it, are not the command', async () => {
  const { commands, runs } = agentAtWork()
  await runs('a', 'true')
  const child = await runs('b', 'sleep 41003; true')
  await runs('c', 'leep 41003')
  await expect.poll(() => commands.list()).toMatchObject([{ pid: child.pid, command: 'sleep 41003; true' }])
})

test('the command that a stopped turn was waiting for is ended, and its end is reported', async () => {
  const { notices, runs, tell } = agentAtWork()
  const child = await runs('a', 'sleep 41004; true')
  tell(abort, ended)
  await expect.poll(() => notices).toEqual(['Ended a command that it had not stopped: sleep 41004; true'])
  // Node hears of it later.
  await expect.poll(() => hasEnded(child)).toBe(true)
})

test.each<[string, readonly AgentEvent[]]>([
  ['that the agent had gone on from is left alone by a stop', [text, abort, ended]],
  ['whose end the agent has told is left alone by a stop', [finished('a'), abort, ended]],
  ['of a turn that was not stopped is left alone', [ended]],
])('a command %s, and reported once', async (_case, events) => {
  const { notices, runs, tell } = agentAtWork()
  const child = await runs('a', 'sleep 41005; true')
  tell(...events)
  const told = ['it has left a command running: sleep 41005; true (/running ends it)']
  await expect.poll(() => notices).toEqual(told)
  const next = await runs('b', 'sleep 41006; true')
  tell(abort, ended)
  await expect.poll(() => hasEnded(next)).toBe(true)
  await expect.poll(() => notices).toHaveLength(2)
  expect(notices[0]).toBe(told[0])
  expect(hasEnded(child)).toBe(false)
})

test('a command that does not end is reported as running', async () => {
  const { notices, runs, tell } = agentAtWork()
  const command = "trap '' TERM; echo ready; while :; do sleep 0.1; done"
  const { stdout } = await runs('a', command)
  await new Promise(resolve => stdout?.once('data', resolve))
  tell(abort, ended)
  await expect
    .poll(() => notices, { timeout: 5000 })
    .toEqual([`it has left a command running: ${command} (/running ends it)`])
})

test('a command of an earlier conversation is not looked for', async () => {
  const { commands, runs } = agentAtWork({ remembered: true })
  await runs('a', 'sleep 41007; true')
  expect(await commands.list()).toEqual([])
})

test('a call that a subagent drafted before the agent ended its own turn is still known when it begins', async () => {
  const { commands, tell } = agentAtWork()
  const command = 'sleep 41008; true'
  tell(
    ofSubagent({ type: 'tool_drafted', at: 0, id: 'a', name: 'shell' }),
    ofSubagent({ type: 'tool_described', at: 0, id: 'a', kind: 'command', title: 'A command' }),
    ended,
    ofSubagent({ type: 'tool_called', at: 0, id: 'a', name: 'shell', arguments: { command } }),
    ofSubagent({ type: 'tool_started', at: 0, id: 'a' }),
  )
  const child = spawn('/bin/sh', ['-c', command], { stdio: 'ignore', detached: true })
  onTestFinished(() => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  })
  await expect.poll(() => commands.list()).toMatchObject([{ pid: child.pid, command, callId: 'a' }])
})

function finished(id: string): AgentEvent {
  return { type: 'tool_finished', at: 0, id, failed: false, content: [] }
}

function ofSubagent(event: PlainEvent): AgentEvent {
  return { type: 'task_event', at: 0, id: 'task', event }
}
