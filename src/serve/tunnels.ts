/** Programs of this machine that make the server reachable from elsewhere, with their commands. The person runs them: zotui runs none. */
import type { ServeView } from '../published/control.ts'

type TunnelMachine = {
  /** Whether there is such a program. */
  has: (program: string) => boolean
  user: string
  host: string
}

const commands: readonly (readonly [program: string, name: string, command: (port: number, at: string) => string])[] = [
  ['tailscale', 'Tailscale', port => `tailscale serve --bg ${port}`],
  ['cloudflared', 'Cloudflare', port => `cloudflared tunnel --url http://127.0.0.1:${port}`],
  ['ssh', 'ssh, on the other machine', (port, at) => `ssh -N -L ${port}:127.0.0.1:${port} ${at}`],
]

export function tunnelsOf(port: number, { has, user, host }: TunnelMachine): ServeView['tunnels'] {
  return commands.flatMap(([program, name, command]) =>
    has(program) ? [{ name, command: command(port, `${user}@${host}`) }] : [],
  )
}
