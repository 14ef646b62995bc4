/** A board with 500 conversations on 50 hosts, over a program `ssh` that connects to their player on loopback. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createBoard, type FleetBoard } from '../../src/fleet/board.ts'
import { createHostSource } from '../../src/fleet/sources/host-source.ts'
import { timers } from '../../src/platform/timers.ts'
import { now } from '../clock.ts'
import { MEGABYTE, percentile, type Figure } from '../figures.ts'

const HOSTS = 50
const ROWS = 500
const ANSWERS = 100
const player = fileURLToPath(new URL('../board-player.ts', import.meta.url))

export async function board(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'zotui-fleet-'))
  const hosts = spawn(process.execPath, [player], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [port] = (await once(hosts.stdout, 'data')) as [Buffer]
    const ssh = join(folder, 'ssh')
    writeFileSync(ssh, `#!/bin/bash\nexec 3<>/dev/tcp/127.0.0.1/${port.toString().trim()}\ncat <&3 & cat >&3\n`)
    chmodSync(ssh, 0o700)
    return await measured({ PATH: `${folder}:/usr/bin:/bin` })
  } finally {
    hosts.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
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
