/** `/login` and `/logout`. */
import { sentence } from '../../../text/sentence.ts'
import type { Notices } from '../../context/notices.ts'
import type { AgentPart, Surroundings } from '../../context/parts.ts'

/** Runs the agent's own program for logging in, or `command`, on the alternate screen; restarts the agent. */
export type Login = (command?: { file: string; args: readonly string[] }) => Promise<void>

const NO_SCREEN =
  'Logging in here needs the program `script`, which is not installed: without it the scrollback would be wiped.'

export function createLogin(
  { backend, addNotice, hint, host }: AgentPart & Notices & Pick<Surroundings, 'host'>,
  restart: () => Promise<void>,
): Login {
  return async command => {
    const own = backend.login()
    const program = command ?? own
    if (!program || !host?.lendScreen) return hint(`There is no way to log in with ${backend.name} from here.`)
    const { file, args } = program
    const env = own?.env ?? host.env
    const words = (command ? null : own?.words) ?? `${backend.name} logs in here; zotui returns when it is done`
    const run = await host.lendScreen(
      { file, args, env, cwd: host.remote?.folderHere ?? host.folder, name: backend.name },
      ` ${words}`,
    )
    if (run === null)
      return addNotice('warn', NO_SCREEN, `Run ${backend.name} in another terminal, then /restart here.`)
    if (run.failure !== null) addNotice('warn', sentence(run.failure))
    await restart()
  }
}

/** Logs out through the agent's protocol, or says that it has to be done in the agent's own program. */
export function createLogout(
  { backend, addNotice }: AgentPart & Notices,
  restart: () => Promise<void>,
): () => Promise<void> {
  return async () => {
    const { name } = backend
    if (!backend.abilities.has('logOut')) {
      return addNotice(
        'warn',
        `${name} has no way to log out from here.`,
        'Log out in its own program, then /restart here.',
      )
    }
    const reply = await backend.logOut()
    if (!reply.ok) return addNotice('error', `Not logged out of ${name}: ${sentence(reply.message)}`)
    const again = reply.value === '' ? '/login logs in again.' : `${reply.value} is set, so it logs in with that again.`
    addNotice('info', `Logged out of ${name}.`, again)
    // A session that is open may go on with the login that it has.
    await restart()
  }
}
