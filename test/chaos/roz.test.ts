/** Faults of a roz server: one clear line, nothing lost, nothing allowed, and the next prompt is answered. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openRoz } from '../agents/roz/open-roz.ts'
import { turnFaults } from './roz-faults.ts'

describe('a turn with', () => {
  test.each(Object.keys(turnFaults))('%s ends, loses nothing and allows nothing', async name => {
    const roz = await openRoz(
      { onPrompt: (session, text) => (turnFaults[text] ?? (() => session.answer(`You said: ${text}.`)))(session) },
      { judge: () => ({ verdict: 'ask', because: 'a test' }) },
    )
    await roz.ask(name)
    expect(roz.said()).toMatch(/^Before it\. [^]*After it\.$/)
    await roz.ask('hello')
    expect(roz.said()).toMatch(/You said: hello\.$/)
    expect(roz.said()).not.toContain('Too late.')
    expect(existsSync(join(roz.folder, 'made'))).toBe(false)
    expect(roz.of('permission_decided').filter(({ allowed }) => allowed)).toEqual([])
    expect(roz.of('permission_decided')).toHaveLength(roz.of('permission_requested').length)
    expect(roz.of('turn_ended')).toHaveLength(2)
    expect(roz.chat().open).toBeNull()
    expect(roz.types()).not.toContain('agent_ended')
  })

  test('no end is reported when it is stopped, and a kill ends it', async () => {
    const roz = await openRoz(
      { onPrompt: session => session.say('text_delta', { content: 'Before it. ' }) },
      { limits: { cancelled: 60_000, abort: 50 } },
    )
    const turn = roz.ask('go')
    await expect.poll(roz.said).not.toBe('')
    roz.backend.abort()
    await expect.poll(roz.types).toContain('abort_overdue')
    // It may be slow and not dead.
    expect(await roz.backend.ping(5000)).toBe(true)
    await roz.backend.kill()
    await turn
    expect(roz.events.at(-1)).toMatchObject({ type: 'agent_ended', expected: true })
  })
})
