/** Rules for hosts, names and addresses, as pure functions. */
import { assert, ipV4Extended, ipV6, property, string, stringMatching } from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  isAskable,
  isListed,
  isReachable,
  normalHost,
  parseHostRule,
  scopeOf,
} from '../../../src/sandbox/network/hosts.ts'
import { rules } from './proxy-stage.ts'

describe('a rule', () => {
  test.each([
    ['registry.npmjs.org', 'registry.npmjs.org', false, [80, 443]],
    ['Registry.NPMJS.org.', 'registry.npmjs.org', false, [80, 443]],
    ['*.github.com', 'github.com', true, [80, 443]],
    ['*.github.com:443', 'github.com', true, [443]],
    ['localhost:3000', 'localhost', false, [3000]],
    ['10.0.0.5:5432', '10.0.0.5', false, [5432]],
    ['127.1:80', '127.0.0.1', false, [80]],
    ['[FD00:0::1]:443', 'fd00::1', false, [443]],
    ['[::ffff:10.0.0.5]', '10.0.0.5', false, [80, 443]],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example', false, [80, 443]],
  ])('%s is read', (text, host, isForSubdomains, ports) => {
    expect(parseHostRule(text)).toEqual({ host, isForSubdomains, ports })
  })

  test.each([
    ['https://x.org', 'write only its name'],
    ['x.org/path', 'write only its name'],
    ['*', '* stands only at the beginning'],
    ['x.*.org', '* stands only at the beginning'],
    ['*x.org', '* stands only at the beginning'],
    ['*.org', 'too many hosts'],
    ['*.0.0.1', 'an address has no subdomains'],
    ['*.[::1]', 'an address has no subdomains'],
    ['::1', 'in brackets'],
    ['fd00::1:443', 'in brackets'],
    ['[x.org]:443', 'write a name'],
    ['[fe80::1%eth0]', 'write a name'],
    ['bücher.example', 'write it as xn--bcher-kva.example'],
    ['', 'write a name'],
    ['x..org', 'write a name'],
    ['x y', 'write a name'],
    ['me@x.org', 'write a name'],
    ['x.org\n', 'write a name'],
    ['x.org\0.evil.com', 'write a name'],
    ['x_y.org', 'write a name'],
    ['1.2.3.256', 'write a name'],
    [`${'a'.repeat(64)}.org`, 'write a name'],
    [`${'a.'.repeat(127)}org`, 'write a name'],
    ['x.org:', 'no port'],
    ['x.org:0', 'no port'],
    ['x.org:65536', 'no port'],
    ['x.org:443x', 'no port'],
    ['x.org:+1', 'no port'],
    ['x.org: 1', 'no port'],
  ])('%j is refused in one line', (text, words) => {
    const parsed = parseHostRule(text)
    expect(parsed).toEqual({ problem: expect.stringContaining(words) })
    expect('problem' in parsed && parsed.problem.split('\n')).toHaveLength(1)
  })
})

describe('a name of a client', () => {
  test.each([
    ['127.0.0.1', '127.0.0.1'],
    ['127.1', '127.0.0.1'],
    ['127.0.1', '127.0.0.1'],
    ['127.0.0.1.', '127.0.0.1'],
    ['2130706433', '127.0.0.1'],
    ['0x7f000001', '127.0.0.1'],
    ['0X7F.1', '127.0.0.1'],
    ['0177.0.0.01', '127.0.0.1'],
    ['017700000001', '127.0.0.1'],
    ['0', '0.0.0.0'],
    ['0x', '0.0.0.0'],
    ['::1', '::1'],
    ['0:0:0:0:0:0:0:1', '::1'],
    ['::FFFF:127.0.0.1', '127.0.0.1'],
    ['::ffff:7f00:1', '127.0.0.1'],
    ['::127.0.0.1', '::7f00:1'],
    ['64:ff9b::127.0.0.1', '64:ff9b::7f00:1'],
  ])('%s is the address %s', (text, host) => {
    expect(normalHost(text)).toEqual({ host, isAddress: true })
  })

  test.each([
    '',
    '.',
    '..',
    '.x.org',
    'x..org',
    'x.org..',
    'x.org\0',
    'x.org\0.evil.com',
    'x.org%00',
    'evil.com%2ex.org',
    'x org',
    ' x.org',
    'x.org\t',
    'x.org\r\nHost: y',
    'user@x.org',
    'x.org:443',
    'x.org#',
    String.raw`x.org\@y`,
    'x/y',
    '[::1]',
    'fe80::1%eth0',
    '::1%1',
    '-x.org',
    'x-.org',
    'x_y.org',
    '\u212Aernel.org',
    'ｘ.org',
    'x。org',
    'bücher.example',
    '1.2.3.4.5',
    '256.1.1.1',
    'x.1',
    '0x7g.1',
    'a.0x7f000001',
    '4294967296',
    `${'a'.repeat(64)}.org`,
  ])('%j is none', text => {
    expect(normalHost(text)).toBeNull()
  })

  test('is in lower case, and loses one dot at its end', () => {
    expect(normalHost('X.Org.')).toEqual({ host: 'x.org', isAddress: false })
    expect(normalHost('XN--BCHER-KVA.example')).toEqual({ host: 'xn--bcher-kva.example', isAddress: false })
  })
})

