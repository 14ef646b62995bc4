/** Finds the session that the command line asks for. */
import type { SessionRequest } from '../../../src/app/start.ts'
import { UserError } from '../../../src/platform/errors.ts'
import { openSessionFiles } from '../../../src/storage/sessions/session-files.ts'
import type { ForeignSessions } from '../../../src/storage/sessions/sessions.ts'
import type { Arguments } from '../../cli/argument-types.ts'
import type { SessionScope } from '../../../src/conversation/queries/session/session-summary.ts'

export type SessionRequestOptions = {
  session: Arguments['session']
  stateFolder: string
  folder: string
  /** Without a screen. */
  isPrinting: boolean
  /** Loads the sessions that zot itself keeps. */
  openForeign: () => Promise<ForeignSessions>
}

/** @throws UserError with exit code 2 if no session matches. */
export async function requestedSession({
  session,
  stateFolder,
  folder,
  isPrinting,
  openForeign,
}: SessionRequestOptions): Promise<SessionRequest | null> {
  if (session === null) return null
  const places = openSessionFiles(stateFolder, folder)
  if (session === 'last') {
    const id = await places.toContinue(Date.now(), isPrinting)
    if (id !== null) return { kind: 'resume', id }
    const others =
      places.newest() === null ? ((await openForeign()).hasAny('folder') ? 'sessions of zot' : '') : 'others'
    const hint = others === '' ? 'Omit --continue.' : `\`zotui --resume\` lists the ${others}.`
    throw new UserError('This folder has no session to resume.', hint, 2)
  }
  const { named } = session
  // A complete id needs no search.
  if (named !== '' && places.pathOf(named) !== null) return { kind: 'resume', id: named }
  const foreign = await openForeign()
  if (named === '') {
    const isEmpty = places.isEmpty() && !foreign.hasAny('all')
    if (isEmpty) throw new UserError('There are no sessions to resume.', 'Omit --resume.', 2)
    const scope = places.newest() === null && !foreign.hasAny('folder') ? 'all' : 'folder'
    return { kind: 'choose', filter: '', scope }
  }
  if (foreign.read(named) !== null) return { kind: 'resume', id: named }
  const { sessionRows, sessionsWith } = await import('../../../src/state/pickers/session-rows.ts')
  for (const scope of ['folder', 'all'] satisfies SessionScope[]) {
    const listed = (await Promise.all([places.list(scope, () => undefined), foreign.list(scope)])).flat()
    const found = sessionsWith(named, listed)
    const [only] = found
    if (only && found.length === 1) return { kind: 'resume', id: only.id }
    // A fuzzy match may be the wrong session, so the user chooses.
    if (sessionRows(listed, named).length > 0) return { kind: 'choose', filter: named, scope }
  }
  throw new UserError(`No sessions match "${named}".`, '`zotui --resume` lists all sessions of this folder.', 2)
}
