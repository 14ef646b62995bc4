/** Puts the server for browsers together: the conversations of this person, the page, and what the machine has. */
import { homedir, hostname, userInfo } from 'node:os'
import process from 'node:process'
import type { Settings } from '../../../src/config/schema.ts'
import { dayClock, elapsedHere } from '../../../src/platform/ages.ts'
import { UserError } from '../../../src/platform/errors.ts'
import { findProgram } from '../../../src/platform/programs.ts'
import type { ServeStart } from '../../../src/published/control.ts'
import { createHub } from '../../../src/serve/hub/create-hub.ts'
import { createWays } from '../../../src/serve/hub/machine.ts'
import type { NotifySettings } from '../../../src/serve/notify/notifications.ts'
import { openNotifications } from '../../../src/serve/notify/open-notifications.ts'
import { originOfAt } from '../../../src/serve/origin.ts'
import { startServer, type ConversationServer } from '../../../src/serve/server.ts'
import { pageFolder, staticFiles } from '../../../src/serve/static-files.ts'
import { tunnelsOf } from '../../../src/serve/tunnels.ts'
import { statePath, type Log } from '../../../src/storage/log.ts'
import { version } from '../../cli/version.ts'
import { loadSettingsFor } from '../start/load-settings.ts'

/** @throws UserError if it cannot run. */
export async function openServer({ port, at, secret }: ServeStart, log: Log): Promise<ConversationServer> {
  if (process.platform === 'win32') throw new UserError('`zotui serve` does not work on Windows.', '', 2)
  const page = pageFolder()
  if (page === null) throw new UserError('This zotui was built without its page.', 'Install it again.')
  const [stateFolder, home] = [statePath(), homedir()]
  const clock = { now: dayClock.now, log: (line: string) => log.write(line) }
  const settings = await ownSettings()
  const { serveAt, servePort } = settings()
  const address = at ?? serveAt
  const origin = address === null ? null : originOfAt(address)
  const hub = createHub({ stateFolder, home, secret, ...clock }, createWays(stateFolder))
  try {
    return await startServer({
      ...clock,
      port: port ?? servePort,
      at: origin,
      stateFolder,
      hub,
      version,
      elapsed: elapsedHere,
      files: staticFiles(page),
      notifier: openNotifications({ ...clock, settings, stateFolder, at: origin, env: process.env, folder: home }),
      tunnels: own =>
        tunnelsOf(own, {
          has: program => findProgram(program, process.env, process.cwd()) !== null,
          user: userInfo().username,
          host: hostname(),
        }),
    })
  } catch (error) {
    hub.close()
    throw error
  }
}

/** Those of the person, without any project's: the server is for all projects. */
async function ownSettings(): Promise<() => NotifySettings & Pick<Settings, 'serveAt' | 'servePort'>> {
  const { settings } = await loadSettingsFor(null, { values: {}, names: new Map() })
  return () => settings.values()
}
