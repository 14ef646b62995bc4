/** Only requests of the page itself, and of the person who opens it, are looked at. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { allowedPlaces, originOfAt, refusalOf, type SentFacts } from '../../src/serve/origin.ts'

const AT = 'https://laptop.example.ts.net'
const places = allowedPlaces(4747, AT)

const post: SentFacts = {
  method: 'POST',
  target: '/api/hello',
  host: ['127.0.0.1:4747'],
  origin: ['http://127.0.0.1:4747'],
  contentType: ['application/json'],
  site: ['same-origin'],
  mode: ['cors'],
  dest: ['empty'],
}
const get: SentFacts = { ...post, method: 'GET', target: '/', origin: [], contentType: [], site: ['none'] }

const errorOf = (facts: SentFacts): string => refusalOf(facts, places)?.error ?? 'none'

describe('what is let through', () => {
  test.each<[string, SentFacts]>([
    ['a request of the page', post],
    ['one of localhost', { ...post, host: ['localhost:4747'], origin: ['http://localhost:4747'] }],
    ['one through the tunnel', { ...post, host: ['laptop.example.ts.net'], origin: [AT] }],
    ['one through a tunnel that names our own host', { ...post, host: ['127.0.0.1:4747'], origin: [AT] }],
    ['one of a browser that says nothing of the sender', { ...post, site: [], mode: [], dest: [] }],
    ['the page by its address', get],
    ['the page by a link in another page', { ...get, site: ['cross-site'], mode: ['navigate'], dest: ['document'] }],
    ['a file of the page', { ...get, target: '/app.js', site: ['same-origin'], dest: ['script'] }],
  ])('%s', (_name, facts) => {
    expect(errorOf(facts)).toBe('none')
  })
})

describe('what is refused', () => {
  test.each<[string, SentFacts, string]>([
    ['a name of an attacker that leads here', { ...post, host: ['evil.example:4747'] }, 'host'],
    ['that name with its own origin', { ...post, host: ['evil.example'], origin: ['http://evil.example'] }, 'host'],
    ['another port', { ...post, host: ['127.0.0.1:80'] }, 'host'],
    ['no port', { ...post, host: ['127.0.0.1'] }, 'host'],
    ['another name of loopback', { ...post, host: ['127.0.0.2:4747'] }, 'host'],
    ['a name that begins like ours', { ...post, host: ['127.0.0.1:4747.evil.example'] }, 'host'],
    ['a name with credentials', { ...post, host: ['a@127.0.0.1:4747'] }, 'host'],
    ['two hosts', { ...post, host: ['127.0.0.1:4747', 'evil.example'] }, 'host'],
    ['no host', { ...post, host: [] }, 'host'],
    ['the tunnel with a port', { ...post, host: ['laptop.example.ts.net:4747'], origin: [AT] }, 'host'],
    ['an origin of another site', { ...post, origin: ['https://evil.example'] }, 'origin'],
    ['an opaque origin', { ...post, origin: ['null'] }, 'origin'],
    ['no origin', { ...post, origin: [] }, 'origin'],
    ['two origins', { ...post, origin: ['http://127.0.0.1:4747', 'http://127.0.0.1:4747'] }, 'origin'],
    ['the origin of our other name', { ...post, origin: ['http://localhost:4747'] }, 'origin'],
    ['our origin by https', { ...post, origin: ['https://127.0.0.1:4747'] }, 'origin'],
    ['a loopback origin at the tunnel', { ...post, host: ['laptop.example.ts.net'] }, 'origin'],
    ['what the browser calls another site', { ...post, site: ['cross-site'] }, 'origin'],
    ['what it calls a neighbour of the tunnel', { ...post, site: ['same-site'] }, 'origin'],
    ['a request that the person typed', { ...post, site: ['none'] }, 'origin'],
    ['a form', { ...post, contentType: ['application/x-www-form-urlencoded'] }, 'body'],
    ['a form that says that it is text', { ...post, contentType: ['text/plain'] }, 'body'],
    ['no type', { ...post, contentType: [] }, 'body'],
    ['a query', { ...post, target: '/api/hello?token=1' }, 'path'],
    ['a post to a file', { ...post, target: '/app.js' }, 'path'],
    ['an address in the place of a path', { ...post, target: 'http://evil.example/api/hello' }, 'path'],
    ['a path that is an address', { ...post, target: '//evil.example/api/hello' }, 'path'],
    ['an asterisk', { ...post, target: '*' }, 'path'],
    ['a request of the API by GET', { ...get, target: '/api/hello' }, 'method'],
    ['an image of another page', { ...get, site: ['cross-site'], mode: ['no-cors'], dest: ['image'] }, 'origin'],
    ['a frame in another page', { ...get, site: ['cross-site'], mode: ['navigate'], dest: ['iframe'] }, 'origin'],
    [
      'a script in another page',
      { ...get, target: '/app.js', site: ['cross-site'], mode: ['no-cors'], dest: ['script'] },
      'origin',
    ],
    [
      'a link to a file',
      { ...get, target: '/app.js', site: ['cross-site'], mode: ['navigate'], dest: ['document'] },
      'origin',
    ],
    ...['OPTIONS', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'CONNECT', 'post', ''].map(
      (method): [string, SentFacts, string] => [`the method ${method}`, { ...post, method }, 'method'],
    ),
  ])('%s', (_name, facts, error) => {
    expect(errorOf(facts)).toBe(error)
  })

  test('any other host, and any other origin', () => {
    const known = new Set(['127.0.0.1:4747', 'localhost:4747', 'laptop.example.ts.net'])
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webAuthority({ withPort: true })), host => {
        fc.pre(!known.has(host))
        expect(errorOf({ ...post, host: [host] })).toBe('host')
        expect(errorOf({ ...post, origin: [`http://${host}`] })).toBe('origin')
      }),
    )
  })

  test('the host of a tunnel, without --at', () => {
    const alone = allowedPlaces(4747, null)
    expect(refusalOf({ ...post, host: ['laptop.example.ts.net'], origin: [AT] }, alone)?.error).toBe('host')
    expect(refusalOf({ ...post, origin: [AT] }, alone)?.error).toBe('origin')
  })
})

describe('--at', () => {
  test.each([
    ['https://laptop.example.ts.net', 'https://laptop.example.ts.net'],
    ['https://laptop.example.ts.net/', 'https://laptop.example.ts.net'],
    ['https://laptop.example.ts.net:8443', 'https://laptop.example.ts.net:8443'],
    ['HTTPS://Laptop.Example', 'https://laptop.example'],
    ['http://localhost:8080', 'http://localhost:8080'],
  ])('takes %s', (typed, origin) => {
    expect(originOfAt(typed)).toBe(origin)
  })

  test.each([
    ['laptop.example', 'needs the address'],
    ['', 'needs the address'],
    ['ftp://laptop.example', 'needs the address'],
    ['javascript:alert(1)', 'needs the address'],
    ['http://laptop.example', 'needs https'],
    ['https://user:secret@laptop.example', 'no name and no password'],
    ['https://laptop.example/zotui', 'without a path'],
    ['https://laptop.example/?token=1', 'without a path'],
    ['https://laptop.example/#x', 'without a path'],
  ])('does not take %j', (typed, words) => {
    expect(() => originOfAt(typed)).toThrow(words)
  })
})
