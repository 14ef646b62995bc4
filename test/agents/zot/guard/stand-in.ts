/** A zot of our own that runs what nobody answers in time, as zot does. */
import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { guarded } from './guarded.ts'
import { cache, type MakeZot } from './suite.ts'

const source = fileURLToPath(new URL('../../../fixtures/agents/guardable.ts', import.meta.url))

export const makeStandIn: MakeZot = async (script, options = {}) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'zot-'))
  const file = path.join(folder, 'script.json')
  const go = path.join(folder, 'go')
  writeFileSync(file, JSON.stringify(script))
  const zot = path.join(folder, 'zot')
  // Its guard inherits the cache.
  writeFileSync(zot, `#!/bin/sh\nNODE_COMPILE_CACHE='${cache}' exec '${process.execPath}' '${source}' "$@"\n`)
  chmodSync(zot, 0o755)
  const { holdsBack = false, ...rest } = options
  const env = { ...options.env, ZOT_SCRIPT: file, ...(holdsBack && { ZOT_HOLD: go }) }
  const stage = guarded({ ...rest, zot, env })
  const told = (): string => (existsSync(`${file}.told`) ? readFileSync(`${file}.told`, 'utf8') : '')
  return {
    ...stage,
    heard: async request => told().split('\n')[request - 1] ?? '',
    told,
    letGo: () => writeFileSync(go, ''),
  }
}
