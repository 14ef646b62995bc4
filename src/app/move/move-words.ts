/** A move in words, before the person is asked. All of it is sanitised. */
import { isProtectedName } from '../../permissions/protected.ts'
import { counted } from '../../text/counted.ts'
import { inlineCode } from '../../text/fence.ts'
import { formatBytes } from '../../text/format.ts'
import { oneLine, sanitize } from '../../text/sanitize.ts'
import type { MoveAway } from '../../move/away.ts'
import type { MoveBack } from '../../move/back.ts'
import type { MoveRecord } from '../../move/record.ts'

const shown = (text: string): string => oneLine(sanitize(text))

/** A name from outside: nothing in it is Markdown. */
const named = (text: string): string => inlineCode(shown(text))

export type AwayFacts = {
  /** Where it goes: machine and folder. */
  to: string
  agent: string
  /** Whether its own session goes along. */
  isCarried: boolean
  /** Folders that are open beside the project's. */
  folders: number
  queued: number
}

/** What goes, what cannot, and what is different there. */
export function awayText(
  { look, pack, place }: Pick<MoveAway, 'look' | 'pack' | 'place'>,
  { to, agent, isCarried, folders, queued }: AwayFacts,
): string {
  const { changed, fresh, ignored, submodules, filtered, branch } = look
  const size = pack.bundle === null ? 'it is there already' : `${formatBytes(pack.bytes)} to send`
  const kinds = [[changed, 'changed file'] as const, [fresh, 'new file'] as const]
  const uncommitted = kinds.flatMap(([count, what]) => (count > 0 ? counted(count, what) : [])).join(' and ')
  const goes = [
    `the commits of ${named(branch ?? look.head.slice(0, 9))}, ${size}`,
    ...(uncommitted === '' ? [] : [`${uncommitted}, uncommitted as here`]),
    `the conversation${queued > 0 ? `, with ${counted(queued, 'waiting prompt')}` : ''}`,
    isCarried
      ? `the session of ${named(agent)}, which remembers all of it`
      : `not the session of ${named(agent)}: it gets the conversation again`,
  ]
  const stays = [
    ...(ignored > 0 ? [`${counted(ignored, 'file or folder', 'files and folders')} that git ignores`] : []),
    ...(submodules.length > 0
      ? [`the content of ${counted(submodules.length, 'submodule')}: ${listed(submodules)}`]
      : []),
    ...(filtered > 0 ? [`what a filter such as git LFS keeps elsewhere, for ${counted(filtered, 'file')}`] : []),
    ...(folders > 0 ? [`${counted(folders, 'folder')} of /add-dir`] : []),
    'hooks, remotes and settings of the repository, stashes, and what is staged apart from the rest',
    'what you have allowed for this conversation, keys and logins',
  ]
  return list(`Moving to ${named(to)}`, [
    'Goes along:',
    ...goes.map(below),
    'Stays here:',
    ...stays.map(below),
    `There: ${placeText(place)}; mode and rules are those of that machine and folder`,
    'Here: the folder stays as it is; /move back brings the work back',
  ])
}

function placeText(place: MoveAway['place']): string {
  const { kind, left } = place
  if (kind === 'new')
    return left === null
      ? 'a new folder'
      : 'a new folder, in the place of half a move that was cut off: that is removed first'
  const state = left === null ? 'which is clean' : 'in which half of a move was cut off: that is undone first'
  return `a new branch in the checkout ${named(place.look.top)}, ${state}`
}

export type BackFacts = {
  from: string
  to: string
  agent: string
  isCarried: boolean
  /** The branch of a worktree that a way back has left which was cut off; null for none. */
  left: string | null
}

/** What would be brought back. */
export function backText(
  { look, plan, pack }: Pick<MoveBack, 'look' | 'plan' | 'pack'>,
  { from, to, isCarried, agent, left }: BackFacts,
): string {
  const { ignored, submodules } = look
  const rows = [
    ...(plan.way === 'into'
      ? [
          ...fileRows(plan.files),
          ...(plan.files.length === 0 ? ['changes no file'] : []),
          ...(plan.isHalf ? [`makes half of a way back whole that was cut off in ${named(to)}`] : []),
        ]
      : [
          `brings the work into a worktree beside ${named(to)}, because ${shown(plan.why).replaceAll(/[\\`*_[\]<>~]/g, '\\$&')}; /worktree merges it`,
        ]),
    ...(left === null ? [] : [`removes the worktree ${named(left)}, which a way back has left that was cut off`]),
    isCarried ? `brings the session of ${named(agent)}` : `${named(agent)} gets the conversation again`,
    ...(ignored > 0
      ? [`leaves ${counted(ignored, 'file or folder', 'files and folders')} that git ignores there`]
      : []),
    ...(submodules.length > 0
      ? [`leaves the content of ${counted(submodules.length, 'submodule')}: ${listed(submodules)}`]
      : []),
    `leaves the folder ${named(from)} as it is`,
    `ends at the commit ${pack.head.slice(0, 9)}`,
  ]
  return list(`Back from ${named(from)}`, rows)
}

/** The most rows about files, and about those that can run something later. */
const [MOST, MOST_RUN] = [20, 200]

type BroughtFile = Extract<MoveBack['plan'], { way: 'into' }>['files'][number]

/** What can run something later comes first: among many others, nobody would see it. */
function fileRows(files: readonly BroughtFile[]): string[] {
  const canRun = ({ path, kind }: BroughtFile): boolean => kind !== 'deleted' && path.split('/').some(isProtectedName)
  const [running, others] = [files.filter(canRun), files.filter(file => !canRun(file))]
  const named = [
    ...running.slice(0, MOST_RUN).map(file => `${fileWords(file)}, which can run something later`),
    ...others.slice(0, Math.max(0, MOST - running.length)).map(fileWords),
  ]
  const left = files.length - named.length
  const unnamed = Math.max(0, running.length - MOST_RUN)
  const ofThem = unnamed > 0 ? `, ${unnamed} of which can run something later` : ''
  return left > 0 ? [...named, `and ${left} more${ofThem}`] : named
}

const fileWords = ({ path, kind }: BroughtFile): string =>
  `${{ new: 'adds', changed: 'changes', deleted: 'deletes' }[kind]} ${named(path)}`

const listed = (paths: readonly string[]): string =>
  paths.slice(0, 3).map(named).join(', ') + (paths.length > 3 ? ` and ${paths.length - 3} more` : '')

const below = (row: string): string => `  ${row}`

/** Rows of text are wrapped at words, which a block of code does not do. */
function list(title: string, rows: readonly string[]): string {
  return `${title}:\n\n${rows.map(row => row.replace(/^ */, '$&- ')).join('\n')}`
}

/** The place that a record leads back to. */
export const placeWords = ({ folder }: Pick<MoveRecord, 'folder'>): string => shown(folder)
