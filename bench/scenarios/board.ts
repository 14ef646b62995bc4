/**
 * A board with 500 conversations on 50 hosts: the model alone, `zotui board`, and `/board` in a zotui that somebody types into. The hosts are
 * reached through a program `ssh`, which is a process for each, and a real conversation runs in the background of this machine.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createBoard, type FleetBoard } from '../../src/fleet/board.ts'
import { createHostSource } from '../../src/fleet/sources/host-source.ts'
import { timers } from '../../src/platform/timers.ts'
import { now } from '../clock.ts'
import { median, MEGABYTE, percentile, timeFigures, type Figure } from '../figures.ts'
import { treeOf } from '../process-usage.ts'
import type { Program } from '../program.ts'
import type { Stage } from '../stage.ts'
import { typeKeys } from '../typist.ts'

const HOSTS = 50
const ROWS = 500
const ANSWERS = 100
/** Conversations in the background of this machine, each of which asks several times. */
const HELD = 1
/** Answers to hosts, and keys, in the terminal. */
const [TYPED_ANSWERS, KEYS] = [8, 40]
/** Milliseconds in which the question stays the same before it is answered. */
const SETTLED = 300
const IDLE_SECONDS = 3
const player = fileURLToPath(new URL('../board-player.ts', import.meta.url))

export async function board(stage: Stage): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'zotui-fleet-'))
  const config = join(stage.home, '.config', 'zotui')
  const hosts = spawn(process.execPath, [player], { stdio: ['pipe', 'pipe', 'inherit'] })
  try {
    const [port] = (await once(hosts.stdout, 'data')) as [Buffer]
    const ssh = join(folder, 'ssh')
    writeFileSync(ssh, `#!/bin/bash\nexec 3<>/dev/tcp/127.0.0.1/${port.toString().trim()}\ncat <&3 & exec cat >&3\n`)
    chmodSync(ssh, 0o700)
    mkdirSync(config, { recursive: true })
    const names = Array.from({ length: HOSTS }, (_, at) => `host${at}`)
    writeFileSync(join(config, 'config.json'), JSON.stringify({ boardHosts: names }))
    const model = await measured({ PATH: `${folder}:/usr/bin:/bin` })
    return [...model, ...(await onTerminals(stage, hosts, { PATH: `${folder}:${process.env['PATH'] ?? ''}` }))]
  } finally {
    rmSync(join(config, 'config.json'), { force: true })
    hosts.kill('SIGKILL')
    endHeld(stage.home)
    rmSync(folder, { recursive: true, force: true })
  }
}

type Env = Record<string, string>

async function onTerminals(stage: Stage, hosts: ChildProcess, env: Env): Promise<Figure[]> {
  const reached: number[] = []
  hosts.stdout?.on('data', (chunk: Buffer) => reached.push(...chunk.toString().trim().split('\n').map(Number)))
  await hold(stage)
  const alone = await standingAlone(stage, env)
  // The code of the page is compiled once.
  const first = stage.open({ env })
  await first.ready()
  await opened(first)
  await first.end()
  const ui = stage.open({ env })
  await ui.ready()
  const bare = await stage.echo()
  const floors = await typeKeys(bare, KEYS)
  const closed = await typeKeys(ui, KEYS)
  await ui.clear()
  const before = { memory: ui.usage().memory, processes: treeOf(ui.pid).length }
  const { drawn, listed } = await opened(ui)
  const here = await answers(ui, row => row.includes('danger'))
  const asked = reached.length
  const there = await answers(ui, (_row, done) => done < TYPED_ANSWERS)
  const arrived = reached.slice(asked).map(at => at - Math.max(...there.map(key => key.at).filter(key => key <= at)))
  const keys = await moves(ui)
  const memory = ui.usage().memory - before.memory
  const busy = await cpuOf(ui)
  hosts.stdin?.write('quiet\n')
  await pause(1000)
  const idle = await cpuOf(ui)
  ui.write('q')
  await ui.until('the prompt again', () => ui.terminal.screen().some(line => line.startsWith('▌')))
  const again = await typeKeys(ui, KEYS)
  const left = treeOf(ui.pid).length - before.processes
  // What was freed is collected first.
  await pause(4000)
  const after = await cpuOf(ui)
  await Promise.all([ui.end(), bare.end()])
  return [
    ...alone,
    { name: '/board, first rows', unit: 'ms', value: drawn },
    { name: '/board, all hosts', unit: 'ms', value: listed },
    ...timeFigures(
      'answer here',
      here.map(({ took }) => took),
    ),
    ...timeFigures(
      'answer by ssh',
      there.map(({ took }) => took),
    ),
    { name: 'answer there p95', unit: 'ms', value: percentile(arrived, 0.95) },
    ...timeFigures('echo, board closed', closed, floors),
    ...timeFigures('key on the board', keys, floors),
    ...timeFigures('echo, board closed again', again, floors),
    { name: "UI's memory", unit: 'MB', value: memory / MEGABYTE },
    { name: 'CPU in 10 s, 200 changes a second', unit: 's', value: busy },
    { name: 'CPU in 10 s, no change', unit: 's', value: idle },
    { name: 'CPU in 10 s, closed', unit: 's', value: after },
    { name: 'processes left', unit: 'count', value: left },
  ]
}

