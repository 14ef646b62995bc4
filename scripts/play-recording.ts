/**
 * `node scripts/play-recording.ts FILE` plays a recording of `--record`, such as one of a bug report, in the UI of this source: the
 * agent's real client repeats what was said on the wire, and `zotui replay` plays the events. It takes the flags of `zotui replay`.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseRecording, type RecordedLine } from '../src/agents/recording/recording.ts'
import { eventsOf } from '../test/recordings/playing.ts'

const [file = '', ...flags] = process.argv.slice(2)
const { lines, unread } =
  file === '' || file.startsWith('-') ? { lines: [], unread: [] } : parseRecording(readFileSync(file, 'utf8'))
if (lines.length === 0) {
  process.stderr.write(
    'Usage: node scripts/play-recording.ts FILE [--speed N] [--paused] [--at-once]. FILE is made with --record.\n',
  )
  process.exit(2)
}
if (unread.length > 0) process.stderr.write(`These lines of the recording cannot be read: ${unread.join(', ')}.\n`)
await import('./build-if-changed.ts')
const events = await eventsOf({ lines }, startOf(lines))
const folder = mkdtempSync(join(tmpdir(), 'zotui-recording-'))
try {
  const session = join(folder, `${basename(file)}.jsonl`)
  writeFileSync(session, events.map(event => `${JSON.stringify(event)}\n`).join(''))
  const program = fileURLToPath(new URL('../dist/zotui.js', import.meta.url))
  const { status } = spawnSync(process.execPath, [program, 'replay', session, ...flags], { stdio: 'inherit' })
  process.exitCode = status ?? 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** When the recording began, by the times that zot's frames have; now, if they have none. */
function startOf(recorded: readonly RecordedLine[]): number {
  for (const { t, frame } of recorded) {
    const time = Date.parse(String(frame?.['time']))
    if (!Number.isNaN(time)) return time - t
  }
  return Date.now()
}
