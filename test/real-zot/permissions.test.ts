/** What a real zot does while zotui asks before its calls run. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ZotOptions } from '../../src/agents/zot/program/options.ts'
import { guarded, type Guarded, type GuardedOptions } from '../agents/zot/guard/guarded.ts'
import { reply, startModel, type Model, type Step } from '../helpers/model.ts'
import { messagesOf, zot } from './talk.ts'

/** Opens a guarded zot whose model says `script`. */
async function open(
  script: readonly Step[],
  options: Omit<GuardedOptions, 'zot'> = {},
): Promise<Guarded & { model: Model }> {
  const model = await startModel(script)
  const own: ZotOptions = {
    provider: 'anthropic',
    model: 'claude-sonnet-4-5',
    apiKey: 'x',
    baseUrl: model.url,
    noSkill: true,
    ...options.options,
  }
  const stage = guarded({ ...options, zot, options: own })
  await stage.backend.open()
  expect(stage.types()).toContain('agent_started')
  return { ...stage, model }
}

const prompt = (text: string) => ({ text, images: [] })
const run = (command: string) => reply().tool('bash', { command }, { id: 'call' })

/** What the model was told in its request with this number. */
async function told(model: Model, request: number): Promise<string> {
  return JSON.stringify(messagesOf(await model.request(request)))
}

describe.skipIf(!zot)('a real zot asks before', () => {
  test('a command runs, and runs it once it is allowed', async () => {
    const { backend, next, result, project, model } = await open([
      run('touch ran; cat <<E\n$((40 + 2)) it is\nE'),
      reply().text('Done.'),
    ])
    const turn = backend.prompt(prompt('go'))
    const asked = await next('permission_requested')
    expect(asked).toMatchObject({ callId: 'call', tool: 'bash', kind: 'command', folder: project })
    expect(existsSync(path.join(project, 'ran'))).toBe(false)
    backend.answerPermission?.(asked.id, { answer: 'allow' })
    await turn
    expect(existsSync(path.join(project, 'ran'))).toBe(true)
    expect(result('call')).toMatch(/^\$ touch ran; cat <<E\n\$\(\(40 \+ 2\)\) it is\nE\n\n42 it is\n/)
    expect(await told(model, 2)).toContain('42 it is')
  })

  test('a command runs, and never runs it once it is refused', async () => {
    const { backend, next, result, project, model, types } = await open([run('touch ran'), reply().text('As you say.')])
    const turn = backend.prompt(prompt('go'))
    const { id } = await next('permission_requested')
    backend.answerPermission?.(id, { answer: 'refuse', words: 'use "make\\n"\nand 100% care' })
    await turn
    expect(existsSync(path.join(project, 'ran'))).toBe(false)
    expect(result('call')).toContain('use "make\\n"\nand 100% care')
    expect(result('call')).toMatch(/^\$ touch ran\n/)
    expect(await told(model, 2)).toContain('100% care')
    expect(types()).toContain('turn_ended')
  })

  test('a write, which then runs in zotui', async () => {
    const { backend, next, project } = await open([
      reply().tool('write', { path: 'a.txt', content: 'one\n' }, { id: 'call' }),
      reply().text('Done.'),
    ])
    const turn = backend.prompt(prompt('go'))
    const asked = await next('permission_requested')
    expect(asked).toMatchObject({ callId: 'call', kind: 'edit', paths: [path.join(project, 'a.txt')] })
    expect(asked.diff).toContain('+one')
    expect(existsSync(path.join(project, 'a.txt'))).toBe(false)
    backend.answerPermission?.(asked.id, { answer: 'allow' })
    await turn
    expect(readFileSync(path.join(project, 'a.txt'), 'utf8')).toBe('one\n')
  })
})
