/** The processes of this machine that belong to an agent's commands: from `/proc`, or from `ps` if there is none. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import process from 'node:process'
import { dayClock, sinceBoot } from '../../platform/ages.ts'
import { processIds, processStat } from '../../platform/processes.ts'
import { findProgram } from '../../platform/programs.ts'
import { readTextSync } from '../../platform/regular-file.ts'

export type ProcessRow = {
  pid: number
  parent: number
  group: number
  /** Null if the system does not report it. */
  session: number | null
  /** By the clock of processes, to a second. With `pid` it names one process for good. */
  startedAt: number
  /** The command of a shell (`sh -c COMMAND`), else all arguments. */
  command: string
}

/** Clock ticks a second, of all Linux systems that run Node. */
const TICKS = 100
/** Milliseconds for reading all processes. */
const LIMIT = 900

/** By how much `/proc` counts from another moment than the system's uptime, as in some containers. */
let apart: number | null = null

/** The clock of processes: milliseconds since about the start of the machine, its sleep included. Nobody can set it. */
export function processNow(): number {
  const now = sinceBoot()
  if (apart === null) {
    const began = processStat(process.pid)?.began
    apart = began === undefined ? 0 : ticksOf(began) - (now - process.uptime() * 1000)
  }
  return now + apart
}

/** The time of the day for one of processes. */
export const dayOf = (time: number): number => dayClock.now() - (processNow() - time)

const ticksOf = (count: string): number => (Number(count) / TICKS) * 1000

/** Reads all processes. Resolves within a second; empty if they cannot be read. */
export async function readProcesses(): Promise<readonly ProcessRow[]> {
  return existsSync('/proc/self/stat') ? fromProc() : fromPs()
}

function fromProc(): ProcessRow[] {
  return processIds().flatMap(pid => rowOf(pid) ?? [])
}

function rowOf(pid: number): ProcessRow | null {
  const stat = processStat(pid)
  if (stat === null || stat.hasEnded) return null
  try {
    const args = readTextSync(`/proc/${pid}/cmdline`).split('\0').slice(0, -1)
    return {
      pid,
      parent: stat.parent,
      group: stat.group,
      session: stat.session,
      startedAt: ticksOf(stat.began),
      command: args[1] === '-c' ? (args[2] ?? '') : args.join(' '),
    }
  } catch {
    // It has ended meanwhile, or belongs to another user.
    return null
  }
}

/** The system's own folders come first: it has such a program if it has no /proc. */
function findPs(): string | null {
  const { env } = process
  return findProgram('ps', { ...env, PATH: `/bin:/usr/bin:${env['PATH'] ?? ''}` }, process.cwd())
}

async function fromPs(): Promise<ProcessRow[]> {
  const ps = findPs()
  if (ps === null) return []
  const options = { timeout: LIMIT, maxBuffer: 64 * 1024 * 1024 }
  const text = await new Promise<string>(resolve => {
    execFile(ps, ['-A', '-ww', '-o', 'pid=,ppid=,pgid=,stat=,etime=,args='], options, (_error, out) => resolve(out))
  })
  return parsePs(text, processNow())
}

const LINE = /^\s*(?<pid>\d+)\s+(?<parent>\d+)\s+(?<group>\d+)\s+(?<state>\S+)\s+(?<age>[\d:-]+)\s(?<args>.*)$/u

/** Reads the output of `ps`. A command may have several lines. */
export function parsePs(text: string, now: number): ProcessRow[] {
  const rows: ProcessRow[] = []
  for (const line of text.split('\n')) {
    const found = LINE.exec(line)?.groups
    const last = rows.at(-1)
    if (!found) {
      if (last) last.command += `\n${line}`
      continue
    }
    const { pid = '', parent = '', group = '', age = '', args = '' } = found
    rows.push({
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      session: null,
      startedAt: now - secondsOf(age) * 1000,
      command: args.trimStart().replace(/^\S*sh -c /u, ''),
    })
  }
  return rows.map(row => Object.assign(row, { command: row.command.trimEnd() }))
}

/** The age as `ps` writes it: `[[dd-]hh:]mm:ss`. */
function secondsOf(age: string): number {
  const [days, clock] = age.includes('-') ? age.split('-') : ['0', age]
  const seconds = (clock ?? '').split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
  return Number(days) * 86_400 + seconds
}
