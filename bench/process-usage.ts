/** The CPU time and memory of a process, from `/proc` or else from `ps`. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

export type Usage = {
  /** Seconds of processor time since its start, in steps of a hundredth. */
  cpu: number
  /** Bytes of memory held now. */
  memory: number
  /** The most it has held; if the system does not report that, the memory held now. */
  peakMemory: number
}

const TICKS_PER_SECOND = 100
const hasProc = existsSync('/proc/self/stat')

export function usageOf(pid: number): Usage {
  return hasProc ? fromProc(pid) : fromPs(pid)
}

function fromProc(pid: number): Usage {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The command's name is in parentheses and may contain any character, so the fields are counted from its end.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const kilobytes = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)
  return {
    cpu: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND,
    memory: kilobytes('VmRSS') * 1024,
    peakMemory: kilobytes('VmHWM') * 1024,
  }
}

function fromPs(pid: number): Usage {
  const line = execFileSync('ps', ['-o', 'rss=,time=', '-p', String(pid)], { encoding: 'utf8' }).trim()
  const [kilobytes = '0', time = '0'] = line.split(/\s+/)
  const cpu = time.split(/[:-]/).reduce((sum, part) => sum * 60 + Number(part), 0)
  const memory = Number(kilobytes) * 1024
  return { cpu, memory, peakMemory: memory }
}

/** The memory that a process holds, sampled from now until `stop`. */
export function sampleMemory(pid: number, every = 100): { stop: () => number[] } {
  const samples: number[] = []
  const timer = setInterval(() => samples.push(usageOf(pid).memory), every)
  return {
    stop() {
      clearInterval(timer)
      return samples
    },
  }
}

/** Whether the system says which part of its memory a process has to itself. */
export const hasProportionalShare = existsSync('/proc/self/smaps_rollup')

/** Bytes of memory, with each page that several processes have divided among them. */
export function proportionalShare(pid: number): number {
  const kilobytes = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]
  return Number(kilobytes ?? 0) * 1024
}

/** A process and its descendants, with their command lines. */
export function treeOf(root: number): { pid: number; command: string }[] {
  const parents = new Map(
    readdirSync('/proc')
      .map(Number)
      .filter(pid => pid > 0)
      .flatMap((pid): [number, number][] => {
        const parent = parentOf(pid)
        return parent === null ? [] : [[pid, parent]]
      }),
  )
  const found = [root]
  for (const pid of found) for (const [child, parent] of parents) if (parent === pid) found.push(child)
  return found.map(pid => ({ pid, command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ') }))
}

/** Null for a process that has ended meanwhile. */
function parentOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return null
  }
}

/** Milliseconds for which the main thread has run, exact to less than one of them; null where the system does not say. */
export function mainThreadTime(pid: number): number | null {
  const path = `/proc/${pid}/schedstat`
  return existsSync(path) ? Number(readFileSync(path, 'utf8').split(' ')[0]) / 1e6 : null
}
