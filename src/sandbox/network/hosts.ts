/**
 * Which hosts a box may reach, by their names and by their addresses. Nothing here looks at the machine or at the network.
 *
 * A name is compared as a text, so it has only the letters, digits, dots and hyphens of DNS: what two programs may read in two ways is no
 * name. An address is recognised in every way in which systems write it (`127.1`, `0x7f000001`), since `getaddrinfo` would take it for one.
 */
import { BlockList, isIP } from 'node:net'
import { domainToASCII } from 'node:url'

/** An entry of `sandboxHosts`. */
export type HostRule = {
  /** As `normalHost` writes it. */
  host: string
  /** `*.host`: only names below it. */
  isForSubdomains: boolean
  ports: readonly number[]
}

/** A host as a client named it, normalised. */
export type NamedHost = { host: string; isAddress: boolean }

/** Those of a rule without a port. */
const USUAL_PORTS = [80, 443]

/** Characters of a name, and of the parts between its dots. */
const LONGEST_NAME = 253
const LONGEST_LABEL = 63

/** Reads `registry.npmjs.org`, `*.github.com`, `github.com:22`, `10.0.0.5:5432` or `[fd00::1]:443`; or says in one line what is wrong. */
export function parseHostRule(text: string): HostRule | { problem: string } {
  const problem = (words: string): { problem: string } => ({ problem: `${JSON.stringify(text)} ${words}` })
  if (text.includes('/')) return problem('is not a host: write only its name, such as registry.npmjs.org')
  const [, star, bracketed, plain = '', port] = /^(\*\.)?(?:\[([^\]]*)\]|([^:[\]]*))(?::(.*))?$/s.exec(text) ?? []
  if (bracketed === undefined && text.split(':').length > 2)
    return problem('is not a host: write an IPv6 address in brackets, such as [fd00::1]:443')
  const written = bracketed ?? plain
  if (written.includes('*')) return problem('is not a host: * stands only at the beginning, as in *.example.org')
  const ascii = domainToASCII(written)
  if (/[^\0-\u007F]/.test(written) && ascii !== '') return problem(`is not a host: write it as ${ascii}`)
  const named = normalHost(written)
  if (!named || (isIP(written) === 6) !== (bracketed !== undefined))
    return problem('is not a host: write a name such as registry.npmjs.org, or an address')
  const isForSubdomains = star !== undefined
  if (isForSubdomains && named.isAddress) return problem('is not a host: an address has no subdomains')
  if (isForSubdomains && !named.host.includes('.'))
    return problem('has too many hosts: write one more part of the name')
  if (port !== undefined && !isPort(port)) return problem('has no port from 1 to 65535 after the colon')
  return { host: named.host, isForSubdomains, ports: port === undefined ? USUAL_PORTS : [Number(port)] }
}

/** Those that can be read: one that cannot allows nothing. */
export function hostRules(texts: readonly string[]): HostRule[] {
  return texts.map(parseHostRule).flatMap(rule => ('problem' in rule ? [] : [rule]))
}

const isPort = (text: string): boolean => /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535

/**
 * The host that a client names: in lower case, without the dot at its end, an address as in `127.0.0.1` and `fd00::1`. Null for anything
 * that is neither a name of DNS nor an address. IPv6 is read without its brackets.
 */
export function normalHost(text: string): NamedHost | null {
  const address = normalAddress(text)
  if (address !== null) return { host: address, isAddress: true }
  const labels = text.replace(/\.$/, '').split('.')
  const host = labels.join('.').toLowerCase()
  if (host.length > LONGEST_NAME || !labels.every(label => isLabel(label))) return null
  if (!/^(?:\d+|0x[\da-f]*)$/i.test(labels.at(-1) ?? '')) return { host, isAddress: false }
  // A last part that is a number makes it an address, or nothing at all.
  const hostname = hostnameOf(host)
  return isIP(hostname) === 4 ? { host: hostname, isAddress: true } : null
}

/** As URLs write it; empty for none. */
function hostnameOf(text: string): string {
  const url = `http://${text}/`
  return URL.canParse(url) ? new URL(url).hostname : ''
}

const isLabel = (label: string): boolean =>
  label.length <= LONGEST_LABEL && /^[\da-z](?:[\da-z-]*[\da-z])?$/i.test(label)

