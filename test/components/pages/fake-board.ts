/** A board without machines: shows what a test says, and notes what the person asks for. */
import type { BoardPageRequest, ShownBoard } from '../../../src/app/pages/pages.ts'
import type { BoardAction } from '../../../src/fleet/board-lines.ts'
import type { BoardRow } from '../../../src/fleet/board-row.ts'
import type { BoardHost } from '../../../src/fleet/board-source.ts'
import type { OutsideReply } from '../../../src/published/outside-call.ts'

export type FakeBoard = ShownBoard & {
  /** What it was asked to do, in order. */
  done: (readonly [host: string, row: string, action: BoardAction])[]
  /** What it answers. */
  reply: OutsideReply
  change: (hosts: readonly BoardHost[]) => void
  /** From now on all machines are known. */
  complete: (hosts: readonly BoardHost[]) => void
  /** The number of listeners. */
  listening: () => number
}

export function host(rows: readonly BoardRow[], facts: Partial<BoardHost> = {}): BoardHost {
  return { name: '', state: 'connected', problem: '', rows, ...facts }
}

const isHost = (each: BoardRow | BoardHost): each is BoardHost => 'rows' in each

/** Rows of this machine, or hosts. */
export function fakeBoard(first: readonly BoardRow[] | readonly BoardHost[], isComplete = true): FakeBoard {
  let hosts: readonly BoardHost[] = first.every(isHost)
    ? first
    : [host(first.filter((each): each is BoardRow => !isHost(each)))]
  const listeners = new Set<() => void>()
  const board: FakeBoard = {
    done: [],
    reply: { ok: true, how: 'done' },
    isComplete: () => isComplete,
    hosts: () => hosts,
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async act(...asked) {
      board.done.push(asked)
      return board.reply
    },
    change(next) {
      hosts = next
      for (const listener of listeners) listener()
    },
    complete(next) {
      isComplete = true
      board.change(next)
    },
    listening: () => listeners.size,
  }
  return board
}

export function boardRequest(board: ShownBoard, parts: Partial<BoardPageRequest> = {}): BoardPageRequest {
  return {
    board,
    label: folder => folder.replace(/^\/home\/me/, '~'),
    dayCost: () => null,
    open: async () => null,
    diff: async () => ({ ok: false, why: 'There is nothing to compare.' }),
    merge: async () => ({ ok: false, why: 'There is nothing to merge.' }),
    background: null,
    back: null,
    closed: () => undefined,
    ...parts,
  }
}
