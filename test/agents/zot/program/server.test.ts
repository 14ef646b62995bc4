import { expect, test } from 'vitest'
import { serverOf } from '../../../../src/agents/zot/program/server.ts'
import type { ZotOptions } from '../../../../src/agents/zot/program/options.ts'

test.each<[ZotOptions, string, string | undefined, string | undefined]>([
  [{}, 'anthropic', undefined, undefined],
  [{ baseUrl: '' }, 'anthropic', undefined, undefined],
  [{ baseUrl: 'https://Gateway.Example/v1' }, 'anthropic', undefined, 'gateway.example'],
  [{ baseUrl: 'https://me:secret@gateway.example:8443' }, 'anthropic', undefined, 'gateway.example:8443'],
  [{ baseUrl: 'http://a', extra: ['--base-url', 'http://b'] }, 'anthropic', undefined, 'b'],
  [{ extra: ['--base-url', 'http://b', '--base-url', 'http://c', '--x'] }, 'anthropic', undefined, 'c'],
  [{}, 'ollama', undefined, undefined],
  [{}, 'anthropic', 'pi', undefined],
  [{}, 'ollama', 'pi', 'localhost on pi'],
  [{ baseUrl: 'http://127.0.0.1:1234' }, 'openai', 'pi', '127.0.0.1:1234 on pi'],
  [{ baseUrl: 'http://[::1]:1234' }, 'openai', 'pi', '[::1]:1234 on pi'],
  [{ baseUrl: 'http://localhost.example' }, 'openai', 'pi', 'localhost.example'],
  [{ baseUrl: 'http://ollama.localhost' }, 'openai', 'pi', 'ollama.localhost on pi'],
])('a start with %j for %s on the machine %s sends prompts to %s', (options, provider, machine, server) => {
  expect(serverOf(options, provider, machine)).toBe(server)
})
