/** The agents that zotui can talk to: the table from a name to how its backend is made. */
import type { Backend } from './agent/backend.ts'
import { createZotBackend } from './zot/backend.ts'
import { launchZot, type Launch } from './zot/launch.ts'
import type { ZotOptions } from './zot/options.ts'

export { zotHome } from './zot/home.ts'
export { locateZot, zotVersion } from './zot/locate.ts'
export type { ZotOptions } from './zot/options.ts'

export type AgentChoice =
  | { agent: 'demo'; cwd: string }
  | { agent: 'zot'; path: string; options: ZotOptions; env: NodeJS.ProcessEnv; version: string | undefined }

/** `debug` receives what an agent wrote that means nothing to us; `guard` is told what must not outlive us. */
export async function createBackend(
  choice: AgentChoice,
  debug: (message: string) => void,
  guard?: Launch['guard'],
): Promise<Backend> {
  switch (choice.agent) {
    case 'demo': {
      const { createDemoTransport } = await import('./demo/transport.ts')
      return createZotBackend({ name: 'demo', connect: () => createDemoTransport({ cwd: choice.cwd }), debug })
    }
    case 'zot':
      return createZotBackend({
        connect: () => launchZot({ path: choice.path, options: choice.options, env: choice.env, guard }),
        asked: { provider: choice.options.provider, model: choice.options.model },
        version: choice.version,
        debug,
      })
  }
}