describe('a host is listed', () => {
  const listed = rules('x.org', '*.y.org:443', '10.0.0.5:5432')
  test.each([
    ['x.org', 443, true],
    ['X.ORG.', 80, true],
    ['x.org', 8080, false],
    ['a.x.org', 443, false],
    ['evilx.org', 443, false],
    ['x.org.evil.com', 443, false],
    ['x.org\0.evil.com', 443, false],
    ['y.org', 443, false],
    ['a.y.org', 443, true],
    ['a.b.y.org', 443, true],
    ['a.y.org', 80, false],
    ['.y.org', 443, false],
    ['evily.org', 443, false],
    ['y.org.evil.com', 443, false],
    ['10.0.0.5', 5432, true],
    ['0xa.5', 5432, true],
    ['10.0.0.50', 5432, false],
  ])('%j with port %i: %s', (host, port, is) => {
    expect(isListed(listed, host, port)).toBe(is)
  })

  test('never for a name that does not end with that of a rule', () => {
    const part = stringMatching(/^[a-z0-9]([a-z0-9-]{0,8}[a-z0-9])?$/)
    assert(
      property(string(), part, string({ unit: 'binary' }), (before, name, after) => {
        const host = `${name}.org`
        const listedHere = rules(`${host}:443`, `*.${host}:443`)
        const text = `${before}${host}${after}`
        const isOne = /^(?:[\da-z](?:[\da-z-]*[\da-z])?\.)*$/i.test(before) && /^\.?$/.test(after)
        expect(isOne || !isListed(listedHere, text, 443)).toBe(true)
      }),
    )
  })

  test('in whatever way an address is written', () => {
    assert(
      property(ipV4Extended(), text => {
        const named = normalHost(text)
        expect(named).toEqual({ host: new URL(`http://${text}`).hostname, isAddress: true })
        expect(isListed(rules(`${named?.host}:1`), text, 1)).toBe(true)
      }),
    )
  })

  test('by an IPv6 address in every notation', () => {
    assert(
      property(ipV6(), text => {
        const host = normalHost(text)?.host ?? ''
        expect(normalHost(host)).toEqual({ host, isAddress: true })
        expect(isListed(rules(`[${text}]:1`), host, 1)).toBe(true)
      }),
    )
  })
})

describe('an address', () => {
  test.each([
    ['8.8.8.8', 'public'],
    ['172.15.255.255', 'public'],
    ['172.32.0.0', 'public'],
    ['2606:4700::1111', 'public'],
    ['64:ff9b::808:808', 'public'],
    ['10.1.2.3', 'private'],
    ['172.16.0.1', 'private'],
    ['192.168.1.1', 'private'],
    ['100.64.0.1', 'private'],
    ['198.18.0.1', 'private'],
    ['203.0.113.80', 'private'],
    ['2001:db8::1', 'private'],
    ['fd00::1', 'private'],
    ['64:ff9b::a00:1', 'private'],
    ['127.0.0.1', 'reserved'],
    ['127.255.255.255', 'reserved'],
    ['0.0.0.0', 'reserved'],
    ['169.254.169.254', 'reserved'],
    ['168.63.129.16', 'reserved'],
    ['100.100.100.200', 'reserved'],
    ['192.0.0.192', 'reserved'],
    ['224.0.0.1', 'reserved'],
    ['255.255.255.255', 'reserved'],
    ['::', 'reserved'],
    ['::1', 'reserved'],
    ['::7f00:1', 'reserved'],
    ['fe80::1', 'reserved'],
    ['fec0::1', 'reserved'],
    ['ff02::1', 'reserved'],
    ['fd00:ec2::254', 'reserved'],
    ['2002:7f00:1::', 'reserved'],
    ['2001:0:1::', 'reserved'],
    ['64:ff9b::7f00:1', 'reserved'],
    ['64:ff9b::a9fe:a9fe', 'reserved'],
    ['64:ff9b:1::7f00:1', 'reserved'],
  ])('%s is %s', (address, scope) => {
    expect(scopeOf(address)).toBe(scope)
  })

  const site = { host: 'my.site.test', port: 443 }
  test.each([
    ['a public one', [], '8.8.8.8', true],
    ['a private one', ['*.site.test'], '10.0.0.5', false],
    ['a private one of a name that is listed as a whole', ['my.site.test'], '10.0.0.5', true],
    ['the same with another port', ['my.site.test:80'], '10.0.0.5', false],
    ['loopback of a name that is listed as a whole', ['my.site.test'], '127.0.0.1', false],
    ['loopback that is listed', ['127.0.0.1'], '127.0.0.1', true],
    ['loopback that is listed with another port', ['127.0.0.1:80'], '127.0.0.1', false],
    ['loopback within IPv6', ['my.site.test'], '::ffff:127.0.0.1', false],
    ['metadata', ['my.site.test'], '169.254.169.254', false],
    ['a link', ['my.site.test'], 'fe80::1%eth0', false],
    ['this machine by its public address', ['my.site.test'], '9.9.9.9', false],
    ['no address', ['my.site.test'], 'other.test', false],
  ])('%s may be dialled or not', (_name, listed, address, is) => {
    expect(isReachable(rules(...listed), site, address, ['9.9.9.9'])).toBe(is)
  })

  test('of loopback may be dialled for localhost, if that is listed', () => {
    const port = 3000
    expect(isReachable(rules('localhost:3000'), { host: 'localhost', port }, '::1', [])).toBe(true)
    expect(isReachable(rules('localhost:3000'), { host: 'localhost', port }, '169.254.1.1', [])).toBe(false)
    expect(isReachable([], { host: 'localhost', port }, '127.0.0.1', [])).toBe(false)
  })

  test('is asked about only if it is public', () => {
    const asked = ['x.org', '8.8.8.8', 'localhost', 'a.localhost', '10.0.0.5', '127.1', '169.254.169.254', '::1']
    expect(asked.filter(text => isAskable(normalHost(text) ?? { host: text, isAddress: true }))).toEqual([
      'x.org',
      '8.8.8.8',
    ])
  })
})
