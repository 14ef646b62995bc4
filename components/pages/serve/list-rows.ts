/** The list of /serve as rows: where the server is, then all that it lists, under a heading for each kind. */
import { GAP } from '../../../src/style/facts-line.ts'
import { createColumns, type Columns } from '../../../src/style/columns.ts'
import { drawn, empty, joinStyled, type Styled } from '../../../src/style/styled.ts'
import { laterTime } from '../../../src/text/clock-time.ts'
import { counted } from '../../../src/text/counted.ts'
import { formatAge, formatDuration } from '../../../src/text/format.ts'
import { keyed, keyedLine } from '../../../src/text/key-hints.ts'
import { wrap } from '../../../src/text/lines/wrap.ts'
import { oneLine, sanitize, type SafeText } from '../../../src/text/sanitize.ts'
import type { KnownDevice, ServeView } from '../../../src/published/control.ts'
import { EDGE } from '../page-rows.ts'
import { askRows } from './ask-rows.ts'
import { roleWords, type ServeItem } from './items.ts'
import { codeWidth, type ServeReading } from './reading.ts'

/** `key` is that of the item whose row it is. */
export type ServeRow = { text: Styled; key: string | null }

/** All rows, also those that are scrolled away. Each begins after the edge. */
export function listRows(reading: ServeReading): ServeRow[] {
  const { items } = reading
  const asks = items.filter(({ kind }) => kind === 'ask')
  const columns = deviceColumns(reading)
  const ofAsks = asks.flatMap(item => itemRows(item, reading, columns))
  return [
    ...doubtRows(reading, 'off'),
    ...ofAsks,
    ...plain(placeRows(reading)),
    ...sections.flatMap(kind => sectionRows(kind, reading, columns)),
  ]
}

const sections = ['device', 'publisher', 'tunnel', 'share'] as const

function sectionRows(
  kind: (typeof sections)[number],
  reading: ServeReading,
  columns: Columns<KnownDevice>,
): ServeRow[] {
  const own = reading.items.filter(item => item.kind === kind)
  const heading = headingOf(kind, reading, own.length)
  const rows = own.flatMap(item => itemRows(item, reading, columns))
  // The address of a tunnel is known once it runs.
  const after = kind === 'tunnel' && own.length > 0 ? hintedRows(AFTER_TUNNEL, reading) : []
  return heading === null ? [] : plain([empty, heading]).concat(rows, plain(after))
}

const AFTER_TUNNEL = 'Then type /serve and its https address, if it has one.'

function hintedRows(words: string, reading: ServeReading): Styled[] {
  return wrap(sanitize(words), roomOf(reading)).map(each => reading.context.theme.dim(each))
}

function plain(rows: readonly Styled[]): ServeRow[] {
  return rows.map(text => ({ text, key: null }))
}

function itemRows(item: ServeItem, reading: ServeReading, columns: Columns<KnownDevice>): ServeRow[] {
  const { theme } = reading.context
  const isSelected = reading.items[reading.selected]?.key === item.key
  const rows = textOf(item, reading, columns).map((text, row) => ({
    text: isSelected && row === 0 && item.kind !== 'ask' ? theme.strong(text) : text,
    key: item.key,
  }))
  return [...rows, ...(isSelected ? doubtRows(reading, item.kind) : [])]
}

function textOf(item: ServeItem, reading: ServeReading, columns: Columns<KnownDevice>): Styled[] {
  const { theme } = reading.context
  const room = roomOf(reading)
  switch (item.kind) {
    case 'ask':
      return askRows(item, reading, room)
    case 'device':
      return [columns.line(item.device)]
    case 'publisher': {
      const { folder, conversations, code } = item.publisher
      const words = drawn`${line(folder)}   ${theme.dim(sanitize(counted(conversations, 'conversation')))}`
      const wants = `  ${code}: answers and prompts wait for a yes to this number in its own terminal`
      return [words, ...(code === '' ? [] : wrap(line(wants), room).map(each => theme.warning(each)))]
    }
    case 'tunnel':
      return wrap(drawn`${theme.dim(line(`${item.tunnel.name}:`))} ${line(item.tunnel.command)}`, room)
    case 'share': {
      const { title, endsAt, readers } = item.share
      const facts = `until ${laterTime(endsAt, reading.view.now)}   ${counted(readers, 'reader')}`
      return [drawn`${line(title)}   ${theme.dim(sanitize(facts))}`]
    }
  }
}

function line(text: string): SafeText {
  return oneLine(sanitize(text))
}

function deviceColumns({ view, context, width }: ServeReading): Columns<KnownDevice> {
  const { server, now } = view
  const devices = server.phase === 'running' ? server.view.devices : []
  return createColumns<KnownDevice>(
    devices,
    [
      { cell: ({ name }) => line(name), rank: 0, most: Math.max(8, Math.floor(width / 3)) },
      { cell: ({ role }) => sanitize(roleWords[role]), rank: 1 },
      { cell: device => sanitize(seenWords(device, now)), rank: 2 },
      { cell: ({ from }) => line(from), rank: 3, most: 40 },
      { cell: ({ pairedAt }) => sanitize(`paired ${formatAge(now - pairedAt)}`), rank: 4 },
    ],
    { room: Math.max(1, width - EDGE - 1), ellipsis: context.theme.signs.ellipsis },
  )
}

