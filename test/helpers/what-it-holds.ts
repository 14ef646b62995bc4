/**
 * Loaded into the program by a test (`NODE_OPTIONS=--import`): at SIGUSR2 it writes into the home what holds the program
 * alive and who listens to what, by count.
 */
import type { EventEmitter } from 'node:events'
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

/** The agent is started with the same environment. */
if (process.argv[1]?.endsWith('zotui.js')) process.on('SIGUSR2', write)

function write(): void {
  const path = join(process.env['HOME'] ?? '', 'held.json')
  writeFileSync(`${path}.next`, JSON.stringify(held()))
  renameSync(`${path}.next`, path)
}

function held(): Record<string, number> {
  const counts: Record<string, number> = {}
  const add = (name: string, count = 1): void => {
    counts[name] = (counts[name] ?? 0) + count
  }
  const { stdin, stdout, stderr } = process
  const emitters: [string, EventEmitter][] = Object.entries({ process, stdin, stdout, stderr })
  for (const handle of activeHandles()) {
    const at = emitters.findIndex(([, known]) => known === handle)
    // Several of one kind, such as the pipes to the agent, are counted together.
    if (at < 0 && isEmitter(handle)) emitters.push([handle.constructor.name, handle])
  }
  for (const [name, emitter] of emitters) {
    for (const event of emitter.eventNames()) add(`${name} ${String(event)}`, emitter.listenerCount(event))
  }
  for (const resource of process.getActiveResourcesInfo()) add(resource)
  return counts
}

/** There is no public way to the emitters behind the resources: children and their pipes. */
function activeHandles(): unknown[] {
  const { _getActiveHandles: get } = process as unknown as { _getActiveHandles: () => unknown[] }
  return get()
}

function isEmitter(handle: unknown): handle is EventEmitter {
  return typeof handle === 'object' && handle !== null && 'eventNames' in handle
}