/** An address in the usual notation, as resolvers give it; null for anything else. IPv4 within IPv6 (`::ffff:1.2.3.4`) is IPv4. */
function normalAddress(text: string): string | null {
  if (text.includes('%') || isIP(text) === 0) return null
  if (isIP(text) === 4) return text
  const hostname = hostnameOf(`[${text}]`).slice(1, -1)
  const [, high, low] = /^::ffff:([\da-f]+):([\da-f]+)$/.exec(hostname) ?? []
  if (high === undefined || low === undefined) return hostname === '' ? null : hostname
  return [high, low]
    .map(part => Number.parseInt(part, 16))
    .flatMap(part => [part >> 8, part & 0xff])
    .join('.')
}

/** Whether a rule names this host with this port. Names are compared as a whole: `evilx.org` and `x.org.evil.com` are not `x.org`. */
export function isListed(rules: readonly HostRule[], text: string, port: number): boolean {
  const named = normalHost(text)
  return named !== null && rules.some(rule => rule.ports.includes(port) && matches(rule, named))
}

function matches(rule: HostRule, { host, isAddress }: NamedHost): boolean {
  return rule.isForSubdomains ? !isAddress && host.endsWith(`.${rule.host}`) : host === rule.host
}

/** Whether a person may be asked about it: what belongs to this machine or to its network has to be listed. */
export function isAskable({ host, isAddress }: NamedHost): boolean {
  return isAddress ? scopeOf(host) === 'public' : !isOfLoopback(host)
}

const isOfLoopback = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost')

/**
 * Whether an address may be dialled for a host that is allowed with this port. What a name leads to is the decision of its owner, so an
 * address that is not public has to be listed itself. A name that is listed as a whole may lead into a private network, and `localhost` to
 * this machine.
 *
 * `ofMachine`: the addresses of this machine, whose programs listen there, too.
 */
export function isReachable(
  rules: readonly HostRule[],
  { host, port }: { host: string; port: number },
  address: string,
  ofMachine: readonly string[],
): boolean {
  const normal = normalAddress(address)
  if (normal === null) return false
  const isHere = ofMachine.some(each => normalAddress(each) === normal)
  const scope = isHere ? 'reserved' : scopeOf(normal)
  if (scope === 'public' || isListed(rules, normal, port)) return true
  const isNamed = rules.some(rule => !rule.isForSubdomains && rule.host === host && rule.ports.includes(port))
  return isNamed && (scope === 'private' || (isOfLoopback(host) && loopback.check(normal, familyOf(normal))))
}

/** 'reserved' is whatever a name of the internet has no reason to lead to: this machine, its link, the metadata of a cloud, groups. */
type Scope = 'public' | 'private' | 'reserved'

/** `address` is normalised. */
export function scopeOf(address: string): Scope {
  const family = familyOf(address)
  if (reserved.check(address, family)) return 'reserved'
  if (privates.check(address, family)) return 'private'
  return family === 'ipv4' || global.check(address, family) ? 'public' : 'reserved'
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6')

const loopback = networks('127.0.0.0/8 ::1/128')

/** Networks of companies and homes, of carriers, of virtual machines, and of programs that answer for all names (198.18.0.0/15). */
const privates = networks(`
  10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 100.64.0.0/10 192.0.2.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24
  fc00::/7 2001:db8::/32 3fff::/20`)

/** Among them the metadata of clouds: 169.254.169.254 and others that lie in public or private networks. */
const reserved = networks(`
  0.0.0.0/8 127.0.0.0/8 169.254.0.0/16 192.0.0.0/24 192.88.99.0/24 224.0.0.0/3 168.63.129.16/32 100.100.100.200/32
  fd00:ec2::254/128 fd20:ce::254/128 2001::/23 2002::/16`)

/** All other IPv6 is reserved. NAT64 counts as the IPv4 that is in it. */
const global = networks('2000::/3 64:ff9b::/96')

function networks(text: string): BlockList {
  const list = new BlockList()
  for (const network of text.trim().split(/\s+/)) {
    const [address = '', length] = network.split('/')
    list.addSubnet(address, Number(length), familyOf(address))
    if (familyOf(address) === 'ipv4') list.addSubnet(`64:ff9b::${address}`, 96 + Number(length), 'ipv6')
  }
  return list
}
