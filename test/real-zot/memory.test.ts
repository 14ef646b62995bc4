/** The digest for a zot that has not heard the conversation, and what is done before a conversation no longer fits. */
import process from 'node:process'
import { describe, expect, test } from 'vitest'
import { hold, httpError, reply, startModel, type Model } from '../helpers/model.ts'
import { idle, keptSessions, messagesOf, openZot, say, talk, zot, zotOf } from './talk.ts'

/** The last thing that the user said in a request, with all that went along. */
async function promptOf(model: Model, request: number): Promise<string> {
  const last = messagesOf(await model.request(request)).findLast(message => message.role === 'user')
  return JSON.stringify(last?.content)
}

describe.skipIf(!zot)('a restarted zot', () => {
  test('is told the conversation, also after a kill -9 of zotui in the middle of an answer', async () => {
    const { zotui, model } = await talk([
      reply().text('The capital is Bern.'),
      reply().text('Half of an answer that').wait(hold()),
      reply().text('Bern, as I said.'),
    ])
    await say(zotui, 'capital of Switzerland?')
    await zotui.see('The capital is Bern.')
    await idle(zotui)
    await say(zotui, 'tell me more')
    await zotui.see('Half of an answer that')
    // A text that streams is on disk half a second later at the latest.
    await zotui.until('the session to hold it', { check: () => keptSessions(zotui).includes('Half of an answer that') })
    const home = zotui.home
    zotui.kill('SIGKILL')
    await zotui.exit()
    const again = await openZot({ args: [...model.flags, '--continue'], home })
    await again.see('The capital is Bern.')
    await again.see('Half of an answer that')
    await again.see(/includes\s+this\s+conversation[^]*2\s+turns/)
    await say(again, 'which was it?')
    await again.see('Bern, as I said.')
    const told = await promptOf(model, 3)
    expect(told).toContain('capital of Switzerland?')
    expect(told).toContain('The capital is Bern.')
    expect(told).toContain('tell me more')
    expect(told).toMatch(/which was it\?"/)
    expect(again.history().join('\n')).not.toContain('earlier-conversation')
  })

  test('after a kill during a tool is offered, and told what the tool did', async () => {
    const { zotui, model } = await talk([
      reply().tool('bash', { command: 'echo $((40 + 2)) begun; sleep 31337' }),
      reply().text('I was counting.'),
    ])
    const first = await zotOf(zotui)
    await say(zotui, 'count')
    await zotui.see('42 begun')
    process.kill(first.pid, 'SIGKILL')
    await zotui.see('restart it and send the prompt again')
    await zotui.press('down', 'enter')
    await zotui.see(/includes\s+this\s+conversation[^]*1\s+turn/)
    await say(zotui, 'what were you doing?')
    await zotui.see('I was counting.')
    const told = await promptOf(model, 2)
    expect(told).toContain('sleep 31337')
    expect(told).toContain('(aborted)')
  })

  test('after a kill while idle starts on its own', async () => {
    const { zotui, model } = await talk([reply().text('Noted.'), reply().text('You said so.')])
    await say(zotui, 'my name is Ada')
    await zotui.see('Noted.')
    await idle(zotui)
    process.kill((await zotOf(zotui)).pid, 'SIGKILL')
    await zotui.see(/Restarted zot/)
    await say(zotui, 'what is my name?')
    await zotui.see('You said so.')
    expect(await promptOf(model, 2)).toContain('my name is Ada')
  })

  test('with another provider answers and knows the conversation', async () => {
    const { zotui, model } = await talk([reply().text('From the first.'), reply().text('From the second.')])
    await say(zotui, 'hello')
    await zotui.see('From the first.')
    await idle(zotui)
    await say(zotui, `/restart --provider ollama --model tiny --base-url ${model.url}`)
    await zotui.see('ollama/tiny')
    await say(zotui, 'and you?')
    await zotui.see('From the second.')
    const { path } = await model.request(2)
    expect(path).toContain('/chat/completions')
    expect(await promptOf(model, 2)).toContain('From the first.')
  })

  test('for a provider without a credential replaces nothing: the running one stays and knows the conversation', async () => {
    const model = await startModel([reply().text('Noted.'), reply().text('Still here.')])
    // A key of the command line goes with its address to any provider; one of the environment is of its provider.
    const args = model.flags.filter((word, at, all) => word !== '--api-key' && all[at - 1] !== '--api-key')
    const zotui = await openZot({ args, env: { ANTHROPIC_API_KEY: 'x' } })
    await zotui.see('anthropic/claude-sonnet-4-5')
    await say(zotui, 'my name is Ada')
    await zotui.see('Noted.')
    await idle(zotui)
    const before = await zotOf(zotui)
    await say(zotui, '/model openai/gpt-5')
    await zotui.see('no key for openai was found')
    await zotui.press('enter')
    await zotui.gone('no key for openai was found')
    await say(zotui, '/model openai/gpt-5')
    await zotui.see('no key for openai was found')
    await zotui.press('up', 'enter')
    await zotui.see(/Nothing was changed: No credential for openai/)
    expect((await zotOf(zotui)).pid).toBe(before.pid)
    await say(zotui, 'are you there?')
    await zotui.see('Still here.')
    const { body } = await model.request(2)
    expect(JSON.stringify(body)).toContain('my name is Ada')
    expect(JSON.stringify(body)).not.toContain('earlier-conversation')
  })

  test('after a rewind knows only the conversation before it', async () => {
    const { zotui, model } = await talk([
      reply().text('Yes to one.'),
      reply().text('Yes to two.'),
      reply().text('Yes to three.'),
    ])
    for (const number of ['one', 'two']) {
      await say(zotui, `prompt ${number}`)
      await zotui.see(`Yes to ${number}.`)
      await idle(zotui)
    }
    await say(zotui, '/rewind')
    await zotui.see('go back to before')
    await zotui.press('enter')
    await zotui.see(/includes\s+this\s+conversation[^]*1\s+turn/)
    await zotui.type(', no: three')
    await zotui.press('enter')
    await zotui.see('Yes to three.')
    const told = await promptOf(model, 3)
    expect(told).toContain('Yes to one.')
    expect(told).not.toContain('Yes to two.')
    expect(told).toContain('prompt two, no: three')
  })
})

describe.skipIf(!zot)('a real zot with a nearly full context', () => {
  const turns = ['one', 'two', 'three']

  test('is compacted before the next prompt', async () => {
    const { zotui, model } = await talk([
      reply().text('Answer one.'),
      reply().text('Answer two.'),
      reply().text('Answer three.').using({ input: 180_000, output: 10 }),
      reply().text('They counted to three.'),
      reply().text('Answer four.'),
    ])
    for (const number of turns) {
      await say(zotui, `prompt ${number}`)
      await zotui.see(`Answer ${number}.`)
      if (number !== 'three') await idle(zotui)
    }
    await zotui.see(/90 % full/)
    await model.request(4)
    await idle(zotui)
    await say(zotui, 'prompt four')
    await zotui.see('Answer four.')
    expect(JSON.stringify(messagesOf(await model.request(5)))).toContain('They counted to three.')
  })

  test('is compacted when the provider rejects the prompt as too long, and the prompt is sent again', async () => {
    const { zotui, model } = await talk([
      reply().text('Answer one.'),
      reply().text('Answer two.'),
      reply().text('Answer three.'),
      httpError(
        400,
        '{"error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}',
      ),
      reply().text('They counted to three.'),
      reply().text('Answer four.'),
    ])
    for (const number of turns) {
      await say(zotui, `prompt ${number}`)
      await zotui.see(`Answer ${number}.`)
      await idle(zotui)
    }
    await say(zotui, 'prompt four')
    await zotui.see('Answer four.')
    expect(JSON.stringify(messagesOf(await model.request(6)))).toContain('They counted to three.')
  })
})
