/**
 * `node scripts/play-recording.ts FILE` plays a recording of `--record`, such as one of a bug report, in the UI as it was built last: the
 * agent's real client repeats what was said on the wire, and `zotui replay` plays the events. It takes the flags of `zotui replay`.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
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
// One that is there is taken as it is: other programs may be using it.
const program = fileURLToPath(new URL('../dist/zotui.js', import.meta.url))
if (!existsSync(program)) await import('./build.ts')
const events = await eventsOf({ lines }, startOf(lines))
const folder = mkdtempSync(join(tmpdir(), 'zotui-recording-'))
try {
  const session = join(folder, `${basename(file)}.jsonl`)
  writeFileSync(session, events.map(event => `${JSON.stringify(event)}\n`).join(''))
  const { exitCode = 1 } = await execa(process.execPath, [program, 'replay', session, ...flags], {
    stdio: 'inherit',
    reject: false,
  })
  process.exitCode = exitCode
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
