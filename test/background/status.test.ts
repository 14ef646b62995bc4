/** What a program that follows a conversation in the background is told of its state. */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { connectToBackground } from '../../src/agents/background/connection.ts'
import type { BackgroundLine } from '../../src/agents/background/protocol.ts'
import { holdAgent } from './held.ts'

test('one that is done has not failed because its agent is ended then', async () => {
  const { server, happen } = holdAgent({ hasPrompt: true }, false)
  const folder = mkdtempSync(join(tmpdir(), 'zotui-status-'))
  const listening = createServer(socket => server.accept(socket))
  onTestFinished(() => {
    listening.close()
    rmSync(folder, { recursive: true })
  })
  const path = join(folder, 's')
  await new Promise<void>(resolve => void listening.listen(path, resolve))
  const reply = await connectToBackground(path, 'status')
  if (!reply.ok) throw new Error(reply.message)
  const states: string[] = []
  const take = (line: BackgroundLine): void => void (line.type === 'status' && states.push(line.status.state))
  reply.connection.receive(take)

  happen({ type: 'prompt_sent', at: 1, text: 'go', images: [] })
  happen({ type: 'turn_ended', at: 2 })
  await server.stay()
  happen({ type: 'agent_ended', at: 3, code: 0, signal: null, reason: 'ended', hint: '', expected: false })
  server.end()
  await reply.connection.ended
  expect(states).toEqual(['working', 'done'])
})