function seenWords({ isWatching, isAdmitted, seenAt }: KnownDevice, now: number): string {
  if (!isAdmitted) return 'not let in yet'
  if (isWatching) return 'watches'
  return seenAt === null ? 'not seen yet' : `seen ${formatAge(now - seenAt)}`
}

function headingOf(kind: (typeof sections)[number], reading: ServeReading, count: number): Styled | null {
  const { view, context } = reading
  const { theme } = context
  if (view.server.phase !== 'running') return null
  const none = kind === 'device' && count === 0
  if (count === 0 && !none) return null
  const words = { device: 'Devices', publisher: 'Shown', tunnel: 'From elsewhere, one of', share: 'Shared to read' }
  return none ? theme.dim(sanitize('No device is paired yet.')) : theme.dim(sanitize(words[kind]))
}

/** Where the server is, and the link for a device. */
function placeRows(reading: ServeReading): Styled[] {
  const { view, app, context } = reading
  const { theme } = context
  const { server } = view
  const room = roomOf(reading)
  const wrapped = (text: string, paint: (line: SafeText) => Styled): Styled[] =>
    wrap(oneLine(sanitize(text)), room).map(paint)
  switch (server.phase) {
    case 'off':
      return wrapped(`No server runs. ${keyed(app.keyNames, '{serve.start} starts it.')}`, theme.dim)
    case 'starting':
      return [theme.dim(sanitize(`Starting ${theme.signs.ellipsis}`))]
    case 'failed':
      return [
        ...wrapped(server.message, theme.failed),
        ...(server.hint === '' ? [] : wrapped(server.hint, theme.dim)),
        ...wrapped(keyed(app.keyNames, '{serve.start} tries again.'), theme.dim),
      ]
    case 'running': {
      const { address, at, problem } = server.view
      return [
        ...wrapped(at ?? address, theme.strong),
        ...(at === null ? wrapped('Only this machine reaches it.', theme.dim) : wrapped(`here ${address}`, theme.dim)),
        ...(problem === '' ? [] : wrapped(problem, theme.warning)),
        ...linkRows(server.view, reading, wrapped),
      ]
    }
  }
}

type Wrapped = (text: string, paint: (line: SafeText) => Styled) => Styled[]

function linkRows({ pairing }: ServeView, reading: ServeReading, wrapped: Wrapped): Styled[] {
  const { view, app, code, ask, context } = reading
  const { theme } = context
  // It was used, or is not what is looked at now.
  if (ask !== null) return []
  if (pairing === null) {
    const hint = keyed(app.keyNames, '{serve.link} makes a link for a device.')
    return hint === '' ? [] : [empty, ...wrapped(hint, theme.dim)]
  }
  const left = formatDuration(Math.max(0, pairing.expiresAt - view.now))
  const hints = ['{serve.copy} copies it', '{serve.next_role} another role', '{serve.link} a new one']
  return [
    empty,
    ...wrapped(`For one device, which ${roleWords[pairing.role]}, ${left} from now:`, line => drawn`${line}`),
    ...wrap(oneLine(sanitize(pairing.link)), roomOf(reading), 'anywhere').map(line => theme.accent(line)),
    ...hintRows(hints, reading),
    ...(code === null ? wrapped(noCodeWords(reading), theme.dim) : []),
  ]
}

/** Hints beside each other, in as many rows as they need. */
function hintRows(hints: readonly string[], reading: ServeReading): Styled[] {
  const { app, context } = reading
  const rows: string[] = []
  for (const hint of hints.map(each => keyed(app.keyNames, each)).filter(each => each !== '')) {
    const longer = `${rows.at(-1) ?? ''}${GAP}${hint}`
    if (rows.length > 0 && longer.length <= roomOf(reading)) rows[rows.length - 1] = longer
    else rows.push(hint)
  }
  return rows.map(row => context.theme.dim(sanitize(row)))
}

/** Why there is no code. */
function noCodeWords({ view, context }: ServeReading): string {
  const qr = view.server.phase === 'running' ? view.server.qr : null
  if (qr === null) return 'The address is too long for a QR code.'
  if (!context.theme.markdown.unicode) return 'A QR code needs more than ASCII.'
  return `A QR code needs a screen of ${codeWidth(qr) + 2 * EDGE} columns and ${qr.length + 2} rows.`
}

/** The question before something that cannot be taken back. */
function doubtRows(reading: ServeReading, kind: ServeItem['kind'] | 'off'): ServeRow[] {
  const { view, app, context } = reading
  const { doubt } = view
  const of = { off: 'off', revoke: 'device', end_share: 'share' } as const
  if (doubt === null || of[doubt.kind] !== kind) return []
  const answers = keyedLine(app.keyNames, ['{serve.yes} yes', '{serve.no} no'])
  const words = {
    off: 'Stop the server? Browsers see nothing any more, and shares are over.',
    revoke: 'Forget this device? Its connections end at once.',
    end_share: 'Stop this share? Its link is void at once.',
  }
  const lines = wrap(sanitize(words[doubt.kind]), roomOf(reading)).map(line => context.theme.warning(line))
  return plain([...lines, joinStyled([context.theme.accent(sanitize(answers))])])
}

function roomOf({ width }: ServeReading): number {
  return Math.max(2, width - EDGE - 1)
}
