/** Which session the command line asks for. */
import type { SessionWish } from '../src/app/controller.ts'
import { sessionsWith } from '../src/app/session-rows.ts'
import { UserError } from '../src/errors.ts'
import { openPlaces, type SessionScope } from '../src/session/places.ts'
import type { Arguments } from './arguments.ts'

/** @throws UserError with exit code 2 where there is none like that. */
export async function wishedSession(
  session: Arguments['session'],
  stateFolder: string,
  folder: string,
): Promise<SessionWish | null> {
  if (session === null) return null
  const places = openPlaces(stateFolder, folder)
  if (session === 'last') {
    const id = places.newest()
    if (id === null) throw new UserError('There is no session of this folder to continue.', 'Leave out --continue.', 2)
    return { wish: 'resume', id }
  }
  const { named } = session
  if (named === '') {
    const scope = places.newest() === null ? 'all' : 'folder'
    if (scope === 'all' && places.isEmpty())
      throw new UserError('There is no session to resume yet.', 'Leave out --resume.', 2)
    return { wish: 'choose', filter: '', scope }
  }
  if (places.pathOf(named) !== null) return { wish: 'resume', id: named }
  for (const scope of ['folder', 'all'] satisfies SessionScope[]) {
    const found = sessionsWith(named, await places.list(scope, () => undefined))
    const [only] = found
    if (only && found.length === 1) return { wish: 'resume', id: only.id }
    if (found.length > 1) return { wish: 'choose', filter: named, scope }
  }
  throw new UserError(`There is no session with "${named}" in it.`, '`zotui --resume` lists those that are there.', 2)
}
