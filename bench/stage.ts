/** The place of a measurement: a folder with the shipped program, the agent and the raw writer. */
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import { environment } from '../test/helpers/home.ts'
import { playText, REPORTS, type Play, type Report } from './play.ts'
import { Program } from './program.ts'
import { Ui } from './ui.ts'

/** The agent of the bench: in zot's protocol, in that of ACP, or in Meerkat's. */
export type StageAgent = 'zot' | 'acp' | 'meerkat'

export type Stage = {
  /** Longer versions of the scenarios that have one. */
  full: boolean
  /** Starts zotui in a folder that `prepare` fills; `fresh`: without a compile cache. The default agent is `zot`. */
  open: (options?: {
    fresh?: boolean
    prepare?: (folder: string) => void
    args?: readonly string[]
    agent?: StageAgent
    /** With zot's guard, without which it runs otherwise. */
    isGuarded?: boolean
    /** The Node that runs zotui, and the guard with it. */
    node?: string
    /** More variables. */
    env?: Record<string, string>
  }) => Ui
  /** The home folder of all. */
  home: string
  /** The path of the agent in zot's protocol. */
  zot: string
  /** Runs a command of zotui that ends by itself, such as `--help`. */
  command: (args: readonly string[], env?: Record<string, string>) => Program
  /** Starts Node with these arguments, on a terminal like zotui's. */
  node: (args: readonly string[], node?: string) => Program
  /** The program that only writes back each key, ready to do so. */
  echo: () => Promise<Program>
  /** The program that only writes the text of an answer, and its report when it is done. */
  raw: (play: Play) => { program: Program; report: Promise<Report> }
  remove: () => void
}

export type StageOptions = {
  full: boolean
  /** A folder for a CPU profile and the bytes of each start of zotui. */
  profile: string | null
}

const root = fileURLToPath(new URL('..', import.meta.url))

/** Expects the program to be built. */
export async function makeStage({ full, profile }: StageOptions): Promise<Stage> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'zotui-bench-')))
  let started = 0
  const make = (name: string): string => {
    const path = join(folder, name)
    mkdirSync(path, { recursive: true })
    return path
  }
  const home = make('home')
  const bin = make('bin')
  const agents: Record<StageAgent, string> = {
    zot: join(bin, 'zot'),
    acp: join(bin, 'acp'),
    meerkat: join(bin, 'rkat-rpc'),
  }
  const raw = join(folder, 'raw.mjs')
  // The program is copied as if it were installed, so that a build meanwhile does not change it.
  cpSync(join(root, 'dist'), join(folder, 'package/dist'), { recursive: true })
  cpSync(join(root, 'package.json'), join(folder, 'package/package.json'))
  const program = join(folder, 'package/dist/zotui.js')
  for (const [path, source] of [
    [agents.zot, 'agent.ts'],
    [agents.acp, 'acp-agent.ts'],
    [agents.meerkat, 'meerkat-agent.ts'],
  ] as const) {
    writeFileSync(path, `#!${process.execPath}\n${await bundled(source, 'cjs')}`)
    chmodSync(path, 0o755)
  }
  writeFileSync(raw, await bundled('raw.ts', 'esm'))
  const echo = join(folder, 'echo.mjs')
  writeFileSync(echo, await bundled('echo.ts', 'esm'))

  function surroundings(
    cache: string,
    more: Record<string, string> = {},
  ): { env: Record<string, string>; reports: string; cwd: string } {
    started += 1
    const reports = make(`reports-${started}`)
    // A folder of its own, so that no draft of the last program comes back in this one.
    const cwd = make(`home/project-${started}`)
    // zotui's compile cache is there.
    const env = environment(home, {
      XDG_CACHE_HOME: make(cache),
      [REPORTS]: reports,
      ZOTUI_RKAT_RPC: agents.meerkat,
      ...more,
    })
    return { env, reports, cwd }
  }

  const chosen: Record<StageAgent, readonly string[]> = {
    zot: ['--zot', agents.zot],
    acp: ['--agent', agents.acp],
    meerkat: ['--agent', 'meerkat'],
  }

  function open(options: Parameters<Stage['open']>[0] = {}): Ui {
    const { fresh = false, prepare, args = [], agent = 'zot', isGuarded = false, node, env = {} } = options
    const around = surroundings(fresh ? `cache-${started}` : 'cache', env)
    prepare?.(around.cwd)
    const profiling = profile === null ? [] : ['--cpu-prof', '--cpu-prof-interval=500', `--cpu-prof-dir=${profile}`]
    const unguarded = agent === 'zot' && !isGuarded ? ['--no-guard'] : []
    const ui = new Ui({ ...around, node, args: [...profiling, program, ...chosen[agent], ...unguarded, ...args] })
    if (profile !== null) void keepBytes(ui, join(profile, `${ui.pid}.bytes`))
    return ui
  }

  return {
    full,
    zot: agents.zot,
    open,
    home,
    command: (args, env) => new Program({ ...surroundings('cache', env), args: [program, ...args] }),
    node: (args, node) => new Program({ ...surroundings('cache'), args, node }),
    async echo() {
      const program = new Program({ ...surroundings('cache'), args: [echo] })
      await program.shown('that it is ready', () => true)
      return program
    },
    raw(play) {
      const around = surroundings('cache')
      const program = new Program({ ...around, args: [raw, playText(play)] })
      return { program, report: reportAtEnd(program, join(around.reports, '0.json')) }
    },
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }),
  }
}

async function reportAtEnd(program: Program, path: string): Promise<Report> {
  await program.ended
  if (!existsSync(path)) throw new Error(`the raw writer failed:\n${program.terminal.screen().join('\n')}`)
  return JSON.parse(readFileSync(path, 'utf8')) as Report
}

async function keepBytes(program: Program, path: string): Promise<void> {
  await program.ended
  writeFileSync(path, Buffer.concat(program.terminal.received))
}

/** A program of this folder as one plain JavaScript text. */
async function bundled(name: string, format: 'cjs' | 'esm'): Promise<string> {
  const input = fileURLToPath(new URL(name, import.meta.url))
  const { output } = await build({ input, platform: 'node', write: false, output: { format } })
  return output[0].code
}
