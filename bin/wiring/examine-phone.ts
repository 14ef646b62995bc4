/** What the doctor has to know about phones and browsers. */
import { join } from 'node:path'
import process from 'node:process'
import type { SettingsStore } from '../../src/config/settings.ts'
import { phoneFindings } from '../../src/doctor/phone.ts'
import type { ReportSection } from '../../src/doctor/finding.ts'
import { findProgram } from '../../src/platform/programs.ts'
import { isThere } from '../../src/platform/regular-file.ts'
import { systemResolve } from '../../src/sandbox/network/dial.ts'
import { readNtfyUrl } from '../../src/serve/notify/ntfy.ts'
import { PUSH_KEY } from '../../src/serve/notify/push-key.ts'
import { serverPid } from '../../src/serve/server.ts'
import { tunnelsOf } from '../../src/serve/tunnels.ts'
import { statePath } from '../../src/storage/log.ts'
import { showsUnicode } from '../../src/terminal/capabilities.ts'

export async function examinePhone(settings: SettingsStore): Promise<ReportSection> {
  const { env, platform } = process
  const { servePort, ntfyUrl, serveNotifyCommand, ascii, screenReader } = settings.values()
  const topic = ntfyUrl === null ? null : readNtfyUrl(ntfyUrl)
  const has = (program: string): boolean => findProgram(program, env, process.cwd()) !== null
  const findings = await phoneFindings(
    {
      serverPid: runningServer(),
      port: servePort,
      tunnels: tunnelsOf(servePort, { has, user: '', host: '' }).map(({ command }) => command.split(' ')[0] ?? ''),
      drawsBlocks: !ascii && !screenReader && showsUnicode(env, platform),
      hasServed: isThere(join(statePath(), PUSH_KEY)),
      ntfyProblem: topic === null ? null : 'problem' in topic ? topic.problem : '',
      hasCommand: serveNotifyCommand !== null,
    },
    systemResolve(),
  )
  return { title: 'Phone and browser', findings }
}

/** One that was killed leaves its claim. */
function runningServer(): number | null {
  const pid = serverPid(statePath())
  try {
    return pid !== null && process.kill(pid, 0) ? pid : null
  } catch {
    return null
  }
}
