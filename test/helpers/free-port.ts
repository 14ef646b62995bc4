import { once } from 'node:events'
import { createServer } from 'node:net'

/** A port of this machine that nobody has. */
export async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return address === null || typeof address === 'string' ? 0 : address.port
}
