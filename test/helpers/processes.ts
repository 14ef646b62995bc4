/** Which processes a process has started. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

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
  return processes().some(process => process.pid === pid && process.began === began)
}

function processes(): Process[] {
  return existsSync('/proc/self/stat') ? fromProc() : fromPs()
}

function fromProc(): Process[] {
  const found: Process[] = []
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      // The command's name stands in parentheses and may hold any character; the fields count from its end.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      if (fields[0] === 'Z' || fields[0] === 'X') continue
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
      found.push({ pid: Number(name), parent: Number(fields[1]), command, began: fields[19] ?? '' })
    } catch {
      // It ended while we looked.
    }
  }
  return found
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
