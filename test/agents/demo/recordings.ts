/** Recordings of real zots. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { wireFrame, type WireFrame } from './wire-frame.ts'

const entry = z.object({ t: z.number(), dir: z.enum(['in', 'out']), frame: z.unknown().optional() })

export type Recording = { name: string; out: readonly WireFrame[] }

export function recordings(version: string): Recording[] {
  const folder = fileURLToPath(new URL(`../../fixtures/recordings/${version}/`, import.meta.url))
  return readdirSync(folder)
    .filter(name => name.endsWith('.ndjson'))
    .map(name => {
      const lines = readFileSync(folder + name, 'utf8')
        .split('\n')
        .filter(Boolean)
      const entries = lines.map(line => entry.parse(JSON.parse(line)))
      const out = entries.filter(({ dir, frame }) => dir === 'out' && frame !== undefined)
      return { name: `${version}/${name.replace('.ndjson', '')}`, out: out.map(({ frame }) => wireFrame.parse(frame)) }
    })
}
