/** The calls of a real Meerkat, which run here behind the permissions. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Judge } from '../../src/agent/permission.ts'
import { reply } from '../helpers/model.ts'
import { ofType, runs, sent, type Conversation } from '../real-agents/converse.ts'
import { onMeerkat, talkTo } from './meerkat.ts'

const ask: Judge = ({ kind }) => (kind === 'read' ? { verdict: 'allow', because: '' } : { verdict: 'ask', because: '' })
const allow: Judge = () => ({ verdict: 'allow', because: '' })
const plan: Judge = ({ kind }) =>
  kind === 'read'
    ? { verdict: 'allow', because: '' }
    : { verdict: 'refuse', because: 'the mode is plan', words: 'Only reading is allowed.' }
const inProject = (talk: Conversation, name: string): string => path.join(talk.home.project, name)

onMeerkat('a call', () => {
  test('is offered by zotui only: Meerkat has no shell of its own', async () => {
    const talk = await talkTo([reply().text('Hi.')], { judge: ask })
    await talk.turn('hello')
    const { tools } = (await talk.model.request(1)).body as { tools: { function: { name: string } }[] }
    const names = tools.map(each => each.function.name)
    expect(names).toEqual(expect.arrayContaining(['read', 'list', 'search', 'write', 'edit', 'bash']))
    expect(names).not.toContain('shell')
    expect(names).not.toContain('apply_patch')
  })

  test('waits for the user, runs in the project, and its result goes to the model', async () => {
    const talk = await talkTo(
      [reply().tool('bash', { command: 'echo $((40 + 2)) > out; echo made' }), reply().text('Done.')],
      {
        judge: ask,
      },
    )
    const done = talk.turn('make it')
    const request = await talk.until('permission_requested')
    expect(request).toMatchObject({ kind: 'command', command: 'echo $((40 + 2)) > out; echo made', tool: 'bash' })
    expect(existsSync(inProject(talk, 'out'))).toBe(false)
    talk.backend.answerPermission(request.id, { answer: 'allow' })
    const turn = await done
    expect(turn.text).toBe('Done.')
    expect(readFileSync(inProject(talk, 'out'), 'utf8')).toBe('42\n')
    const finished = ofType(turn.events, 'tool_finished')
    expect(finished).toMatchObject([{ id: request.callId, failed: false }])
    expect(sent(await talk.model.request(2))).toContain('made')
  })

  test('that was refused does not run, and the model goes on', async () => {
    const talk = await talkTo([reply().tool('write', { path: 'out', content: 'x' }), reply().text('As you wish.')], {
      judge: ask,
    })
    const done = talk.turn('write it')
    const { id, diff } = await talk.until('permission_requested')
    expect(diff).toContain('+x')
    talk.backend.answerPermission(id, { answer: 'refuse', words: 'not there' })
    expect((await done).text).toBe('As you wish.')
    expect(existsSync(inProject(talk, 'out'))).toBe(false)
    expect(sent(await talk.model.request(2))).toContain('not there')
  })

  test('runs beside others of its step', async () => {
    const talk = await talkTo(
      [
        reply()
          .tool('bash', { command: 'until [ -e go ]; do sleep 0.05; done; echo first' })
          .tool('write', { path: 'go', content: 'x' }),
        reply().text('Both.'),
      ],
      { judge: allow },
    )
    const turn = await talk.turn('both')
    expect(turn.text).toBe('Both.')
    expect(ofType(turn.events, 'tool_finished')).toHaveLength(2)
  })

  test('ends when the turn is stopped', async () => {
    const talk = await talkTo([reply().text('One.'), reply().tool('bash', { command: 'sleep 971; touch made' })], {
      judge: allow,
    })
    await talk.turn('one')
    const from = talk.events.length
    const done = talk.turn('sleep')
    await talk.until('tool_started', () => true, from)
    await expect.poll(() => runs('sleep 971')).toBe(true)
    talk.backend.abort()
    expect((await done).ended).toBeDefined()
    await expect.poll(() => runs('sleep 971')).toBe(false)
    expect(existsSync(inProject(talk, 'made'))).toBe(false)
  })

  test('may read an image, which the model gets or is told of', async () => {
    const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    const talk = await talkTo([reply().tool('read', { path: 'a.png' }), reply().text('A pixel.')], { judge: ask })
    writeFileSync(inProject(talk, 'a.png'), Buffer.from(pixel, 'base64'))
    const turn = await talk.turn('look')
    expect(turn.text).toBe('A pixel.')
    expect(ofType(turn.events, 'tool_finished')).toMatchObject([{ failed: false }])
  })

  test('is refused in plan mode, of which the model was told', async () => {
    const talk = await talkTo([reply().tool('bash', { command: 'touch made' }), reply().text('A plan.')], {
      judge: plan,
    })
    talk.backend.setPermissionMode('plan')
    const turn = await talk.turn('plan it')
    expect(turn.text).toBe('A plan.')
    expect(ofType(turn.events, 'call_refused')).toHaveLength(1)
    expect(existsSync(inProject(talk, 'made'))).toBe(false)
    expect(sent(await talk.model.request(1))).toContain('Permission mode: plan')
    expect(sent(await talk.model.request(2))).toContain('Only reading is allowed.')
  })
})

onMeerkat('a call that takes longer than Meerkat waits', () => {
  test('is told to the model with another prompt, and is one turn for the user', async () => {
    const talk = await talkTo(
      [
        reply().tool('bash', { command: 'echo $((40 + 2)) > out; echo made' }),
        reply().text('I wait.'),
        reply().text('It was made.'),
      ],
      { judge: ask, patience: 300 },
    )
    const done = talk.turn('make it')
    const { id, callId } = await talk.until('permission_requested')
    const held = sent(await talk.model.request(2))
    expect(held).toContain('Not run yet: the user has not answered')
    expect(existsSync(inProject(talk, 'out'))).toBe(false)
    talk.backend.answerPermission(id, { answer: 'allow' })
    const turn = await done
    expect(turn.text).toContain('It was made.')
    expect(readFileSync(inProject(talk, 'out'), 'utf8')).toBe('42\n')
    expect(ofType(turn.events, 'prompt_sent')).toHaveLength(1)
    expect(ofType(turn.events, 'turn_ended')).toHaveLength(1)
    expect(ofType(turn.events, 'tool_finished')).toMatchObject([{ id: callId, failed: false }])
    expect(sent(await talk.model.request(3))).toContain('made')
  })

  test('is over when the user stops the turn', async () => {
    const talk = await talkTo(
      [reply().tool('bash', { command: 'touch made' }), reply().text('I wait.'), reply().text('Next.')],
      {
        judge: ask,
        patience: 300,
      },
    )
    const done = talk.turn('make it')
    const { id } = await talk.until('permission_requested')
    await talk.until('text_received', ({ text }) => text.includes('wait'))
    talk.backend.answerPermission(id, { answer: 'stop' })
    expect((await done).ended).toBeDefined()
    expect(existsSync(inProject(talk, 'made'))).toBe(false)
    expect((await talk.turn('next')).text).toBe('Next.')
  })
})
