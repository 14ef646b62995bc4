/** The processes that a process has started. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'

export type Process = {
  pid: number
  parent: number
  command: string
  /** When it began, in the system's own count: with `pid` it names one process for good. */
  began: string
}

/** All that descend from `pid`, nearest first. */
export function descendants(pid: number): Process[] {
  const all = processes()
  const found: Process[] = []
  let parents = new Set([pid])
  while (parents.size > 0) {
    const children = all.filter(process => parents.has(process.parent))
    found.push(...children)
    parents = new Set(children.map(child => child.pid))
  }
  return found
}

/** Whether this very process still runs: its number may have gone to another since. A zombie has ended. */
export function alive({ pid, began }: Process): boolean {
  if (hasProc) return fromStat(pid)?.began === began
  return fromPs().some(process => process.pid === pid && process.began === began)
}

const hasProc = existsSync('/proc/self/stat')

function processes(): Process[] {
  if (!hasProc) return fromPs()
  return readdirSync('/proc').flatMap(name => (/^\d+$/.test(name) ? (fromStat(Number(name)) ?? []) : []))
}

/** Null where it has ended, or ended while we looked. */
function fromStat(pid: number): Process | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The command's name stands in parentheses and may hold any character; the fields count from its end.
    const [state, parent, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (state === 'Z' || state === 'X') return null
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
    return { pid, parent: Number(parent), command, began: fields[17] ?? '' }
  } catch {
    return null
  }
}

function fromPs(): Process[] {
  const table = execFileSync('ps', ['-axo', 'pid=,ppid=,stat=,lstart=,command='], { encoding: 'utf8' })
  return table.split('\n').flatMap(line => {
    const [, pid, parent, state, began, command] =
      /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\S+)\s+(.*)$/.exec(line) ?? []
    if (pid === undefined || state?.startsWith('Z')) return []
    return [{ pid: Number(pid), parent: Number(parent), command: command ?? '', began: began ?? '' }]
  })
}

/** All that work in a folder, or name it in their command line. */
export function processesIn(folder: string): Process[] {
  return processes().filter(({ pid, command }) => command.includes(folder) || folderOf(pid).startsWith(folder))
}

function folderOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    // It has ended, belongs to another user, or the system has no /proc.
    return ''
  }
}
