/** A device that was let in answers, stops and prompts in the conversation of a UI. */
import { expect, test } from 'vitest'
import type { OutsideCall, OutsideReply } from '../../src/published/outside-call.ts'
import type { ServedQuestion } from '../../src/published/protocol.ts'
import type { PageLine } from '../../src/serve/page-lines.ts'
import type { Screen } from '../helpers/screen.ts'
import { TestDevice } from '../serve/client.ts'
import { openQuickDemo, send } from './stage.ts'

const slow = { timeout: 20_000 }

/** A device that the person lets in at the page of /serve, with what it reads. */
async function letIn(zotui: Screen) {
  await send(zotui, '/serve --port 0')
  const link = (): string => /http:\S+#pair=\S+/.exec(zotui.screen().join('\n'))?.[0] ?? ''
  await zotui.until('a link', { check: () => link() !== '' })
  const device = new TestDevice(new URL(link()).origin)
  await device.useLink(link())
  await zotui.see('y yes   n no')
  await zotui.press('y')
  await zotui.see(/^› Pixel 8 +may answer and prompt/m)
  await zotui.press('esc')
  await zotui.until('the page closed', { check: () => !zotui.alternate })
  await device.hello()
  const lines: PageLine[] = []
  const read = async (watch: string | null): Promise<void> => {
    for await (const line of device.stream(watch)) lines.push(line)
  }
  // It ends with the server.
  const listen = (watch: string | null): void => void read(watch).catch(() => undefined)
  listen(null)
  const first = () => lines.flatMap(line => (line.type === 'conversations' ? line.conversations : []))[0]?.id ?? ''
  await expect.poll(first, slow).not.toBe('')
  const conversation = first()
  listen(conversation)
  let count = 0
  return {
    questions: (): readonly ServedQuestion[] =>
      lines
        .flatMap(line => (line.type === 'questions' && line.conversation === conversation ? [line.questions] : []))
        .at(-1) ?? [],
    html: () => JSON.stringify(lines.filter(({ type }) => type === 'blocks')),
    async call(asked: OutsideCall extends infer Each ? (Each extends OutsideCall ? Omit<Each, 'id'> : never) : never) {
      count += 1
      const reply: OutsideReply = await device.request('call', { conversation, call: { ...asked, id: `r${count}` } })
      return reply
    },
  }
}

test('a command is allowed and a prompt is sent from a device, and the terminal says so', async () => {
  const zotui = await openQuickDemo({ columns: 120, rows: 40 })
  await send(zotui, '/permissions ask')
  await zotui.see('Mode ask')
  const device = await letIn(zotui)
  await zotui.see('Pixel 8 watches')
  await send(zotui, 'phone')
  await zotui.see('Run this command?')
  await expect.poll(() => device.questions().length, slow).toBe(1)
  const [question] = device.questions()
  expect(question?.html).toContain('npm publish --access public')
  const asked = { do: 'answer_call', question: question?.id ?? '', allow: true } as const
  expect(await device.call({ ...asked, digest: '0'.repeat(64) })).toMatchObject({ ok: false, why: 'changed' })
  // Nobody has read it within the first 400 ms.
  const allows = () => device.call({ ...asked, digest: question?.digest ?? '' })
  await expect.poll(allows, slow).toEqual({ ok: true, how: 'done' })
  await zotui.see('allowed from Pixel 8')
  const again = await device.call({ ...asked, digest: question?.digest ?? '' })
  expect(again).toEqual({ ok: false, why: 'answered', message: 'It was allowed from Pixel 8.' })
  await expect.poll(() => device.html(), slow).toContain('allowed from Pixel 8')
  expect(await device.call({ do: 'prompt', text: '/exit' })).toMatchObject({ ok: true })
  await zotui.see('As text: /exit')
  await zotui.see('from Pixel 8')
  await zotui.close()
})

test('in a mode that does not ask, a prompt waits for a yes at the terminal', async () => {
  const zotui = await openQuickDemo({ columns: 120, rows: 40 })
  await send(zotui, '/permissions edits')
  await zotui.see('Mode edits')
  const device = await letIn(zotui)
  expect(await device.call({ do: 'prompt', text: 'thanks' })).toMatchObject({ ok: false, why: 'needs_yes' })
  await zotui.see('Pixel 8 wants to send prompts to a conversation whose mode does not ask: /serve')
  await send(zotui, '/serve')
  await zotui.see('y yes   n no')
  await zotui.press('y')
  await zotui.gone('y yes   n no')
  await zotui.press('esc')
  expect(await device.call({ do: 'prompt', text: 'thanks' })).toEqual({ ok: true, how: 'sent' })
  await zotui.see('from Pixel 8')
  await zotui.close()
})
