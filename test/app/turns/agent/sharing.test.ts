/** Results of tools that one provider got, and an agent of another one. */
import { describe, expect, test } from 'vitest'
import { accepted, answered, ended, returns, runsTool, step, stops, text } from '../../../conversation/events.ts'
import { startedStage, type Stage } from '../../stage.ts'

const base = { contextWindow: 100_000, maxOutput: null, reasoning: false }
const models = [
  { id: 'gpt', provider: 'openai', ...base },
  { id: 'tiny', provider: 'ollama', ...base },
]
const SECRET = 'what the tool returned'

const asks = ({ state }: Stage): string | null => {
  const { picker } = state()
  return picker?.kind === 'choice' ? picker.title : null
}

/** Has read something, and goes on with another provider. */
async function switched(provider = 'openai', model = 'gpt'): Promise<Stage> {
  const program = await startedStage()
  program.backend.everyModel = { ok: true, value: models }
  await program.say('read it')
  const read = [...runsTool('a', 'read', { path: 'a.txt' }), returns('a', SECRET)]
  program.backend.end(accepted, step(1), ...read, step(2), answered(text('I have read it.')), stops('end'), ended)
  await program.settle()
  await switchTo(program, provider, model)
  return program
}

async function switchTo(program: Stage, provider: string, model: string): Promise<void> {
  program.backend.startsAs = { provider, model }
  await program.say(`/model ${provider}/${model}`)
  await program.settle()
}

const lastMemory = ({ backend }: Stage): string => backend.prompts.at(-1)?.memory?.text ?? ''

describe('the results of tools of another provider', () => {
  test('are left out after Enter, and the line says so', async () => {
    const program = await switched()
    expect(asks(program)).toBe('send openai the tool results that anthropic got?')
    await program.press('enter')
    await program.say('go on')
    expect(lastMemory(program)).toContain('a.txt')
    expect(lastMemory(program)).not.toContain(SECRET)
    expect(program.entries().join('\n')).toContain('The tool results of 1 turn are left out: anthropic got them.')
  })

  test('are left out if the user simply types on, and the question goes', async () => {
    const program = await switched()
    await program.say('go on')
    expect(asks(program)).toBeNull()
    expect(lastMemory(program)).not.toContain(SECRET)
  })

  test('go along after a yes, which counts in this conversation, and for this provider only', async () => {
    const program = await switched()
    await program.press('down', 'enter')
    expect(program.entries().at(-1)).toMatch(/includes this conversation: 1 turn in full/)
    await program.say('go on')
    expect(lastMemory(program)).toContain(SECRET)
    await program.done()
    await program.say('/restart')
    await program.settle()
    expect(asks(program)).toBeNull()
    await program.say('and on')
    expect(lastMemory(program)).toContain(SECRET)
    await program.done()
    await switchTo(program, 'ollama', 'tiny')
    expect(asks(program)).toBe('send ollama the tool results that anthropic got?')
    await program.say('and further')
    expect(lastMemory(program)).not.toContain(SECRET)
  })

  test('are asked for again after a no, and no more once a prompt has gone without them', async () => {
    const program = await switched()
    await program.press('enter')
    await program.say('/restart')
    await program.settle()
    expect(asks(program)).toBe('send openai the tool results that anthropic got?')
    program.backend.tell({ type: 'prompt_sent', text: 'from elsewhere', images: [] }, accepted, ended)
    await expect.poll(() => asks(program)).toBeNull()
  })

  test('are not asked for if nothing was read, or the provider stays', async () => {
    const program = await startedStage()
    program.backend.everyModel = { ok: true, value: models }
    await program.say('one')
    await program.done()
    await switchTo(program, 'openai', 'gpt')
    expect(asks(program)).toBeNull()
    const same = await switched('anthropic', 'sonnet')
    expect(asks(same)).toBeNull()
  })

  test('are asked for when the conversation goes to another server of the same provider, and back', async () => {
    const program = await switched('anthropic', 'sonnet')
    program.backend.startsAs = { server: 'gateway.example:8080' }
    await program.say('/restart --base-url http://gateway.example:8080/v1')
    await program.settle()
    expect(asks(program)).toBe('send anthropic at gateway.example:8080 the tool results that anthropic got?')
    expect(program.entries().join('\n')).toContain('The tool results of 1 turn are left out: anthropic got them.')
    await program.press('down', 'enter')
    expect(program.entries().join('\n')).toContain('You let anthropic at gateway.example:8080 have the tool results')
    await program.say('read it there')
    expect(lastMemory(program)).toContain(SECRET)
    const read = [...runsTool('b', 'read', { path: 'b.txt' }), returns('b', 'what only the gateway got')]
    program.backend.end(accepted, step(1), ...read, step(2), answered(text('Read.')), stops('end'), ended)
    await program.settle()
    await program.say('/restart')
    await program.settle()
    expect(asks(program)).toBeNull()
    program.backend.startsAs = {}
    await program.say("/restart --base-url ''")
    await program.settle()
    expect(asks(program)).toBe('send anthropic the tool results that anthropic at gateway.example:8080 got?')
    await program.press('enter')
    await program.say('and here')
    expect(lastMemory(program)).toContain(SECRET)
    expect(lastMemory(program)).not.toContain('what only the gateway got')
  })
})
