/** The page of a race as rows of the screen: the prompt, one row for each, and below them what the chosen one has to say. */
import { isAtWork } from '../../../src/race/race-steps.ts'
import { createColumns, type Column } from '../../../src/style/columns.ts'
import { factsLine, GAP, type Fact } from '../../../src/style/facts-line.ts'
import { drawn, empty, indented, spread, type Styled } from '../../../src/style/styled.ts'
import { counted } from '../../../src/text/counted.ts'
import { formatAge, formatCost, formatDuration } from '../../../src/text/format.ts'
import { keyed } from '../../../src/text/key-hints.ts'
import { truncate } from '../../../src/text/lines/shorten.ts'
import { displayWidth } from '../../../src/text/lines/width.ts'
import { wrap } from '../../../src/text/lines/wrap.ts'
import { linesOf, oneLine, sanitize, sanitizeTerminalOutput, type SafeText } from '../../../src/text/sanitize.ts'
import { keyListPage } from '../key-list.ts'
import { bodyRows, EDGE, fittedRow, hintsFact, questionFact, statusLine, type PageRows } from '../page-rows.ts'
import {
  changesWords,
  checkWords,
  costOf,
  costWords,
  factWords,
  outcomeWords,
  stepWords,
  timeWords,
  tokenWords,
  type ShownEntrant,
} from './entrant-words.ts'
import { ABOVE, type RaceReading } from './reading.ts'

export function raceRows(reading: RaceReading): PageRows {
  return { title: raceTitle(reading), body: raceBody(reading), bottom: raceBottom(reading) }
}

export function raceTitle({ view, shown, context }: RaceReading): Styled {
  const { theme, size } = context
  const { race } = view.view
  const title = theme.accent(sanitize(view.help === null ? `race of ${shown.length}` : 'keys'))
  const known = shown.flatMap(each => costOf(each) ?? [])
  const facts: Fact[] = [
    { text: sanitize(known.length === 0 ? '' : formatCost(known.reduce((sum, cost) => sum + cost, 0))), rank: 0 },
    { text: sanitize(`begun ${formatAge(view.now - race.at)}`), rank: 2 },
  ]
  const room = size.columns - EDGE - title.width - GAP.length - 1
  return fittedRow(indented(EDGE, spread(title, factsLine(facts, room), size.columns - EDGE - 1)), context)
}

export function raceBody(reading: RaceReading): Styled[] {
  const { view, body, shown, context } = reading
  const { theme } = context
  if (view.help !== null) return bodyRows(keyListPage(context, view.help, body), body, context)
  const prompt = indented(EDGE, theme.strong(oneLine(sanitize(view.view.race.prompt))))
  const rows = listRows(reading)
  const first = firstRow(reading)
  const list = rows.slice(first, first + Math.max(1, body - ABOVE))
  const below = belowRows(reading).slice(topOf(reading))
  return bodyRows([prompt, empty, ...list, ...(list.length < shown.length ? [] : [empty, ...below])], body, context)
}

/** The first row of the list that is shown: on a very low screen, not all of it is. */
function firstRow({ shown, selected, body }: RaceReading): number {
  const room = Math.max(1, body - ABOVE)
  return shown.length <= room ? 0 : Math.max(0, Math.min(shown.length - room, selected - Math.floor(room / 2)))
}

/** From this width on, the changed files are counted in the row. */
const WIDE = 100
/** From this width on, the check has a column of its own. */
const MIDDLE = 60

const columnsFor = (columns: number, room: number): readonly Column<ShownEntrant>[] => [
  { cell: shown => line(columns < MIDDLE ? outcomeWords(shown) : stepWords(shown)), rank: 0, most: room },
  { cell: ({ entrant }) => line(columns < MIDDLE ? '' : checkWords(entrant)), rank: 1 },
  { cell: ({ entrant }) => line(changesWords(entrant, columns >= WIDE)), rank: 2 },
  { cell: shown => line(timeWords(shown)), rank: 4, isNumber: true },
  { cell: shown => line(costWords(shown)), rank: 3, isNumber: true },
  { cell: ({ entrant }) => line(tokenWords(entrant)), rank: 5 },
]

/** A name leaves this share of the row to what follows it. */
const NAME_SHARE = 0.4

function listRows({ shown, selected, context }: RaceReading): Styled[] {
  const { theme, size } = context
  const { ellipsis, chosen } = theme.signs
  const most = Math.max(6, Math.floor(size.columns * NAME_SHARE))
  const names = shown.map(({ label }) => truncate(line(label), most, ellipsis))
  const width = Math.max(...names.map(name => displayWidth(name)))
  const room = size.columns - EDGE - 2 - width - GAP.length - 1
  const facts = createColumns(shown, columnsFor(size.columns, room), { room, ellipsis })
  return shown.map((each, at) => {
    const mark = at === selected ? theme.accent(sanitize(chosen)) : drawn` `
    const name = names[at] ?? sanitize('')
    const padded = drawn`${name}${sanitize(' '.repeat(width - displayWidth(name)))}`
    const row = drawn`${padded}${sanitize(GAP)}${facts.line(each)}`
    const isOff = each.entrant.isDiscarded
    return drawn`${mark} ${signOf(each, theme)} ${at === selected ? theme.strong(row) : isOff ? theme.dim(row) : row}`
  })
}

