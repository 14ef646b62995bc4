/** The terminal of `zotui serve`: what it says, and which keys mean what. */
import { describe, expect, test } from 'vitest'
import type { ServeAction, ServeView, WaitingAsk } from '../../src/published/control.ts'
import { codeRows } from '../../src/serve/console/code-rows.ts'
import { ServeConsole } from '../../src/serve/console/console.ts'
import { tunnelsOf } from '../../src/serve/tunnels.ts'

const LINK = 'https://laptop.example.ts.net/#pair=abc'
const empty: ServeView = {
  address: 'http://127.0.0.1:4747',
  at: 'https://laptop.example.ts.net',
  pairing: null,
  devices: [],
  waiting: [],
  publishers: [],
  shares: [],
  tunnels: [],
  atWork: 0,
  problem: '',
}
const pixel = {
  id: 'd1',
  name: 'Pixel 8',
  role: 'steer' as const,
  pairedAt: 0,
  seenAt: 0,
  from: 'Chrome on Android',
  isWatching: false,
  isAdmitted: true,
}
const pair: WaitingAsk = {
  kind: 'pair',
  id: 'a1',
  name: 'Pixel 8',
  role: 'steer',
  number: '481920',
  from: 'Chrome on Android, laptop.example.ts.net',
}

function stage(first: Partial<ServeView> = {}) {
  let view: ServeView = { ...empty, ...first }
  const clock = { elapsed: 0 }
  const actions: ServeAction[] = []
  const lines: string[] = []
  let ends = 0
  const terminal = new ServeConsole({
    server: {
      view: () => view,
      act(action) {
        actions.push(action)
        if (action.do === 'pair') view = { ...view, pairing: { link: LINK, role: action.role, expiresAt: 0 } }
        if (action.do === 'answer') view = { ...view, waiting: view.waiting.filter(({ id }) => id !== action.id) }
      },
    },
    write: rows => lines.push(...rows.map(({ text }) => text)),
    codeOf: () => ({ reason: 'no code' }),
    onEnd: () => (ends += 1),
    columns: () => 200,
    now: () => 60_000,
    elapsed: () => clock.elapsed,
  })
  actions.length = 0
  return {
    actions,
    clock,
    ends: () => ends,
    said: () => lines.splice(0),
    change: (next: Partial<ServeView>): void => {
      view = { ...view, ...next }
      terminal.changed()
    },
    type: (...keys: string[]) => keys.forEach(key => terminal.typed(key)),
  }
}

test('it begins with the address, a link that says what it is for, and the keys', () => {
  expect(stage().said()).toEqual([
    'zotui serves your conversations on http://127.0.0.1:4747, for this machine alone.',
    'Through your tunnel: https://laptop.example.ts.net',
    'no code',
    'Open this on the device, within two minutes and once:',
    LINK,
    'The device may then watch, answer, send prompts and change the queue.',
    'p: a new link   d: devices   r: remove a device   q: end',
  ])
})

test('without an address of a tunnel it names the commands for one, and shows no code that leads a phone to itself', () => {
  const tunnels = tunnelsOf(4747, { has: program => program !== 'cloudflared', user: 'ada', host: 'laptop' })
  const said = stage({ at: null, tunnels }).said()
  expect(said).toContain('  tailscale serve --bg 4747   (Tailscale)')
  expect(said).toContain('  ssh -N -L 4747:127.0.0.1:4747 ada@laptop   (ssh, on the other machine)')
  expect(said.join('\n')).not.toMatch(/cloudflared|no code/)
})

