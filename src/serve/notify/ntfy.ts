/** ntfy: a server that passes notifications on, by the address of a topic that the person chose. */
import { isIP } from 'node:net'
import { normalHost, scopeOf } from '../../sandbox/network/hosts.ts'
import { toJson } from '../../text/json.ts'
import type { NotificationMessage } from './message.ts'
import { post, type PostWay } from './post.ts'

/** Where to send: the address of the server, and the topic. */
export type NtfyTopic = { server: URL; topic: string }

/** Reads `https://ntfy.sh/TOPIC`; or says in a sentence what is wrong with it. */
export function readNtfyUrl(text: string): NtfyTopic | { problem: string } {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol)) return wrong('is no address such as https://ntfy.sh/TOPIC')
  if (url.username !== '' || url.password !== '') return wrong('has a password: put an access token into NTFY_TOKEN')
  if (url.search !== '' || url.hash !== '') return wrong('has more than the address of a topic')
  const [, folder = '', topic = ''] = /^(.*\/)([\w-]{1,64})$/.exec(url.pathname) ?? []
  if (topic === '') return wrong('names no topic at its end')
  // A topic is as good as a password.
  if (url.protocol === 'http:' && !isNear(url.hostname))
    return wrong('must begin with https://, since the server is not on this machine or in its network')
  return { server: new URL(folder, url), topic }
}

const wrong = (words: string): { problem: string } => ({ problem: `ntfyUrl ${words}.` })

function isNear(hostname: string): boolean {
  const host = normalHost(hostname.replace(/^\[(.*)\]$/, '$1'))?.host ?? ''
  if (isIP(host) === 0) return host === 'localhost' || host.endsWith('.localhost') || host.endsWith('.local')
  return scopeOf(host) !== 'public'
}

/** Sends it. `token`: an access token; '' for none. `link`: what a tap opens; '' for nothing. Resolves to a problem as a sentence, or ''. */
export async function sendToNtfy(
  { server, topic }: NtfyTopic,
  { message, link, token }: { message: NotificationMessage; link: string; token: string },
  way: Omit<PostWay, 'rules'>,
): Promise<string> {
  const { title, body, kind } = message
  const content = { topic, title, message: body, priority: kind === 'question' ? 4 : 3, ...(link && { click: link }) }
  const port = Number(server.port) || (server.protocol === 'https:' ? 443 : 80)
  // The person named this host, so it may be in their own network.
  const host = normalHost(server.hostname.replace(/^\[(.*)\]$/, '$1'))?.host ?? ''
  const reply = await post(
    {
      url: server,
      headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
      body: Buffer.from(toJson(content)),
    },
    { ...way, rules: [{ host, isForSubdomains: false, ports: [port] }] },
  )
  if ('problem' in reply) return `Notification: ${server.host} ${reply.problem}.`
  return reply.status >= 200 && reply.status < 300 ? '' : `Notification: ${server.host} refuses it (${reply.status}).`
}
