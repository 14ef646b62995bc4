/** `zotui attach ID` opens the UI on a conversation that runs in the background. */
import { homedir } from 'node:os'
import process from 'node:process'
import type { Backend } from '../../../src/agent/backend.ts'
import { createHeldBackend } from '../../../src/agents/held/backend.ts'
import { connectToHolder } from '../../../src/agents/held/connection.ts'
import { findRecord } from '../../../src/held/record.ts'
import { UserError } from '../../../src/platform/errors.ts'
import { startWatchdog } from '../../../src/platform/watchdog.ts'
import { openLog, statePath } from '../../../src/storage/log.ts'
import { knownSecrets } from '../../../src/storage/sessions/secrets.ts'
import { chosenTheme } from '../../wiring/start/chosen-theme.ts'
import { loadSettingsFor } from '../../wiring/start/load-settings.ts'
import type { RunCommand } from '../commands.ts'
import { version } from '../version.ts'

export const run: RunCommand = async ({ words }) => {
  const record = findRecord(statePath(), words[0] ?? '')
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new UserError('`zotui attach` needs a terminal.', `\`zotui show ${record.id}\` prints what is saved.`, 2)
  const reply = await connectToHolder(record.socket, 'attach')
  if (!reply.ok) throw new UserError(`Cannot attach to ${record.id}: ${reply.message}`)
  const { connection, first: welcome } = reply
  if (welcome.type !== 'welcome') throw new UserError(`Cannot attach to ${record.id}: it gives no valid answer.`)
  const { id, folder, demo, toolLimit, mode } = welcome
  const backend = createHeldBackend({ connection, welcome, now: Date.now })
  const isWorking = followWork(backend)
  const home = homedir()
  const { settings, remarks } = await loadSettingsFor(folder, { values: {}, names: new Map() })
  const [{ drawFirstFrame }, { openUi }] = await Promise.all([import('../../first-frame.ts'), import('../../ui.ts')])
  const watchdog = startWatchdog()
  const look = chosenTheme(settings, home)
  const place = { version, folder, home, demo, toolLimit, remote: null }
  const after = demo ? '' : `Resume this session with: zotui --resume ${id}\n`
  await openUi({
    ...place,
    frame: drawFirstFrame({ ...place, isReplay: false, now: Date.now, look, settings, watchdog }),
    backend,
    agents: undefined,
    held: { mode, farewell: () => (isWorking() ? `It goes on in the background: zotui attach ${id}\n` : after) },
    replay: null,
    recording: null,
    notice: null,
    prompt: null,
    session: null,
    secrets: knownSecrets(process.env, []),
    watchdog,
    look,
    settings,
    warnings: remarks,
    log: openLog(() => new Date()),
  })
  return 0
}

/** Whether a turn was open when the UI left. */
function followWork(backend: Backend): () => boolean {
  let isWorking = false
  backend.subscribe(event => {
    if (event.type === 'prompt_sent') isWorking = true
    if (event.type === 'turn_ended' || event.type === 'prompt_refused') isWorking = false
    if (event.type === 'agent_ended' && !event.expected) isWorking = false
  })
  return () => isWorking
}
