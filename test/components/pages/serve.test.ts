import { describe, expect, test } from 'vitest'
import { fullKeymap } from '../../../components/pages/keymap.ts'
import { createServeReader, type ServeReading } from '../../../components/pages/serve/reading.ts'
import { serveAfter } from '../../../components/pages/serve/moves.ts'
import { serveRows } from '../../../components/pages/serve/rows.ts'
import { initialServe, type ServeMove, type ServeState } from '../../../components/pages/serve/state.ts'
import { rowsOfPage } from '../../../components/pages/page-rows.ts'
import type { LocalServerState } from '../../../src/app/context/local-server.ts'
import type { ServeView } from '../../../src/published/control.ts'
import { initialState, type AppState } from '../../../src/state/state.ts'
import { createTheme } from '../../../src/style/theme.ts'
import { displayWidth, type Size } from '../../../src/text/lines/width.ts'
import { knownDevice, NOON, running, serveView, wantsIn } from '../../app/serve/fake-local-server.ts'
import { textsOf } from '../../helpers/lines.ts'

const theme = createTheme(1)
const ascii = createTheme(1, { unicode: false })
const first = initialState({ version: '1', folder: '~', branch: null, demo: false }, 0)
const start = { ...first, keyNames: fullKeymap.names }
const keys = [['k', 'does']] as const
const wide = { columns: 80, rows: 24 }
const trust = { kind: 'trust', purpose: 'serve', id: 't1', pid: 4242, code: '481920' } as const

type Look = { size?: Size; app?: AppState; look?: typeof theme }

function page(
  from: ServeState,
  moves: readonly ServeMove[] = [],
  { size = wide, app = start, look = theme }: Look = {},
) {
  const reader = createServeReader()
  const read = (state: ServeState): ServeReading => reader(state, app, { theme: look, size, keys })
  const state = moves.reduce((now, move) => serveAfter(read(now), { kind: 'move', move }) ?? now, from)
  return { state, reading: read(state), rows: textsOf(rowsOfPage(serveRows(read(state)))).map(row => row.trimEnd()) }
}

const shown = (view: Partial<ServeView>): ServeState => initialServe(running(serveView(view)), NOON)

const busy: Partial<ServeView> = {
  at: 'https://mine.tail1234.ts.net',
  devices: [
    knownDevice({ isWatching: true }),
    knownDevice({ id: 'd2', name: 'Old tablet of the kitchen', role: 'view', isAdmitted: false }),
  ],
  publishers: [
    { id: 'p1', folder: '~/app', conversations: 2, code: '' },
    { id: 'p2', folder: '~/web', conversations: 1, code: '771204' },
  ],
  tunnels: [{ name: 'tailscale', command: 'tailscale serve --bg 4747' }],
  shares: [{ id: 's1', title: 'Fix the parser', link: 'https://x/#share=1', endsAt: NOON + 3_600_000, readers: 2 }],
}

