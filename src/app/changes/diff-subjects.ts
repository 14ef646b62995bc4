/** What /diff compares besides the session: a branch, a pull request, a worktree. Loaded when it is asked for. */
import { resolve } from 'node:path'
import { isAbsolute } from 'node:path/posix'
import type { CollectedChanges } from '../../changes/collect.ts'
import { reasonOf } from '../../changes/git-part.ts'
import { changesOfPatch } from '../../changes/patch-files.ts'
import {
  findGh,
  NO_GH,
  pullRequestOf,
  pullRequestPatch,
  repositoryOf,
  type PullRequest,
  type PullRequestOptions,
} from '../../changes/pull-request.ts'
import { openRepository, type Repository } from '../../changes/repository.ts'
import { changesSinceRevision, comparedCommit, empty, mayBeRevision } from '../../changes/revision.ts'
import type { GitOptions } from '../../changes/run-git.ts'
import { pathShower } from '../../changes/shown-path.ts'
import { oneLine, sanitize } from '../../text/sanitize.ts'
import type { DiffSubject } from '../../tools/diff/subject.ts'
import type { AppContext } from '../context/context.ts'
import type { Host } from '../context/host.ts'
import type { DiffRequest } from '../pages/pages.ts'

/** `why` is a whole sentence. */
export type SubjectAnswer = { ok: true; request: DiffRequest } | { ok: false; why: string }

/** Milliseconds of each question to git: the user waits. */
const LIMIT = 10_000
/** Milliseconds for which a pull request is not asked for again. */
const FRESH = 30_000

type Subject<Kind extends DiffSubject['kind']> = Extract<DiffSubject, { kind: Kind }>
type SubjectContext = Pick<AppContext, 'worktrees' | 'state' | 'elapsed'>

type NamedSubject = Subject<'revision'> | Subject<'pull-request'> | Subject<'worktree'>

/** The subject that the argument of /diff names. */
export function subjectOf(argument: string): { ok: true; value: NamedSubject } | { ok: false; why: string } {
  const worktree = /^worktree\s+(.+)$/.exec(argument)?.[1]
  if (worktree !== undefined) return { ok: true, value: { kind: 'worktree', name: worktree } }
  const request = pullRequestOf(argument)
  if (request) {
    const { number, repo } = request
    return { ok: true, value: { kind: 'pull-request', number, ...(repo !== null && { repo }) } }
  }
  if (argument.startsWith('#') || argument.includes('://'))
    return { ok: false, why: 'A pull request is named by its number, such as #12, or by its address on GitHub.' }
  if (!mayBeRevision(argument))
    return { ok: false, why: `${quotedName(argument)} is no branch, tag or commit; /diff since asks for a prompt.` }
  return { ok: true, value: { kind: 'revision', rev: argument } }
}

/** A name that may be anything, on one line. */
function quotedName(name: string): string {
  return JSON.stringify(oneLine(sanitize(name)).slice(0, 60))
}

/** What /diff needs to show a subject that is neither the session nor a checkpoint. Never rejects. */
export async function requestFor(subject: NamedSubject, context: SubjectContext, host: Host): Promise<SubjectAnswer> {
  if (context.state().startup.demo)
    return { ok: false, why: 'The demo has no repository: only /diff alone works in it.' }
  switch (subject.kind) {
    case 'revision':
      return ofRevision(subject, host)
    case 'pull-request':
      return ofPullRequest(subject, context, host)
    case 'worktree':
      return ofWorktree(subject, context, host)
  }
}

function gitOptions({ folder, env, remote }: Host): GitOptions {
  return { folder: resolve(folder), env, remote, limit: LIMIT }
}

/** Finds the revision before the page opens, so that a wrong name opens none. */
async function ofRevision(subject: Subject<'revision'>, host: Host): Promise<SubjectAnswer> {
  const { rev } = subject
  const repository = await openRepository(gitOptions(host))
  if (!repository.ok) return { ok: false, why: reasonOf(repository) }
  const compared = await comparedCommit(repository.value, rev)
  if (!compared.ok) return compared
  return { ok: true, request: { subject, collect: () => changesSinceRevision(gitOptions(host), rev) } }
}