/** Begins conversations that ask. */
async function hold(stage: Stage): Promise<void> {
  const begun = Array.from({ length: HELD }, () =>
    stage.command(['-p', '--background', '--demo', '--permissions', 'ask', 'danger'], { ZOTUI_DEMO_SPEED: '10' }),
  )
  await Promise.all(begun.map(async program => program.ended))
}

/** `zotui board`, compared with a Node that writes one byte. */
async function standingAlone(stage: Stage, env: Env): Promise<Figure[]> {
  const [rows, floors]: [number[], number[]] = [[], []]
  for (let round = 0; round < 2; round += 1) {
    const node = stage.node(['-e', 'process.stdout.write("x")'])
    floors.push((await node.shown('one byte', () => true)) - node.startedAt)
    const program = stage.command(['board'], env)
    rows.push((await program.shown('rows', () => hasRows(program))) - program.startedAt)
    await program.shown('all hosts', () => isWhole(program))
    program.write('q')
    await program.ended
  }
  return [{ name: 'zotui board, first rows', unit: 'ms', value: median(rows), floor: median(floors) }]
}

const hasRows = ({ terminal }: Program): boolean => terminal.screen().some(line => /^› \S/.test(line))

/** All conversations are counted in the title. */
function isWhole({ terminal }: Program): boolean {
  const [title = ''] = terminal.screen()
  const counts = [...title.matchAll(/(\d+) (?:asks? you|failed|at work|done)/g)].map(([, count]) => Number(count))
  return counts.reduce((all, count) => all + count, 0) >= ROWS + HELD
}

async function opened(ui: Program & { enter: (line: string) => Promise<number> }) {
  const at = await ui.enter('/board')
  const drawn = (await ui.shown('rows', () => hasRows(ui))) - at
  const listed = isWhole(ui) ? drawn : (await ui.shown('all hosts', () => isWhole(ui))) - at
  return { drawn, listed }
}

/** Refuses so many questions, the oldest first. Resolves with the time of each key, and the milliseconds until its effect was on the screen. */
async function answers(ui: Program, isNext: (row: string, done: number) => boolean) {
  const times: { at: number; took: number }[] = []
  const line = (words: string): string => ui.terminal.screen().find(each => each.includes(words)) ?? ''
  for (;;) {
    // A question that comes meanwhile takes no answer at first.
    do {
      await ui.until('that a no counts', () => line('n refuses') !== '')
      await pause(SETTLED)
    } while (line('n refuses') === '')
    if (!isNext(line('› '), times.length)) return times
    // No two in a row have the same title.
    const before = line('Refused: ')
    const shown = ui.shown('the answer', () => ![before, ''].includes(line('Refused: ')))
    const at = now()
    ui.write('n')
    times.push({ at, took: (await shown) - at })
  }
}

