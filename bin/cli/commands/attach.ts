/** `zotui attach ID` opens the UI on a conversation that runs in the background. */
import { homedir } from 'node:os'
import process from 'node:process'
import { findRecord } from '../../../src/background/record.ts'
import { dayClock } from '../../../src/platform/ages.ts'
import { UserError } from '../../../src/platform/errors.ts'
import { openLog, statePath } from '../../../src/storage/log.ts'
import { attachTo } from '../../wiring/background/attach.ts'
import { createAgentOpener } from '../../wiring/start/agent/agent-opener.ts'
import type { AgentStart } from '../../wiring/start/agent/agent-start.ts'
import { chooseAgent } from '../../wiring/start/agent/choose-agent.ts'
import { chosenTheme } from '../../wiring/start/chosen-theme.ts'
import { prepareConnection, type Connection } from '../../wiring/start/agent/connection.ts'
import { loadSettingsFor } from '../../wiring/start/load-settings.ts'
import { permissionOptions } from '../../wiring/start/permissions.ts'
import { orReason } from '../../wiring/start/or-reason.ts'
import { zotOptions } from '../../wiring/start/agent/zot-options.ts'
import type { UiOptions } from '../../wiring/ui/options.ts'
import type { Subcommand } from '../command.ts'
import { backgroundArguments } from '../background-arguments.ts'
import { version } from '../version.ts'

export const command: Subcommand = {
  name: 'attach',
  takes: ['ID'],
  summary: 'Open a conversation that runs in the background.',
  flags: {},
  run: async ({ words }, _commands, { parse }) => {
    const record = findRecord(statePath(), words[0] ?? '')
    if (!process.stdin.isTTY || !process.stdout.isTTY)
      throw new UserError('`zotui attach` needs a terminal.', `\`zotui show ${record.id}\` prints what is saved.`, 2)
    const { backend, welcome } = await attachTo(record.id)
    const { id, folder, demo, toolLimit, mode } = welcome
    const home = homedir()
    const args = await parse(backgroundArguments(welcome.argv, { folder, session: null }))
    const { settings, notices } = await loadSettingsFor(folder, args.settings)
    const log = openLog(() => new Date())
    const start = { args, settings, folder, options: zotOptions(args, settings), remote: null }
    const connection = await prepareConnection({ args, log, settings })
    const [{ drawFirstFrame }, { openUi }] = await Promise.all([
      import('../../boot/first-frame.ts'),
      import('../../ui.ts'),
    ])
    const { watchdog, secrets } = connection
    const look = chosenTheme(settings, home)
    const place = { version, folder, home, demo, toolLimit, remote: null }
    await openUi({
      ...place,
      frame: drawFirstFrame({ ...place, isReplay: false, now: dayClock.now, look, settings, watchdog }),
      backend,
      agents: undefined,
      ...(await ownAgents(start, welcome.name, connection)),
      argv: welcome.argv,
      attached: { id, mode },
      replay: null,
      recording: null,
      notice: null,
      prompt: null,
      session: null,
      secrets,
      watchdog,
      look,
      settings,
      permissions: await permissionOptions({ settings, folder, home, demo, remote: null }),
      warnings: notices,
      log,
    })
    return 0
  },
}

/** Starts agents here, for side questions and other conversations; empty if the agent cannot be started here. */
async function ownAgents(
  start: AgentStart,
  name: string,
  connection: Connection,
): Promise<Pick<UiOptions, 'openAgent' | 'startSide'>> {
  const found = await orReason(async () => ({ ok: true, value: await chooseAgent(start, false, name) }))
  if (!found.ok) return {}
  const { openAgent } = createAgentOpener(start, found.value.choice, connection)
  return {
    openAgent,
    startSide: async () =>
      orReason(async () => {
        const { startSide } = await openAgent({ agent: undefined, folder: start.folder, remote: null })
        return startSide?.() ?? { ok: false, message: `a second ${name} cannot be started here` }
      }),
  }
}
