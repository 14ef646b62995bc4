/** The parts that all agents of a zotui share: a watchdog, a recording, and the secrets to mask. */
import process from 'node:process'
import type { Backend } from '../../../../src/agent/backend.ts'
import type { AgentChoice } from '../../../../src/agents/index.ts'
import type { LocalStartOptions, ZotChoice, ZotStart } from '../../../../src/agents/zot/local-start.ts'
import { startWatchdog, type Watchdog } from '../../../../src/platform/watchdog.ts'
import type { Log } from '../../../../src/storage/log.ts'
import { createRedactor, knownSecrets } from '../../../../src/storage/sessions/secrets.ts'
import type { Arguments } from '../../../cli/argument-types.ts'
import { version } from '../../../cli/version.ts'
import type { SettingsStore } from '../../../../src/config/settings.ts'
import { sandboxOptions } from '../sandbox.ts'
import type { RecordingFile } from '../../recording.ts'

export type Connection = {
  watchdog: Watchdog
  secrets: readonly string[]
  recording: RecordingFile | null
  /**
   * `isRecorded` records the agent's wire in the file of --record; `isGuarded` adds the guard even with --no-guard;
   * `isEarly` starts zot at once, and the caller has to close it.
   */
  make: (
    choice: AgentChoice,
    how?: { isRecorded?: boolean; isGuarded?: boolean; isEarly?: boolean },
  ) => Promise<Backend>
}

/** `isForProcesses`: see `startWatchdog`. @throws UserError if the file of --record cannot be made. */
export async function prepareConnection(
  { args, log, settings }: { args: Arguments; log: Log; settings: SettingsStore },
  { isForProcesses = false } = {},
): Promise<Connection> {
  const secrets = secretsOf(args)
  const { redact } = createRedactor(secrets)
  log.mask(redact)
  const recording =
    args.record === null ? null : (await import('../../recording.ts')).openRecording(args.record, secrets)
  const watchdog = startWatchdog({ isForProcesses })
  const make: Connection['make'] = async (choice, { isRecorded = false, isGuarded = false, isEarly = false } = {}) => {
    const launch = {
      watch: watchdog.watch,
      guarded: choice.agent === 'remote-zot' ? choice.isGuarded : isGuarded || !args.noGuard,
      sandbox: sandboxOptions(settings),
      ...(recording && isRecorded && { record: recording.record }),
    }
    if (settings.values().sandbox !== 'off') {
      const { refuseUnheld } = await import('../refuse-unheld.ts')
      refuseUnheld(choice, { ...launch, setBy: settings.sourceOf('sandbox') })
    }
    const zotStart = isEarly && choice.agent === 'zot' ? await startEarly(choice, launch) : null
    const { createBackend } = await import('../../../../src/agents/index.ts')
    const { secretsOfServers } = await import('../../../../src/config/mcp-secrets.ts')
    // Also of servers that a project names: it may be trusted later.
    const maskServers = (): void => {
      const all = [settings.values().mcp, settings.projectValue('mcp') ?? {}]
      const found = all.flatMap(servers => secretsOfServers(servers, process.env))
      for (const secret of knownSecrets({}, found)) if (!secrets.includes(secret)) secrets.push(secret)
    }
    maskServers()
    return createBackend(choice, {
      ...launch,
      zotStart,
      debug(message) {
        const name =
          choice.agent === 'acp'
            ? choice.program.name
            : choice.agent === 'remote-acp'
              ? choice.found.agent.name
              : choice.agent
        log.write(`${name}: ${redact(message).slice(0, LONGEST_LOGGED)}`)
      },
      redact,
      version,
      mcpServers() {
        // The setting may have changed since.
        maskServers()
        return settings.values().mcp
      },
    })
  }
  return { watchdog, secrets, recording, make }
}

/** Characters of what an agent wrote that are logged. */
const LONGEST_LOGGED = 20_000

async function startEarly(choice: ZotChoice, launch: LocalStartOptions): Promise<ZotStart> {
  const { earlyZotStart } = await import('../../../../src/agents/zot/local-start.ts')
  return earlyZotStart(choice, launch)
}

/** The secrets of the environment and the keys on the command line. */
export function secretsOf({ options }: Arguments): string[] {
  const { apiKey, extra = [] } = options
  return knownSecrets(process.env, [apiKey, ...extra.filter((_, at) => extra[at - 1] === '--api-key')])
}
