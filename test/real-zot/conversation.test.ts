/** The conversation as a whole on a real zot: compacting, clearing, switching the model, and refusals. */
import { describe, expect, test } from 'vitest'
import { httpError, reply } from '../helpers/model.ts'
import { idle, messagesOf, say, talk, zot } from './talk.ts'

describe.skipIf(!zot)('a conversation with a real zot', () => {
  test('/compact replaces it with a summary', async () => {
    const { zotui, model } = await talk([
      reply().text('Answer one.'),
      reply().text('Answer two.'),
      reply().text('Answer three.'),
      reply().text('They counted to three.'),
      reply().text('Answer four.'),
    ])
    for (const word of ['one', 'two', 'three']) {
      await say(zotui, `count ${word}`)
      await zotui.see(`Answer ${word}.`)
      await idle(zotui)
    }
    await say(zotui, '/compact')
    await model.request(4)
    await zotui.see(/compacted|summary/i)
    await idle(zotui)
    await say(zotui, 'count four')
    await zotui.see('Answer four.')
    const [first] = messagesOf(await model.request(5))
    expect(JSON.stringify(first)).toContain('They counted to three.')
    expect(JSON.stringify(model.requests[4]?.body)).not.toContain('Answer one.')
  })

  test('/compact with nothing to compact says so and leaves zotui usable', async () => {
    const { zotui } = await talk([reply().text('Here.')])
    await say(zotui, '/compact')
    await zotui.see(/nothing to compact/i)
    await idle(zotui)
    await say(zotui, 'are you there')
    await zotui.see('Here.')
    await idle(zotui)
    zotui.committedOnce(['Here.'])
    expect(zotui.children().length).toBeGreaterThan(0)
  })

  test('/clear makes zot forget it and leaves the screen as it is', async () => {
    const { zotui, model } = await talk([reply().text('I know it now.'), reply().text('I know nothing.')])
    await say(zotui, 'remember the walrus')
    await zotui.see('I know it now.')
    await idle(zotui)
    await say(zotui, '/clear')
    await zotui.see(/clear|new conversation|forgot|anew/i)
    await say(zotui, 'what animal')
    await zotui.see('I know nothing.')
    expect(JSON.stringify((await model.request(2)).body)).not.toContain('walrus')
    zotui.committedOnce(['I know it now.', 'I know nothing.'])
  })

  test('/model switches the model', async () => {
    const { zotui, model } = await talk([reply().text('Short and quick.')])
    await say(zotui, '/model claude-haiku-4-5')
    await zotui.see('anthropic/claude-haiku-4-5')
    await say(zotui, 'who are you')
    await zotui.see('Short and quick.')
    expect((await model.request(1)).body).toMatchObject({ model: 'claude-haiku-4-5' })
  })

  test("Alt+P picks a model from zot's list", async () => {
    const { zotui, model } = await talk([reply().text('Short and quick.')])
    await zotui.press('alt+p')
    await zotui.see(/claude-sonnet-4-0|claude-opus-4-1/)
    await zotui.type('haiku-4-5')
    await zotui.gone('claude-opus-4-1')
    await zotui.press('enter')
    await zotui.see('anthropic/claude-haiku-4-5')
    await say(zotui, 'who are you')
    await zotui.see('Short and quick.')
    expect((await model.request(1)).body).toMatchObject({ model: 'claude-haiku-4-5' })
  })

  test('a refused key is reported with what to do, and the next prompt works', async () => {
    const { zotui } = await talk([
      httpError(401, '{"error":{"type":"authentication_error","message":"invalid x-api-key"}}'),
      reply().text('Now it works.'),
    ])
    await say(zotui, 'hello')
    await zotui.see(/401|rejected the API key|invalid x-api-key/)
    await idle(zotui)
    await say(zotui, 'hello again')
    await zotui.see('Now it works.')
    expect(zotui.history().join('\n')).not.toMatch(/^\s+at .*:\d+:\d+/m)
  })

  test('an error in the middle of an answer keeps the text so far', async () => {
    const { zotui } = await talk([
      reply().text('As far as it came. ').fail('invalid_request_error', 'the stream broke'),
      reply().text('Now it works.'),
    ])
    await say(zotui, 'hello')
    await zotui.see('the stream broke')
    await idle(zotui)
    zotui.committedOnce(['As far as it came.'])
    await say(zotui, 'hello again')
    await zotui.see('Now it works.')
    expect(zotui.children().length).toBeGreaterThan(0)
  })
})
