/** The real Meerkat of this suite, and how it is pointed at a scripted model. */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { describe } from 'vitest'
import type { Judge } from '../../src/agent/permission.ts'
import { createMeerkatBackend } from '../../src/agents/meerkat/backend.ts'
import { createToolHost } from '../../src/agents/tool-host/local-tool-host.ts'
import { launchMeerkat } from '../../src/agents/meerkat/launch.ts'
import { costOf, type Prices } from '../../src/agents/meerkat/prices.ts'
import { readMeerkatWords } from '../../src/agents/meerkat/program.ts'
import { createRecorder } from '../../src/agents/recording/record.ts'
import { createLocalTools } from '../../src/local-tools/local-tools.ts'
import { createRedactor } from '../../src/storage/sessions/secrets.ts'
import { environment, makeHome, type Home } from '../helpers/home.ts'
import { startModel, type Model, type Step } from '../helpers/model.ts'
import { converseBy, type Conversation } from '../real-agents/converse.ts'

/** The program to test; without it there is nothing to test. */
export const rkat = process.env['ZOTUI_RKAT_RPC'] ?? ''

if (rkat === '') process.stderr.write('!! SKIPPED: the tests on a real Meerkat: ZOTUI_RKAT_RPC names no rkat-rpc\n')

export function onMeerkat(title: string, body: () => void): void {
  describe.skipIf(rkat === '')(`meerkat: ${title}`, () => {
    body()
  })
}

const models = ['fake', 'other']

/** Writes the configuration of Meerkat into a home, and gives the flags that name it. */
export function settle(home: Home, model: Pick<Model, 'url'>): string[] {
  const root = path.join(home.path, 'rkat')
  mkdirSync(path.join(root, '.rkat'), { recursive: true })
  writeFileSync(path.join(root, '.rkat', 'config.toml'), configuration(model.url))
  return ['--user-config-root', root]
}

function configuration(url: string): string {
  const facts = [
    'server = "local"',
    'family = "fake"',
    'tier = "supported"',
    'context_window = 200000',
    'max_output_tokens = 32000',
    'vision = true',
    'image_tool_results = false',
    'inline_video = false',
    'supports_temperature = true',
    'supports_thinking = true',
    'supports_reasoning = true',
  ]
  const tables: Record<string, readonly string[]> = {
    self_hosted: ['default_model = "fake"'],
    'self_hosted.servers.local': [
      'transport = "openai_compatible"',
      `base_url = "${url}"`,
      'api_style = "chat_completions"',
    ],
    ...Object.fromEntries(
      models.map(name => [
        `self_hosted.models.${name}`,
        [`remote_model = "${name}"`, `display_name = "${name}"`, ...facts],
      ]),
    ),
    'realm.global': ['default_binding = "local"'],
    'realm.global.backend.local': ['provider = "self_hosted"', 'backend_kind = "self_hosted"', 'server = "local"'],
    'realm.global.auth.a': [
      'provider = "self_hosted"',
      'auth_method = "none"',
      'source = { kind = "platform_default" }',
    ],
    'realm.global.binding.local': ['backend_profile = "local"', 'auth_profile = "a"'],
  }
  return Object.entries(tables)
    .map(([name, lines]) => [`[${name}]`, ...lines, ''].join('\n'))
    .join('\n')
}

/** The words of `--agent` for the scripted model. */
export const wordsFor = (flags: readonly string[], more = ''): string =>
  `meerkat --model fake --provider self_hosted ${flags.join(' ')} ${more}`.trim()

export type TalkOptions = {
  home?: Home
  model?: Model
  /** More words of `--agent`. */
  words?: string
  /** Absent for an agent that is not guarded. */
  judge?: Judge
  prices?: Prices
  /** The time that Meerkat is kept waiting for a call, in milliseconds. */
  patience?: number
  /** Receives the lines of a recording. */
  write?: (line: string) => void
}

/** Starts Meerkat behind its backend, and waits until it is ready. */
export async function talkTo(
  script: readonly Step[],
  { home = makeHome(), model, words = '', judge, prices = {}, patience, write = () => undefined }: TalkOptions = {},
): Promise<Conversation> {
  const scripted = model ?? (await startModel(script))
  const read = readMeerkatWords(wordsFor(settle(home, scripted), words))
  if (!read.ok) throw new Error(read.reason)
  const env = environment(home.path, { PATH: process.env['PATH'] ?? '', RUST_LOG: 'warn' })
  const folder = home.project
  const { args, ...choice } = read.value
  const launch = { program: { file: rkat, args }, env, folder, stateFolder: path.join(home.path, 'meerkat') }
  const record = createRecorder({ write, now: () => performance.now(), redactor: createRedactor([]) })
  const backend = createMeerkatBackend({
    ...choice,
    connect: () => record(launchMeerkat(launch), 'meerkat'),
    price: (name, usage) => costOf(prices, name, usage),
    toolHost: judge
      ? createToolHost({ tools: createLocalTools({ folder, env }), folder, ...(patience && { patience }) })
      : null,
  })
  if (judge) backend.judgeWith(judge)
  return converseBy(backend, { home, model: scripted, processes: /rkat/ })
}
