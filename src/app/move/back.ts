/** Brings a conversation back from the machine that it has moved to. A failure leaves all of it there. */
import process from 'node:process'
import { fetchSession, hasSession } from '../../move/agent-session.ts'
import type { MoveSides } from '../../move/away.ts'
import { fetchBack, type MoveBack } from '../../move/back.ts'
import { howToBring } from '../../move/bring-commands.ts'
import { agentOf, homeOn } from '../../move/connect.ts'
import { MoveProblem } from '../../move/problem.ts'
import { beginBringing, forgetMove, readMove, writeMove, type MoveRecord } from '../../move/record.ts'
import { sideHere, sideThere } from '../../move/side.ts'
import { createUndoing, type Undoing } from '../../move/undoing.ts'
import { statePath } from '../../storage/log.ts'
import { oneLine, sanitize } from '../../text/sanitize.ts'
import { workFolder, writeRecord, type Worktree } from '../../worktrees/record.ts'
import { createWorktrees, type Worktrees } from '../../worktrees/worktrees.ts'
import type { RemoteHost } from '../context/host.ts'
import { ownSessionOf } from './away.ts'
import { leftWorktree, promptOf } from './left-worktree.ts'
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
      howToBring(remote.machine.target, host.folder),
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

const ownWorktrees = (): Worktrees => createWorktrees({ stateFolder: statePath(), env: process.env, now: Date.now })

async function asked(parts: MoveParts, move: FetchedMove): Promise<MoveEnd> {
  const { context, progress } = parts
  const { record, back, remote } = move
  const from = `${remote.name}:${record.there.folder}`
  const id = ownSessionOf(parts)
  const agent = context.backend.name
  const isCarried = id !== null && (await hasSession(move.sides.there, agent, id))
  const left = await leftWorktree(move.sides.here, record, ownWorktrees())
  const facts = { from, to: record.folder, isCarried, agent, left: left?.branch ?? null }
  const cancelled = context.preview(backText(back, facts))
  const yes = { label: 'Bring it back', detail: record.folder }
  if (!(await progress.ask(`back from ${remote.name}`, 'Stay there', yes))) {
    cancelled(`Cancelled: the way back from ${oneLine(sanitize(remote.name))}.`)
    return 'stays'
  }
  const undoing = createUndoing()
  try {
    if (left !== null) await removeLeft(move, left)
    noteBeginning(move)
    await brought(parts, move, undoing)
    return 'moved'
  } catch (error) {
    progress.again()
    progress.say('Undoing…')
    const kept = await undoing.undo()
    if (kept.length === 0) writeMove(statePath(), { ...record, bringing: null })
    if (kept.length === 0) throw error
    const why = error instanceof Error ? error.message : String(error)
    throw new MoveProblem(why, `Here there is still ${kept.join(', ')}.`)
  }
}

/** What was looked at before the question may have changed since. @throws MoveProblem */
async function removeLeft({ record, sides }: FetchedMove, left: Worktree): Promise<void> {
  const worktrees = ownWorktrees()
  const now = await leftWorktree(sides.here, record, worktrees)
  const gone = now?.folder === left.folder ? await worktrees.discard(left) : null
  if (gone?.ok !== true) throw new MoveProblem(`the worktree ${left.branch} has changed since you were asked`)
}

/** A kill leaves this, and the next way back knows by it what is here. */
function noteBeginning({ record, back }: FetchedMove): void {
  const { head, commit, tree } = back.pack
  const bringing = beginBringing({ head, commit, tree, isWorktree: back.plan.way === 'worktree' })
  writeMove(statePath(), { ...record, bringing })
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
  { record, back }: FetchedMove,
  undoing: Undoing,
): Promise<{ folder: string; note: string }> {
  const worktrees = ownWorktrees()
  const made = await worktrees.create({ folder: record.folder, prompt: promptOf(record) })
  if (!made.ok) throw new MoveProblem(made.why)
  const { worktree } = made.value
  undoing.add(`the worktree ${worktree.branch}`, async () => (await worktrees.discard(worktree)).ok)
  const base = await back.toWorktree(worktree.folder)
  if (base !== null) writeRecord({ ...worktree, base })
  const branch = oneLine(sanitize(worktree.branch))
  return { folder: workFolder(worktree), note: `the worktree ${branch}: /worktree compares or merges it.` }
}
