/** The connection of the agents: a watchdog, a recording, and the secrets to mask. */
import process from 'node:process'
import type { Backend } from '../../../../src/agent/backend.ts'
import type { AgentChoice } from '../../../../src/agents/index.ts'
import { startWatchdog, type Watchdog } from '../../../../src/platform/watchdog.ts'
import type { Log } from '../../../../src/storage/log.ts'
import { createRedactor, knownSecrets } from '../../../../src/storage/sessions/secrets.ts'
import type { Arguments } from '../../../cli/arguments.ts'
import { version } from '../../../cli/version.ts'
import type { RecordingFile } from '../../recording.ts'
import type { Remote } from '../remote.ts'

export type Connection = {
  watchdog: Watchdog
  secrets: readonly string[]
  recording: RecordingFile | null
  /**
   * `isRecorded` adds what it says to the file of --record; `isGuarded` guards it with --no-guard too; `isEarly` starts zot at once, and
   * whoever makes it so closes it.
   */
  make: (
    choice: AgentChoice,
    how?: { isRecorded?: boolean; isGuarded?: boolean; isEarly?: boolean },
  ) => Promise<Backend>
}

/** @throws UserError if the file of --record cannot be made. */
export async function prepareConnection({
  args,
  log,
  remote,
}: {
  args: Arguments
  log: Log
  remote: Remote | null
}): Promise<Connection> {
  const secrets = secretsOf(args)
  const { redact } = createRedactor(secrets)
  log.mask(redact)
  const recording =
    args.record === null ? null : (await import('../../recording.ts')).openRecording(args.record, secrets)
  const watchdog = startWatchdog()
  const make: Connection['make'] = async (choice, { isRecorded = false, isGuarded = false, isEarly = false } = {}) => {
    const { createBackend } = await import('../../../../src/agents/index.ts')
    return createBackend(choice, {
      debug: message => log.write(`${choice.agent === 'acp' ? choice.program.name : choice.agent}: ${message}`),
      redact,
      watch: watchdog.watch,
      version,
      early: isEarly,
      guarded: (isGuarded || !args.noGuard) && remote?.isGuarded !== false,
      ...(recording && isRecorded && { record: recording.record }),
    })
  }
  return { watchdog, secrets, recording, make }
}

/** The known secrets that zot gets. */
export function secretsOf({ options }: Arguments): string[] {
  const { apiKey, extra = [] } = options
  return knownSecrets(process.env, [apiKey, ...extra.filter((_, at) => extra[at - 1] === '--api-key')])
}
