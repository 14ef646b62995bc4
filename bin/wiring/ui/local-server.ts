/** The server for browsers of this zotui, loaded when somebody asks for it. */
import type { LocalServer } from '../../../src/app/context/local-server.ts'
import type { LocalServerParts } from '../../../src/app/serve/local-server.ts'

export function openLocalServerOnce(parts: Omit<LocalServerParts, 'startProcess'>): () => Promise<LocalServer> {
  let opened: Promise<LocalServer> | null = null
  return async () => (opened ??= open())

  async function open(): Promise<LocalServer> {
    const [{ createLocalServer }, { startServerProcess }] = await Promise.all([
      import('../../../src/app/serve/local-server.ts'),
      import('../serve/start-server.ts'),
    ])
    return createLocalServer({ ...parts, startProcess: startServerProcess })
  }
}
