/** What works for a real agent beside its turn: subagents, commands in the background, and the turns that their ends begin. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { reduce } from '../../src/conversation/reduce.ts'
import { initialChat, type AgentTask, type ChatState, type Turn } from '../../src/conversation/state.ts'
import { hold, reply, startModel, type Asked, type Step } from '../helpers/model.ts'
import { aside, type RealAgent } from './agents.ts'
import { converse, onRealAgents, runs, type Conversation } from './converse.ts'

const chatOf = ({ events }: Conversation): ChatState => events.reduce(reduce, initialChat)
const tasksOf = (talk: Conversation): AgentTask[] => [...chatOf(talk).tasks]

const said = ({ parts }: Turn): string[] =>
  [...parts].map(part => (part.kind === 'text' ? part.text.trim() : part.kind))

function wordsOf(chat: ChatState | null): string[] {
  const turns = (chat?.entries ?? []).flatMap(entry => (entry.kind === 'turn' ? [entry] : []))
  return turns.flatMap(turn => [turn.prompt].concat(said(turn)))
}

const launch = (background: boolean) =>
  reply().tool('Agent', {
    description: 'Look around',
    prompt: 'find the file',
    subagent_type: 'general-purpose',
    run_in_background: background,
  })

/** An agent with a subagent, which asks the model at the same time as the agent itself: each with answers of its own. */
async function delegated(
  agent: RealAgent,
  answers: { ofAgent: readonly Step[]; ofSubagent: readonly Step[] },
): Promise<Conversation> {
  const left = [...answers.ofSubagent]
  const ofSubagent = ({ body }: Asked): Step | null => {
    const words = JSON.stringify(body)
    return words.includes('find the file') && !words.includes('"delegate"') ? (left.shift() ?? null) : null
  }
  const model = await startModel([...answers.ofAgent], { aside: asked => ofSubagent(asked) ?? aside(asked) })
  return converse(agent, [], { model })
}

const spawn = [reply().tool('multi_agent_v1.spawn_agent', { message: 'find the file' }), reply().text('I go on.')]

