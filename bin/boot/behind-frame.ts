/** Continues the start behind the first frame. The rest is loaded in steps, with a turn for input after each. */
import type { AgentChoice } from '../../src/agents/index.ts'
import type { Backend } from '../../src/agent/backend.ts'
import type { UiOptions } from '../wiring/ui/options.ts'
import type { AgentStart } from '../wiring/start/agent/agent-start.ts'
import type { Connection } from '../wiring/start/agent/connection.ts'
import { inputHandled, loadAgentParts, loadUiParts } from './load-in-steps.ts'

type PassedOptions =
  | 'version'
  | 'folder'
  | 'home'
  | 'demo'
  | 'toolLimit'
  | 'remote'
  | 'frame'
  | 'look'
  | 'settings'
  | 'log'
  | 'argv'
  | 'notice'
  | 'installs'
  | 'session'
  | 'prompt'
  | 'warnings'

export type BehindFrame = Pick<UiOptions, PassedOptions> & {
  start: AgentStart
  choice: AgentChoice
  connection: Connection
}

/** Makes the agent, and loads and starts the UI. @throws after it has restored the terminal. */
export async function startBehindFrame({ start, choice, connection, ...passed }: BehindFrame): Promise<void> {
  const { folder, home, demo, remote, settings, frame, session } = passed
  let first: Backend | null = null
  try {
    await inputHandled()
    await loadAgentParts()
    const { permissionOptions } = await import('../wiring/start/permissions.ts')
    const permissions = await permissionOptions({ settings, folder, home, demo, remote })
    await inputHandled()
    if (start.options.provider !== undefined)
      await (await import('../wiring/start/agent/check-provider.ts')).checkProvider(choice, settings)
    // A session may need another model.
    first = await connection.make(choice, { isRecorded: true, isEarly: session === null })
    await inputHandled()
    await loadUiParts()
    const { createAgentOpener } = await import('../wiring/start/agent/agent-opener.ts')
    await inputHandled()
    const { openUi } = await import('../ui.ts')
    await inputHandled()
    const { opened, openAgent } = createAgentOpener(start, choice, connection)
    const { watchdog, recording, secrets } = connection
    const agent = opened(choice, first, { isRecorded: true })
    await openUi({ ...passed, ...agent, openAgent, watchdog, recording, secrets, permissions, replay: null })
  } catch (error) {
    frame.terminal.restore()
    await first?.kill()
    throw error
  }
}
