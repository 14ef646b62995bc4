/** A server for browsers without a process: shows what a test says, and notes what the person decides. */
import type { KnownDevice, ServeAction, ServeView } from '../../../src/published/control.ts'
import type { LocalServer, LocalServerState } from '../../../src/app/context/local-server.ts'
import { qrRows } from '../../../src/serve/qr.ts'

export const NOON = new Date(2026, 10, 27, 12).getTime()
export const LINK = 'http://127.0.0.1:4747/#pair=0123456789abcdefghijklmnopqrst'

export type FakeLocalServer = LocalServer & {
  /** What it was asked to do, in order. */
  done: (ServeAction | 'start' | 'stop')[]
  change: (state: LocalServerState) => void
}

export function fakeLocalServer(first: ServeView | LocalServerState): FakeLocalServer {
  let state = 'phase' in first ? first : running(first)
  const listeners = new Set<() => void>()
  const done: FakeLocalServer['done'] = []
  const change = (next: LocalServerState): void => {
    state = next
    for (const listener of listeners) listener()
  }
  return {
    done,
    change,
    state: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    start: () => void done.push('start'),
    startAgain: () => void done.push('start'),
    act: action => void done.push(action),
    stop() {
      done.push('stop')
      change({ phase: 'off' })
    },
  }
}

export function running(view: ServeView): LocalServerState {
  return { phase: 'running', view, qr: view.pairing && qrRows(view.pairing.link) }
}

export function serveView(view: Partial<ServeView>): ServeView {
  return {
    address: 'http://127.0.0.1:4747',
    at: null,
    pairing: { link: LINK, role: 'steer', expiresAt: NOON + 100_000 },
    devices: [],
    waiting: [],
    publishers: [],
    shares: [],
    tunnels: [],
    atWork: 0,
    problem: '',
    ...view,
  }
}

export function knownDevice(device: Partial<KnownDevice>): KnownDevice {
  return {
    id: 'd1',
    name: 'Pixel 8',
    role: 'answer',
    pairedAt: NOON - 3 * 86_400_000,
    seenAt: NOON - 300_000,
    from: '127.0.0.1, Chrome on Android',
    isWatching: false,
    isAdmitted: true,
    ...device,
  }
}

export const wantsIn = {
  kind: 'pair',
  id: 'a1',
  name: 'Pixel 8',
  role: 'steer',
  number: '481920',
  from: '127.0.0.1, Chrome on Android',
} as const