/** Milliseconds from each key to the next row as the selected one, while rows change. */
async function moves(ui: Program): Promise<number[]> {
  const times: number[] = []
  const selected = (): string => /^› . (?:Task \d+ of host \d+|\S+)/.exec(line())?.[0] ?? ''
  const line = (): string => ui.terminal.screen().find(each => each.startsWith('› ')) ?? ''
  for (let each = 0; each < KEYS; each += 1) {
    await pause(60 + ((each * 7) % 24))
    const before = selected()
    const shown = ui.shown('the next row', () => selected() !== before && selected() !== '')
    const at = now()
    ui.write('\x1b[B')
    times.push((await shown) - at)
  }
  return times
}

/** Seconds of processor time in ten. */
async function cpuOf(ui: Program): Promise<number> {
  const { cpu } = ui.usage()
  await pause(IDLE_SECONDS * 1000)
  return ((ui.usage().cpu - cpu) * 10) / IDLE_SECONDS
}

/** Ends what still runs in the background. */
function endHeld(home: string): void {
  const held = join(home, '.local', 'state', 'zotui', 'held')
  for (const name of existsSync(held) ? readdirSync(held) : []) {
    try {
      const { owner } = JSON.parse(readFileSync(join(held, name, 'record.json'), 'utf8')) as { owner: string }
      process.kill(Number(owner.split('-')[1]), 'SIGKILL')
    } catch {
      // It has ended.
    }
  }
}

async function measured(env: NodeJS.ProcessEnv): Promise<Figure[]> {
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  const begun = now()
  const clocks = { now: Date.now, elapsed: now, after: timers.after }
  const sources = Array.from({ length: HOSTS }, (_, at) =>
    createHostSource({ host: `host${at}`, env, delay: at * 10, ...clocks }),
  )
  const made = createBoard({ sources: sources.filter(source => source !== null), ...clocks })
  made.rows()
  const drawn = now() - begun
  await all(made)
  const listed = now() - begun
  const sorts = await sorting(made)
  const answers = await answering(made)
  globalThis.gc?.()
  const memory = (process.memoryUsage().rss - before) / MEGABYTE
  made.close()
  return [
    { name: 'rows at once', unit: 'ms', value: drawn },
    { name: 'all hosts', unit: 'ms', value: listed },
    { name: 'rows p95', unit: 'ms', value: percentile(sorts, 0.95) },
    { name: 'answer p50', unit: 'ms', value: percentile(answers, 0.5) },
    { name: 'answer p95', unit: 'ms', value: percentile(answers, 0.95) },
    { name: 'memory', unit: 'MB', value: memory },
  ]
}

async function all(made: FleetBoard): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const leave = made.onChange(() => {
    if (made.rows().length === ROWS) resolve()
  })
  await promise
  leave()
}

/** The time of each list while conversations work. */
async function sorting(made: FleetBoard): Promise<number[]> {
  const times: number[] = []
  const leave = made.onChange(() => {
    const begun = now()
    made.rows()
    times.push(now() - begun)
  })
  while (times.length < 40) await pause(50)
  leave()
  return times
}

async function answering(made: FleetBoard): Promise<number[]> {
  const times: number[] = []
  const asking = made.rows().filter(({ row }) => row.questions.length > 0)
  for (let at = 0; at < ANSWERS; at += 1) {
    const placed = asking[at % asking.length]
    const question = placed?.row.questions[0]
    if (!placed || !question) throw new Error('nothing asks')
    const begun = now()
    const answer = { do: 'answer', question: question.id, digest: question.digest, allow: true } as const
    const reply = await made.act(placed.host, placed.row.id, answer)
    if (!reply.ok) throw new Error(reply.message)
    times.push(now() - begun)
  }
  return times
}