describe('/serve', () => {
  test('shows the code beside the address and what is left of the link', () => {
    expect(page(shown({})).rows.join('\n')).toMatchInlineSnapshot(`
      "  from the phone and the browser
                                                 http://127.0.0.1:4747
          █▀▀▀▀▀█ ▄█ ▄▄  ▀▀▄▀▀█▄█▀█ █▀▀▀▀▀█      Only this machine reaches it.
          █ ███ █ ▄█▀█  ▀ ▀▄▀ ▀▀▀▀▀ █ ███ █
          █ ▀▀▀ █ ▄ █ ▀███ ▄▀▀▀█▀▀  █ ▀▀▀ █      For one device, which may answer and
          ▀▀▀▀▀▀▀ ▀ ▀ █▄▀▄█ ▀ █▄▀ █ ▀▀▀▀▀▀▀      prompt, 1m40s from now:
          █▀▀▀▀▄▀▀██▀ ▀ ▀▀██▄▄▄▄▄█▀█▄█ ▀ █▄      http://127.0.0.1:4747/#pair=01234567
          ▀▀▀▀█ ▀▀ █▄█▀ ▄▀▀ █▄▀█▄ ▄▄ ▀█ ▄        89abcdefghijklmnopqrst
          ▀▄█▄█▀▀▄▀▀▄▀▄▄▄▀██▄▄▄▄▄▄▀▄▄█▀▄ ▄▄      c copies it   Tab another role
            ██ █▀▀███ ▄█▀▀  ▀▄ ▄  █ ██ ▀▄▀       p a new one
           █  ▄ ▀▀█▀█ ▀ ▀▀██▄▄▄▄▄▄ ▄▄▄▀▄ █▄
          ▄▀ █▀▄▀▀▀ ▄█▀ ▄█▀▀█ ▀▄▄▄▄▀ ▀█▀▄▀       No device is paired yet.
          █  ▀▀▄▀▄▀▀█▀▄▄▄▀██▄▄▄▄▄▄█▄▄█▀▀▄█▄
          █ ▄▄█ ▀▀▄█▄ ▄█▀█ ▀▀ ▀█▀▄ █▄█ ▀█▀
          ▀ ▀▀▀ ▀▀▄ █ ▀ ▀▀██▄█▀▄▄▀█▀▀▀█▀▄ █
          █▀▀▀▀▀█ ▀ ▀█▀ ▄▀█ ▄  ██▀█ ▀ █ ▄▀▄
          █ ███ █ █▄ ▀▄▄▄ ▄█▄█▀▄▄▄▀▀▀▀██▄▄█
          █ ▀▀▀ █ ██▄ ▄█▀▀▄  ▄█▄▀█▀█▀█▄▀▄
          ▀▀▀▀▀▀▀ ▀▀  ▀ ▀  ▀  ▀   ▀   ▀  ▀




        p link   r role   x forget   o end   ? keys   q closes"
    `)
  })

  test('lists devices, processes, tunnels and shares', () => {
    expect(page(shown({ ...busy, pairing: null })).rows.join('\n')).toMatchInlineSnapshot(`
      "  from the phone and the browser                         2 devices   1 watching
        https://mine.tail1234.ts.net
        here http://127.0.0.1:4747

        p makes a link for a device.

        Devices
      › Pixel 8                     may answer   watches
        Old tablet of the kitchen   may look     not let in yet

        Shown
        ~/app   2 conversations
        ~/web   1 conversation
          771204: answers and prompts wait for a yes to this number in its own
        terminal

        From elsewhere, one of
        tailscale: tailscale serve --bg 4747
        Then type /serve and its https address, if it has one.

        Shared to read
        Fix the parser   until 13:00   2 readers

        p link   r role   x forget   o end   ? keys   q closes"
    `)
  })

  test('puts a question first, with its number in large digits, and without the code', () => {
    expect(
      page(shown({ ...busy, waiting: [wantsIn] }))
        .rows.slice(0, 14)
        .join('\n'),
    ).toMatchInlineSnapshot(`
      "  from the phone and the browser                         2 devices   1 watching
      › Pixel 8 wants to be paired; it may answer and prompt.
        from 127.0.0.1, Chrome on Android

        █ █ █▀█ ▀█     █▀█ ▀▀█ █▀█
        ▀▀█ █▀█  █     ▀▀█ █▀▀ █ █
          ▀ ▀▀▀ ▀▀▀    ▀▀▀ ▀▀▀ ▀▀▀

        Yes only if the device shows the same number.


        https://mine.tail1234.ts.net
        here http://127.0.0.1:4747
      "
    `)
  })

  test('shows plain digits in ASCII, and no code', () => {
    const text = page(shown({ waiting: [wantsIn] }), [], { look: ascii }).rows.join('\n')
    expect(text).toContain('4 8 1   9 2 0')
    expect(page(shown({}), [], { look: ascii }).rows.join('\n')).toContain('A QR code needs more than ASCII.')
  })

  test('offers yes and no only when they count', () => {
    const state = shown({ waiting: [wantsIn] })
    expect(page(state).rows.join('\n')).not.toContain('y yes')
    expect(page({ ...state, armed: 'ask server a1' }).rows.join('\n')).toContain('y yes   n no')
  })

  test('warns while the agent works', () => {
    const open = { ...start, conversations: [{ state: 'working' } as AppState['conversations'][number]] }
    expect(page(shown({ waiting: [wantsIn] }), [], { app: open }).rows.join('\n')).toContain('could read this screen')
    expect(page(shown({ waiting: [wantsIn], atWork: 1 })).rows.join('\n')).toContain('could read this screen')
    expect(page(shown({ waiting: [wantsIn] })).rows.join('\n')).not.toContain('could read this screen')
  })

  test('shows what servers want of this zotui, also while it runs none', () => {
    const app = { ...start, serveAsks: [trust] }
    const text = page(initialServe({ phase: 'failed', message: 'It runs.', hint: '' }, NOON), [], { app }).rows.join(
      '\n',
    )
    expect(text).toContain('(process 4242)')
    expect(text).toContain('Yes only if the terminal of that server shows the same number.')
    expect(text).toContain('It runs.')
  })

  test.each([
    [{ phase: 'off' }, 'No server runs.'],
    [{ phase: 'starting' }, 'Starting'],
    [{ phase: 'failed', message: 'The port 4747 is taken.', hint: 'Use another.' }, 'Use another.'],
  ] as const)('says how the server is: %o', (server: LocalServerState, words) => {
    expect(page(initialServe(server, NOON)).rows.join('\n')).toContain(words)
  })

  test.each([
    [{ columns: 120, rows: 40 }, true],
    [{ columns: 80, rows: 24 }, true],
    [{ columns: 50, rows: 40 }, false],
  ])('has room for the code at %o', (size, isBeside) => {
    expect(page(shown({}), [], { size }).reading.code?.isBeside).toBe(isBeside)
  })

  test('says on a small screen how large it must be for a code, and shows the address', () => {
    const { rows } = page(shown({}), [], { size: { columns: 40, rows: 20 } })
    expect(rows.join('\n')).toMatchInlineSnapshot(`
      "  from the phone and the browser
        http://127.0.0.1:4747
        Only this machine reaches it.

        For one device, which may answer and
        prompt, 1m40s from now:
        http://127.0.0.1:4747/#pair=012345678
        9abcdefghijklmnopqrst
        c copies it   Tab another role
        p a new one
        A QR code needs a screen of 41
        columns and 21 rows.

        No device is paired yet.





        ? keys   q closes"
    `)
  })

  test('asks before it forgets a device, stops a share or the server', () => {
    const one = page(shown(busy), ['remove'])
    expect(one.state.doubt).toEqual({ kind: 'revoke', id: 'd1' })
    expect(one.rows.join('\n')).toContain('Forget this device?')
    expect(page(shown(busy), ['bottom', 'remove']).state.doubt).toEqual({ kind: 'end_share', id: 's1' })
    expect(page(shown(busy), ['bottom', 'up', 'remove']).state.doubt).toBeNull()
    expect(page(shown(busy), ['off']).rows.join('\n')).toContain('Stop the server?')
    expect(page(shown(busy), ['off', 'down']).state.doubt).toBeNull()
    expect(page(initialServe({ phase: 'off' }, NOON), ['off']).state.doubt).toBeNull()
  })

  test('Esc leaves the keys, then the question of the page, then the page', () => {
    const { reading } = page(shown(busy), ['off', 'leave'])
    expect(reading.view.doubt).toBeNull()
    expect(serveAfter(reading, { kind: 'move', move: 'leave' })).toBeNull()
  })

  test('a click selects what is in a row', () => {
    const { reading, rows } = page(shown({ ...busy, pairing: null }))
    const y = rows.findIndex(row => row.includes('~/web'))
    expect(serveAfter(reading, { kind: 'click', x: 5, y })?.selected).toBe('publisher p2')
    expect(serveAfter(reading, { kind: 'click', x: 5, y: 1 })?.selected ?? null).toBeNull()
  })

  test('no row is wider than the screen, and the selected one is seen, at any size', () => {
    for (const columns of [8, 20, 33, 40, 60, 80, 200])
      for (const rows of [1, 3, 8, 20, 24, 50])
        for (const moves of [[], ['down', 'down', 'down'], ['bottom']] satisfies ServeMove[][])
          for (const waiting of [[], [wantsIn]]) {
            const state = { ...shown({ ...busy, waiting }), armed: 'ask server a1' }
            const all = page(state, moves, { size: { columns, rows } }).rows
            expect(all.every(row => displayWidth(row) <= columns)).toBe(true)
            expect(all).toHaveLength(Math.max(3, rows))
          }
  })

  test('texts of devices and processes cannot reach the terminal', () => {
    const name = '\u001b[2JPixel\n\u202e8'
    const view = { devices: [knownDevice({ name, from: name })], waiting: [{ ...wantsIn, name, from: name }] }
    const text = page(shown(view)).rows.join('\n')
    expect(text).not.toMatch(/[\u001b\u202e]/)
  })
})
