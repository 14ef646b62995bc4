/** Words to the running turn of a real zot: its model reads them once, right after the call. */
import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { allow, ask, guarded } from '../agents/zot/guard/guarded.ts'
import { steersEveryZot } from '../agents/zot/guard/steering-suite.ts'
import { bash, read, write } from '../agents/zot/guard/suite.ts'
import { reply, startModel } from '../helpers/model.ts'
import { makeRealZot } from './guarded-zot.ts'
import { messagesOf, zot } from './talk.ts'

const WORDS = 'leave the parser alone'
const steer = { id: 's-1', prompt: { text: WORDS, images: [] } }
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const timesIn = (text: string): number => text.split(WORDS).length - 1

describe.skipIf(!zot)('a real zot', () => {
  steersEveryZot(makeRealZot)

  test('words in the result that a call waits are in the request after its outcome, once', async () => {
    const stage = await makeRealZot([{ calls: [write('c.txt', 'written', 'a')] }, { text: 'Done.' }], {
      judge: ask,
      limits: { holdTool: 500 },
    })
    await stage.backend.open()
    const turn = stage.backend.prompt({ text: 'go', images: [] })
    const { id } = await stage.next('permission_requested')
    expect(await stage.backend.steer(steer)).toEqual({ how: 'delivered' })
    stage.backend.answerPermission(id, { answer: 'allow' })
    await turn
    const heard = await stage.heard(2)
    expect(timesIn(heard)).toBe(1)
    expect(heard.indexOf('Held: nothing was changed')).toBeLessThan(heard.indexOf(WORDS))
    expect(heard.indexOf(WORDS)).toBeLessThan(heard.indexOf('The calls that were held have been decided'))
  })

  test('the models of OpenAI, to which zot repeats short results, read the words once, also beside an image', async () => {
    const model = await startModel([
      reply().tool('read', { path: 'b.txt' }, { id: 'a' }).tool('read', { path: 'dot.png' }, { id: 'b' }),
      reply().tool('read', { path: 'dot.png' }, { id: 'c' }).tool('read', { path: 'b.txt' }, { id: 'd' }),
      reply().text('Done.'),
    ])
    const options = { provider: 'openai', model: 'gpt-5', apiKey: 'x', baseUrl: model.url, noSkill: true }
    const stage = guarded({ zot, options, judge: ask })
    writeFileSync(path.join(stage.project, 'b.txt'), 'what was read')
    writeFileSync(path.join(stage.project, 'dot.png'), Buffer.from(png, 'base64'))
    await stage.backend.open()
    const turn = stage.backend.prompt({ text: 'go', images: [] })
    for (const call of ['a', 'b', 'c', 'd']) {
      const { id, callId } = await stage.next('permission_requested')
      expect(callId).toBe(call)
      if (call === 'a') void stage.backend.steer(steer)
      if (call === 'c') void stage.backend.steer({ id: 's-2', prompt: { text: 'a second word', images: [] } })
      stage.backend.answerPermission(id, { answer: 'allow' })
    }
    await turn
    const [second = '', third = ''] = model.requests.slice(1).map(request => JSON.stringify(messagesOf(request)))
    expect(timesIn(second)).toBe(1)
    expect(third.split('a second word').length - 1).toBe(1)
    const results = model.requests
      .slice(2)
      .flatMap(messagesOf)
      .filter(({ role }) => role === 'tool')
    expect(results.map(({ content }) => JSON.stringify(content)).at(-1)).toMatch(/what was read.*a second word/)
  })

  test('words to a zot that is killed were not sent', async () => {
    const stage = await makeRealZot([{ calls: [bash('touch begun; sleep 60', 'a')] }], { judge: allow })
    await stage.backend.open()
    const turn = stage.backend.prompt({ text: 'go', images: [] })
    await expect.poll(() => existsSync(path.join(stage.project, 'begun')), { timeout: 20_000 }).toBe(true)
    const steered = stage.backend.steer(steer)
    await stage.backend.kill()
    await turn
    expect(await steered).toEqual({ how: 'over' })
    expect(stage.told()).not.toContain(WORDS)
  })

  test('without the guard zot takes no words, and says so', async () => {
    const stage = await makeRealZot([{ calls: [read('b.txt', 'a')] }, { text: 'Done.' }], { isBare: true })
    await stage.backend.open()
    expect(stage.backend.abilities.has('steer')).toBe(false)
    expect(await stage.backend.steer(steer)).toMatchObject({ how: 'refused' })
  })
})
