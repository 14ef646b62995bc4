/** Takes a conversation to another machine: folder, session, and what the person has typed. A failure leaves all of it here. */
import process from 'node:process'
import { canCarry, hasSession, sendSession } from '../../move/agent-session.ts'
import { carryAway, prepareAway, type MoveAway, type MoveSides } from '../../move/away.ts'
import { agentOf, connectTo, readDestination, type MoveConnection, type MoveTarget } from '../../move/connect.ts'
import { lookAt } from '../../move/look.ts'
import { MoveProblem } from '../../move/problem.ts'
import { forgetMove, writeMove, type MoveRecord } from '../../move/record.ts'
import { sideHere } from '../../move/side.ts'
import type { UnpackedFolder } from '../../move/unpack.ts'
import { statePath } from '../../storage/log.ts'
import { oneLine, sanitize } from '../../text/sanitize.ts'
import { awayText } from './move-words.ts'
import type { MoveEnd, MoveParts } from './move-parts.ts'

/** @throws MoveProblem after everything was undone. */
export async function goAway(parts: MoveParts, destination: string): Promise<MoveEnd> {
  const { context, host, progress } = parts
  const { signal } = progress
  const to = readDestination(destination)
  const here = sideHere({ env: host.env, home: host.home, stateFolder: statePath(), signal })
  progress.say(`Connecting to ${to.target.name}…`)
  const { top } = await lookAt(here, host.folder)
  const agent = context.backend.name
  const connection = await connectTo(to, { top, home: here.home, agent, env: process.env, signal })
  const sides: MoveSides = { here, there: connection.side, machine: connection.machine }
  try {
    progress.say('Looking at what would go…')
    const away = await prepareAway(sides, { folder: host.folder, folderThere: connection.folder })
    try {
      return await asked(parts, { away, sides, to, connection })
    } finally {
      await away.end()
    }
  } finally {
    connection.machine.close()
  }
}

type PreparedMove = { away: MoveAway; sides: MoveSides; to: MoveTarget; connection: MoveConnection }

/** Says what it means, and does it after a yes. */
async function asked(parts: MoveParts, move: PreparedMove): Promise<MoveEnd> {
  const { context, progress } = parts
  const { away, to, connection } = move
  const { chat, queue } = context.state()
  const place = `${to.target.name}:${connection.folder}`
  const id = ownSessionOf(parts)
  const cancelled = context.preview(
    awayText(away, {
      to: place,
      agent: context.backend.name,
      isCarried: id !== null && (await hasSession(move.sides.here, context.backend.name, id)),
      folders: chat.folders.length,
      queued: queue.entries.length,
    }),
  )
  const isWanted = await progress.ask(`move to ${to.target.name}`, 'Stay here', { label: 'Move it', detail: place })
  if (!isWanted) {
    cancelled(`Cancelled: the move to ${oneLine(sanitize(to.target.name))}.`)
    return 'stays'
  }
  try {
    await carried(parts, move)
    return 'moved'
  } catch (error) {
    progress.again()
    progress.say('Undoing…')
    const left = await away.undoing.undo()
    if (left.length === 0) throw error
    const why = error instanceof Error ? error.message : String(error)
    throw new MoveProblem(why, `There is still ${left.join(', ')} on ${to.target.name}.`)
  }
}

async function carried(parts: MoveParts, { away, sides, to }: PreparedMove): Promise<void> {
  const { context, conversations, sessions, progress } = parts
  const { name } = to.target
  progress.say(`Sending it to ${name}…`)
  const unpacked = await carryAway(sides, away, { progress: progress.share, signal: progress.signal() })
  const id = ownSessionOf(parts)
  const agent = context.backend.name
  const session = id === null ? null : { agent, id, folder: unpacked.folder }
  const how = { signal: progress.signal(), undoing: away.undoing }
  const isKnown = session !== null && (await sendSession(sides, session, how)) === null
  const record = recordOf(parts, away, unpacked, name)
  writeMove(statePath(), record)
  away.undoing.add('a record', async () => {
    forgetMove(statePath(), record)
    return true
  })
  await unpacked.markWhole()
  progress.say(`Starting ${agent} on ${name}…`)
  const shown = oneLine(sanitize(name))
  const reply = await conversations.relocate(sessions.current().id, {
    on: `${to.on}${unpacked.folder}`,
    ...agentOf(agent),
    isKnown,
    to: shown,
    signal: progress.signal(),
    onProgress: words => progress.say(`${name}: ${words}`),
  })
  if (!reply.ok) throw new MoveProblem(reply.message)
  await unpacked.unmark()
  const place = oneLine(sanitize(`${name}:${unpacked.folder}`))
  conversations.say('success', `Moved to ${place}. The folder here stays as it was; /move back brings the work back.`)
}

function recordOf(
  { host }: MoveParts,
  { id, look, pack }: MoveAway,
  { folder, top, branch }: UnpackedFolder & { folder: string },
  machine: string,
): MoveRecord {
  return {
    id,
    machine,
    there: { folder, top, branch },
    folder: host.folder,
    top: look.top,
    branch: look.branch,
    head: look.head,
    commit: pack.commit,
    tree: pack.tree,
    at: Date.now(),
    bringing: null,
  }
}

/** The agent's own session, if it has one that can go along. */
export function ownSessionOf({ context }: Pick<MoveParts, 'context'>): string | null {
  const { rememberedBy } = context.state().chat
  const { name } = context.backend
  return rememberedBy?.agent === name && canCarry(name) ? rememberedBy.id : null
}
