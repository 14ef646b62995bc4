/** A move in words, before the person is asked. All of it is sanitised. */
import { isProtectedName } from '../../permissions/protected.ts'
import { counted } from '../../text/counted.ts'
import { formatBytes } from '../../text/format.ts'
import { oneLine, sanitize } from '../../text/sanitize.ts'
import type { MoveAway } from '../../move/away.ts'
import type { MoveBack } from '../../move/back.ts'
import type { MoveRecord } from '../../move/record.ts'

const shown = (text: string): string => oneLine(sanitize(text))

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
  const goes = [
    `the commits of ${branch === null ? look.head.slice(0, 9) : shown(branch)}, ${size}`,
    ...(changed + fresh > 0
      ? [
          `${[[changed, 'changed file'] as const, [fresh, 'new file'] as const].flatMap(([count, what]) => (count > 0 ? counted(count, what) : [])).join(' and ')}, uncommitted as here`,
        ]
      : []),
    `the conversation${queued > 0 ? `, with ${counted(queued, 'waiting prompt')}` : ''}`,
    isCarried
      ? `the session of ${shown(agent)}, which remembers all of it`
      : `not the session of ${shown(agent)}: it gets the conversation again`,
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
  const where =
    place.kind === 'new'
      ? place.left === null
        ? 'The folder there is new.'
        : 'The folder there has half of a move that was cut off: that is removed first.'
      : `There it is a new branch in the checkout ${shown(place.look.top)}, ${place.left === null ? 'which is clean' : 'in which half of a move was cut off: that is undone first'}.`
  return block(`Moving to ${shown(to)}`, [
    ...goes.map(each => `goes   ${each}`),
    ...stays.map(each => `stays  ${each}`),
    `there  ${where}`,
    'there  mode and rules are those of that machine and folder',
    'here   the folder stays as it is; /move back brings the work back',
  ])
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
          ...(plan.isHalf ? [`${shown(to)} has half of a way back that was cut off: that becomes whole`] : []),
        ]
      : [`brings the work into a worktree beside ${shown(to)}, because ${shown(plan.why)}; /worktree merges it`]),
    ...(left === null ? [] : [`removes the worktree ${shown(left)}, which a way back has left that was cut off`]),
    isCarried ? `brings the session of ${shown(agent)}` : `${shown(agent)} gets the conversation again`,
    ...(ignored > 0
      ? [`leaves ${counted(ignored, 'file or folder', 'files and folders')} that git ignores there`]
      : []),
    ...(submodules.length > 0
      ? [`leaves the content of ${counted(submodules.length, 'submodule')}: ${listed(submodules)}`]
      : []),
    `leaves the folder ${shown(from)} as it is`,
    `ends at the commit ${pack.head.slice(0, 9)}`,
  ]
  return block(`Back from ${shown(from)}`, rows)
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
  `${{ new: 'adds', changed: 'changes', deleted: 'deletes' }[kind]} ${shown(path)}`

const listed = (paths: readonly string[]): string =>
  paths.slice(0, 3).map(shown).join(', ') + (paths.length > 3 ? ` and ${paths.length - 3} more` : '')

// A name cannot end the block, because it has no newlines and is never first in its row.
const block = (title: string, rows: readonly string[]): string => `${title}:\n\n\`\`\`text\n${rows.join('\n')}\n\`\`\``

/** The place that a record leads back to. */
export const placeWords = ({ folder }: Pick<MoveRecord, 'folder'>): string => shown(folder)
