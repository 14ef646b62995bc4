/** `zotui serve`: the server in a terminal, whose keys let devices in. */
import process from 'node:process'
import { elapsedHere } from '../../../src/platform/ages.ts'
import { UserError } from '../../../src/platform/errors.ts'
import { codeRows } from '../../../src/serve/console/code-rows.ts'
import { ServeConsole } from '../../../src/serve/console/console.ts'
import { openLog } from '../../../src/storage/log.ts'
import { colorDepth, showsUnicode } from '../../../src/terminal/capabilities.ts'
import { paintLine } from '../../../src/terminal/output/paint.ts'
import { writeLines } from '../../standard-streams.ts'
import { SIGNALS } from '../ui/terminal/signals.ts'
import { openServer } from './open-server.ts'

/** Serves until the person ends it. Resolves to the exit code. @throws UserError if it cannot run. */
export async function serveHere({ port, at }: { port: number | null; at: string | null }): Promise<number> {
  const { stdin } = process
  // It writes no result, so what it says goes where messages go.
  if (!stdin.isTTY || !process.stderr.isTTY)
    throw new UserError('`zotui serve` needs a terminal: it asks there before a device gets in.', '', 2)
  const log = openLog(() => new Date())
  const server = await openServer({ port, at, secret: '' }, log)
  const { promise: ended, resolve: end } = Promise.withResolvers<number>()
  stdin.setRawMode(true)
  stdin.setEncoding('utf8')
  process.on('exit', () => leaveRawMode(stdin))
  for (const [signal, code] of Object.entries(SIGNALS)) process.on(signal, () => end(code))
  const terminal = new ServeConsole({
    server,
    write: lines => writeLines(lines, paintLine),
    codeOf: link =>
      codeRows(link, {
        columns: process.stderr.columns,
        rows: process.stderr.rows,
        showsUnicode: showsUnicode(process.env, process.platform),
        depth: colorDepth(process.env, process.platform),
      }),
    onEnd: () => end(0),
    columns: () => process.stderr.columns,
    now: Date.now,
    elapsed: elapsedHere,
  })
  server.onView(() => terminal.changed())
  stdin.on('data', text => terminal.typed(String(text)))
  stdin.on('end', () => end(0))
  const code = await ended
  await server.close()
  leaveRawMode(stdin)
  stdin.pause()
  return code
}

function leaveRawMode(stdin: NodeJS.ReadStream): void {
  try {
    stdin.setRawMode(false)
  } catch {
    // A terminal that has gone away has no modes.
  }
}
