/** Every flag of the start reaches every zot that is started later: after a key, a switch, a restart, beside and in the background. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'
import { expect, onTestFinished, test } from 'vitest'
import type { Home } from '../helpers/home.ts'
import { open, type Screen } from '../helpers/screen.ts'
import { allEnded, holders, homeOf, openList, zotui as inShell } from './holders.ts'
import { installAgent, lastingHome, send } from './stage.ts'

/** A gateway that takes any key. */
async function openGateway(): Promise<string> {
  const server = createServer((_request, response) => response.end('{}'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** The flags for zot, each with its value, as zotui and zot take them. */
const flagsFor = (gateway: string, extension: string): readonly (readonly string[])[] => [
  ['--provider', 'anthropic'],
  ['--model', 'sonnet'],
  ['--base-url', gateway],
  ['--api-key', 'k-1'],
  ['--reasoning', 'low'],
  ['--max-steps', '7'],
  ['--tools', 'read,glob'],
  ['--ext', extension],
  ['--temperature', '0.5'],
  ['--system-prompt', 'be-brief'],
  ['--append-system-prompt', 'and-kind'],
  ['--insecure'],
  ['--no-ext'],
  ['--no-skill'],
  ['--no-context-files'],
]
const EXTRA = ['--', '--further', 'words']

/** The command lines of the zots that were started as agents. */
function starts(home: Home): string[] {
  const file = join(home.path, 'starts')
  return existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter(line => line.startsWith('rpc '))
    : []
}

const began = (home: Home, count: number) => ({ check: () => starts(home).length > count })

type Path = {
  name: string
  /** Makes zotui start another zot. */
  go: (zotui: Screen) => Promise<void>
  /** The flags that it replaces, and their values. */
  instead?: Readonly<Record<string, string>>
  /** The flags that it limits further. */
  limits?: readonly string[]
}

const paths: readonly Path[] = [
  { name: '/restart', go: zotui => send(zotui, '/restart') },
  {
    name: '/restart with another model',
    go: zotui => send(zotui, '/restart --model haiku'),
    instead: { '--model': 'haiku' },
  },
  {
    name: '/model of another provider',
    async go(zotui) {
      await send(zotui, '/model deepseek/deepseek-chat')
      await zotui.see(/Switched to deepseek\/deepseek-chat\. Prompts\s+still\s+go\s+to\s+127\.0\.0\.1/)
    },
    instead: { '--provider': 'deepseek', '--model': 'deepseek-chat' },
  },
  {
    name: 'a key that /login stored',
    async go(zotui) {
      await send(zotui, '/login')
      await zotui.see(/› Anthropic/)
      await zotui.press('enter')
      await zotui.type('sk-ant-good')
      await zotui.see(/\*{11}[^]*test it at 127\.0\.0\.1/)
      await zotui.press('enter')
      await zotui.see('Anthropic accepted the key')
    },
  },
  {
    name: 'a side question',
    go: zotui => send(zotui, '/btw who are you'),
    limits: ['--tools', '--ext', '--reasoning', '--'],
  },
  { name: 'another conversation', go: zotui => send(zotui, '/another who are you') },
  { name: '/resume and /restart', go: resume },
  { name: 'an end of zot', go: kill },
]

/** Resumes an earlier conversation, in which the same zot goes on, and has it started again. */
async function resume(zotui: Screen): Promise<void> {
  await send(zotui, 'an earlier question')
  await zotui.see('remember 1')
  await send(zotui, '/clear')
  await send(zotui, '/resume earlier')
  await zotui.see(/› an earlier question/)
  await zotui.press('enter')
  await zotui.see(/Resumed the session/)
  await send(zotui, '/restart')
}

/** Ends the zot that answers, as a crash does, and asks on. */
async function kill(zotui: Screen): Promise<void> {
  await send(zotui, 'a question')
  await zotui.see('remember 1')
  const [, pid] = /I am (\d+),/.exec(zotui.history().join('\n')) ?? []
  process.kill(Number(pid), 'SIGKILL')
  await zotui.see(/zot was killed|killed by|ended/)
  await send(zotui, 'another question')
}

const KEYS = { ANTHROPIC_API_KEY: 'x', DEEPSEEK_API_KEY: 'x' }
const NOTES = `printf '%s\\n' "$*" >>"$HOME/starts"`

async function openWith(home: Home, flags: readonly (readonly string[])[], agent = 'providers'): Promise<Screen> {
  const zot = installAgent(home, { name: 'zot', agent, first: NOTES })
  writeFileSync(join(home.path, 'credential'), '')
  return open({ home, args: [...flags.flat(), ...EXTRA], env: { ZOTUI_ZOT: zot, ...KEYS }, columns: 120, rows: 30 })
}

function expectFlags(
  line: string,
  flags: readonly (readonly string[])[],
  { instead = {}, limits = [] }: Pick<Path, 'instead' | 'limits'>,
): void {
  const wanted = flags.flatMap(([name = '', value]) => {
    if (limits.includes(name)) return []
    // The guard offers these tools in place of zot's own.
    if (name === '--tools') return [' --no-tools ']
    return value === undefined ? [` ${name} `] : [` ${name} ${instead[name] ?? value} `]
  })
  const further = limits.includes('--') ? [] : [' --further words ']
  const missing = [...wanted, ...further].filter(words => !` ${line} `.includes(words))
  expect({ missing, line }).toEqual({ missing: [], line })
}

test.each(paths)('after $name', async ({ go, ...path }) => {
  const home = lastingHome()
  const extension = join(home.path, 'extension')
  mkdirSync(extension)
  writeFileSync(join(extension, 'extension.json'), '{"exec": "true", "args": []}')
  const flags = flagsFor(await openGateway(), extension)
  const zotui = await openWith(home, flags)
  await zotui.see(/sonnet/)
  expectFlags(starts(home)[0] ?? '', flags, {})
  const before = starts(home).length
  await go(zotui)
  await zotui.until('another zot', began(home, before))
  expectFlags(starts(home).at(-1) ?? '', flags, path)
  await zotui.close()
})

test.each([
  ['--continue', () => ['--continue'], {}],
  ['--resume', (id: string) => ['--resume', id], {}],
  ['--continue of a zot that does not report its reasoning', () => ['--continue'], { OLD_ZOT: '1' }],
] as [string, (id: string) => string[], Record<string, string>][])(
  'with %s, which begins and goes on with the flags of this start, also in the background',
  async (_name, session, variables) => {
    const { home, env: basis } = homeOf('providers')
    const env = { ...basis, ...variables }
    const extension = join(home.path, 'extension')
    mkdirSync(extension)
    writeFileSync(join(extension, 'extension.json'), '{"exec": "true", "args": []}')
    const zot = installAgent(home, { name: 'zot', agent: 'providers', first: NOTES })
    const earlier = await open({ home, env: { ...env, ZOTUI_ZOT: zot, ...KEYS }, columns: 120 })
    await earlier.see(/sonnet/)
    await send(earlier, 'an earlier question')
    await earlier.see('remember 1')
    await send(earlier, '/exit')
    await earlier.exit()
    const [, id = ''] = /--resume (\S+)/.exec(earlier.history().join('\n')) ?? []
    const flags = flagsFor(await openGateway(), extension)
    const begun = starts(home).length
    const args = [...session(id), ...flags.flat(), ...EXTRA]
    const zotui = await open({ home, env: { ...env, ZOTUI_ZOT: zot, ...KEYS }, args, columns: 120, rows: 30 })
    await zotui.see(/Resumed the session/)
    await zotui.until('its zot', began(home, begun))
    await zotui.see(/Your next prompt includes this conversation/)
    expectFlags(starts(home).at(-1) ?? '', flags, {})
    for (const go of [() => send(zotui, '/restart'), toBackground]) {
      const before = starts(home).length
      await go()
      await zotui.until('another zot', began(home, before))
      expectFlags(starts(home).at(-1) ?? '', flags, {})
    }
    await zotui.close()
    for (const holder of holders(home)) await inShell(home, ['stop', holder.id], env)
    await allEnded(home)

    async function toBackground(): Promise<void> {
      await send(zotui, 'a later question')
      await zotui.see(/and was told the rest/)
      await openList(zotui)
      await zotui.type('b')
    }
  },
)

test('after the key of a first start', async () => {
  const home = lastingHome()
  const gateway = await openGateway()
  const zotui = await openWith(home, [['--base-url', gateway]], 'keyless')
  await zotui.see(/for which provider\?[^]*› Anthropic/)
  await zotui.press('enter')
  const before = starts(home).length
  await zotui.type('sk-ant-good')
  await zotui.see(/\*{11}[^]*test it at 127\.0\.0\.1/)
  await zotui.press('enter')
  await zotui.until('another zot', began(home, before))
  expect(starts(home).at(-1)).toContain(`--base-url ${gateway}`)
  await zotui.see(/Switched to anthropic\/sonnet\. Prompts\s+still\s+go\s+to\s+127\.0\.0\.1/)
  await zotui.close()
})

test('an address that /restart set is named, and is that of all later ones, also in the background', async () => {
  const { home, env } = homeOf('providers')
  const zot = installAgent(home, { name: 'zot', agent: 'providers', first: NOTES })
  const gateway = await openGateway()
  const zotui = await open({
    home,
    env: { ...env, ZOTUI_ZOT: zot },
    args: ['--base-url', 'http://127.0.0.1:1', '--max-steps', '7'],
  })
  await zotui.see(/sonnet/)
  await send(zotui, `/restart --base-url ${gateway}`)
  await zotui.see(/Prompts\s+go\s+to\s+127\.0\.0\.1:\d+\s+now\./)
  await send(zotui, 'a question')
  await zotui.see(/remember 1/)
  for (const go of ['/btw aside', '/another a question', '/spawn --background a question']) {
    const before = starts(home).length
    await send(zotui, go)
    await zotui.until(`another zot after ${go}`, began(home, before))
    expect(starts(home).at(-1)).toContain(`--base-url ${gateway}`)
    expect(starts(home).at(-1)).toContain('--max-steps 7')
    if (go.startsWith('/btw')) {
      await zotui.see('Side answer')
      await zotui.see('Add it')
      await zotui.press('esc')
      await zotui.gone('Side answer')
    }
  }
  const before = starts(home).length
  await openList(zotui)
  await zotui.type('b')
  await zotui.until('another zot in the background', began(home, before))
  expect(starts(home).at(-1)).toContain(`--base-url ${gateway}`)
  expect(starts(home).at(-1)).toContain('--max-steps 7')
  await zotui.close()
  for (const { id } of holders(home)) await inShell(home, ['stop', id], env)
  await allEnded(home)
})