onRealAgents('what works beside the turn', agent => {
  const isClaude = agent.name === 'claude'

  test.runIf(isClaude)('a subagent asks, works and reports as a task of its own', async () => {
    const talk = await converse(agent, [
      launch(false),
      reply()
        .text('I look. ')
        .tool(...agent.shell('touch kid.txt')),
      reply().text('It is there.'),
      reply().text('The subagent has found it.'),
    ])
    const done = talk.turn('delegate')
    const asked = await talk.until('permission_requested')
    const [task] = tasksOf(talk)
    expect(asked).toMatchObject({ task: task?.id, command: 'touch kid.txt' })
    expect(task).toMatchObject({ kind: 'subagent', name: 'Look around', state: 'waiting', canStop: true })
    talk.backend.answerPermission(asked.id, { answer: 'allow' })
    const turn = await done
    expect(turn.text).toBe('The subagent has found it.')
    expect(existsSync(path.join(talk.home.project, 'kid.txt'))).toBe(true)
    expect(tasksOf(talk)).toMatchObject([{ state: 'idle', summary: '' }])
    expect(wordsOf(tasksOf(talk)[0]?.chat ?? null)).toEqual(['find the file', 'I look.', 'tool', 'It is there.'])
  })

  test.runIf(isClaude)('a subagent is stopped alone, and its agent goes on', async () => {
    const talk = await converse(agent, [
      launch(false),
      reply().text('I look ').wait(hold()),
      reply().text('It was stopped.'),
    ])
    const done = talk.turn('delegate')
    const { id } = await talk.until('task_reported', ({ canStop }) => canStop === true)
    await talk.model.request(2)
    expect(await talk.backend.stopTask(id)).toEqual({ ok: true, value: undefined })
    expect((await done).text).toBe('It was stopped.')
    expect(tasksOf(talk)).toMatchObject([{ state: 'stopped' }])
  })

  test.runIf(isClaude)('a question of a subagent in the background outlives the turn of its agent', async () => {
    const talk = await delegated(agent, {
      ofAgent: [launch(true), reply().text('I go on.'), reply().text('I was told.')],
      ofSubagent: [reply().tool(...agent.shell('touch kid.txt')), reply().text('It is there.')],
    })
    const done = talk.turn('delegate')
    const asked = await talk.until('permission_requested')
    talk.backend.abort()
    await done
    expect(chatOf(talk).questions).toHaveLength(1)
    talk.backend.answerPermission(asked.id, { answer: 'allow' })
    const begun = await talk.until('turn_begun')
    expect(begun).toMatchObject({ cause: 'task', about: 'Look around', task: tasksOf(talk)[0]?.id })
    await talk.until('turn_ended', () => true, talk.events.indexOf(begun))
    expect(chatOf(talk).open).toBeNull()
    expect(existsSync(path.join(talk.home.project, 'kid.txt'))).toBe(true)
    expect(tasksOf(talk)).toMatchObject([{ state: 'idle' }])
  })

  test.runIf(isClaude)('the end of a command in the background begins a turn', async () => {
    const [name, input] = agent.shell('sleep 2; echo over')
    const talk = await converse(agent, [
      reply().tool(name, { ...(input as object), run_in_background: true }),
      reply().text('It runs.'),
      reply().text('It has ended.'),
    ])
    await talk.turn('sleep')
    const [task] = tasksOf(talk)
    expect(task).toMatchObject({ kind: 'command', name: 'sleep 2; echo over', state: 'running', canStop: true })
    expect(task?.outputPath).toMatch(/\.output$/)
    const begun = await talk.until('turn_begun')
    expect(begun).toMatchObject({ cause: 'task', task: task?.id })
    await talk.until('turn_ended', () => true, talk.events.indexOf(begun))
    await expect.poll(() => tasksOf(talk)[0]?.state, { timeout: 10_000 }).toBe('done')
    expect(wordsOf(chatOf(talk))).toEqual(['sleep', 'tool', 'It runs.', '', 'It has ended.'])
  })

  test.runIf(isClaude)('a turn that it begins itself is stopped, and the next prompt is answered', async () => {
    const [name, input] = agent.shell('sleep 1; echo over')
    const talk = await converse(agent, [
      reply().tool(name, { ...(input as object), run_in_background: true }),
      reply().text('It runs.'),
      reply().text('It has ').wait(hold()),
      reply().text('Here again.'),
    ])
    await talk.turn('sleep')
    const begun = talk.events.indexOf(await talk.until('turn_begun'))
    await talk.until('text_received', () => true, begun)
    talk.backend.abort()
    await talk.until('turn_ended', () => true, begun)
    expect((await talk.turn('are you there')).text).toBe('Here again.')
    const outcomes = chatOf(talk).entries.flatMap(entry => (entry.kind === 'turn' ? [entry.outcome] : []))
    expect(outcomes).toEqual(['done', 'aborted', 'done'])
  })

  test.runIf(isClaude)('a command in the background is stopped', async () => {
    const [name, input] = agent.shell('sleep 31337; echo over')
    const talk = await converse(agent, [
      reply().tool(name, { ...(input as object), run_in_background: true }),
      reply().text('It runs.'),
      reply().text('It was stopped.'),
    ])
    await talk.turn('sleep')
    expect(await talk.backend.stopTask(tasksOf(talk)[0]?.id ?? '')).toMatchObject({ ok: true })
    await expect.poll(() => runs('sleep 31337'), { timeout: 10_000 }).toBe(false)
    await expect.poll(() => tasksOf(talk)[0]?.state, { timeout: 10_000 }).toBe('stopped')
  })

  test.runIf(agent.name === 'codex')(
    'a subagent of a set of tools asks, works and ends as a task of its own',
    async () => {
      const talk = await delegated(agent, {
        ofAgent: spawn,
        ofSubagent: [
          reply()
            .text('I look. ')
            .tool(...agent.shell('touch kid.txt')),
          reply().text('It is there.'),
        ],
      })
      const done = talk.turn('delegate')
      const asked = await talk.until('permission_requested')
      const [task] = tasksOf(talk)
      expect(asked).toMatchObject({ task: task?.id, command: 'touch kid.txt' })
      expect(task).toMatchObject({ kind: 'subagent', about: 'find the file', state: 'waiting' })
      talk.backend.answerPermission(asked.id, { answer: 'allow' })
      await done
      await expect.poll(() => tasksOf(talk)[0]?.state, { timeout: 15_000 }).toBe('idle')
      expect(wordsOf(tasksOf(talk)[0]?.chat ?? null)).toEqual(['find the file', 'I look.', 'tool', 'It is there.'])
      expect(existsSync(path.join(talk.home.project, 'kid.txt'))).toBe(true)
    },
  )

  test.runIf(agent.name === 'codex')(
    'a subagent of a set of tools is stopped alone, and its agent goes on',
    async () => {
      const talk = await delegated(agent, { ofAgent: spawn, ofSubagent: [reply().text('I look ').wait(hold())] })
      const done = talk.turn('delegate')
      const { id } = await talk.until('task_event', ({ event }) => event.type === 'text_received')
      expect(await talk.backend.stopTask(id)).toEqual({ ok: true, value: undefined })
      await expect.poll(() => tasksOf(talk)[0]?.state, { timeout: 15_000 }).toBe('stopped')
      expect((await done).text).toBe('I go on.')
      expect(tasksOf(talk)[0]?.chat?.open).toBeNull()
    },
  )

  test.runIf(agent.name === 'codex')('a command that outlives its turn ends after it', async () => {
    const [name, input] = agent.shell('sleep 3; echo over; exit 3')
    const talk = await converse(agent, [
      reply().tool(name, { ...(input as object), yield_time_ms: 300 }),
      reply().text('It runs.'),
    ])
    const done = talk.turn('sleep')
    const asked = await talk.until('permission_requested')
    talk.backend.answerPermission(asked.id, { answer: 'allow' })
    await done
    expect(tasksOf(talk)).toMatchObject([{ kind: 'command', state: 'running' }])
    await expect.poll(() => tasksOf(talk)[0]?.state, { timeout: 15_000 }).toBe('failed')
    expect(tasksOf(talk)[0]?.summary).toBe('exit code 3')
    expect(JSON.stringify(chatOf(talk).entries)).toContain('over')
    expect(talk.told('warning_raised').filter(({ message }) => message.includes('outside'))).toEqual([])
  })
})