/** The changes of any folder of this machine since its last commit. Never rejects. */
export async function changesOfFolder(
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<{ ok: true; value: DiffRequest } | { ok: false; why: string }> {
  const options: GitOptions = { folder, env, limit: LIMIT }
  const repository = await openRepository(options)
  if (!repository.ok) return { ok: false, why: reasonOf(repository) }
  const compared = await comparedCommit(repository.value, 'HEAD')
  if (!compared.ok) return compared
  const collect = () => changesSinceRevision(options, 'HEAD')
  return { ok: true, value: { subject: { kind: 'revision', rev: 'HEAD' }, collect } }
}

async function ofWorktree(
  subject: Subject<'worktree'>,
  { worktrees }: SubjectContext,
  host: Host,
): Promise<SubjectAnswer> {
  const { name } = subject
  if (!worktrees) return { ok: false, why: 'There are no worktrees here.' }
  const listed = await worktrees.list(host.folder)
  if (!listed.ok) return { ok: false, why: `There are no worktrees: ${listed.why}.` }
  const there = listed.value.filter(({ isThere }) => isThere).map(({ worktree }) => worktree)
  const named = there.filter(({ branch }) => branch === name || branch.endsWith(`/${name}`))
  const [found, ...others] = named.length > 0 ? named : there.filter(({ branch }) => branch.includes(name))
  if (!found) return { ok: false, why: `No worktree of this project is called ${name}: /worktrees lists them.` }
  if (others.length > 0)
    return { ok: false, why: `${others.length + 1} worktrees are called like that: /worktrees lists them.` }
  const collect = () => worktrees.changes(worktrees.at(found.folder) ?? found)
  return { ok: true, request: { subject: { kind: 'worktree', name: found.branch }, collect } }
}

/** GitHub answers late, so the page opens first, and says what went wrong. */
async function ofPullRequest(
  subject: Subject<'pull-request'>,
  { elapsed }: SubjectContext,
  host: Host,
): Promise<SubjectAnswer> {
  const { remote } = host
  const options: PullRequestOptions = { folder: remote?.folderHere ?? resolve(host.folder), env: host.env }
  if (findGh(options) === null) return { ok: false, why: NO_GH }
  let last: { at: number; changes: CollectedChanges } | null = null
  const collect = async (): Promise<CollectedChanges> => {
    if (last && elapsed() - last.at < FRESH) return last.changes
    const changes = await pullRequestChanges({ number: subject.number, repo: subject.repo ?? null }, options, host)
    last = { at: elapsed(), changes }
    return changes
  }
  return { ok: true, request: { subject, collect } }
}

async function pullRequestChanges(
  asked: PullRequest,
  options: PullRequestOptions,
  host: Host,
): Promise<CollectedChanges> {
  const opened = await openRepository(gitOptions(host))
  const repository = opened.ok ? opened.value : null
  // gh runs here, where it cannot see the repository of another machine.
  const repo = asked.repo ?? (host.remote && repository ? await repositoryAt(repository) : null)
  if (host.remote && repo === null) return empty(NO_ADDRESS)
  const patch = await pullRequestPatch({ ...asked, repo }, options)
  if (!patch.ok) return empty(patch.why)
  const folder = await (repository?.files.realPath(host.folder) ?? Promise.resolve(host.folder)).catch(
    () => host.folder,
  )
  const top = repository?.top ?? folder
  return changesOfPatch(patch.bytes, top, isAbsolute(top) ? pathShower(folder, top) : file => file)
}

const NO_ADDRESS = 'The repository on the other machine has no address on GitHub: give the address of the pull request.'

/** The first of the remotes that gh would ask about. */
async function repositoryAt({ remoteUrl }: Repository): Promise<string | null> {
  for (const name of ['upstream', 'origin']) {
    const url = await remoteUrl(name)
    const found = url.ok && url.value !== null ? repositoryOf(url.value) : null
    if (found !== null) return found
  }
  return null
}
