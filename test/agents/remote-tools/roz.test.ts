/** roz with its server here and its tools on another machine: over a shell of this machine, and over a real sshd. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { expect, onTestFinished, test } from 'vitest'
import type { AgentEvent, EventOf } from '../../../src/agent/event.ts'
import type { Judge } from '../../../src/agent/permission.ts'
import { createBackend } from '../../../src/agents/index.ts'
import { readAddress } from '../../../src/agents/roz/address.ts'
import { sshdPath, startSshd } from '../../helpers/sshd.ts'
import { KEY, startFakeRoz, type FakeSession } from '../roz/fake-server.ts'
import { behindSshd, machineThere, processesWith, type There } from './stage.ts'

/** A server whose model makes this call for each prompt, and tells what came of it. */
const calls = (name: string, args: Record<string, unknown>) => {
  let count = 0
  return startFakeRoz({
    onPrompt: session => session.call(`c${(count += 1)}`, name, args),
    onRequest: (session: FakeSession, { tool_result: result }) => {
      if (result) session.answer('Done.')
      return result !== undefined
    },
  })
}

async function remoteRoz(url: string, { folder, machine }: There, judge: Judge) {
  const address = readAddress(url)
  if (!address.ok) throw new Error(address.reason)
  const place = { machine, survey: { folder }, variables: {} }
  const start = { address: address.value, key: KEY, model: '', environment: '', task: '', ca: '' }
  const remote = { place, node: process.execPath }
  const backend = await createBackend(
    { agent: 'roz', start, roots: null, folder, env: {}, remote },
    { debug: () => {}, redact: text => text, version: '1' },
  )
  backend.judgeWith(judge)
  const events: AgentEvent[] = []
  backend.subscribe(event => events.push(event))
  onTestFinished(async () => backend.kill())
  await backend.open()
  const of = <Type extends AgentEvent['type']>(type: Type): EventOf<Type>[] =>
    events.filter((event): event is EventOf<Type> => event.type === type)
  return { backend, of, ask: async (text: string) => backend.prompt({ text, images: [] }) }
}

const allow: Judge = () => ({ verdict: 'allow', because: 'a test' })

test('an edit is shown here before it is made there, and the instructions of that folder go to the server', async () => {
  const there = machineThere()
  mkdirSync(join(there.folder, '.git'))
  writeFileSync(join(there.folder, 'AGENTS.md'), 'Write short lines.')
  writeFileSync(join(there.folder, 'a.txt'), 'one\n')
  const server = await calls('edit', { path: 'a.txt', edits: [{ oldText: 'one', newText: 'two' }] })
  const roz = await remoteRoz(server.url, there, () => ({ verdict: 'ask', because: 'a test' }))
  const turn = roz.ask('go')
  await expect.poll(() => roz.of('permission_requested').length, { timeout: 15_000 }).toBe(1)
  const [question] = roz.of('permission_requested')
  expect(question).toMatchObject({ tool: 'edit', paths: [join(there.folder, 'a.txt')] })
  expect(question?.diff).toContain('+two')
  expect(readFileSync(join(there.folder, 'a.txt'), 'utf8')).toBe('one\n')
  roz.backend.answerPermission(question?.id ?? '', { answer: 'allow' })
  await turn
  expect(readFileSync(join(there.folder, 'a.txt'), 'utf8')).toBe('two\n')
  expect(JSON.stringify(server.session.received)).toContain('Write short lines.')
  expect(JSON.stringify(server.session.received)).toContain(`on another machine, in the folder ${there.folder}`)
  expect(roz.backend.abilities.has('sandbox')).toBe(false)
})

test('a refused command does not run there', async () => {
  const there = machineThere()
  const server = await calls('bash', { command: 'touch made' })
  const roz = await remoteRoz(server.url, there, () => ({ verdict: 'refuse', because: 'a test', words: 'no' }))
  await roz.ask('go')
  expect(existsSync(join(there.folder, 'made'))).toBe(false)
  expect(roz.of('call_refused')).toHaveLength(1)
})

test.skipIf(sshdPath === null)(
  'a command over ssh shows its output, fails with one line when the connection is cut, and the conversation goes on',
  { timeout: 40_000 },
  async () => {
    const sshd = await startSshd(join(machineThere().folder, 's'), { PATH: '/usr/bin:/bin' })
    const there = machineThere(behindSshd(sshd.bin))
    const seconds = `${100 + Math.floor(Math.random() * 800)}.${process.pid}`
    const server = await calls('bash', { command: `echo began >> runs; echo first; [ -e on ] || sleep ${seconds}` })
    const roz = await remoteRoz(server.url, there, allow)
    const turn = roz.ask('go')
    await expect.poll(() => roz.of('tool_progressed').map(({ text }) => text), { timeout: 15_000 }).toEqual(['first\n'])
    sshd.cut()
    await turn
    const [result] = server.session.of('tool_result')
    expect(JSON.stringify(result)).toContain('The connection to ssh:far was lost.')
    await expect.poll(() => processesWith(`sleep ${seconds}`), { timeout: 10_000 }).toEqual([])
    writeFileSync(join(there.folder, 'on'), '')
    await roz.ask('again')
    expect(readFileSync(join(there.folder, 'runs'), 'utf8')).toBe('began\nbegan\n')
    expect(JSON.stringify(server.session.of('tool_result')[1])).toContain('first')
  },
)