function signOf({ entrant, live }: ShownEntrant, theme: RaceReading['context']['theme']): Styled {
  const { signs, ok, failed, warning, running, dim } = theme
  const { step, check } = entrant
  if (live?.state === 'asks') return warning(sanitize('?'))
  switch (step) {
    case 'waiting':
      return dim(sanitize(signs.waiting))
    case 'making':
    case 'starting':
    case 'working':
      return running(sanitize(signs.begun))
    case 'stopped':
      return dim(sanitize(signs.stopped))
    case 'failed':
      return failed(sanitize(signs.failed))
    case 'done':
      return check?.state === 'ended' && check.exitCode !== 0
        ? failed(sanitize(signs.failed))
        : ok(sanitize(signs.done))
  }
}

/** The last page of what stands below the list is the lowest position. */
export function topOf(reading: RaceReading): number {
  return Math.max(0, Math.min(reading.view.top, belowRows(reading).length - reading.area))
}

/** What there is of the chosen one, with what its check has printed. */
function belowRows({ view, shown, selected, context }: RaceReading): Styled[] {
  const { theme, size } = context
  const room = Math.max(1, size.columns - EDGE - 1)
  const chosen = shown[selected]
  const wrapped = (words: string): SafeText[] => (words === '' ? [] : wrap(oneLine(sanitize(words)), room))
  if (!chosen) return []
  const { entrant, live } = chosen
  const { worktree, problem, lastLine } = entrant
  const command = commandOf(view.view, chosen)
  const rows = [
    ...wrapped(view.view.note).map(each => theme.warning(each)),
    ...wrapped(problem).map(each => theme.failed(each)),
    ...wrapped(live?.call ? `asks: ${live.call.subject}` : '').map(each => theme.warning(each)),
    // A narrow row has not all of it.
    ...wrapped([...factWords(chosen), worktree?.branch ?? ''].filter(words => words !== '').join(', ')).map(each =>
      theme.dim(each),
    ),
    ...wrapped(live?.lastLine ?? lastLine).map(each => drawn`${each}`),
  ]
  if (command === null) return rows.map(row => indented(EDGE, row))
  const printed = linesOf(sanitizeTerminalOutput(command.output.trimEnd()))
  return [
    ...rows,
    empty,
    ...wrapped(command.heading).map(each => theme.strong(each)),
    ...printed.flatMap(each => wrap(each, room)).map(each => theme.dim(each)),
  ].map(row => indented(EDGE, row))
}

/** The command of the person that runs in its worktree, or has run: what it came to stands before it, since it may be long. */
function commandOf(
  { race, printed, preparing }: RaceReading['view']['view'],
  { entrant }: ShownEntrant,
): { heading: string; output: string } | null {
  const { check, step } = entrant
  if (step === 'making' && preparing !== '') return { heading: 'worktreeSetup', output: preparing }
  if (check === null || race.checkCommand === null) return null
  const isRunning = check.state === 'running'
  const facts = [
    checkWords(entrant),
    isRunning ? '' : formatDuration(check.durationMs),
    check.problem,
    race.checkCommand,
  ]
  return { heading: facts.filter(words => words !== '').join(GAP), output: isRunning ? printed : check.output }
}

export function raceBottom(reading: RaceReading): Styled {
  const { app, view, context, shown, area } = reading
  const { theme } = context
  const dim = (text: string, rank: number): Fact => ({ text: theme.dim(line(text)), rank })
  const always = ['{race.help} keys', '{race.leave} closes']
  const waiting = shown.filter(({ entrant, isGoing }) => entrant.step === 'waiting' && !isGoing).length
  const facts = (): Fact[] => {
    if (view.help !== null) return [dim(keyed(app.keyNames, '{race.leave escape} closes'), 0)]
    const left = belowRows(reading).length - topOf(reading) - area
    return [
      ...(app.question === null ? [] : [questionFact(theme)]),
      ...(waiting === 0 ? [] : [dim(keyed(app.keyNames, `{race.go} begins ${waiting} more`), 1)]),
      ...(left <= 0 || area < 1 ? [] : [dim(keyed(app.keyNames, `{race.page_down} +${counted(left, 'line')}`), 3)]),
      hintsFact(app.keyNames, { own: hintsOf(reading), always }, theme),
    ]
  }
  return statusLine(app, facts, context)
}

/** What can be done with the chosen one now. */
function hintsOf({ view, shown, selected }: RaceReading): string[] {
  const { entrant, live } = shown[selected] ?? {}
  if (!entrant) return []
  const { step, session, worktree, check, isPicked, isDiscarded } = entrant
  const isBusy = isAtWork(entrant)
  const isThere = worktree !== null && !isDiscarded
  const others = shown.filter((each, at) => at !== selected && !each.entrant.isDiscarded && !each.entrant.isPicked)
  return [
    live ? '{race.open} goes there' : session === null ? '' : '{race.open} reads it',
    isThere && !isPicked ? '{race.diff} diff' : '',
    isBusy || check?.state === 'running' || step === 'waiting' ? '{race.stop} stops' : '',
    isThere && !isBusy && !isPicked ? '{race.pick} takes it' : '',
    others.some(each => each.entrant.worktree !== null) ? '{race.discard} discards the others' : '',
    isThere && !isBusy && check !== null && check.state !== 'running' && view.view.isOwn
      ? '{race.check} checks again'
      : '',
  ].filter(words => words !== '')
}

/** The one in a row of the screen; null if there is none. */
export function entrantAtRow(reading: RaceReading, y: number): number | null {
  const at = y - 1 - ABOVE + firstRow(reading)
  return y - 1 >= ABOVE && at >= 0 && at < reading.shown.length ? at : null
}

function line(text: string): SafeText {
  return oneLine(sanitize(text))
}