describe('a question', () => {
  test('says who wants what, and which number the device shows', () => {
    const { said, change } = stage()
    said()
    change({ waiting: [pair] })
    expect(said()).toEqual([
      '"Pixel 8" (Chrome on Android, laptop.example.ts.net) wants in, and may then watch, answer, send prompts and change the queue.',
      'Let it in, if it shows 481 920?',
      'y: yes   n: no (Enter is no)',
    ])
  })

  test('warns while an agent is at work', () => {
    const { said, change } = stage()
    change({ waiting: [pair], atWork: 1 })
    expect(said().join('\n')).toContain('a command of it could read this screen')
  })

  test.each([
    ['y', true],
    ['Y', true],
    ['n', false],
    ['\r', false],
  ])('is answered by %j with %s', (key, yes) => {
    const { type, change, clock, actions } = stage()
    change({ waiting: [pair] })
    clock.elapsed = 400
    type(key)
    expect(actions).toEqual([{ do: 'answer', id: 'a1', yes }])
  })

  test.each(['y', 'n', '\r'])('is not answered by %j that was typed for something else', key => {
    const { type, change, clock, actions } = stage()
    change({ waiting: [pair] })
    clock.elapsed = 399
    type(key)
    expect(actions).toEqual([])
  })

  test.each(['q', 'p', 'd', 'r', ' ', '1', 'yes', 'yy', '\u001B[A', '\u001By'])('is not answered by %j', key => {
    const { type, change, clock, actions, ends } = stage()
    change({ waiting: [pair] })
    clock.elapsed = 1000
    type(key)
    expect([actions, ends()]).toEqual([[], 0])
  })

  test('that follows another one has a time of its own', () => {
    const { type, change, clock, actions } = stage()
    change({ waiting: [pair, { ...pair, id: 'a2', name: 'Thief' }] })
    clock.elapsed = 400
    type('y', 'y')
    expect(actions).toEqual([{ do: 'answer', id: 'a1', yes: true }])
    clock.elapsed = 800
    type('n')
    expect(actions.at(-1)).toEqual({ do: 'answer', id: 'a2', yes: false })
  })

  test('that is over takes no answer', () => {
    const { type, change, clock, actions, said } = stage()
    change({ waiting: [pair] })
    clock.elapsed = 1000
    change({ waiting: [] })
    expect(said().at(-1)).toBe('The question is over.')
    type('y')
    expect(actions).toEqual([])
  })

  test('shows a name as it is, without what controls a terminal, and on one line', () => {
    const { said, change } = stage()
    said()
    change({ waiting: [{ ...pair, name: 'a\u001B[2J\nLet it in? yes\u202E', from: 'b\r\nc' }] })
    const lines = said()
    expect(lines).toHaveLength(3)
    expect(lines.join('')).not.toMatch(/[\u0000-\u001F\u202E]/)
  })

  test('of a device of an earlier server, and of a mode that does not ask, say what they are about', () => {
    const { said, change, type, clock } = stage()
    said()
    change({
      waiting: [
        { ...pair, kind: 'admit' },
        { kind: 'steer', id: 'a3', name: 'Pixel 8', title: 'Tests', mode: 'edits' },
      ],
    })
    expect(said()[1]).toBe('Let it in again, if it shows 481 920?')
    clock.elapsed = 500
    type('y')
    expect(said().join('\n')).toContain('to "Tests", whose mode (edits) does not ask before commands run')
  })
})

describe('the keys', () => {
  test.each([
    ['v', 'view'],
    ['a', 'answer'],
    ['s', 'steer'],
  ] as const)('p and %s make a link for %s', (key, role) => {
    const { type, actions } = stage()
    type('p', key)
    expect(actions).toEqual([{ do: 'pair', role }])
  })

  test('p and any other key make none', () => {
    const { type, actions } = stage()
    type('p', 'x', 's')
    expect(actions).toEqual([])
  })

  test('r, a number and Enter remove a device, and anything else removes none', () => {
    const { type, actions, said } = stage({ devices: [pixel, { ...pixel, id: 'd2', name: 'Tablet' }] })
    said()
    type('r', '2', 'x', 'r', '9', '\r', 'r', '\r')
    expect(actions).toEqual([])
    type('r', '2', '\r')
    expect(actions).toEqual([{ do: 'revoke', device: 'd2' }])
    expect(said()).toContain(
      '2: "Tablet" may watch, answer, send prompts and change the queue; seen 1m00s ago, Chrome on Android',
    )
  })

  test('a question that comes ends what was begun', () => {
    const { type, actions, change } = stage({ devices: [pixel] })
    type('r', '1')
    change({ waiting: [pair] })
    type('\r')
    expect(actions).toEqual([])
  })

  test.each(['q', '\u0003', '\u0004'])('%j ends', key => {
    const { type, ends } = stage()
    type(key)
    expect(ends()).toBe(1)
  })
})

test('it says once that a device is in, that a link is void, and which code another zotui shows', () => {
  const { said, change } = stage()
  said()
  const publishers = [{ id: 'p', folder: '~/project', conversations: 1, code: '123456' }]
  for (let count = 0; count < 2; count += 1) change({ devices: [pixel], pairing: null, publishers })
  expect(said()).toEqual([
    'The link is void now. p makes a new one.',
    '"Pixel 8" is in.',
    'The zotui in ~/project shows its conversations only. To let devices answer there, type /serve in it: it shows 123 456.',
  ])
})

describe('a code', () => {
  const terminal = { columns: 80, rows: 24, showsUnicode: true, depth: 3 as const }
  test('fits a usual terminal for a usual link', () => {
    const link = `https://laptop.tail1234.ts.net/#pair=${'a'.repeat(43)}`
    expect(codeRows(link, terminal)).toMatchObject({ rows: expect.any(Array) })
  })
  test.each([
    ['a terminal that is too narrow', LINK, { columns: 20 }, 'needs 33 columns'],
    ['a terminal that is too low', LINK, { rows: 10 }, 'needs 33 columns and 20 rows'],
    ['a locale without UTF-8', LINK, { showsUnicode: false }, 'not UTF-8'],
    ['a link that is too long', `https://${'a'.repeat(1000)}`, {}, 'too long'],
  ])('is replaced by one line for %s', (_name, link, change, words) => {
    expect(codeRows(link, { ...terminal, ...change })).toEqual({ reason: expect.stringContaining(words) })
  })
})
