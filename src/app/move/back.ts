/** Brings a conversation back from the machine that it has moved to. A failure leaves all of it there. */
import process from 'node:process'
import { fetchSession, hasSession } from '../../move/agent-session.ts'
import type { MoveSides } from '../../move/away.ts'
import { fetchBack, type MoveBack } from '../../move/back.ts'
import { agentOf, homeOn } from '../../move/connect.ts'
import { MoveProblem } from '../../move/problem.ts'
import { forgetMove, readMove, type MoveRecord } from '../../move/record.ts'
import { sideHere, sideThere } from '../../move/side.ts'
import { createUndoing, type Undoing } from '../../move/undoing.ts'
import { statePath } from '../../storage/log.ts'
import { oneLine, sanitize } from '../../text/sanitize.ts'
import { workFolder, writeRecord } from '../../worktrees/record.ts'
import { createWorktrees } from '../../worktrees/worktrees.ts'
import type { RemoteHost } from '../context/host.ts'
import { ownSessionOf } from './away.ts'
import { backText, placeWords } from './move-words.ts'
import type { MoveEnd, MoveParts } from './move-parts.ts'

/** @throws MoveProblem after everything was undone. */
export async function comeBack(parts: MoveParts): Promise<MoveEnd> {
  const { host, progress } = parts
  const { remote } = host
  if (!remote) throw new MoveProblem('it works on this machine already')
  const record = readMove(statePath(), remote.name, host.folder)
  if (record === null)
    throw new MoveProblem(
      'it did not come from here, so there is no folder that it belongs to',
      'git can fetch the work.',
    )
  const { signal } = progress
  progress.say(`Fetching it from ${remote.name}…`)
  const here = sideHere({ env: host.env, home: host.home, stateFolder: statePath(), signal })
  const home = await homeOn(remote.machine)
  const there = sideThere({ machine: remote.machine, files: remote.files, home, signal })
  const sides = { here, there, machine: remote.machine }
  const back = await fetchBack(sides, record, { progress: progress.share, signal: signal() })
  let isDone = false
  try {
    const end = await asked(parts, { record, back, sides, remote })
    isDone = end === 'moved'
    return end
  } finally {
    await back.end(isDone)
    if (isDone) forgetMove(statePath(), record)
  }
}

type FetchedMove = { record: MoveRecord; back: MoveBack; sides: MoveSides; remote: RemoteHost }

async function asked(parts: MoveParts, move: FetchedMove): Promise<MoveEnd> {
  const { context, progress } = parts
  const { record, back, remote } = move
  const from = `${remote.name}:${record.there.folder}`
  const id = ownSessionOf(parts)
  const agent = context.backend.name
  const isCarried = id !== null && (await hasSession(move.sides.there, agent, id))
  const facts = { from, to: record.folder, isCarried, agent }
  const cancelled = context.preview(backText(back, facts))
  const yes = { label: 'Bring it back', detail: record.folder }
  if (!(await progress.ask(`back from ${remote.name}`, 'Stay there', yes))) {
    cancelled(`Cancelled: the way back from ${oneLine(sanitize(remote.name))}.`)
    return 'stays'
  }
  const undoing = createUndoing()
  try {
    await brought(parts, move, undoing)
    return 'moved'
  } catch (error) {
    progress.again()
    progress.say('Undoing…')
    const left = await undoing.undo()
    if (left.length === 0) throw error
    const why = error instanceof Error ? error.message : String(error)
    throw new MoveProblem(why, `Here there is still ${left.join(', ')}.`)
  }
}

async function brought(parts: MoveParts, move: FetchedMove, undoing: Undoing): Promise<void> {
  const { context, conversations, sessions, progress } = parts
  const { record, back, sides, remote } = move
  progress.say('Bringing it back…')
  const { folder, note } =
    back.plan.way === 'into' ? await intoFolder(move, undoing) : await intoWorktree(move, undoing)
  const id = ownSessionOf(parts)
  const agent = context.backend.name
  const session = id === null ? null : { agent, id, folder }
  const isKnown = session !== null && (await fetchSession(sides, session, { signal: progress.signal() })) === null
  progress.say(`Starting ${agent} here…`)
  const reply = await conversations.relocate(sessions.current().id, {
    on: null,
    folder,
    ...agentOf(agent),
    isKnown,
    to: 'this machine',
    signal: progress.signal(),
  })
  if (!reply.ok) throw new MoveProblem(reply.message)
  const from = oneLine(sanitize(`${remote.name}:${record.there.folder}`))
  conversations.say('success', `Back in ${note} The folder ${from} stays there as it is.`)
}

async function intoFolder({ record, back }: FetchedMove, undoing: Undoing): Promise<{ folder: string; note: string }> {
  const undo = await back.into()
  undoing.add(`a change in ${record.folder}`, undo)
  return { folder: record.folder, note: `${placeWords(record)}, as it was there.` }
}

async function intoWorktree(
  { record, back, remote }: FetchedMove,
  undoing: Undoing,
): Promise<{ folder: string; note: string }> {
  const worktrees = createWorktrees({ stateFolder: statePath(), env: process.env, now: Date.now })
  const prompt = `back from ${remote.name}`
  const made = await worktrees.create({ folder: record.folder, prompt })
  if (!made.ok) throw new MoveProblem(made.why)
  const { worktree } = made.value
  undoing.add(`the worktree ${worktree.branch}`, async () => (await worktrees.discard(worktree)).ok)
  const base = await back.toWorktree(worktree.folder)
  if (base !== null) writeRecord({ ...worktree, base })
  const branch = oneLine(sanitize(worktree.branch))
  return { folder: workFolder(worktree), note: `the worktree ${branch}: /worktree compares or merges it.` }
}
