/** A backend in front of a fake server, in a folder of its own. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { expect, onTestFinished } from 'vitest'
import type { Prompt } from '../../../src/agent/backend.ts'
import { makeEventSchema, type AgentEvent, type EventOf } from '../../../src/agent/event.ts'
import type { Judge } from '../../../src/agent/permission.ts'
import { createToolHost } from '../../../src/agents/tool-host/local-tool-host.ts'
import { readAddress } from '../../../src/agents/roz/address.ts'
import { createRozBackend, type RozBackendOptions } from '../../../src/agents/roz/backend.ts'
import { reduce } from '../../../src/conversation/reduce.ts'
import { initialChat } from '../../../src/conversation/state.ts'
import { createLocalTools } from '../../../src/local-tools/local-tools.ts'
import { KEY, startFakeRoz, type FakeRoz, type FakeRozOptions } from './fake-server.ts'

const schema = makeEventSchema()
export const allow: Judge = () => ({ verdict: 'allow', because: 'a test allows it' })

export type OpenRozOptions = Partial<Pick<RozBackendOptions, 'limits' | 'roots'>> & {
  judge?: Judge
  key?: string
  model?: string
  task?: string
  url?: string
  patience?: number
}

export function makeRoz(server: Pick<FakeRoz, 'url'>, options: OpenRozOptions = {}) {
  const { judge = allow, key = KEY, model = '', task = '', url = server.url, roots = null, limits } = options
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'zotui-roz-')))
  const address = readAddress(url)
  if (!address.ok) throw new Error(address.reason)
  const tools = createLocalTools({ folder, env: process.env })
  const toolHost = createToolHost({
    tools,
    folder,
    ...(options.patience !== undefined && { patience: options.patience }),
  })
  const backend = createRozBackend({
    start: { address: address.value, key, model, environment: 'an-environment', task },
    roots,
    folder,
    toolHost,
    limits: { tries: [0, 50, 100], closeStream: 200, closeAbort: 500, ...limits },
  })
  backend.judgeWith(judge)
  const events: AgentEvent[] = []
  backend.subscribe(event => events.push(event))
  onTestFinished(async () => {
    await backend.kill()
    expect(events.filter(event => !schema.safeParse(event).success)).toEqual([])
    rmSync(folder, { recursive: true })
  })
  const of = <Type extends AgentEvent['type']>(type: Type): EventOf<Type>[] =>
    events.filter((event): event is EventOf<Type> => event.type === type)
  return {
    backend,
    events,
    folder,
    of,
    types: () => events.map(({ type }) => type),
    said: () =>
      of('text_received')
        .map(({ text }) => text)
        .join(''),
    chat: () => events.reduce(reduce, initialChat),
    ask: (text: string, more: Partial<Prompt> = {}) => backend.prompt({ text, images: [], ...more }),
  }
}

/** A backend that has begun a session with a fake server. */
export async function openRoz(server: FakeRozOptions = {}, options: OpenRozOptions = {}) {
  const fake = await startFakeRoz(server)
  const roz = makeRoz(fake, options)
  await roz.backend.open()
  return { ...roz, fake }
}
